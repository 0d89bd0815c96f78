"""Everything a screen can do, the command line can do (`docs/adjudication.md`): each act of the registry has its command here."""

from __future__ import annotations

import shlex

import click
import pytest

from tui.cli import adjudicate
from tui.keys.actions import ACTIONS, BY_ID, PICKS, of_dialogs

LOOKING = "looking: what is printed is looked at, or scrolled, in the terminal"
DECIDE = "decide CASE VERDICT"
RECORD = "records decide DATABASE WHAT VERDICT"
# Act -> the command that does it, with the options that do; or, after `looking`, why it is no act upon anything.
COMMANDS: dict[str, str] = {
    **{one.id: DECIDE for one in ACTIONS if one.id.startswith("verdict.")},
    "verdict.truth": "decide CASE VERDICT --value TEXT",
    **{one.id: "decide CASE VERDICT --to ROW" for one in PICKS},
    "point": "decide CASE VERDICT --to ROW",
    "undo": "undo",
    "note": "decide CASE VERDICT --note TEXT",
    "certainty": "decide CASE VERDICT --certainty 3",
    "narrow": "decide CASE VERDICT --run MODEL/PHASE/RUN",
    "unpoint": "decide CASE VERDICT --to ROW",
    "mark": "batch VERDICT CASE CASE",
    "batch": "batch VERDICT --like CASE --yes",
    "keep": DECIDE,
    "revisit": DECIDE,
    "uncover": DECIDE,
    "next_open": "next",
    "queue_next": "next --queue Q",
    "queue_previous": "next --queue Q",
    "filter": "next --filter F",
    "jump": "show CASE",
    "occurrence_next": "show CASE --occurrence 2",
    "occurrence_previous": "show CASE --occurrence 1",
    "invisible": "show CASE --codes",
    "scan": "show CASE --scan",
    "open_run": "show RUN PAGE",
    "page_next": "show RUN PAGE",
    "page_previous": "show RUN PAGE",
    "run_next": "show RUN PAGE",
    "run_previous": "show RUN PAGE",
    "cell_next": "show RUN PAGE",
    "cell_previous": "show RUN PAGE",
    "enter": "score --cell MODEL/PHASE --run RUN --page PAGE",
    "back": "score --cell MODEL/PHASE",
    "behind": "log list --behind MODEL/PHASE/RUN/PAGE",
    "columns_next": "score --cell MODEL/PHASE --format csv",
    "columns_previous": "score --cell MODEL/PHASE --format csv",
    "screen.overview": "review --format json",
    "screen.review": "next",
    "screen.run": "show RUN PAGE",
    "screen.scores": "score",
    "screen.rules": "rules list",
    "screen.agreement": "agreement",
    "draft": "rules draft --form F --canonical C --field F",
    "rule.edit": "rules edit 42 note=x",
    "settle": "rules settle 42",
    "reopen": "rules reopen 42",
    "preview": "rules preview",
    "preview.row": "rules preview 42",
    "rule.remove": "rules remove 42",
    "rule.filter": "rules list --filter status:open",
    "rule": DECIDE,
    "task": "next --task TASK",
    "record.open": "records show DATABASE WHAT",
    "record.edit": f"{RECORD} --field F --value V",
    "record.accept": RECORD,
    "record.delete": RECORD,
    "record.restore": RECORD,
    "record.add": f"{RECORD} --set NAME=TEXT",
    "record.add_like": f"{RECORD} --set NAME=TEXT",
    "record.withdraw": f"{RECORD} --field F",
    "record.reviewed": RECORD,
    "record.describe": f"{RECORD} --field F --value V",
    "record.note": f"{RECORD} --note TEXT",
    "record.mark": RECORD,
    "record.undo": "records undo DATABASE",
    "record.redo": "records undo DATABASE --redo",
    "record.uncited_next": "records show DATABASE WHAT --uncited",
    "record.uncited_previous": "records show DATABASE WHAT --uncited",
    "record.evidence_next": "records show DATABASE WHAT",
    "record.evidence_previous": "records show DATABASE WHAT",
    "record.text": "records show DATABASE WHAT",
    "record.table": "records show DATABASE WHAT --format json",
    "record.next_open": "records next DATABASE",
    "record.document_next": "records list DATABASE --open",
    "record.document_previous": "records list DATABASE --open",
    "record.history": "records history DATABASE WHAT",
    "record.document_history": "records history DATABASE WHAT",
    "record.find": "records list DATABASE --find TEXT",
    "record.only_open": "records list DATABASE --open",
    "record.jump": "records show DATABASE WHAT",
    "record.accuracy": "records accuracy DATABASE",
    "record.scope": "records accuracy DATABASE --table schema_only",
    "record.back": "records list DATABASE",
    "record.sort": "records list DATABASE --format csv",
    "record.sort_fields": "records accuracy DATABASE --table heat_map --format csv",
    "help": "--help",
    "record.help": "records --help",
    "palette": "--help",
    "reload": "score",
    "record.reload": "records list DATABASE",
    **dict.fromkeys(("next", "previous", "page_down", "page_up", "first", "last", "scroll_down", "scroll_up"), LOOKING),
    **dict.fromkeys(("record.next", "record.previous", "record.page_down", "record.page_up", "record.first", "record.last"), LOOKING),
    **dict.fromkeys(("record.field_next", "record.field_previous", "theme", "record.theme", "quit", "record.quit"), LOOKING),
    # A question is a step of the act that asks it, and answered there by an option.
    **{one.id: LOOKING for one in of_dialogs()},
}


def test_every_act_of_the_registry_has_its_command():
    assert set(BY_ID) - set(COMMANDS) == set(), "a new act needs a command: name it here"
    assert set(COMMANDS) - set(BY_ID) == set()


@pytest.mark.parametrize("line", sorted({line for line in COMMANDS.values() if line != LOOKING}))
def test_the_command_and_its_options_exist(line: str):
    command: click.Command = adjudicate
    context = click.Context(command)
    words = shlex.split(line)
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        found = command.get_command(context, words.pop(0))
        assert found is not None, line
        command, context = found, click.Context(found)
    known = {name: one for one in command.params if isinstance(one, click.Option) for name in one.opts} | {"--help": None}
    given = 0
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            given += 1
            continue
        assert word in known, f"{line}: there is no {word}"
        option = known[word]
        if option is not None and not option.is_flag:
            words.pop(0)
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    if not isinstance(command, click.Group):
        assert given >= sum(one.required for one in arguments), line
        assert given <= len(arguments) or any(one.nargs == -1 for one in arguments), line
