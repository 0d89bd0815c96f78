"""Keys that mean fields: declared aliases, pages without a key, proposals."""

from pathlib import Path

import pytest

from scoring.problems import InputError
from tests.scoring.tables.inputs import ANNA, BRUNO, GT, read, told

NOME = [{"nome": "Anna Serri", "provenienza": "Padua"}, {"nome": "Bruno Bassa", "provenienza": "Corfu"}]
LINES = 'nome = "name", provenienza = "origin"'


def test_records_none_of_which_has_a_key_fail_the_page(tmp_path: Path):
    material = read(tmp_path, {"m/p/run_1/page_1.json": NOME})
    page = material.runs[0].pages["1"]
    assert (page.status, page.rows) == ("failed", ())
    assert page.error == (
        f"no record has a `name`; the keys are `nome`, `provenienza`; under [aliases] in adjudicate.toml this would map them: {LINES}"
    )


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ([{"x": "1"}], "no record has a `name`; the key is `x`; a line under [aliases] in adjudicate.toml maps a key to a field"),
        ([{"name": None, "origin": "Padua"}], "no record has a filled `name`; the keys are `name`, `origin`"),
        ([{"Name": "n/a"}, {"NAME": ""}], "no record has a filled `name`; the keys are `Name`, `NAME`"),
        (
            [{f"k{at}": "1" for at in range(10)}],
            "no record has a `name`; the keys are `k0`, `k1`, `k2`, `k3`, `k4`, `k5`, `k6`, `k7` and 2 more; "
            "a line under [aliases] in adjudicate.toml maps a key to a field",
        ),
    ],
)
def test_the_reason_names_the_keys(tmp_path: Path, answer: object, error: str):
    page = read(tmp_path, {"m/p/run_1/page_1.json": answer}).runs[0].pages["1"]
    assert (page.status, page.error) == ("failed", error)


def test_an_empty_list_and_some_records_without_a_key_are_answers(tmp_path: Path):
    files = {"m/p/run_1/page_1.json": [], "m/p/run_2/page_1.json": [ANNA, {"origin": "Corfu"}]}
    pages = [run.pages["1"] for run in read(tmp_path, files).runs]
    assert [(page.status, len(page.rows)) for page in pages] == [("ok", 0), ("ok", 2)]


def test_a_key_of_several_fields_is_filled_where_one_is(tmp_path: Path):
    schema = '{"properties": {"given": {}, "family": {}}, "x-unique-fields": ["given", "family"]}'
    files = {"m/p/run_1/page_1.json": [{"family": "Serri"}], "m/p/run_2/page_1.json": [{"x": "1"}], "../gt/schema.json": schema}
    pages = [run.pages["1"] for run in read(tmp_path, files, {"1": "given,family\nAnna,Serri\n"}).runs]
    assert [page.status for page in pages] == ["ok", "failed"]
    assert pages[1].error.startswith("no record has a `given` or `family`; the key is `x`")


def test_declared_aliases_map_keys(tmp_path: Path):
    settings = '[aliases]\nNome = "name"\n"luogo di provenienza" = "origin"\n'
    answer = [{"nome": "Anna Serri", "Luogo_di_provenienza": "Padua", "guests": "3"}]
    material = read(tmp_path, {"m/p/run_1/page_1.json": answer}, settings=settings)
    assert [dict(row.values) for row in material.runs[0].pages["1"].rows] == [ANNA]
    assert material.problems == ()


def test_the_field_itself_wins_over_its_alias(tmp_path: Path):
    material = read(tmp_path, {"m/p/run_1/page_1.json": [{"nome": "other", **ANNA}]}, settings='[aliases]\nnome = "name"\n')
    assert material.runs[0].pages["1"].rows[0].values["name"] == "Anna Serri"
    assert told(material.problems) == ["repair: runs/m/p/run_1/page_1.json (page 1, row 1): `name`: given twice, 'other' left out"]


def test_the_settings_win_over_the_schema(tmp_path: Path):
    schema = '{"properties": {"name": {"x-key": true}, "origin": {}, "guests": {}}, "x-aliases": {"chi": "origin", "da": "origin"}}'
    files = {"m/p/run_1/page_1.json": [{"CHI": "Anna Serri", "da": "Padua"}], "../gt/schema.json": schema}
    material = read(tmp_path, files, settings='[aliases]\nchi = "name"\n')
    assert dict(material.runs[0].pages["1"].rows[0].values) == {"name": "Anna Serri", "origin": "Padua", "guests": ""}


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('nome = "nam"', "adjudicate.toml:2: `[aliases]` maps 'nome' to `nam`, which is no field. Did you mean `name`?"),
        ('nome = "x"', "adjudicate.toml:2: `[aliases]` maps 'nome' to `x`, which is no field. The fields are name, origin, guests."),
        ('Origin = "name"', "adjudicate.toml:2: `[aliases]` maps 'Origin' to `name`, and `origin` is a field itself. Remove the line."),
    ],
)
def test_a_wrong_alias_is_an_error(tmp_path: Path, line: str, error: str):
    with pytest.raises(InputError) as fault:
        read(tmp_path, {}, settings=f"[aliases]\n{line}\n")
    assert str(fault.value).endswith(error)


