"""Coverage-guided fuzzing of every reader, where atheris is installed (`pip install atheris`); it is no part of the project.

    python -m benchmarks.fuzz [-runs=200000] [-max_len=2048] [-timeout=10] [CORPUS FOLDER]

The options are those of libFuzzer. A reader may refuse with a sentence (`InputError`); anything else it raises ends the run.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import atheris
except ImportError:
    sys.exit("benchmarks.fuzz: atheris is not installed, nothing was tried")

IS_MATERIAL = True  # not one of `make bench`

with atheris.instrument_imports(include=["scoring"]):
    from scoring.adjudication.log.read import decode as log_line
    from scoring.adjudication.log.read import read_log, require_sound
    from scoring.answers import KINDS, parse_records
    from scoring.foundations.problems import InputError
    from scoring.rules.checks.check import check
    from scoring.rules.parse import parse
    from scoring.tables.inputs.ground_truth_files import SUFFIXES, open_gt
    from scoring.tables.inputs.rows import KeyUse, RowProblems, RowReader
    from scoring.texts.csv_tables import read_table
    from scoring.texts.decoding import decode
    from scoring.texts.forms import base_form, date_form, name_form, place_form, visible
    from scoring.workspace.schema import default_schema, read_schema
    from scoring.workspace.settings import read_settings

FIELDS = ("name", "title", "arrival_date", "place_of_origin", "children_count")
FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))


def answer(data: bytes) -> None:
    """A model's answer, to rows and to the forms they are compared in."""
    text = decode(data[1:]).text
    records = parse_records(text, KINDS[data[0] % len(KINDS)], FIELDS, key=("name",), page="1") if data else None
    if records is not None:
        rows = RowReader(FIELDS, ("-", "null"), ("name",)).rows(records.records, RowProblems("x"), page="1", keys=KeyUse())
        for row in rows:
            for value in row.values.values():
                name_form(value), base_form(value, "gt"), date_form(value, "model"), place_form(value, "gt"), visible(value)


def table(data: bytes) -> None:
    """A file of ground truth."""
    found = read_table(decode(data).text, FIELDS)
    if found is not None:
        default_schema(found.header)


def rules(data: bytes) -> None:
    """A rules file, checked."""
    check(parse(data.decode("utf-8", "replace"))[0])


def log(data: bytes) -> None:
    """A log: its lines, and its file."""
    for line in data.split(b"\n"):
        log_line(line)
    folder = FOLDER / "log"
    folder.mkdir(exist_ok=True)
    (folder / "mp.jsonl").write_bytes(data)
    require_sound(read_log(folder)).decisions()


def file_of(read: Callable[[Path], object], name: str) -> Callable[[bytes], None]:
    def reader(data: bytes) -> None:
        path = FOLDER / name
        path.write_bytes(data)
        read(path)

    return reader


READERS: tuple[Callable[[bytes], None], ...] = (
    answer,
    answer,
    table,
    rules,
    log,
    file_of(read_schema, "schema.json"),
    file_of(read_settings, "adjudicate.toml"),
    *(file_of(lambda path: open_gt(path, None, path.name), f"all{suffix}") for suffix in SUFFIXES),
)


def one(data: bytes) -> None:
    """The first byte chooses the reader."""
    if not data:
        return
    try:
        READERS[data[0] % len(READERS)](data[1:])
    except InputError as fault:
        if not str(fault):
            raise AssertionError("a refusal without a sentence") from fault


def main() -> None:
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
