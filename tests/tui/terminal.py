"""A terminal for tests: a program under a real pseudo-terminal, and what its screen shows.

The screen understands what Textual writes and nothing else; any other control sequence or raw control character is kept in
`strange`, so that a test can hold that data never drives the terminal.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.cells import get_character_cell_size

ROOT = Path(__file__).resolve().parent.parent.parent
_TOKEN = re.compile(
    r"\x1b\[(?P<args>[0-9;:?<>=$]*)(?P<final>[@-~])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b(?P<short>[^\[\]])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;:?<>=$]*|\][^\x07\x1b]*)?$")
# What a full-screen program may do: set modes, move, erase, colour, ask for the keyboard protocol and for modes.
_EXPECTED_FINALS = frozenset("HJKmhlpugtABCDn")


class ProgramEndedError(AssertionError):
    """The program ended while something was awaited from it."""


class Screen:
    """Cells of a terminal, fed with what a program writes."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0
        self.strange: list[str] = []
        self.frames = 0
        self._rest = ""

    def resize(self, columns: int, rows: int) -> None:
        """Take another size; what a real terminal would keep is drawn anew by the program."""
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]

    def feed(self, text: str) -> None:
        """Take output; a sequence cut in two waits for its end."""
        text = self._rest + text
        unfinished = _UNFINISHED.search(text)
        self._rest = unfinished.group() if unfinished else ""
        text = text[: len(text) - len(self._rest)]
        at = 0
        for match in _TOKEN.finditer(text):
            if match.start() != at:
                self.strange.append(text[at : match.start()])
            at = match.end()
            self._take(match)
        if at != len(text):
            self.strange.append(text[at:])

    def _take(self, match: re.Match[str]) -> None:
        if match["text"] is not None:
            self._write(match["text"])
        elif match["final"] is not None:
            self._sequence(match["args"], match["final"])
        elif match["control"] is not None:
            if match["control"] == "\r":
                self.x = 0
            elif match["control"] == "\n":
                self.x, self.y = 0, min(self.y + 1, self.rows - 1)
            else:
                self.strange.append(match["control"])
        else:
            self.strange.append(match.group())

    def _sequence(self, args: str, final: str) -> None:
        if final not in _EXPECTED_FINALS:
            self.strange.append(f"\x1b[{args}{final}")
        elif final == "H":
            row, _, column = args.partition(";")
            self.y, self.x = int(row or 1) - 1, int(column or 1) - 1
        elif final == "J" or (args == "?1049" and final in "hl"):
            self.resize(self.columns, self.rows)
        elif args == "?2026" and final == "l":
            self.frames += 1

    def _write(self, text: str) -> None:
        for character in text:
            if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp"):
                self.strange.append(character)
                continue
            width = get_character_cell_size(character)
            if width == 0:
                if 0 < self.x <= self.columns and self.y < self.rows:
                    self.cells[self.y][self.x - 1] += character
                continue
            if self.x + width <= self.columns and self.y < self.rows:
                self.cells[self.y][self.x] = character
                for more in range(1, width):
                    self.cells[self.y][self.x + more] = ""
            self.x += width

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Terminal:
    """A program under a pseudo-terminal of its own, which is its controlling terminal."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self.screen = Screen(*size)
        self.raw = bytearray()
        self._decoded = b""
        self.master, slave = pty.openpty()
        self._set_size(slave, *size)

        def child() -> None:
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            if prepare is not None:
                prepare()

        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=dict(env or {}), start_new_session=True, preexec_fn=child
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @staticmethod
    def _set_size(file: int, columns: int, rows: int) -> None:
        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    # Output

    def read(self, timeout: float = 0.0) -> bytes:
        """What the program writes within the time, drawn on the screen: the first bytes that come, or none."""
        data = self.receive(timeout)
        self.draw(data)
        return data

    def receive(self, timeout: float = 0.0) -> bytes:
        """As `read`, but not drawn yet: drawing takes time, in which the program would wait for room to write."""
        ready, _, _ = select.select([self.master], [], [], max(0.0, timeout))
        if not ready:
            return b""
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            data = b""
        if not data:
            raise ProgramEndedError(f"the program ended ({self.process.wait(5)}); its screen:\n{self.screen.text}")
        self.raw += data
        if b"\x1b[?2026$p" in data:
            os.write(self.master, b"\x1b[?2026;2$y")
        return data

    def draw(self, data: bytes) -> None:
        """Draw what was received."""
        data = self._decoded + data
        text = data.decode("utf-8", "ignore")
        # A character cut in two waits for its end.
        whole = len(data)
        for back in range(1, min(4, len(data)) + 1):
            if data[-back] >= 0xC0:
                size = 2 if data[-back] < 0xE0 else 3 if data[-back] < 0xF0 else 4
                if size > back:
                    whole = len(data) - back
                    text = data[:whole].decode("utf-8", "replace")
                break
        self._decoded = data[whole:]
        self.screen.feed(text)

    def wait_for(self, wanted: str | re.Pattern[str] | Callable[[Screen], bool], timeout: float = 20.0) -> float:
        """Read until the screen shows a text or a pattern, or fulfils a condition; the time when it did."""
        until = time.perf_counter() + timeout

        def there() -> bool:
            if isinstance(wanted, str):
                return wanted in self.screen.text
            return wanted.search(self.screen.text) is not None if isinstance(wanted, re.Pattern) else wanted(self.screen)

        while not there():
            left = until - time.perf_counter()
            if left <= 0:
                raise AssertionError(f"{wanted!r} is not on the screen after {timeout} s:\n{self.screen.text}")
            self.read(left)
        return time.perf_counter()

    def settle(self, quiet: float = 0.15, timeout: float = 20.0) -> None:
        """Read until nothing has come for so long."""
        until = time.perf_counter() + timeout
        while self.read(quiet):
            assert time.perf_counter() < until, "the program never stops writing"

    # Input

    def send(self, keys: str | bytes) -> float:
        """Write key bytes; the time when they were written."""
        data = keys.encode() if isinstance(keys, str) else keys
        while data:
            data = data[os.write(self.master, data) :]
        return time.perf_counter()

    def click(self, column: int, row: int) -> None:
        """Click the left button at a cell, from 0."""
        self.send(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(columns, rows)
        self._set_size(self.master, columns, rows)

    # End

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send a signal and wait for the end; its return code."""
        self.process.send_signal(number)
        return self.wait()

    def hang_up(self) -> int:
        """Close the window: the kernel tells the program by SIGHUP."""
        os.close(self.master)
        self.master = -1
        return self.wait()

    def wait(self, timeout: float = 15.0) -> int:
        """Wait for the program's end, its output read meanwhile; its return code."""
        until = time.perf_counter() + timeout
        while self.process.poll() is None and time.perf_counter() < until:
            try:
                if self.master >= 0:
                    self.read(0.05)
                else:
                    time.sleep(0.01)
            except ProgramEndedError:
                break
        return self.process.wait(max(0.1, until - time.perf_counter()))

    def drain(self) -> None:
        """Read what is left after the end."""
        try:
            while self.read(0.05):
                pass
        except ProgramEndedError:
            pass

    def end(self) -> None:
        """End the program if it still runs, and let go of the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        if self.master >= 0:
            os.close(self.master)
            self.master = -1
