"""`adjudicate serve`: the workbench in a browser (`docs/commands.md`)."""

from __future__ import annotations

import shlex
import sys

import click

from scoring.foundations.problems import InputError, install_hint
from tui.cli import Invocation
from tui.cli.common.output import tell


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="The port.")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Another address lets other machines in.")
@click.option("--task", metavar="TASK", help="Another task than the first there is material for.")
@click.option("--blind", is_flag=True, help="Hide proposal, model and others' verdicts until yours is given.")
@click.option("--seed", type=int, metavar="N", help="Draw the order of equal cases from this number; blind, hidden repeats too.")
@click.pass_obj
def serve(invocation: Invocation, port: int, host: str, task: str | None, blind: bool, seed: int | None) -> None:
    """Open the workbench in a browser on this machine.

    Only this machine can reach it, and the page loads nothing from elsewhere.
    Needs an extra: pip install ".[serve]" in the folder of the source code.

    Example: adjudicate serve --port 8080 --verifier mp
    """
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import sound_log, task_of

    try:
        from tui.web.server import WorkbenchServer
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] not in ("textual_serve", "aiohttp", "aiohttp_jinja2"):
            raise
        raise InputError(
            "the browser needs libraries that are not installed", hint=install_hint("serve", "aiohttp", "textual-serve")
        ) from None
    workspace = open_workspace(invocation.folder)
    task_of(workspace, task)
    sound_log(workspace)
    _free(host, port)
    command = workbench_command(invocation, task=task, blind=blind, seed=seed)
    server = WorkbenchServer(shlex.join(command), host=host, port=port, title=f"adjudicate: {workspace.root.resolve().name}")
    shown = f"[{host}]" if ":" in host else host
    tell(f"The workbench is at http://{shown}:{port}/ until Ctrl+C. Every browser tab is a sitting of its own.")
    if not server.is_local:
        who = f" as {invocation.verifier}" if invocation.verifier else ""
        tell(f"warning: whoever can reach {host} can see this workspace and give verdicts{who}; there is no password.")
    server.serve()


def workbench_command(invocation: Invocation, *, task: str | None = None, blind: bool = False, seed: int | None = None) -> list[str]:
    """The command behind each tab: the workbench as it was asked for."""
    command = [sys.executable, "-m", "tui", "-C", str(invocation.folder.resolve()), "review"]
    if invocation.verifier:
        command += ["--verifier", invocation.verifier]
    if task:
        command += ["--task", task]
    if blind:
        command.append("--blind")
    if seed is not None:
        command += ["--seed", str(seed)]
    return command


def _free(host: str, port: int) -> None:
    """That the address can be listened on.

    Raises:
        InputError: it cannot.
    """
    import socket

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as fault:
        raise InputError(
            f"cannot serve on {host}, port {port} ({fault.strerror or fault})", hint="give another --port, or another --host"
        ) from fault
