"""The theme: which one is wanted, and the change between dark and light, kept for the next start."""

from __future__ import annotations

import os
from typing import Any

from textual.app import App

from scoring.foundations.problems import InputError
from tui.environment.user_settings import remember, user_file

DARK, LIGHT = "textual-dark", "textual-light"


def wanted_theme(app: App[Any], of_user: str | None = None) -> str:
    """The theme to begin with: `ADJUDICATE_THEME`, else the person's own, else a dark one.

    Raises:
        InputError: there is no such theme.
    """
    given = os.environ.get("ADJUDICATE_THEME")
    wanted = given or of_user or DARK
    if wanted not in app.available_themes:
        where = "ADJUDICATE_THEME" if given else user_file()
        raise InputError(f"there is no theme `{wanted}`", where=where, hint=f"themes are {', '.join(sorted(app.available_themes))}")
    # With NO_COLOR an ANSI theme would be drawn black on black: stay with a true-colour one.
    return DARK if os.environ.get("NO_COLOR") and wanted.startswith("ansi") else wanted


def change_mode(app: App[Any]) -> None:
    """Between dark and light; what was chosen is kept for the next start, once the screen shows it."""
    app.theme = LIGHT if app.current_theme.dark else DARK
    app.call_after_refresh(remember, theme=app.theme)
