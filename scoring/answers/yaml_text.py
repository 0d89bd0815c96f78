"""YAML as models write it: a list of mappings, alone, fenced, or under a key."""

from __future__ import annotations

import re
from typing import Any

_FENCED = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*(?:ya?ml)?[ \t]*\n(.*?)(?:^[ \t]*(?:```|~~~)|\Z)", re.DOTALL | re.MULTILINE | re.IGNORECASE)
_LIST = re.compile(r"^(?:[\w .-]+:[ \t]*\n)?[ \t]*-[ \t]+[\w\"'][^\n:]*:(?:[ \t]|$)", re.MULTILINE)
# Pure Python reads about 1 MB in 10 s; a longer text is hardly a page.
_LIMIT = 1024 * 1024


def parse_yaml(text: str) -> Any:
    """Return the list, or the object that holds lists, of a YAML text; None where there is none.

    Values keep their source text: no dates, numbers or booleans are made of them. Aliases are refused, so that a small text
    cannot become a large value.
    """
    fenced = _FENCED.search(text)
    body = fenced.group(1) if fenced else text
    found = _LIST.search(body)
    if found is None or len(body) > _LIMIT:
        return None
    import yaml

    for start in dict.fromkeys((0, found.start())):
        try:
            value = yaml.load(body[start:], Loader=_loader())
        except (yaml.YAMLError, RecursionError, ValueError):
            continue
        if isinstance(value, list) or (isinstance(value, dict) and any(isinstance(one, list) for one in value.values())):
            return value
    return None


def _loader() -> Any:
    """A loader of texts, lists and mappings alone; `null` and `~` are nothing."""
    import yaml

    class TextLoader(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.events.AliasEvent):
                raise yaml.YAMLError("an alias")
            return super().compose_node(parent, index)

    TextLoader.yaml_implicit_resolvers = {}
    TextLoader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
    return TextLoader
