"""A small constructed workspace that has everything a report shows: hostile names, homonyms, `?`, every label, failed pages, verdicts."""

from __future__ import annotations

import json
from pathlib import Path

from scoring.adjudication.decisions import Decisions, LogEntry
from scoring.adjudication.log_entry import encode
from scoring.tables.cases.queues import cases
from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.inputs.material import load
from scoring.tables.verdicts.validation import judge
from scoring.workspace.layout import open_workspace
from scoring.workspace.provenance import Provenance

PROVENANCE = Provenance(*("0a1b2c3d",) * 6, "2026-01-02", "2026-01-03", "2026-11-29T00:00:00Z")
HOSTILE = '<script>alert("x")</script>'
FORMULA = '=HYPERLINK("http://x","y")'
ESCAPES = "\x1b[31mRed [bold]Name[/bold] \u202eevil"

RULES = """# Equivalences

## 1. Ignore rules

| token | field | position | side | status | witness | note |
|---|---|---|---|---|---|---|
| il | name | leading | model | settled | | |
| barone | name | leading | model | settled | | |
| di {place_of_origin} | name | trailing | model | settled | | |
"""
HEADER = ["name", "title", "place_of_origin", "children_count"]
GT = {
    "28": [
        ["Bassa", "Barone", "Verona", "2"],
        ["Israel Baysan", "", "Verona", ""],
        ["Anna Serri", "", "Udine", "1"],
        ["Bruno Serri", "", "Udine", ""],
        ["Francesco Kin?gsech", "Conte", "Graz", ""],
        [HOSTILE, "", "", ""],
    ],
    "36": [["Marco Polo", "", "", ""], ["Marco Polo", "", "Trieste", ""], [FORMULA, "", "", ""]],
}


def rows(*names: str, **more: str) -> list[dict[str, str]]:
    return [{"name": name, "title": "", "place_of_origin": "Verona", **more} for name in names]


ALFA = [
    {
        "28": rows("Il Barone Bassa", "Israel Baysan di Verona", "Anna Serri e Bruno Serri", "Francesco Kinigsech", HOSTILE, "Bassa"),
        "36": rows("Marco Polo", "Marco Poli", FORMULA),
    },
    {
        "28": rows("Barone Bassa", "Izraal Bajsan", "Bruno Serri", "Anna Berri", "Francesco", "Zzyxw Qqqq", "<b>bold</b>"),
        "36": rows("Marko Pola", "Marco Polo", ESCAPES),
    },
    {
        "28": rows(
            *("Bassa", "Israel Baysan", "Anna Serri", "Bruno Serri", "Francesco Kinigsech", HOSTILE),
            *("Anna e Bruno Serri", "Xyzzy Wuvvw Kjjk", "Israel"),
        ),
        "36": rows("Marco Polo", "Marco Polo", "Marco Polo", "hyperlin qqqqq", "hyperlin wwwww"),
    },
]
BETA = [
    {"28": rows("Bassa", "Bruno Serri", "Anna Serri", "Israel Baysan", "Franc. Kinsech", ""), "36": None},
    {"28": [], "36": rows("Polo", "Mara Pylo")},
    {"28": rows("Isr Baysn", "Brun Serr", "An Serr")},
]


def write(root: Path) -> Path:
    """Write the workspace."""
    (root / "gt").mkdir(parents=True)
    for page, lines in GT.items():
        text = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in [HEADER, *lines])
        (root / "gt" / f"gt_page_{page}.csv").write_text(text + "\n", encoding="utf-8")
    for model, phase, runs in (("alfa", "naive", ALFA), ("beta <i>", "$x$ 'q'", BETA)):
        folder = root / "runs" / model / phase
        folder.mkdir(parents=True)
        for number, pages in enumerate(runs, 1):
            body = {
                page: {"status": "failed", "error": f"timeout {HOSTILE}"} if found is None else {"status": "ok", "travelers": found}
                for page, found in pages.items()
            }
            head = {"model": model, "phase": phase, "run": number, "generated": f"2026-01-0{number + 1}T00:00:00Z"}
            (folder / f"run_{number:02d}.json").write_text(json.dumps({**head, "pages": body}), encoding="utf-8")
    (root / "EQUIVALENCES.md").write_text(RULES, encoding="utf-8")
    return root


def automatic(root: Path) -> Evaluation:
    return evaluate(load(open_workspace(root)))


def said(evaluation: Evaluation, number: int, case, verdict: str, *, verifier: str = "mp", **more) -> LogEntry:
    """An entry that says a verdict on a case."""
    found = judge(evaluation, case, verdict, **more)
    return LogEntry(
        id=f"01900000-0000-7000-8000-{number:012x}",
        at="2026-11-29T22:10:05.123Z",
        verifier=verifier,
        task="tables",
        case=found.case,
        verdict=found.verdict,
        targets=found.targets,
        value=found.value,
        scope=found.scope,
        run=found.run,
        basis=json.loads(json.dumps(dict(found.basis))),
    )


def decided(evaluation: Evaluation) -> list[LogEntry]:
    """Verdicts of two people: on borderline pairs, on surplus rows, and one conflict."""
    known = cases(evaluation)
    borderline = [case for case in known if case.queue == "borderline"]
    surplus = [case for case in known if case.queue == "surplus"]
    entries = [said(evaluation, 1, borderline[0], "same"), said(evaluation, 2, borderline[1], "different")]
    entries += [said(evaluation, 3, borderline[2], "same"), said(evaluation, 4, borderline[2], "different", verifier="jd")]
    entries += [said(evaluation, 10 + at, case, "invention") for at, case in enumerate(surplus[:2])]
    return entries


def evaluation(root: Path) -> Evaluation:
    """The workspace scored under those verdicts, which are also written to its log."""
    scored = automatic(root)
    entries = decided(scored)
    (root / "adjudications").mkdir(exist_ok=True)
    for verifier in ("mp", "jd"):
        lines = b"".join(encode(entry) + b"\n" for entry in entries if entry.verifier == verifier)
        (root / "adjudications" / f"{verifier}.jsonl").write_bytes(lines)
    return evaluate(scored.material, Decisions.of(entries), automatic=scored)
