"""The workbench in a real browser: a verdict given there is in the log, and nothing is asked of any other machine."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.tui.small import small_workspace
from tui.cli import Invocation
from tui.cli.serve import workbench_command

ROOT = Path(__file__).resolve().parents[2]
BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def environment(folder: Path) -> dict[str, str]:
    config = folder / "config"
    config.mkdir(exist_ok=True)
    return {**os.environ, "ADJUDICATE_CONFIG": str(config)}


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tui", "-C", str(folder), *args]
    return subprocess.run(command, cwd=ROOT, env=environment(folder), capture_output=True, text=True, timeout=60)


def test_each_tab_is_the_sitting_asked_for(tmp_path: Path) -> None:
    asked = Invocation(tmp_path, "mp")
    command = workbench_command(asked, task="tables", blind=True, seed=7)
    assert command[command.index("review") :] == ["review", "--verifier", "mp", "--task", "tables", "--blind", "--seed", "7"]
    assert workbench_command(Invocation(tmp_path, None))[-1] == "review"
    assert "--seed N" in run(tmp_path, "serve", "--help").stdout


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    pytest.importorskip("textual_serve", reason="needs the extra `serve`")
    root, port = small_workspace(tmp_path), free_port()
    command = [sys.executable, "-m", "tui", "-C", str(root), "--verifier", "webby", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as server:
        try:
            wait_for(port)
            yield root, port
        finally:
            server.terminate()
            server.wait(20)


def wait_for(port: int, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"nothing listens on port {port}")


def status(port: int, path: str = "/", **headers: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_without_the_extra_it_says_so(tmp_path: Path) -> None:
    root = small_workspace(tmp_path)
    code = "import sys; sys.modules['textual_serve'] = None; from tui.cli import main; main(['-C', sys.argv[1], 'serve'])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)], cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    hint = 'Run `pip install ".[serve]"` in the folder of the source code, or `pip install aiohttp textual-serve`.'
    assert hint in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("textual_serve", reason="needs the extra `serve`")
    root = small_workspace(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run(root, "serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "cannot serve on 127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_sites_are_refused(served: tuple[Path, int]) -> None:
    _, port = served
    socket_headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert status(port) == 200
    assert status(port, Host="evil.example") == 403
    assert status(port, "/ws", Origin="http://evil.example", **socket_headers) == 403


def test_the_page_names_no_other_address(served: tuple[Path, int]) -> None:
    _, port = served
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
        page, policy = answer.read().decode(), answer.headers["Content-Security-Policy"]
    assert "http" not in page.replace("https:", "", 1)  # the one mention is the comparison of the page's own protocol
    assert policy.startswith("default-src 'self'")


async def browse(port: int, profile: Path, log: Path) -> tuple[list[str], str]:
    """Open the workbench in the browser, give a verdict with the keyboard; every address asked for, and what the log then holds."""
    import aiohttp

    debug = free_port()
    command = [
        str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--no-first-run",
        "--disable-background-networking", f"--user-data-dir={profile}", f"--remote-debugging-port={debug}", "about:blank",
    ]  # fmt: skip
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(debug)
        async with aiohttp.ClientSession() as client:
            async with client.get(f"http://127.0.0.1:{debug}/json") as answer:
                target = next(one for one in await answer.json() if one["type"] == "page")
            async with client.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as page:
                return await _verdict(page, port, log)
    finally:
        browser.terminate()
        browser.wait(20)


async def _verdict(page: Any, port: int, log: Path) -> tuple[list[str], str]:
    asked: list[str] = []
    number = 0

    answers: dict[int, asyncio.Future[Any]] = {}

    async def send(method: str, **params: Any) -> Any:
        nonlocal number
        number += 1
        answer = answers[number] = asyncio.get_running_loop().create_future()
        await page.send_json({"id": number, "method": method, "params": params})
        return await asyncio.wait_for(answer, 30)

    async def listen() -> None:
        async for message in page:
            found = json.loads(message.data)
            params = found.get("params", {})
            if found.get("method") == "Network.requestWillBeSent":
                asked.append(params["request"]["url"])
            if found.get("method") == "Network.webSocketCreated":
                asked.append(params["url"])
            if (waiting := answers.pop(found.get("id"), None)) is not None:
                waiting.set_result(found.get("result"))

    async def press(key: str) -> None:
        modifiers = 8 if key.isupper() else 0
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" else {}
            code = ord(key.upper())
            await send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=f"Key{key.upper()}",
                windowsVirtualKeyCode=code,
                modifiers=modifiers,
                **text,
            )
        await asyncio.sleep(0.5)

    listening = asyncio.create_task(listen())
    await send("Network.enable")
    await send("Page.enable")
    await send("Page.navigate", url=f"http://127.0.0.1:{port}/")
    end = time.monotonic() + 60
    await asyncio.sleep(4)
    while time.monotonic() < end and not log.exists():
        # The terminal takes keys once it has the focus and the app has drawn; a verdict is taken only on the Review screen.
        await send("Runtime.evaluate", expression="document.querySelector('textarea')?.focus()")
        await press("V")
        await asyncio.sleep(1)
        await press("u")
        await asyncio.sleep(1)
    # What the page itself counts as loaded, in case the browser told of a request before it was listened to.
    names = "JSON.stringify(performance.getEntriesByType('resource').map(entry => entry.name))"
    loaded = await send("Runtime.evaluate", expression=names)
    asked += json.loads(loaded["result"]["value"])
    listening.cancel()
    return asked, log.read_text("utf-8") if log.exists() else ""


@pytest.mark.skipif(BROWSER is None, reason="needs a Chromium to drive")
def test_a_verdict_in_a_browser_is_in_the_log(served: tuple[Path, int], tmp_path: Path) -> None:
    root, port = served
    asked, log = asyncio.run(browse(port, tmp_path / "profile", root / "adjudications" / "webby.jsonl"))
    assert json.loads(log.splitlines()[0])["verdict"] == "unsure"
    hosts = {urlsplit(url).netloc for url in asked if urlsplit(url).scheme in ("http", "https", "ws", "wss")}
    assert hosts == {f"127.0.0.1:{port}"}
    paths = {urlsplit(url).path for url in asked}
    assert {"/", "/ws", "/static/js/textual.js"} <= paths
