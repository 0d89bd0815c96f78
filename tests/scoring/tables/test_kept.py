"""Page scores packed and unpacked, kept on disk, and worked out by others: always the very scores that are worked out here."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from scoring.foundations.problems import InputError
from scoring.tables.execution import all_pages
from scoring.tables.execution.evaluation import evaluate
from scoring.tables.execution.page_score import PageScore, score_page
from scoring.tables.execution.parallel import score_slice, slices
from scoring.tables.execution.score_cache import cache_folder
from scoring.tables.execution.serialization import Chunk, digest_of, packed, unpacked
from scoring.tables.inputs.material import Material, Row
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.workspace.layout import Workspace
from scoring.workspace.settings import Settings
from tests.scoring.tables.builders import one, rules
from tests.scoring.tables.many import many

Scores = dict[tuple[str, str], PageScore]


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_pages, "MANY", 1)


def plain(material: Material) -> Scores:
    return dict(evaluate(material).pages)


class Counted:
    """An engine in this process that remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[str, str]] = []

    def __call__(self, work: list[Material]):  # type: ignore[no-untyped-def]
        for at, part in reversed(list(enumerate(work))):
            self.given += [(run.key, part.pages[0].id) for run in part.runs]
            yield at, score_slice(part)


def kept(material: Material, folder: Path) -> tuple[Scores, Counted]:
    engine = Counted()
    return dict(evaluate(material, engine=engine, cache=folder).pages), engine


@pytest.mark.parametrize("seed", range(8))
def test_what_is_packed_comes_back_the_same_to_the_last_bit(seed: int) -> None:
    made = many(seed=seed)
    here = PreparedMaterial(made)
    for page in made.pages:
        scores = [score_page(here, run.key, page.id) for run in made.runs]
        chunk = msgspec.msgpack.decode(msgspec.msgpack.encode(packed(here, page.id, scores)), type=Chunk)
        there = PreparedMaterial(made)
        runs: dict[bytes, list[str]] = {}
        for run in made.runs:
            runs.setdefault(digest_of(run.pages[page.id]), []).append(run.key)
        back = {score.run: score for score in unpacked(there, page.id, chunk, runs)}
        for score in scores:
            if score.counts is not None:
                assert back[score.run] == score
                assert repr(back[score.run]) == repr(score)


def test_values_without_a_path_are_packed_too() -> None:
    made = one([{"name": "Anna Serri", "title": "Conte"}], [{"name": "Anna Serri", "title": '{"a": 1}'}])
    here = PreparedMaterial(made)
    score = score_page(here, "a/n/1", "1")
    assert [field.no_path for field in score.fields] == [1, 0, 0, 0, 0]
    runs = {digest_of(made.runs[0].pages["1"]): ["a/n/1"]}
    assert list(unpacked(PreparedMaterial(made), "1", packed(here, "1", [score]), runs)) == [score]


def test_the_material_is_of_every_kind() -> None:
    scores = [score for seed in range(8) for score in plain(many(seed=seed)).values()]
    assert {row.label for score in scores for row in score.surplus} >= {"duplicate", "merge", "fragment", "invention", None}
    assert any(pair.similarity.resolved for score in scores for pair in score.pairs)
    assert any(pair.similarity.reading.removed for score in scores for pair in score.pairs)


def test_an_engine_gives_what_this_process_would() -> None:
    made, engine = many(), Counted()
    assert dict(evaluate(made, engine=engine).pages) == plain(made)
    assert set(engine.given) == set(plain(made))


def test_what_an_engine_leaves_out_is_scored_here() -> None:
    made = many()

    def half(work: list[Material]):  # type: ignore[no-untyped-def]
        yield 1, score_slice(work[1])

    told: list[tuple[int, int]] = []
    found = evaluate(made, engine=half, progress=lambda done, whole: told.append((done, whole)))
    assert dict(found.pages) == plain(made)
    assert list(found.pages) == list(plain(made))
    assert told[-1] == (18, 18)


def test_workers_of_another_version_are_refused() -> None:
    def older(work: list[Material]):  # type: ignore[no-untyped-def]
        chunk = msgspec.msgpack.decode(score_slice(work[0]), type=Chunk)
        yield 0, msgspec.msgpack.encode(msgspec.structs.replace(chunk, engine="00000000"))

    with pytest.raises(InputError, match="another version of the program"):
        evaluate(many(), engine=older)


