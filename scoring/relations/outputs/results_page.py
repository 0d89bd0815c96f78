"""The official results page in Markdown (`docs/hipe-behaviour.md#results-page`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scoring.relations.inputs.file_names import Mode
from scoring.relations.measures.rankings import RankingTable

_TITLES = {
    "ranking-overall-test-a.tsv": "Accuracy Profile Ranking Overall",
    "ranking-impresso-test-de.tsv": "Accuracy Profile Ranking German",
    "ranking-impresso-test-en.tsv": "Accuracy Profile Ranking English",
    "ranking-impresso-test-fr.tsv": "Accuracy Profile Ranking French",
    "ranking-generalization-test-b.tsv": "Generalization Profile Ranking",
    "ranking-surprise-test-fr.tsv": "Generalization Profile Ranking French",
    "ranking-efficiency-test-a.tsv": "Efficiency Profile Ranking Overall",
    "ranking-efficiency-balanced-test-a.tsv": "Balanced Efficiency Profile Ranking Overall",
    "ranking-efficiency-impresso-test-de.tsv": "Efficiency Profile Ranking German",
    "ranking-efficiency-impresso-test-en.tsv": "Efficiency Profile Ranking English",
    "ranking-efficiency-impresso-test-fr.tsv": "Efficiency Profile Ranking French",
}
_RENAMED = {
    "hipe_model_size": "hipe_model_size_mb",
    "rank_accuracy": "rank_impresso_profile_score",
    "rank_parameter_count": "rank_hipe_parameter_count",
    "rank_model_size": "rank_hipe_model_size",
}
_LANGUAGES = ("de", "en", "fr")
_RENAMED_IN: dict[str, dict[str, str]] = {
    "ranking-overall-test-a.tsv": {"score": "mean_impresso_profile_score"},
    "ranking-generalization-test-b.tsv": {"score": "surprise_profile_score"},
    "ranking-surprise-test-fr.tsv": {"score": "surprise_profile_score"},
    "ranking-efficiency-test-a.tsv": {
        "efficiency_score": "mean_efficiency_profile_rank",
        "accuracy_score": "mean_impresso_profile_score",
    },
    "ranking-efficiency-balanced-test-a.tsv": {
        "balanced_efficiency_score": "balanced_efficiency_profile_rank",
        "accuracy_score": "mean_impresso_profile_score",
    },
    **{f"ranking-impresso-test-{language}.tsv": {"score": "impresso_profile_score"} for language in _LANGUAGES},
    **{
        f"ranking-efficiency-impresso-test-{language}.tsv": {
            "efficiency_score": "mean_efficiency_profile_rank",
            "accuracy_score": "impresso_profile_score",
        }
        for language in _LANGUAGES
    },
}
_METRICS = ("score", "efficiency_score", "balanced_efficiency_score")
_WITH_METRIC = tuple(f"ranking-{profile}-" for profile in ("overall", "impresso", "generalization", "surprise", "efficiency"))
_NOTES = {
    "ranking-overall-test-a.tsv": (
        "Only team runs that submitted all `impresso` language files are included in this overall ranking."
        " Team runs with partial submissions are shown only in the dataset-specific ranking tables."
    ),
    "ranking-efficiency-balanced-test-a.tsv": (
        "This is an additional analysis ranking. It is not the guideline-defined Efficiency Profile Ranking;"
        " it gives equal total weight to accuracy and to the combined resource ranks."
    ),
}
_AT = {
    "TERNARY": ("- `at_macro_recall = mean(recall_TRUE, recall_PROBABLE, recall_FALSE)` for the `at` labels.",),
    "BINARY": (
        "- This binary report maps `PROBABLE` to `TRUE` for `at` in both reference and system labels.",
        "- `at_macro_recall = mean(recall_TRUE, recall_FALSE)` for the binarized `at` labels.",
    ),
}


def title_of(file: str) -> str:
    """The heading of a ranking table; an unknown file has its stem in title case."""
    return _TITLES.get(file) or file.removesuffix(".tsv").replace("-", " ").title()


def in_page_order(tables: Sequence[RankingTable]) -> list[RankingTable]:
    """The known tables in their fixed order, unknown ones after them by name."""
    known = {table.file: table for table in tables}
    return [known[file] for file in _TITLES if file in known] + [known[file] for file in sorted(known) if file not in _TITLES]


def definitions(mode: Mode) -> list[str]:
    """How the scores are defined, a bullet each."""
    return [
        "- Accuracy Profile Ranking uses the `impresso` test files.",
        "- Generalization Profile Ranking uses the `surprise` test files.",
        "- For a label `l`, `recall_l = true_positives_l / gold_instances_l`.",
        *_AT[mode],
        "- `isAt_macro_recall = mean(recall_TRUE, recall_FALSE)` for the `isAt` labels.",
        "- `impresso_profile_score`: score for one `impresso` language file, computed as the mean of `at_macro_recall`"
        " and `isAt_macro_recall`.",
        "- `mean_impresso_profile_score`: mean of `impresso_profile_score` over the submitted `impresso` language files.",
        "- `surprise_profile_score`: score on a `surprise` file, computed as `at_macro_recall`; `isAt` is not evaluated for `surprise`.",
        "- Accuracy columns are included as contextual diagnostics; ranking is still determined by the macro-recall profile score.",
        "- `mean_efficiency_profile_rank`: mean of `rank_impresso_profile_score`, `rank_hipe_parameter_count`,"
        " and `rank_hipe_model_size`; lower is better.",
        "- `balanced_efficiency_profile_rank`: `0.5 * rank_impresso_profile_score + 0.25 * rank_hipe_parameter_count"
        " + 0.25 * rank_hipe_model_size`; lower is better.",
        "- If `team_efficiency_opt_out=true` in a run's `*-info.json`, that run is excluded from efficiency ranking tables.",
        "- If organizer fields `hipe_parameter_count` or `hipe_model_size` are `null`, they are internally treated as maxint"
        " for efficiency rank computation (worst resource rank), while remaining empty in table outputs.",
    ]


def official_page(
    tables: Sequence[RankingTable],
    teams: Mapping[str, Any],
    *,
    mode: Mode,
    rankings: str,
    diagnostics: str,
    withheld: Collection[str] = (),
    marked: Collection[str] = (),
) -> str:
    """The official results page.

    Args:
        tables: ranking tables as read from their TSVs (cells are texts).
        teams: teams.json.
        mode: TERNARY or BINARY, named in the heading.
        rankings: the rankings folder, as the page names it.
        diagnostics: the diagnostics folder, as the links name it.
        withheld: references whose tables are left out because they are provisional or embargoed; a line says so.
        marked: such references whose tables are shown all the same, on an internal page; a line says so.
    """
    blocks = [
        "# HIPE-2026 Evaluation Results" + (" (Binary at)" if mode == "BINARY" else ""),
        f"This file is generated from `{rankings}/*.tsv`.",
    ]
    if withheld:
        blocks.append(f"Left out of this page, since their reference is not final: {', '.join(withheld)}.")
    if marked:
        blocks.append(f"Internal: the results on these references are not final: {', '.join(marked)}.")
    if teams:
        lines = ["| team | name | affiliation |", "| --- | --- | --- |"]
        for team in sorted(teams):
            entry = teams[team] if isinstance(teams[team], dict) else {}
            lines.append(f"| {team} | {entry.get('name', '')} | {entry.get('affiliation', '')} |")
        blocks += ["## Teams", "\n".join(lines)]
    if not tables:
        return "\n\n".join([*blocks, "## Rankings", "No ranking files found."]) + "\n"
    ordered = in_page_order(tables)
    blocks += ["## Table of Contents", "\n".join(f"- [{title_of(table.file)}](#{_anchor(title_of(table.file))})" for table in ordered)]
    blocks += ["## Profile Score Definitions", "\n".join(definitions(mode))]
    for table in ordered:
        blocks += [f"## {title_of(table.file)}", _markdown_table(table, diagnostics)]
        if table.rows:
            blocks.append(_top_three(table, teams))
        if table.file in _NOTES:
            blocks.append(_NOTES[table.file])
    return "\n\n".join(blocks) + "\n"


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9 \-]", "", title.lower()).replace(" ", "-")


def header_text(file: str, column: str) -> str:
    """The heading of a column on the page."""
    return _RENAMED_IN.get(file, {}).get(column, _RENAMED.get(column, column)).replace("_", " ")


def page_columns(table: RankingTable) -> list[str]:
    """The columns of a table that the page shows."""
    hidden = {"info_missing"}
    if table.file.startswith("ranking-surprise-"):
        hidden |= {"isAt_macro_recall", "isAt_accuracy"}
    return [column for column in table.columns if column not in hidden]


def _markdown_table(table: RankingTable, diagnostics: str) -> str:
    columns = page_columns(table)
    headings = [header_text(table.file, column) for column in columns]
    linked = "submission" in table.columns
    if linked:
        headings.append("diagnostics")
    lines = [f"| {' | '.join(headings)} |", f"|{' --- |' * len(headings)}"]
    for row in table.rows:
        cells = [page_cell(row[column]) for column in columns]
        if linked:
            cells.append(_links(row["submission"], diagnostics))
        lines.append(f"| {' | '.join(cells)} |")
    if not table.rows:
        lines.append(f"|{'  |' * len(headings)}")
    return "\n".join(lines)


def _links(submission: str | None, diagnostics: str) -> str:
    if not submission:
        return ""
    stem = f"{diagnostics}/{submission.removesuffix('.jsonl')}"
    return f"[Comparison]({stem}.diagnostics.json) / [Metrics]({stem}.diagnostic_metrics.json)"


def page_cell(text: str | None) -> str:
    """A cell as the page prints it: what parses as a number has at most four decimals, everything else stays."""
    if not text:
        return ""
    try:
        number = float(text)
    except ValueError:
        return text
    shown = f"{number:.4f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _top_three(table: RankingTable, teams: Mapping[str, Any]) -> str:
    lines = ["Top 3 teams by best run:", ""]
    known = table.file.startswith(_WITH_METRIC)
    metric = next((column for column in table.columns if column in _METRICS), None) if known else None
    seen: set[str] = set()
    for row in table.rows:
        team = row["team"] or ""
        if team in seen:
            continue
        seen.add(team)
        entry = teams.get(team)
        name = entry.get("name") if isinstance(entry, dict) else None
        value = page_cell(row[metric]) if metric else ""
        ending = f", {header_text(table.file, metric)} {value}" if metric and value else ""
        lines.append(f"{len(seen)}. {f'{name} ({team})' if name else team}, {row['run'] or ''}, table rank {row['rank'] or ''}{ending}")
        if len(seen) == 3:
            break
    return "\n".join(lines)
