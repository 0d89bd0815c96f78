"""The one registry of actions: bindings, footer, help, palette and user key maps are all made from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

OVERVIEW, REVIEW, RUN, SCORES, RULES, AGREEMENT = "overview", "review", "run", "scores", "rules", "agreement"
SCREENS = (OVERVIEW, REVIEW, RUN, SCORES, RULES, AGREEMENT)
EVERYWHERE: tuple[str, ...] = SCREENS
DOCUMENTS, RECORD, ACCURACY = DESK = ("documents", "record", "accuracy")
# What lies in front of a screen: a line of text, a choice, a yes or no, something to read, a picture; and, at the Records desk, a
# form, a value typed on a line or on several, a choice that letters narrow.
TEXT, CHOICE, CONFIRM, PAGES, PICTURE = ("text", "choice", "confirm", "pages", "picture")
FORM, VALUE, LINES = ("form", "value", "lines")
DIALOGS = (TEXT, CHOICE, CONFIRM, PAGES, PICTURE, FORM, VALUE, LINES)
TYPING = (TEXT, VALUE, LINES)
ASKED = "In front of a screen"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do.

    Attributes:
        id: its name in key maps.
        keys: its keys, the first of which is shown.
        label: one or two words for the footer.
        help: a sentence for help and palette.
        call: the Textual action it runs.
        screens: where it is offered.
        group: its heading in the help.
        footer: whether it is among the first in the footer; the others follow as far as there is room.
        tasks: the tasks it is for; none named means all.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    call: str
    screens: tuple[str, ...] = EVERYWHERE
    group: str = "Everywhere"
    footer: bool = False
    tasks: tuple[str, ...] = ()

    def is_for(self, task: str) -> bool:
        """Whether a task offers it."""
        return not self.tasks or task in self.tasks


def _verdict(key: str, verdict: str, text: str, *tasks: str) -> Action:
    return Action(f"verdict.{verdict}", (key,), verdict, text, f"verdict('{verdict}')", (REVIEW,), "Verdicts", True, tasks)


TABLES, QUESTIONS, RELATIONS, RECORDS = TASKS = ("tables", "questions", "relations", "records")
ACTIONS: tuple[Action, ...] = (
    _verdict("s", "same", "The row and the GT row are the same, whatever the similarity.", TABLES),
    _verdict("x", "different", "The row and the GT row are not the same.", TABLES),
    _verdict("u", "unsure", "Looked at, and left to the automatic rule.", TABLES, QUESTIONS, RELATIONS),
    _verdict("d", "duplicate", "The row repeats another model row.", TABLES),
    _verdict("m", "merge", "The row joins two or more GT rows.", TABLES),
    _verdict("f", "fragment", "The row is a piece of a GT row or of another model row.", TABLES),
    _verdict("r", "misread", "The row or entry is one of the ground truth, misread.", TABLES, QUESTIONS),
    _verdict("i", "invention", "The row has no counterpart on the page.", TABLES),
    Action("verdict.truth", ("g",), "GT doubt", "Doubt the ground truth: wrong, illegible, a row missing or too many.", "truth", (REVIEW,), "Verdicts", True, (TABLES, QUESTIONS)),
    _verdict("e", "equivalent", "Both writings mean the same: draft an OPEN row of EQUIVALENCES.md.", TABLES, QUESTIONS),
    _verdict("s", "stands", "The gold label stands.", RELATIONS),
    _verdict("y", "true", "The relation holds: TRUE.", RELATIONS),
    _verdict("p", "probable", "The relation is likely: PROBABLE.", RELATIONS),
    _verdict("x", "false", "The relation does not hold: FALSE.", RELATIONS),
    Action("undo", ("z",), "undo", "Take your last verdict back; again for the one before, without limit.", "undo", (REVIEW, RUN, OVERVIEW), "Verdicts", True),
    Action("note", ("t",), "note", "Write a note for the next verdict.", "note", (REVIEW,), "Verdicts"),
    Action("certainty", ("c",), "certainty", "How certain the next verdict is: 1 to 5, then none again.", "certainty", (REVIEW,), "Verdicts"),
    Action("narrow", ("w",), "this run only", "Let the next verdict speak of this run's row alone.", "narrow", (REVIEW,), "Verdicts"),
    Action("unpoint", ("escape",), "as proposed", "Let the next verdict point where it is proposed to again, without note or certainty.", "unpoint", (REVIEW,), "Verdicts"),
    Action("mark", ("asterisk", "M"), "mark", "Choose the case for a batch, or let it go again.", "mark", (REVIEW,), "Batch"),
    Action("batch", ("B",), "batch", "One verdict for the marked cases, or for the open ones that read the same; after a list to confirm.", "batch", (REVIEW,), "Batch"),
    Action("keep", ("K",), "keep", "A stale verdict: it still holds for the rows as they are now.", "keep", (REVIEW,), "Stale verdicts"),
    Action("revisit", ("v",), "revisit", "A stale verdict: take it back and ask again.", "revisit", (REVIEW,), "Stale verdicts"),
    Action("uncover", ("N",), "not the new", "Take your verdict back from the occurrences that are new since: they are asked about.", "uncover", (REVIEW,), "Stale verdicts", False, (TABLES,)),
    Action("next", ("down", "j"), "next", "The next line.", "move(1)", EVERYWHERE, "Moving"),
    Action("previous", ("up", "k"), "previous", "The line before.", "move(-1)", EVERYWHERE, "Moving"),
    Action("page_down", ("pagedown", "space"), "page down", "A screenful on.", "page(1)", EVERYWHERE, "Moving"),
    Action("page_up", ("pageup",), "page up", "A screenful back.", "page(-1)", EVERYWHERE, "Moving"),
    Action("first", ("home",), "first", "The first line.", "edge(-1)", EVERYWHERE, "Moving"),
    Action("last", ("end",), "last", "The last line.", "edge(1)", EVERYWHERE, "Moving"),
    Action("next_open", ("n",), "next open", "The next case that is not decided.", "next_open", (REVIEW,), "Moving", True),
    Action("back", ("b", "backspace"), "back", "Back to the case looked at before; in the scores, one level up.", "back", (REVIEW, SCORES), "Moving"),
    Action("behind", ("L",), "entries", "The log entries behind the figures of the line.", "behind", (SCORES,), "Looking", True),
    Action("columns_next", ("right", "greater_than_sign"), "columns", "The figures to the right, where the screen is too narrow for all.", "columns(1)", (SCORES,), "Looking", True),
    Action("columns_previous", ("left", "less_than_sign"), "columns before", "The figures to the left.", "columns(-1)", (SCORES,), "Looking"),
    Action("scroll_down", ("right_square_bracket",), "scroll case", "Scroll the case, or the tables below, down.", "scroll_case(1)", (REVIEW, SCORES), "Moving"),
    Action("scroll_up", ("left_square_bracket",), "scroll case up", "Scroll the case, or the tables below, up.", "scroll_case(-1)", (REVIEW, SCORES), "Moving"),
    Action("occurrence_next", ("right",), "next occurrence", "The next place where the case occurs.", "occurrence(1)", (REVIEW,), "Moving"),
    Action("occurrence_previous", ("left",), "occurrence before", "The place before where the case occurs.", "occurrence(-1)", (REVIEW,), "Moving"),
    Action("queue_next", ("tab",), "next queue", "The next queue.", "queue(1)", (REVIEW,), "Queue", True),
    Action("queue_previous", ("shift+tab",), "queue before", "The queue before.", "queue(-1)", (REVIEW,), "Queue"),
    Action("filter", ("slash",), "filter", "Filter the queue: page:28 status:open similarity>=0.65 -anna.", "filter", (REVIEW,), "Queue"),
    Action("jump", ("colon",), "go to", "Go to a case by its id, a page, a queue, a cell, a run, or a page of a run.", "jump", EVERYWHERE, "Screens"),
    Action("invisible", ("apostrophe",), "code points", "The characters of the case by code point; what is invisible or looks like another is pointed out.", "invisible", (REVIEW,), "Looking"),
    Action("scan", ("o",), "scan", "Open the page scan, or the line of it, outside.", "scan", (REVIEW,), "Looking", False, (TABLES,)),
    Action("open_run", ("l",), "its run", "See the case in its run and page, side by side.", "open_run", (REVIEW,), "Looking", False, (TABLES,)),
    Action("enter", ("enter",), "open", "Open what the cursor is on.", "enter", EVERYWHERE, "Moving", True),
    Action("page_next", ("right", "greater_than_sign"), "next page", "The next page.", "step('page', 1)", (RUN,), "Run", True),
    Action("page_previous", ("left", "less_than_sign"), "page before", "The page before.", "step('page', -1)", (RUN,), "Run"),
    Action("run_next", ("right_square_bracket",), "next run", "The next run of the cell.", "step('run', 1)", (RUN,), "Run", True),
    Action("run_previous", ("left_square_bracket",), "run before", "The run before.", "step('run', -1)", (RUN,), "Run"),
    Action("cell_next", ("right_curly_bracket",), "next cell", "The next model and phase.", "step('cell', 1)", (RUN,), "Run", True),
    Action("cell_previous", ("left_curly_bracket",), "cell before", "The model and phase before.", "step('cell', -1)", (RUN,), "Run"),
    Action("screen.overview", ("O",), "Overview", "Scores, queues and problems at a glance.", f"app.show('{OVERVIEW}')", EVERYWHERE, "Screens", True),
    Action("screen.review", ("V",), "Review", "The queue, one case at a time.", f"app.show('{REVIEW}')", EVERYWHERE, "Screens", True),
    Action("screen.run", ("R",), "Run", "One run and page, side by side.", f"app.show('{RUN}')", EVERYWHERE, "Screens", True, (TABLES,)),
    Action("screen.scores", ("S",), "Scores", "Figures from cells to pages, as scored and as adjudicated.", f"app.show('{SCORES}')", EVERYWHERE, "Screens", True),
    Action("screen.rules", ("E",), "Rules", "EQUIVALENCES.md as a table: draft, preview, settle, reopen.", f"app.show('{RULES}')", EVERYWHERE, "Screens", True),
    Action("screen.agreement", ("A",), "Agreement", "Verifiers against each other, and conflicts to rule.", f"app.show('{AGREEMENT}')", EVERYWHERE, "Screens", True),
    Action("draft", ("d",), "draft", "Draft a row: an equivalence, a word to ignore, or a near miss; a witness is looked for.", "draft", (RULES,), "Rules", True),
    Action("rule.edit", ("e",), "edit", "Edit the cells of the row.", "edit", (RULES,), "Rules", True),
    Action("settle", ("s",), "settle", "Settle the OPEN row, after its preview.", "settle", (RULES,), "Rules", True),
    Action("reopen", ("r",), "reopen", "Make the settled row OPEN again, after a preview of that.", "reopen", (RULES,), "Rules", True),
    Action("rule.remove", ("x", "delete"), "remove", "Take the OPEN row, or the near miss, out of the file.", "remove", (RULES,), "Rules", True),
    Action("preview", ("p",), "preview", "What the OPEN rows would move, alone and together.", "preview", (RULES,), "Rules", True),
    Action("preview.row", ("P",), "this row", "What the row would move: settled, if it is OPEN; made OPEN, if it is settled.", "preview_row", (RULES,), "Rules", True),
    Action("rule.filter", ("slash",), "filter", "Filter the rows: status:open field:name kind:ignore wien -casa.", "filter", (RULES,), "Rules", True),
    Action("rule", ("x",), "rule", "Open the conflict under the cursor, to give the ruling.", "enter", (AGREEMENT,), "Agreement", True),
    Action("task", ("ctrl+t", "f6"), "task", "Change to the next task of the workspace: tables, questions, relations, records.", "app.next_task", EVERYWHERE, "Screens"),
    Action("reload", ("ctrl+r", "f5"), "reload", "Read everything from disk again.", "app.reload", EVERYWHERE, "Screens"),
    # The Records desk: a database of extracted records, where everything is kept in the database as well.
    Action("record.next", ("down", "j"), "next", "The next line.", "move(1)", DESK, "Moving"),
    Action("record.previous", ("up", "k"), "previous", "The line before.", "move(-1)", DESK, "Moving"),
    Action("record.page_down", ("pagedown", "space"), "page down", "A screenful on: of the documents, of the text, of the figures.", "page(1)", DESK, "Moving"),
    Action("record.page_up", ("pageup",), "page up", "A screenful back.", "page(-1)", DESK, "Moving"),
    Action("record.first", ("home",), "first", "The first line.", "edge(-1)", DESK, "Moving"),
    Action("record.last", ("end",), "last", "The last line.", "edge(1)", DESK, "Moving"),
    Action("record.open", ("enter",), "open", "Open the document; on the heat map, the edits behind the cell.", "enter", (DOCUMENTS, ACCURACY), "Moving", True),
    Action("record.edit", ("enter", "e"), "edit", "Edit the field; a value of the wrong type is refused.", "edit", (RECORD,), "Verdicts", True),
    Action("record.accept", ("a",), "accept", "The record is right as it stands.", "accept", (RECORD,), "Verdicts", True),
    Action("record.delete", ("d",), "delete", "The record is a hallucination; it is kept, and marked deleted.", "delete", (RECORD,), "Verdicts", True),
    Action("record.restore", ("r",), "restore", "The deleted record is one after all.", "restore", (RECORD,), "Verdicts", True),
    Action("record.add", ("plus", "i"), "add", "Add a record the model missed; from an uncited passage, with it as evidence.", "add", (RECORD,), "Verdicts", True),
    Action("record.add_like", ("D",), "add like this", "Add a record that begins with the values of this one.", "add_like", (RECORD,), "Verdicts"),
    Action("record.withdraw", ("w",), "withdraw", "Take your own edits of the field back, as if they had never been.", "withdraw", (RECORD,), "Verdicts"),
    Action("record.reviewed", ("v",), "reviewed", "The document is done; again: it is not.", "mark_reviewed", (DOCUMENTS, RECORD), "Verdicts", True),
    Action("record.describe", ("m",), "metadata", "Mend the document's description, a field at a time.", "describe", (DOCUMENTS, RECORD), "Verdicts", True),
    Action("record.note", ("c",), "note", "Write a note for the next verdict.", "note", (DOCUMENTS, RECORD), "Verdicts"),
    Action("record.mark", ("asterisk", "M"), "mark", "Choose the record: accept, delete and restore then go to all chosen, after a list to confirm.", "mark", (RECORD,), "Verdicts"),
    Action("record.undo", ("z",), "undo", "Take your last verdict back; again for the one before, without limit.", "undo", (DOCUMENTS, RECORD), "Verdicts", True),
    Action("record.redo", ("y",), "redo", "Do again what was taken back.", "redo", (DOCUMENTS, RECORD), "Verdicts"),
    Action("record.field_next", ("right", "l"), "next field", "The next field.", "field(1)", (RECORD, ACCURACY), "Moving", True),
    Action("record.field_previous", ("left", "h"), "field before", "The field before.", "field(-1)", (RECORD, ACCURACY), "Moving"),
    Action("record.evidence_next", ("right_square_bracket",), "evidence", "The next place in the text that says so.", "evidence(1)", (RECORD,), "The text", True),
    Action("record.evidence_previous", ("left_square_bracket",), "evidence before", "The place before.", "evidence(-1)", (RECORD,), "The text"),
    Action("record.uncited_next", ("x",), "uncited", "The next passage no record cites: where missed records hide.", "uncited(1)", (RECORD,), "The text", True),
    Action("record.uncited_previous", ("X",), "uncited before", "The passage before that no record cites.", "uncited(-1)", (RECORD,), "The text"),
    Action("record.text", ("t",), "text", "The whole text alone, or beside the record again.", "read", (RECORD,), "The text", True),
    Action("record.table", ("g",), "table", "The records as a table, or as a form again.", "table", (RECORD,), "Looking", True),
    Action("record.next_open", ("n",), "next open", "The next record nobody has judged; in the list, the next document that is not reviewed.", "next_open", (DOCUMENTS, RECORD), "Moving", True),
    Action("record.document_next", ("greater_than_sign", "J"), "next document", "Open the next document that is not reviewed.", "document(1)", (RECORD,), "Moving", True),
    Action("record.document_previous", ("less_than_sign", "K"), "document before", "Open the document before in the list.", "document(-1)", (RECORD,), "Moving"),
    Action("record.history", ("H",), "history", "What was done to the record: old value beside new, who and when.", "history", (RECORD,), "Looking", True),
    Action("record.document_history", ("L",), "its history", "What was done to the document and all its records.", "document_history", (DOCUMENTS, RECORD), "Looking"),
    Action("record.find", ("slash",), "find", "Find documents, spelling mistakes forgiven; in a document, records, also by field:word.", "filter", (DOCUMENTS, RECORD), "Looking", True),
    Action("record.sort", ("s",), "sort", "Sort: documents by another column, records by the field, the heat map's documents by another order.", "sort", DESK, "Looking", True),
    Action("record.sort_fields", ("S",), "sort fields", "The heat map's fields worst first, or in table order.", "sort_fields", (ACCURACY,), "Looking", True),
    Action("record.scope", ("f",), "fields", "The fields of the schema alone, or all that EcoExtract counts.", "scope", (ACCURACY,), "Looking", True),
    Action("record.only_open", ("o",), "open only", "List the documents that are not reviewed, or all.", "only_open", (DOCUMENTS,), "Looking", True),
    Action("record.jump", ("colon",), "go to", "Go to a document by its id.", "jump", (DOCUMENTS,), "Moving"),
    Action("record.accuracy", ("A",), "accuracy", "The accuracy read from the edits so far.", "accuracy", (DOCUMENTS, RECORD), "Looking", True),
    Action("record.reload", ("f5", "ctrl+r"), "reload", "Read the database again: what others did is shown.", "reload", DESK, "Screens"),
    Action("record.back", ("b", "backspace", "escape"), "back", "Back: to the form, to the list of documents.", "back", (RECORD, ACCURACY), "Moving", True),
    Action("record.theme", ("T",), "dark or light", "Change between dark and light.", "app.change_mode", DESK, "Screens"),
    Action("record.help", ("question_mark", "f1"), "help", "All keys of this screen.", "app.help", DESK, "Screens", True),
    Action("record.quit", ("q", "f10"), "quit", "Leave. Every verdict given is in the log and in the database.", "app.leave", DESK, "Screens", True),
    Action("theme", ("T",), "dark or light", "Change between dark and light.", "app.change_mode", EVERYWHERE, "Screens"),
    Action("help", ("question_mark", "f1"), "help", "All keys of this screen.", "app.help", EVERYWHERE, "Screens", True),
    Action("palette", ("ctrl+p", "f2"), "palette", "Find an act of any screen, or a place to go, by its name.", "app.command_palette", (*EVERYWHERE, *DESK), "Screens"),
    Action("quit", ("q", "f10"), "quit", "Leave. Every verdict given is on disk.", "app.leave", EVERYWHERE, "Screens", True),
    Action("text.take", ("enter",), "take it", "Take the text.", "take", (TEXT, VALUE), ASKED, True),
    Action("text.leave", ("escape",), "leave it", "Leave the text as it was.", "cancel", (*TYPING,), ASKED, True),
    Action("lines.take", ("ctrl+s", "f2"), "take it", "Take the text of several lines, in which Enter begins a line.", "take", (LINES,), ASKED, True),
    Action("choice.take", ("enter",), "take", "Take the choice under the cursor.", "take_here", (CHOICE,), ASKED, True),
    Action("choice.leave", ("escape", "q"), "leave", "Choose nothing.", "cancel", (CHOICE,), ASKED, True),
    Action("confirm.yes", ("y",), "yes", "Do what is listed.", "answer(True)", (CONFIRM,), ASKED, True),
    Action("confirm.no", ("n", "escape", "q"), "no", "Do nothing of it.", "answer(False)", (CONFIRM,), ASKED, True),
    Action("pages.close", ("escape", "q", "enter", "question_mark", "o"), "close", "Close what was opened to read.", "cancel", (PAGES, PICTURE), ASKED, True),
    Action("form.edit", ("enter", "e"), "edit", "Edit the field of the form.", "edit", (FORM,), ASKED, True),
    Action("form.save", ("s", "ctrl+s", "f2"), "save", "Save the form.", "save", (FORM,), ASKED, True),
    Action("form.leave", ("escape", "q"), "leave", "Leave the form.", "cancel", (FORM,), ASKED, True),
    Action("dialog.next", ("down", "j"), "down", "The next line.", "move(1)", (CHOICE, CONFIRM, PAGES, FORM), ASKED),
    Action("dialog.previous", ("up", "k"), "up", "The line before.", "move(-1)", (CHOICE, CONFIRM, PAGES, FORM), ASKED),
    Action("dialog.page_down", ("pagedown", "space"), "page down", "A screenful on.", "page(1)", (CONFIRM, PAGES), ASKED),
    Action("dialog.page_up", ("pageup",), "page up", "A screenful back.", "page(-1)", (CONFIRM, PAGES), ASKED),
    Action("dialog.first", ("home",), "first", "The first line.", "move(-9999)", (CHOICE, CONFIRM, PAGES, FORM), ASKED),
    Action("dialog.last", ("end",), "last", "The last line.", "move(9999)", (CHOICE, CONFIRM, PAGES, FORM), ASKED),
)  # fmt: skip


def _digits(name: str, label: str, text: str, call: str, screen: str, group: str) -> tuple[Action, ...]:
    digits = range(1, 10)
    return tuple(Action(f"{name}.{n}", (str(n),), f"{label} {n}", text.format(n), f"{call}({n})", (screen,), group) for n in digits)


PICKS = _digits("pick", "claimant", "Point the next verdict to claimant {}, or no longer.", "pick", REVIEW, "Pointing")
OTHER_ROW = Action(
    "point",
    ("0",),
    "other row",
    "Point the next verdict to any row of the page, found by its name or number; or no longer.",
    "other_row",
    (REVIEW,),
    "Pointing",
    tasks=(TABLES,),
)
CHOICES = _digits("choice", "choice", "Take choice {}.", "take", CHOICE, ASKED)
BY_ID: dict[str, Action] = {action.id: action for action in (*ACTIONS, *PICKS, OTHER_ROW, *CHOICES)}


@cache
def of_screen(screen: str, task: str | None = None) -> tuple[Action, ...]:
    """The actions a screen offers (for a task, where one is named), in the order of the registry."""
    return tuple(action for action in BY_ID.values() if screen in action.screens and (task is None or action.is_for(task)))


def by_need(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Acts in the order in which a footer has room for them: what a screen is for, then the rest, moving about last."""
    return tuple(sorted(actions, key=lambda action: 0 if action.footer else 2 if action.group in ("Moving", "Pointing") else 1))


def of_dialogs() -> tuple[Action, ...]:
    """What can be done in front of a screen: questions, choices, lists."""
    return tuple(action for action in BY_ID.values() if action.group == ASKED)
