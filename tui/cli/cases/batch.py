"""`adjudicate batch`: one verdict for several cases, after a list and a count (`docs/commands.md`)."""

from __future__ import annotations

from collections.abc import Sequence

import click

from scoring.foundations.problems import InputError
from tui.cli import Invocation
from tui.cli.common.output import counted, format_option, say, say_json, tell


@click.command()
@click.argument("verdict")
@click.argument("cases", metavar="[CASE]...", nargs=-1)
@click.option("--queue", metavar="Q", help="The open cases of this queue.")
@click.option("--filter", "wanted", metavar="F", help='The open cases that pass, such as "page:28 times>3".')
@click.option("--like", metavar="CASE", help="The open cases that read and suggest the same as this.")
@click.option("--note", metavar="TEXT", help="A note that stays with each verdict.")
@click.option("--certainty", metavar="1-5", type=click.IntRange(1, 5), help="How certain you are.")
@click.option("--yes", is_flag=True, help="Write it; without, it is only listed.")
@click.option("--task", metavar="TASK", help="Another task than the first.")
@format_option
@click.pass_obj
def batch(
    invocation: Invocation,
    verdict: str,
    cases: Sequence[str],
    queue: str | None,
    wanted: str | None,
    like: str | None,
    note: str | None,
    certainty: int | None,
    yes: bool,
    task: str | None,
    form: str,
) -> None:
    """Give one VERDICT on several cases: those named, or those of a filter.

    They are listed with their count; --yes writes them, an entry a case with a
    common batch id. `undo` takes the whole batch back.

    Example: adjudicate batch duplicate --filter "suggestion:duplicate" --yes
    """
    from tui.bench.batches import batch_lines, batch_question, batch_verdicts, batch_written, chosen_cases
    from tui.bench.opening import named_verifier, open_session
    from tui.cli.common.output import progress

    if sum((bool(cases), queue is not None or wanted is not None, like is not None)) != 1:
        raise InputError("which cases?", hint="name them, or give --queue or --filter, or --like CASE: one of these")
    with progress() as step:
        session = open_session(invocation.folder, named_verifier(invocation.verifier), task=task, progress=step)
    offered = batch_verdicts(session.task)
    if verdict not in offered:
        raise InputError(f"`{verdict}` is no verdict of a batch", hint=f"verdicts are {', '.join(offered)}")
    chosen = chosen_cases(session, cases, queue=queue, wanted=wanted, like=like)
    if not chosen:
        raise InputError("no open case is chosen by this", hint="`adjudicate review` or `next` shows what is open")
    planned = session.plan(verdict, chosen)
    written = session.give_batch(planned, note=note, certainty=certainty) if yes else ()
    if form == "json":
        say_json(
            {
                "verdict": verdict,
                "count": len(planned.judged),
                "batch": written[0].batch if written else None,
                "cases": [
                    {"case": case.id, "page": case.page, "title": case.title, "targets": list(judged.targets)}
                    for case, judged in planned.judged
                ],
                "left_out": [{"case": case.id, "title": case.title, "why": why} for case, why in planned.refused],
            }
        )
    else:
        say(f"{verdict} for {counted(len(planned.judged), 'case')}, {len(planned.refused)} left out:" if yes else batch_question(planned))
        for line, _ in batch_lines(session, planned):
            say(line)
    if written:
        tell(f"{batch_written(planned, len(written))}; `adjudicate undo` takes all of them back.")
        session.settle()
        left = session.progress("all")
        tell(f"{counted(left.open, 'case')} open, {left.decided} decided.")
    elif planned.judged:
        tell("Nothing is written yet: the same with --yes writes it.")
    else:
        raise InputError(f"`{verdict}` can be said of none of them", hint="the list says why")
