"""Who scores many pages: the processors of this machine, or workers elsewhere. Each is given slices of the material and gives back chunks.

A page is scored alone, so a slice, one page of ground truth with some runs, holds all that its scores depend on, and whoever
scores it gives the same result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from scoring.tables.execution.page_score import score_page
from scoring.tables.execution.serialization import packed, write_chunk
from scoring.tables.inputs.material import Material
from scoring.tables.inputs.rows_and_runs import Run
from scoring.tables.matching.normalized import PreparedMaterial

Engine = Callable[[Sequence[Material]], Iterator[tuple[int, bytes]]]
"""Gives the number of each slice, in any order, with its chunk (`score_slice`). A slice left out is scored by the caller."""

_FEWEST, _MOST = 50, 500


def slices(material: Material, wanted: dict[str, list[str]]) -> list[Material]:
    """The material in slices: of one page, and 50 to 500 of the runs wanted of it (page -> run keys).

    Runs of one page read alike, and what a slice has measured once it need not measure again: so a few for each processor, not many.
    """
    runs = {run.key: run for run in material.runs}
    size = min(_MOST, max(_FEWEST, sum(map(len, wanted.values())) // (8 * processors())))
    found = []
    for page in material.pages:
        keys = wanted.get(page.id, [])
        for at in range(0, len(keys), size):
            of_page = tuple(_only(runs[key], page.id) for key in keys[at : at + size])
            found.append(replace(material, pages=(page,), runs=of_page, problems=()))
    return found


def _only(run: Run, page: str) -> Run:
    return Run(run.model, run.phase, run.name, {page: run.pages[page]}, run.generated)


def score_slice(material: Material) -> bytes:
    """Score a slice: the chunk (`packing.Chunk`) of its page scores in the order of its runs, as MessagePack."""
    prepared = PreparedMaterial(material)
    page = material.pages[0].id
    scores = (score_page(prepared, run.key, page) for run in material.runs)
    return write_chunk(packed(prepared, page, scores))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def local_engine() -> Engine | None:
    """All processors of this machine; None where there is one, or where a process cannot be forked safely (another thread runs)."""
    if processors() < 2 or threading.active_count() > 1 or "fork" not in multiprocessing.get_all_start_methods():
        return None
    return _in_processes


def _in_processes(work: Sequence[Material]) -> Iterator[tuple[int, bytes]]:
    """Every slice by one of as many forked processes as there are processors; what a process that died has not given is left out.

    The material is inherited, not sent. A process only writes, never waits to be told, so none stays when this one is killed.
    """
    context = multiprocessing.get_context("fork")
    count = min(processors(), len(work))
    ends: dict[Connection, BaseProcess] = {}
    try:
        for first in range(count):
            here, there = context.Pipe(duplex=False)
            process: BaseProcess = context.Process(target=_score_every, args=(work, first, count, here, there), daemon=True)
            process.start()
            there.close()
            ends[here] = process
        while ends:
            for end in wait(list(ends)):
                assert isinstance(end, Connection)
                try:
                    yield end.recv()
                except EOFError:
                    end.close()
                    ends.pop(end).join()
    finally:
        for end, process in ends.items():
            end.close()
            process.terminate()
            process.join()


def _score_every(work: Sequence[Material], first: int, step: int, unused: Connection, end: Connection) -> None:
    # The one who started us is told of Ctrl-C too, and ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unused.close()
    with closing(end):
        for at in range(first, len(work), step):
            try:
                end.send((at, score_slice(work[at])))
            except BrokenPipeError:
                return