def test_slices_hold_all_that_is_wanted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = many(runs=120, names=3)
    wanted = {page.id: [run.key for run in made.runs] for page in made.pages}
    parts = slices(made, wanted)
    assert sorted((run.key, part.pages[0].id) for part in parts for run in part.runs) == sorted(plain(made))
    assert max(len(part.runs) for part in parts) == 50
    monkeypatch.setattr("scoring.tables.execution.parallel._FEWEST", 7)
    monkeypatch.setattr("scoring.tables.execution.parallel.processors", lambda: 2)
    assert max(len(part.runs) for part in slices(made, wanted)) == 120 * 3 // 16
    assert all(set(run.pages) == {part.pages[0].id} for part in parts for run in part.runs)


def test_a_second_start_scores_nothing(tmp_path: Path) -> None:
    made = many()
    first, cold = kept(made, tmp_path)
    second, warm = kept(made, tmp_path)
    assert first == second == plain(made)
    assert cold.given
    # Failed and missing pages have no score to keep.
    assert all(first[place].counts is None for place in warm.given)


def test_only_what_changed_is_scored_again(tmp_path: Path) -> None:
    made = many()
    kept(made, tmp_path)
    run = made.runs[0]
    page = run.pages["3"]
    values = dict(page.rows[0].values) | {"name": "Zzz Zzz"}
    changed = replace(run, pages={**run.pages, "3": replace(page, rows=(Row(1, values), *page.rows[1:]))})
    other = replace(made, runs=(changed, *made.runs[1:]))
    found, engine = kept(other, tmp_path)
    assert found == plain(other)
    assert [place for place in engine.given if found[place].counts is not None] == [(run.key, "3")]


def _rows_moved(made: Material) -> Material:
    page = made.pages[0]
    turned = replace(page, rows=tuple(reversed(page.rows)))
    return replace(made, pages=(turned, *made.pages[1:]))


CHANGES = {
    "rules": lambda made: replace(made, rules=rules()),
    "settings": lambda made: replace(made, settings=Settings(gate=0.9)),
    "schema": lambda made: replace(made, schema=replace(made.schema, fields=made.schema.fields[:-1])),
    "ground truth": _rows_moved,
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_scores_depend_on_makes_them_anew(tmp_path: Path, what: str) -> None:
    made = many()
    kept(made, tmp_path)
    other = CHANGES[what](made)
    found, engine = kept(other, tmp_path)
    assert found == plain(other)
    again = [place for place in engine.given if found[place].counts is not None]
    assert {page for _, page in again} == ({"1"} if what == "ground truth" else {"1", "2", "3"})


def test_a_file_that_is_not_whole_counts_for_nothing(tmp_path: Path) -> None:
    made = many(pages=1)
    expected, _ = kept(made, tmp_path)
    (file,) = (tmp_path / "scores").iterdir()
    whole = file.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 40)):
        for spoiled in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            file.write_bytes(spoiled)
            found, engine = kept(made, tmp_path)
            assert found == expected
            assert [place for place in engine.given if found[place].counts is not None]
            assert file.read_bytes() == whole


def test_what_nobody_has_any_more_is_not_kept_for_ever(tmp_path: Path) -> None:
    made = many(pages=1, runs=4)
    for seed in range(12):
        kept(many(pages=1, runs=4, seed=1 if seed == 11 else seed), tmp_path)
    (file,) = (tmp_path / "scores").iterdir()
    content = file.stat().st_size
    (tmp_path / "fresh").mkdir()
    kept(made, tmp_path / "fresh")
    (fresh,) = (tmp_path / "fresh" / "scores").iterdir()
    assert content == fresh.stat().st_size


def test_a_folder_that_leads_away_is_neither_read_nor_written(tmp_path: Path) -> None:
    away, link = tmp_path / "away", tmp_path / "link"
    away.mkdir()
    link.symlink_to(away)
    kept(many(), link)
    assert list(away.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the super-user may write anywhere")
def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    found, _ = kept(many(), tmp_path / "cache")
    assert found == plain(many())


def test_a_file_in_the_place_of_the_folder_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("mine")
    found, _ = kept(many(), tmp_path / "cache")
    assert found == plain(many())
    assert (tmp_path / "cache").read_text() == "mine"


def test_the_folder_leaves_itself_out_of_git_and_backups(tmp_path: Path) -> None:
    kept(many(), tmp_path / "cache")
    assert (tmp_path / "cache" / ".gitignore").read_text() == "*\n"
    assert (tmp_path / "cache" / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def test_where_scores_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = Workspace(tmp_path)
    monkeypatch.delenv("ADJUDICATE_CACHE", raising=False)
    assert cache_folder(space) == space.cache
    monkeypatch.setenv("ADJUDICATE_CACHE", str(tmp_path / "elsewhere"))
    assert cache_folder(space) == tmp_path / "elsewhere"
    monkeypatch.setenv("ADJUDICATE_CACHE", "off")
    assert cache_folder(space) is None
