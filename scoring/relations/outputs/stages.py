"""The stages of a campaign: what each makes of the values and hands to `outputs` (`docs/hipe-behaviour.md#stages`).

Every stage returns its errors as sentences; none of them stops the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.foundations.problems import InputError
from scoring.relations.cases.adjudicated_gold import Base, voters_of
from scoring.relations.cases.gold_votes import sheets
from scoring.relations.inputs.documents import LenientReadingError, lenient_records
from scoring.relations.inputs.file_names import ORGANISERS, Mode, answers, bad_submission_name
from scoring.relations.inputs.gold import AlignedLabels, Reference, align
from scoring.relations.inputs.material import Material, Progress, Submission
from scoring.relations.measures import extended_rankings as ours
from scoring.relations.measures.bootstrap import Resamples
from scoring.relations.measures.diagnostics import diagnostics_text, json_text, metrics, skeleton
from scoring.relations.measures.ensembles import GROUP_TABLE, TRACKS, group_members, summary_rows, summary_text, track_ensembles
from scoring.relations.measures.evaluation import Scores
from scoring.relations.measures.rankings import RankingTable
from scoring.relations.measures.votes import official_voters
from scoring.relations.outputs import extended_page as our_page
from scoring.relations.outputs.result_files import Outputs, as_read, withheld_files, write_per_run, write_rankings
from scoring.relations.outputs.results_page import official_page
from scoring.relations.outputs.workbook import workbook_bytes


@dataclass(slots=True)
class StageResult:
    """What a stage did: the files it wrote are in `outputs`; errors by the file or reference they concern, in order."""

    errors: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def resamples_of(material: Material) -> Resamples:
    """The draws of documents all intervals of a campaign rest on."""
    sizes = {reference.stem: len(reference.documents) for reference in material.references.values()}
    return Resamples(sizes, material.settings.resamples, material.settings.seed)


def refuse_other_mode(outputs: Outputs, mode: Mode) -> None:
    """Never write one label mode over the other (`docs/hipe-behaviour.md#bug-23`).

    Raises:
        InputError: the per-run folder holds results of the other mode.
    """
    for path in sorted(outputs.places.per_run.glob("*.json"))[:1]:
        try:
            held = json.loads(path.read_text(encoding="utf-8")).get("at_label_mode")
        except (OSError, ValueError, AttributeError):
            return
        if held in ("TERNARY", "BINARY") and held != mode:
            hint = "give another PER_RUN_DIR or RESULTS_DIR, or remove that folder first"
            raise InputError(f"this folder holds {held} results; {mode} ones would overwrite them", where=outputs.places.per_run, hint=hint)


def score_stage(outputs: Outputs, base: Base, resamples: Resamples) -> StageResult:
    """The official record of every run, and our figures of it beside them."""
    refuse_other_mode(outputs, base.automatic.mode)
    status_note(outputs, base.material)
    write_per_run(outputs, base.automatic.records)
    for run in base.automatic.runs:
        path = outputs.places.ours / "per-run" / f"{run.stem}.json"
        outputs.write("per-run", path, json_text(ours.run_metrics(base.material, run, resamples)))
    return StageResult(list(base.automatic.failed.items()))


def status_note(outputs: Outputs, material: Material) -> None:
    """Where references are not final, a note among the results says which, and which official files rest on them.

    The official files themselves keep their official bytes and cannot say so.
    """
    restricted = material.settings.restricted(reference.stem for reference in material.references.values())
    path = outputs.places.results / "NOT_FINAL.md"
    if not restricted:
        path.unlink(missing_ok=True)
        return
    stems = {text.split(" (")[0] for text in restricted}
    files = sorted(withheld_files(reference.name.cell for reference in material.references.values() if reference.stem in stems))
    lines = ["# Not final", "", "The gold of these references is not final; what rests on it must not be published.", ""]
    lines += [f"- {text}" for text in restricted]
    lines += ["", "Ranking tables that rest on them:", "", *(f"- {file}" for file in files)]
    lines += ["", "Every file named after one of these references rests on it too."]
    outputs.write("status", path, "\n".join(lines) + "\n")


def rankings_stage(outputs: Outputs, official: Sequence[RankingTable], our_tables: Sequence[RankingTable]) -> StageResult:
    """The official tables and ours."""
    write_rankings(outputs, official, our_tables)
    return StageResult()


def laid_leniently(material: Material, submission: Submission, aligned: Mapping[str, AlignedLabels]) -> tuple[Reference, AlignedLabels]:
    """A run laid beside its gold by the official diagnostics' forgiving rule: what the schema refuses may still be shown.

    Raises:
        InputError: it cannot be shown; `sentence` or the text is what the official script prints of it.
    """
    if submission.name is None:
        raise LenientReadingError(bad_submission_name(submission.path.name))
    reference = material.reference_of(submission)
    if reference is None:
        path = material.places.reference / submission.name.reference_file
        raise LenientReadingError(f"Reference file not found for {submission.path.name}: {path}")
    if not reference.file.sound:
        raise LenientReadingError(f"The reference {reference.stem} is not sound")
    if submission.stem in aligned:
        return reference, aligned[submission.stem]
    return reference, align(reference, lenient_records(submission.file))


def diagnostics_stage(
    outputs: Outputs, material: Material, aligned: Mapping[str, AlignedLabels], mode: Mode, *, progress: Progress | None = None
) -> StageResult:
    """The two official diagnostics files of every run that can be read at all."""
    done = StageResult()
    common = {}
    for number, submission in enumerate(material.submissions, start=1):
        if progress:
            progress(number, len(material.submissions), submission.path.name)
        try:
            reference, laid = laid_leniently(material, submission, aligned)
        except InputError as fault:
            done.errors.append((submission.path.name, getattr(fault, "sentence", str(fault))))
            continue
        if reference.stem not in common:
            common[reference.stem] = skeleton(reference, mode)
        assert submission.name is not None
        folder = outputs.places.diagnostics
        outputs.write("diagnostics", folder / f"{submission.stem}.diagnostics.json", diagnostics_text(common[reference.stem], laid))
        figures = json_text(metrics(submission.name, reference, laid, mode))
        outputs.write("diagnostics", folder / f"{submission.stem}.diagnostic_metrics.json", figures)
    return done


def gold_check_stage(
    outputs: Outputs,
    material: Material,
    aligned: Mapping[str, AlignedLabels],
    tables: Sequence[RankingTable],
    gold: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    mode: Mode = "TERNARY",
) -> StageResult:
    """The official workbook of every reference, and ours with context and decision columns.

    Args:
        outputs: where to write.
        material: the campaign.
        aligned: the scored runs.
        tables: the official ranking tables the top rows are taken from.
        gold: adjudicated labels our workbook holds the votes against, by reference stem.
        mode: the label mode of our workbook.
    """
    done = StageResult()
    by_file = {table.file: table for table in tables}
    chosen = voters_of(material, as_read(tables), aligned, material.settings)
    for reference in material.references.values():
        targets = material.cell(reference).targets
        own = {stem: run for stem, run in aligned.items() if answers(stem, reference.stem)}
        table = by_file.get(f"ranking-{reference.name.cell}.tsv")
        try:
            if table is None:
                raise InputError(f"there is no ranking-{reference.name.cell}.tsv")
            voters = official_voters(as_read([table])[0].rows)
            if len(voters.chosen) < 3:
                raise InputError(f"the ranking has {len(voters.chosen)} runs, three are needed")
            absent = [voter.submission for voter in voters.chosen if voter.stem not in own]
            if absent:
                raise InputError(f"the submission {absent[0]} is not there or not sound")
        except InputError as fault:
            done.errors.append((reference.file.path.name, str(fault)))
        else:
            pages = sheets(reference, targets, voters, own, reference.gold)
            outputs.write("gt-validation", outputs.places.gt_validation / f"{reference.stem}.gt_validation.xlsx", workbook_bytes(pages))
        if own and chosen[reference.stem].chosen:
            labels = (gold or {}).get(reference.stem, reference.gold)
            pages = sheets(reference, targets, chosen[reference.stem], own, labels, ours=True, mode=mode)
            status = material.settings.status(reference.stem)
            pages["about"] = [
                ["reference", "status", "version", "voters", "cut at a tie"],
                [
                    reference.stem,
                    status.status,
                    status.version,
                    chosen[reference.stem].choice,
                    "; ".join(voter.submission for voter in chosen[reference.stem].tied),
                ],
            ]
            path = outputs.places.ours / "gt-validation" / f"{reference.stem}.gt_validation.xlsx"
            outputs.write("gt-validation", path, workbook_bytes(pages, decisions=True))
    return done


def results_stage(
    outputs: Outputs,
    material: Material,
    tables: Sequence[RankingTable],
    our_tables: Sequence[RankingTable],
    mode: Mode,
    *,
    internal: bool = False,
) -> StageResult:
    """The official results page, and ours as Markdown and HTML."""
    restricted = material.settings.restricted(reference.stem for reference in material.references.values())
    named = {text.split(" (")[0] for text in restricted}
    hidden = withheld_files(reference.name.cell for reference in material.references.values() if reference.stem in named)
    shown = [table for table in tables if internal or table.file not in hidden]
    page = official_page(
        shown,
        material.teams,
        mode=mode,
        rankings=material.labelled("rankings"),
        diagnostics=material.labelled("diagnostics"),
        withheld=() if internal else restricted,
        marked=restricted if internal else (),
    )
    outputs.write("results", outputs.places.results_md, page)
    if our_tables:
        folder = outputs.places.ours
        links = os.path.relpath(outputs.places.diagnostics, folder).replace(os.sep, "/")
        for file, render in (("results.md", our_page.markdown_page), ("results.html", our_page.html_page)):
            text = render(our_tables, mode=mode, restricted=restricted, internal=internal, diagnostics=links)
            outputs.write("results", folder / file, text)
    return StageResult(notes=[f"not final, {'shown as internal' if internal else 'left out of the pages'}: {text}" for text in restricted])


def ensemble_stage(outputs: Outputs, scores: Scores, tables: Iterable[RankingTable], top: int = 5) -> StageResult:
    """The ensembles of every track that has runs, and their summary."""
    done = StageResult()
    by_file = {table.file: table for table in tables}
    members = {}
    tracks = []
    for dataset, file in GROUP_TABLE.items():
        members[dataset] = group_members(by_file.get(file), top)
    for reference in {run.reference.stem: run.reference for run in scores.runs}.values():
        if reference.name.cell not in TRACKS:
            continue
        runs = {}
        for run in scores.of_reference(reference.stem):
            assert run.submission.name is not None
            if run.submission.name.team not in ORGANISERS:
                runs[run.submission.name.team, run.submission.name.run] = run.aligned
        if not runs:
            continue
        group = members[reference.name.dataset]
        if group.why:
            done.notes.append(f"{reference.name.cell}: {group.why}")
        targets = scores.of_reference(reference.stem)[0].cell.targets
        track = track_ensembles(reference, targets, runs, group, scores.mode, scores.gold.get(reference.stem), top)
        tracks.append(track)
        outputs.write("ensemble", outputs.places.ensemble / f"{reference.name.cell}.ensemble.json", json_text(track))
    if tracks:
        outputs.write("ensemble", outputs.places.ensemble / "ensemble_summary.tsv", summary_text(summary_rows(tracks)))
    return done
