"""The screens of the workbench, a file a screen, each imported when it is first shown."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tui.keys.actions import AGREEMENT, OVERVIEW, REVIEW, RULES, RUN, SCORES

if TYPE_CHECKING:
    from tui.screens.base import BenchScreen

# Screen -> module:class.
_SCREENS = {
    OVERVIEW: "tui.screens.overview:OverviewScreen",
    REVIEW: "tui.screens.review.screen:ReviewScreen",
    RUN: "tui.screens.run:RunScreen",
    SCORES: "tui.screens.scores:ScoresScreen",
    RULES: "tui.screens.rules.screen:RulesScreen",
    AGREEMENT: "tui.screens.agreement:AgreementScreen",
}


def screen_named(kind: str) -> type[BenchScreen]:
    """The class of a screen of the registry."""
    module, attribute = _SCREENS[kind].split(":")
    screen: type[BenchScreen] = getattr(import_module(module), attribute)
    return screen
