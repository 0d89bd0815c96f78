"""Was my file all right? What is legal in a submission and yet makes one look twice.

See `docs/hipe-behaviour.md#bug-25`, `docs/hipe-behaviour.md#bug-6`, `docs/hipe-behaviour.md#bug-12`.

Nothing here changes a figure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scoring.foundations.problems import Problem, Severity
from scoring.relations.inputs.file_names import CompetitionCell
from scoring.relations.inputs.gold import AlignedLabels, Reference
from scoring.relations.inputs.material import Material, Submission

ERROR_SHARE, REPEATED_SHARE, CONSTANT_SHARE, IMPUTED_SHARE, AT_ODDS_SHARE = 0.02, 0.20, 0.97, 0.10, 0.02
AT_ODDS = "isAt without at"
"""Common in runs that do not know the relations belong together; a note, since the gold alone never has it."""

FEWEST = 10
"""Below this many pairs nothing is said of shares."""

_ERROR_LIKE = re.compile(
    r"no json|invalid json|json ?decode|jsondecodeerror|could not (be )?pars|failed to pars|pars(e|ing) (error|fail)|unparsable"
    r"|traceback \(most recent|^\s*(error|exception)\b|exception:|time(d)? ?out\b.*(request|model|api|response)|request timed out"
    r"|rate limit|api error|http (error )?[45]\d\d|empty (model )?(response|output)|no (model )?(response|output)\b"
    r"|model output (was )?(empty|missing|invalid)|context length exceeded|out of memory|max(imum)? retries",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")


def pattern_of(explanation: str) -> str:
    """An explanation with its numbers masked, so that one message about many places is seen as one."""
    return _NUMBERS.sub("#", " ".join(explanation.split()))


def file_doubts(reference: Reference, aligned: AlignedLabels, cell: CompetitionCell) -> Iterator[tuple[str, str]]:
    """Kind and sentence of everything doubtful in one submission's content."""
    yield from _supplied(reference, aligned)
    yield from _explanations(aligned, cell)
    pairs = len(aligned.state)
    for target in cell.targets:
        said = Counter(aligned.labels[target])
        gold = Counter(pair.label(target) for pair in reference.pairs)
        if pairs < FEWEST:
            continue
        label, count = said.most_common(1)[0]
        if count >= CONSTANT_SHARE * pairs and max(gold.values()) < CONSTANT_SHARE * pairs:
            yield "near-constant", f"`{target}` is {label} for {count} of {pairs} pairs ({count / pairs:.0%})"
    at_odds = sum(at == "FALSE" and now == "TRUE" for at, now in zip(aligned.labels["at"], aligned.labels["isAt"], strict=True))
    if at_odds >= max(1, AT_ODDS_SHARE * pairs):
        yield AT_ODDS, f"{at_odds} pairs have `isAt` TRUE with `at` FALSE, which the gold never has"


def _supplied(reference: Reference, aligned: AlignedLabels) -> Iterator[tuple[str, str]]:
    counts, total = aligned.counts, len(reference.counted)
    if counts.missing_documents:
        pairs = counts.pairs_of_missing_documents
        yield "missing", f"{counts.missing_documents} documents of the reference are not there; their {pairs} pairs are scored FALSE"
    if counts.missing_pairs:
        yield "missing", f"{counts.missing_pairs} pairs of the reference are not there and are scored FALSE"
    if total and counts.imputed_pairs >= IMPUTED_SHARE * total:
        share = counts.imputed_pairs / total
        yield "imputation", f"{counts.imputed_pairs} of {total} pairs ({share:.0%}) were not answered and are scored FALSE"
    if counts.null_labels:
        yield "null", f"{counts.null_labels} labels are null and are scored FALSE"
    if counts.extra_documents:
        yield "unknown", f"{counts.extra_documents} documents are not in the reference and are ignored"
    if counts.extra_pairs:
        yield "unknown", f"{counts.extra_pairs} pairs are not in the reference and are ignored"
    if counts.duplicate_documents:
        yield "duplicate", f"{counts.duplicate_documents} documents are there more than once; the last one counts"
    if counts.duplicate_pairs:
        yield "duplicate", f"{counts.duplicate_pairs} pairs are there more than once; the last one counts"
    if counts.other_texts:
        yield "other text", f"{counts.other_texts} documents have another text than the reference"


def _explanations(aligned: AlignedLabels, cell: CompetitionCell) -> Iterator[tuple[str, str]]:
    pairs = len(aligned.state)
    if pairs < FEWEST:
        return
    given = [
        [why for target in cell.targets if isinstance(why := aligned.explanations[target][index], str) and why] for index in range(pairs)
    ]
    failures = [found for reasons in given if (found := next(filter(looks_failed, reasons), None)) is not None]
    if len(failures) >= max(3, ERROR_SHARE * pairs):
        text = Counter(map(pattern_of, failures)).most_common(1)[0][0]
        share = f"{len(failures)} of {pairs} pairs ({len(failures) / pairs:.0%})"
        yield "error-like explanations", f"{share} are explained by what looks like a failure: {text[:80]!r}"
    sound = Counter(text for reasons in given for text in {" ".join(why.split()) for why in reasons if not looks_failed(why)})
    if sound:
        text, count = sound.most_common(1)[0]
        if count >= max(FEWEST, REPEATED_SHARE * pairs):
            yield "repeated explanation", f"{count} of {pairs} pairs ({count / pairs:.0%}) have the same explanation: {text[:80]!r}"


def looks_failed(explanation: str) -> bool:
    """Whether an explanation is what a program says when it has no answer."""
    return len(explanation) <= 300 and _ERROR_LIKE.search(explanation) is not None