def test_proposals_come_from_the_values_of_all_runs(tmp_path: Path):
    files = {
        "m/p/run_1/page_1.json": [{**ANNA, "wo": "x"}],
        "n/p/run_1/page_1.json": [{"name": "Anna Serri", "luogo d'origine": "PADUA", "id": "1"}],
        "n/p/run_2/page_1.json": [{"name": "Bruno", "luogo d'origine": "Corfu", "id": "2"}, {"name": "C", "luogo d'origine": "Rome"}],
    }
    material = read(tmp_path, files)
    assert [(one.key, one.field, one.equal, one.filled, one.line) for one in material.proposals] == [
        ("luogo d'origine", "origin", 2, 3, '"luogo d\'origine" = "origin"')
    ]
    assert told(material.problems)[-1] == (
        'warning: runs: key "luogo d\'origine" is no field, yet 2 of 3 values under it are values of `origin`; if it means that field, '
        'add under [aliases] in adjudicate.toml: "luogo d\'origine" = "origin"'
    )
    assert [row.values["origin"] for row in material.runs[1].pages["1"].rows] == [""]


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ([{"name": "A", "k": "Padua"}, {"name": "B", "k": "x"}, {"name": "C", "k": "y"}], "fewer than half are equal"),
        ([{"name": "A", "k": "3"}], "one short value tells nothing"),
        ([{"name": "A", "k": "Padua", "origin": "x"}, {"name": "B", "k": "Corfu", "origin": ""}], "the records have the field"),
        ([{"name": "A", "k": ["Padua"]}, {"name": "B", "k": {"x": "Corfu"}}], "lists and objects"),
        ([{"name": "A", "k": None}, {"name": "B", "k": "n/a"}], "nothing is filled"),
    ],
)
def test_no_proposal(tmp_path: Path, records: object, why: str):
    assert read(tmp_path, {"m/p/run_1/page_1.json": records}).proposals == (), why


def test_two_fields_of_equal_values_are_not_told_apart(tmp_path: Path):
    gt = {"1": "name,with_spouse,with_siblings\nAnna,Y,N\nBruno,N,Y\n"}
    assert read(tmp_path, {"m/p/run_1/page_1.json": [{"name": "A", "k": "Y"}, {"name": "B", "k": "N"}]}, gt).proposals == ()


def test_two_keys_of_one_record_are_not_both_proposed(tmp_path: Path):
    answer = [{"name": "A", "from": "Padua", "home": "Padua"}, {"name": "B", "from": "Corfu", "home": "Rome"}]
    assert [one.key for one in read(tmp_path, {"m/p/run_1/page_1.json": answer}).proposals] == ["from"]
    files = {f"m/p/run_{at}/page_1.json": [{key: row["origin"], "name": "x"} for row in (ANNA, BRUNO)] for at, key in enumerate(("a", "b"))}
    assert [one.key for one in read(tmp_path / "two", files).proposals] == ["a", "b"]


def test_proposals_do_not_depend_on_the_order_of_records(tmp_path: Path):
    runs = {f"m/p/run_{at}/page_1.json": records for at, records in enumerate((NOME, NOME[::-1]))}
    found = read(tmp_path / "one", runs).proposals
    turned = read(tmp_path / "two", dict(zip(runs, (NOME[::-1], NOME), strict=True))).proposals
    assert [one.line for one in found] == ['nome = "name"', 'provenienza = "origin"']
    assert found == turned


def test_pasted_proposals_are_read(tmp_path: Path):
    answer = [{'na"me\\x': "Anna Serri"}, {'na"me\\x': "Bruno Bassa"}]
    first = read(tmp_path, {"m/p/run_1/page_1.json": answer}, {"1": GT})
    again = read(tmp_path, {}, settings="[aliases]\n" + "\n".join(one.line for one in first.proposals) + "\n")
    assert [row.values["name"] for row in again.runs[0].pages["1"].rows] == ["Anna Serri", "Bruno Bassa"]
