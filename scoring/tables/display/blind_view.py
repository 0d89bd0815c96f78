"""A case without what would sway the verdict: model, similarity and who holds what (`docs/adjudication.md#blind-sittings`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scoring.adjudication.cases import Block, Comparison, Facts, Gauge, Grid, Stack

TELLING_BLOCKS = ("Why", "Occurs")
TELLING_COLUMNS = ("similarity", "held by", "score")


def blinded(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks as a verifier may see them before the verdict. Numbered rows keep their numbers, which are in page order (`offered`)."""
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
        yield replace(block, header=tuple(block.header[at] for at in keep), lines=tuple(lines))
    else:
        yield block
