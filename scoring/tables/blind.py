"""A case without what would sway the verdict: model, similarity and who holds what (`4-adjudication`, `--blind`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scoring.adjudication.cases import OTHER, Block, Comparison, Facts, Gauge, Grid, Stack

TELLING_BLOCKS = ("Why", "Occurs")
TELLING_COLUMNS = ("similarity", "held by", "score")


def blinded(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks as a verifier may see them before the verdict. Rows that were in order of similarity stand in order of the page."""
    return tuple(shown for block in blocks for shown in _shown(block))


def _shown(block: Block) -> Iterable[Block]:
    if isinstance(block, Gauge | Stack) or (isinstance(block, Facts | Grid) and block.title.startswith(TELLING_BLOCKS)):
        return
    if isinstance(block, Comparison):
        yield replace(block, lower_label="answer")
    elif isinstance(block, Facts):
        yield replace(block, title="answer") if "/" in block.title else block
    elif isinstance(block, Grid):
        keep = [at for at, name in enumerate(block.header) if name not in TELLING_COLUMNS]
        lines = [
            replace(
                line, cells=tuple(line.cells[at] for at in keep if at < len(line.cells)), mark="" if block.title == "Fields" else line.mark
            )
            for line in block.lines
        ]
        if block.numbered:
            # A row pointed to besides the claimants stays behind them, so that no digit changes.
            lines.sort(key=lambda line: (line.mark == OTHER, line.cells[0], int(line.cells[1]) if line.cells[1].isdigit() else 0))
        yield replace(block, header=tuple(block.header[at] for at in keep), lines=tuple(lines))
    else:
        yield block
