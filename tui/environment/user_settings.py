"""Per-user settings: who the verifier is, the key map, the theme. They live in the platform's configuration folder."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.foundations.toml_files import line_of, read_toml

KNOWN = ("verifier", "theme", "keys")


@dataclass(frozen=True, slots=True)
class User:
    """What a person set for themselves.

    Attributes:
        verifier: who gives the verdicts; empty for one who was asked and has not said, `None` for one who was never asked.
        theme: the theme of the screens.
        keys: the person's own key map.
    """

    verifier: str | None = None
    theme: str | None = None
    keys: dict[str, str] = field(default_factory=dict)


def user_file() -> Path:
    """Where the per-user settings lie (`ADJUDICATE_CONFIG` names another folder)."""
    import platformdirs

    folder = os.environ.get("ADJUDICATE_CONFIG") or platformdirs.user_config_dir("adjudicate")
    return Path(folder) / "user.toml"


def read_user() -> User:
    """The per-user settings; an absent file means none.

    Raises:
        InputError: the file is not TOML, has an unknown key (with a suggestion), or a value of the wrong type.
    """
    path = user_file()
    found = read_toml(path, "your settings are")
    if found is None:
        return User()
    document, text = found
    for key, value in document.items():
        line = line_of(text, key)
        if key not in KNOWN:
            near = get_close_matches(key, KNOWN, n=1)
            hint = f"did you mean `{near[0]}`" if near else f"known keys are {', '.join(KNOWN)}"
            raise InputError(f"unknown setting `{key}`", where=path, line=line, hint=hint)
        if key != "keys" and not isinstance(value, str):
            raise InputError(f"`{key}` must be a text, not {value!r}", where=path, line=line, hint="put it in quotes")
    keys = document.get("keys", {})
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        hint = 'write "verdict.same" = "k", the name in quotes where it has a full stop'
        raise InputError("`[keys]` must map action names to keys, each a text", where=path, line=line_of(text, "keys"), hint=hint)
    return User(document.get("verifier"), document.get("theme"), keys)


def remember(**values: str) -> None:
    """Keep settings for the next start. A file that cannot be written is no reason to stop: they are asked again."""
    import tomlkit

    from scoring.foundations.files import write_whole

    path = user_file()
    try:
        # A link is followed: settings are often kept elsewhere, and linked to.
        path = path.resolve()
        document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
        document.update(values)
        write_whole(path, tomlkit.dumps(document).encode())
    except (OSError, ValueError, RuntimeError):
        return
