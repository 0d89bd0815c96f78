"""Places to go to by name: queues, cells, runs, pages, cases. Plain Python; the palette lists them, and `:` goes to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from scoring.foundations.problems import InputError
from scoring.tasks import ComparesRunPages, task_of_case
from tui.bench.session import ALL, Session
from tui.keys.actions import REVIEW, RUN

MOST_CASES = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where one can go.

    Attributes:
        name: what it is called there: `run alfa/naive/run_01`.
        help: a sentence on what is seen there.
        screen: the screen that shows it.
        queue, case, run, page: what is shown on it; the rest is left as it is.
    """

    name: str
    help: str
    screen: str
    queue: str | None = None
    case: str | None = None
    run: str | None = None
    page: str | None = None


def places(session: Session) -> Iterator[Place]:
    """Every queue, page, cell and run of the task, without its cases."""
    for queue in (*session.task.queues, ALL):
        found = session.progress(queue)
        yield Place(f"queue {queue}", f"{found.open} open, {found.decided} decided of {found.total}.", REVIEW, queue=queue)
    for page in dict.fromkeys(case.page for case in session.cases.values()):
        yield Place(f"page {page}", "The first case of the page.", REVIEW, page=page)
    for cell, run in _cells(session).items():
        yield Place(f"cell {cell}", f"Its first run, {run}, side by side.", RUN, run=run)
    for run in _runs(session):
        yield Place(f"run {run}", "The run, side by side.", RUN, run=run)


def cases_like(session: Session, text: str) -> list[Place]:
    """The cases whose id begins so, some of them where they are many."""
    found: list[Place] = []
    if not text.strip():
        return found
    for case in session.cases.values():
        if case.id.startswith(text.strip()):
            found.append(Place(f"case {case.id}", f"{case.queue}, page {case.page}: {case.title}", REVIEW, case=case.id))
            if len(found) == MOST_CASES:
                break
    return found


def find_place(session: Session, text: str, *, run: str | None = None) -> Place:
    """The place of that name: a queue, a page, a cell, a run (or what only its name holds), a page of a run, a case by its id.

    Args:
        session: the sitting.
        text: what was typed.
        run: the run that is being looked at; a page is then one of it.

    Raises:
        InputError: there is none, or there are several.
    """
    text = " ".join(text.split())
    if not text:
        raise InputError("no place was named", hint="give a case, a page, a queue, a cell or a run")
    if (queue := text.removeprefix("queue ")) in (*session.task.queues, ALL):
        return Place(f"queue {queue}", "", REVIEW, queue=queue)
    wanted = text.casefold().removeprefix("page").lstrip(" :") or text.casefold()
    asked_about = dict.fromkeys(case.page for case in session.cases.values()) if run is None else ()
    for pages, screen in ((asked_about, REVIEW), (_material_pages(session), RUN)):
        page = _page(wanted, pages)
        if page is not None:
            return Place(f"page {page}", "", screen, run=run, page=page)
    named = _run(session, text)
    if named is not None:
        return Place(f"run {named[0]}", "", RUN, run=named[0], page=named[1])
    name = text.removeprefix("case ")
    if task_of_case(name) is None and not any(case.startswith(name) for case in session.cases):
        known = f"queues are {', '.join((*session.task.queues, ALL))}; a run is named as in alfa/naive/run_01, or by a part of that"
        raise InputError(f"there is no case, page, queue, cell or run `{text}`", hint=known)
    case = session.find(name)
    return Place(f"case {case.id}", "", REVIEW, case=case.id)


def _page(wanted: str, pages: Iterable[str]) -> str | None:
    return next((page for page in pages if page.casefold() == wanted.casefold()), None)


def _run(session: Session, text: str) -> tuple[str, str | None] | None:
    """The run of that name, of that cell, or that alone holds the words; and the page, where the last word is one.

    Raises:
        InputError: several hold them.
    """
    wanted = text.removeprefix("run ").removeprefix("cell ")
    runs = _runs(session)
    if not runs:
        return None
    words, _, last = wanted.rpartition(" ")
    page = _page(last, _material_pages(session)) if words else None
    for name, at in ((wanted, None), (words.removesuffix(" page"), page)):
        if not name or (name != wanted and at is None):
            continue
        found = [one for one in runs if one.casefold() == name.casefold()]
        found = found or [one for cell, one in _cells(session).items() if cell.casefold() == name.casefold()]
        found = found or [one for one in runs if all(word in one.casefold() for word in name.casefold().split())]
        if len(found) > 1:
            raise InputError(f"`{name}` is in the names of {len(found)} runs: {', '.join(found[:3])}, …", hint="give more of the name")
        if found:
            return found[0], at
    return None


def _runs(session: Session) -> tuple[str, ...]:
    return tuple(run.key for run in _material(session).runs) if isinstance(session.task, ComparesRunPages) else ()


def _cells(session: Session) -> dict[str, str]:
    """The first run of each cell, by the cell's name."""
    found: dict[str, str] = {}
    for run in _material(session).runs if isinstance(session.task, ComparesRunPages) else ():
        found.setdefault("/".join(run.cell), run.key)
    return found


def _material_pages(session: Session) -> tuple[str, ...]:
    return tuple(page.id for page in _material(session).pages) if isinstance(session.task, ComparesRunPages) else ()


def _material(session: Session) -> Any:
    return session.evaluation.material