def gold_doubts(reference: Reference) -> Iterator[tuple[str, str]]:
    """Kind and sentence of what is doubtful in a gold file itself: doubles, nulls, an `isAt` TRUE beside an `at` FALSE."""
    documents = len({document["document_id"] for document in reference.documents})
    if documents < len(reference.documents):
        yield "duplicate", f"{len(reference.documents) - documents} documents are there more than once; the last one counts"
    held = {(pair.document, *pair.key) for pair in reference.pairs}
    if len(held) < len(reference.pairs):
        yield "duplicate", f"{len(reference.pairs) - len(held)} pairs are there more than once; the last one counts"
    glued = {(pair.document, pair.pers + pair.loc) for pair in reference.pairs}
    if len(glued) < len(held):
        yield "keys", f"{len(held) - len(glued)} pairs vanish officially, their ids glue to the key of another pair"
    nulls = sum(pair[target] is None for document in reference.documents for pair in document["sampled_pairs"] for target in ("at", "isAt"))
    if nulls:
        yield "null", f"{nulls} gold labels are null and count as FALSE"
    at_odds = sum(pair.isAt == "TRUE" and pair.at == "FALSE" for pair in reference.pairs)
    if at_odds:
        yield AT_ODDS, f"{at_odds} gold pairs have `isAt` TRUE with `at` FALSE"


def doubts_of_gold(material: Material) -> list[Problem]:
    """Everything doubtful in a campaign's gold files."""
    return [
        Problem(Severity.WARNING, f"{kind}: {sentence}", str(held.file.path))
        for held in material.references.values()
        for kind, sentence in gold_doubts(held)
    ]


def campaign_doubts(material: Material, aligned: Mapping[str, AlignedLabels]) -> list[Problem]:
    """Everything doubtful in a campaign's sound submissions, file by file, then what only several files together show."""
    problems = []
    for submission in material.submissions:
        where = str(submission.path)
        reference = material.reference_of(submission)
        if reference is not None and submission.stem in aligned:
            for kind, sentence in file_doubts(reference, aligned[submission.stem], material.cell(reference)):
                severity = Severity.NOTE if kind == AT_ODDS else Severity.WARNING
                problems.append(Problem(severity, f"{kind}: {sentence}", where))
        for doubt in submission.info.doubts:
            problems.append(Problem(Severity.WARNING, f"size: {doubt}", str(submission.path.with_name(submission.stem + "-info.json"))))
    return [*problems, *_together(material, aligned)]


def _together(material: Material, aligned: Mapping[str, AlignedLabels]) -> Iterator[Problem]:
    named = [submission for submission in material.submissions if submission.name]
    yield from _identical(named, aligned)
    runs: dict[tuple[str, str], set[int]] = {}
    files: dict[tuple[str, str], list[Submission]] = {}
    lower: dict[str, list[str]] = {}
    cells: dict[tuple[str, str, str], set[str]] = {}
    for submission in named:
        name = submission.name
        assert name is not None
        runs.setdefault((name.team, name.reference_stem), set()).add(int(name.run[3:]))
        files.setdefault((name.team, name.run), []).append(submission)
        lower.setdefault(submission.path.name.lower(), []).append(submission.path.name)
        reference = material.reference_of(submission)
        if reference is not None:
            cells.setdefault((name.team, name.run, reference.name.cell), set()).add(reference.stem)
    where = str(material.places.submissions)
    for (team, reference_stem), numbers in runs.items():
        gaps = set(range(1, max(numbers))) - numbers
        if gaps:
            lacking = ", ".join(f"run{number}" for number in sorted(gaps))
            yield Problem(Severity.WARNING, f"run numbers: {team} has no {lacking} for {reference_stem} but later ones", where)
    for names in lower.values():
        if len(names) > 1:
            yield Problem(Severity.WARNING, f"names: {' and '.join(names)} differ in case alone", where)
    for (team, run, cell), stems in cells.items():
        if len(stems) > 1:
            what = f"versions: {team} {run} answers several references of {cell} ({', '.join(sorted(stems))}); they share one rank"
            yield Problem(Severity.WARNING, what, where)
    yield from _information(files, where)


def _information(files: Mapping[tuple[str, str], Sequence[Submission]], where: str) -> Iterator[Problem]:
    """The information files of one run should say the same (`docs/hipe-behaviour.md#bug-13`)."""
    for (team, run), held in files.items():
        sound = [submission.info for submission in held if not submission.info.error]
        if len({info.opt_out for info in sound if not info.missing}) > 1:
            yield Problem(Severity.WARNING, f"opt-out: the files of {team} {run} disagree on `team_efficiency_opt_out`", where)
        if len({info.missing for info in sound}) > 1:
            yield Problem(Severity.WARNING, f"information: {team} {run} has information files for some references only", where)
        for key in ("hipe_parameter_count", "hipe_model_size"):
            values = {getattr(info, key) for info in sound if not info.missing}
            if len(values) > 1:
                shown = ", ".join(sorted(str(value) for value in values))
                yield Problem(Severity.WARNING, f"size: the files of {team} {run} give several values of `{key}` ({shown})", where)


def _identical(named: Sequence[Submission], aligned: Mapping[str, AlignedLabels]) -> Iterator[Problem]:
    seen: dict[tuple[object, ...], str] = {}
    for submission in named:
        run = aligned.get(submission.stem)
        if run is None or len(run.state) < FEWEST:
            continue
        assert submission.name is not None
        key = (submission.name.reference_stem, tuple(run.labels["at"]), tuple(run.labels["isAt"]))
        if key in seen:
            yield Problem(Severity.WARNING, f"identical: every label is the same as in {seen[key]}", str(submission.path))
        seen.setdefault(key, submission.path.name)
