"""Per-user settings: who the verifier is, the key map, the theme. They live in the platform's configuration folder."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from scoring.problems import InputError


@dataclass(frozen=True, slots=True)
class User:
    """What a person set for themselves."""

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
        InputError: the file is not TOML, or has an unknown key.
    """
    path = user_file()
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return User()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise InputError(f"your settings cannot be read ({fault})", where=path, hint="mend or remove the file") from fault
    unknown = [key for key in document if key not in ("verifier", "theme", "keys")]
    if unknown:
        raise InputError(f"unknown setting `{unknown[0]}`", where=path, hint="known keys are verifier, theme, keys")
    keys = document.get("keys", {})
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise InputError("`[keys]` must map action names to keys, each a text", where=path)
    return User(document.get("verifier"), document.get("theme"), keys)


def remember(**values: str) -> None:
    """Keep settings for the next start. A folder that cannot be written is no reason to stop: they are asked again."""
    import tomlkit

    path = user_file()
    try:
        document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
        document.update(values)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomlkit.dumps(document), "utf-8")
    except OSError:
        return
