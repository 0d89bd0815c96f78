"""Page scoring by the workers of a Dask cluster, where one machine is outgrown. Optional: the extra `dask`, loaded only when asked for.

The workers need this program in the same version; they need no files, since a slice holds all that its scores depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.problems import InputError, install_hint
from scoring.tables.engines import Engine, score_slice
from scoring.tables.material import Material

_PATIENCE = 10.0


def dask_engine(address: str) -> Engine:
    """The engine that scores on the workers of the Dask scheduler at `address` (such as `tcp://host:8786`).

    Raises:
        InputError: the extra is not installed. The engine itself raises it where no scheduler answers, or a worker fails.
    """
    try:
        import distributed
    except ImportError as fault:
        raise InputError("Dask is not installed", hint=install_hint("dask", "distributed")) from fault

    def scored(work: Sequence[Material]) -> Iterator[tuple[int, bytes]]:
        try:
            client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as fault:
            raise InputError(
                f"no Dask scheduler answers at {address} ({fault})", hint="give its address, as `dask scheduler` prints it"
            ) from fault
        try:
            numbers = {future: at for at, future in enumerate(client.map(score_slice, work, pure=False))}
            for future in distributed.as_completed(numbers, loop=client.loop):
                yield numbers[future], _result(future)
        finally:
            client.close()

    return scored


def _result(future: Any) -> bytes:
    try:
        found: bytes = future.result()
    except Exception as fault:
        hint = "install the same version of `adjudicate` for every worker, and see the worker's own log"
        raise InputError(f"a Dask worker could not score its pages ({type(fault).__name__}: {fault})", hint=hint) from fault
    return found
