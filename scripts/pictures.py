"""The pictures of the documents, taken by the app of itself on the example (`make snapshots`).

    python scripts/pictures.py [--to docs/pictures]

The app runs without a terminal at 120 x 40 on a copy of the example, with a few keys pressed. The pictures hold no path of the
machine and load nothing from anywhere: Rich's template names fonts on the web, which are taken out (any monospace font does).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scoring.workspace.example import copy_example  # noqa: E402

SIZE = (120, 40)
NAMESPACE = "http://www.w3.org/2000/svg"

# Picture -> the screen, the queue and the filter it starts on, and the keys pressed there.
PICTURES: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "overview": ("overview", "", "", ()),
    "review": ("review", "borderline", '"kin?gsech"', ()),
    "run": ("run", "", "", ()),
}


def without_addresses(svg: str) -> str:
    """The picture less web fonts and remarks, with lines that end where their text ends.

    Raises:
        ValueError: an address is left.
    """
    svg = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace")
    svg = "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"
    left = re.search(r"[a-z]+://[^\"'\s)]+", svg.replace(NAMESPACE, ""))
    if left:
        raise ValueError(f"the picture loads {left.group()}")
    return svg


async def take(workspace: Path, start: str, queue: str, wanted: str, keys: tuple[str, ...]) -> str:
    """Open the app on the workspace, press the keys, and take the picture."""
    from scoring.adjudication.filters import parse_filter
    from tui.app import make_app
    from tui.bench.opening import open_session

    session = open_session(workspace, "mp")
    while session.settle(1.0):
        pass
    if queue:
        session.open_queue(queue, parse_filter(wanted))
    app = make_app(session, workspace, start=start)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await pilot.pause(0.2)
        return app.export_screenshot(title="adjudicate")


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures", help="the folder the pictures go to")
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["ADJUDICATE_CONFIG"] = str(Path(temporary) / "config")
        workspace = Path(temporary) / "example"
        copy_example(ROOT, workspace)
        for name, picture in PICTURES.items():
            svg = without_addresses(asyncio.run(take(workspace, *picture)))
            (asked.to / f"{name}.svg").write_text(svg, encoding="utf-8", newline="\n")
            print(f"{name}.svg")


if __name__ == "__main__":
    main()
