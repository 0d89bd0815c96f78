"""Verdicts on one value of a GT row: doubts about a field, and rules drafted from a field's two values (`docs/adjudication.md#kinds`).

Such a verdict is said of the GT row and the field, from whichever case it was given; so doubts about several fields of one row hold
beside each other, and beside every verdict on the rows as pairs. The log names the field in `basis.field`, what stood there in
`basis.cell`.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.adjudication.cases import Case, FieldValue, Judgement, RuleDraft
from scoring.adjudication.log_entry import LogEntry, field_of
from scoring.foundations.problems import InputError
from scoring.tables.cases.queues import VALUE_VERDICTS, located
from scoring.tables.cases.value_majority import agreed_values, majority_values
from scoring.tables.decisions.anchor import CaseKey, gt_row_of, numbered, row_number, run_of, value_key, value_target
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.matching.field_scores import FieldScorer
from scoring.texts.nested_paths import is_list, is_nested, list_entries, list_text
from scoring.workspace.provenance import engine_fingerprint

DOUBTS = ("gt-wrong", "gt-illegible")
_UNRULED = ("flag", "count")


def is_of_a_value(evaluation: Evaluation, case: Case, verdict: str, field: str) -> bool:
    """Whether a verdict is said of one value, not of a row: a field is named that is not the whole key, or the case is about one."""
    key = case.basis.get("key")
    about = isinstance(key, CaseKey) and bool(key.field)
    if verdict == "equivalent" and not about:
        return False
    return about or (bool(field) and (field,) != evaluation.material.schema.key)


def judge_value(
    evaluation: Evaluation,
    case: Case,
    verdict: str,
    field: str = "",
    *,
    targets: Sequence[str] = (),
    value: object = None,
    run: str | None = None,
) -> Judgement:
    """What a verdict on one value says, checked.

    Args:
        field: the field; the one the case is about where none is named.
        targets: the GT row, where it is not the one the case asks about.
        value: for a doubt the text proposed; "" proposes a blank.
        run: refused, for what GT holds does not differ by run.

    Raises:
        InputError: the verdict cannot be said of a value, there is no such field or row, or nothing is proposed.
    """
    key = case.basis.get("key")
    of_case = key.field if isinstance(key, CaseKey) else ""
    field = field or of_case
    known_field(evaluation, field)
    allowed = VALUE_VERDICTS if field == of_case else DOUBTS
    if verdict not in allowed:
        raise InputError(f"`{verdict}` is not said of a value", hint=f"of {field} can be said {', '.join(allowed)}")
    if run is not None:
        raise InputError("a verdict on a value is said of the GT row, whatever a run reads", hint="leave the run out")
    target = _gt_row(evaluation, case, targets)
    page, at = located(evaluation.prepared, target)
    now = evaluation.prepared.pages[page].page.rows[at].values[field]
    if verdict in DOUBTS and isinstance(value, str):
        value = list_text(list_entries(value)) if is_list(field) else value.strip()
        if value == now:
            raise InputError(f"{field} of {target} reads so already: {now or 'blank'}", hint="propose another text")
    if verdict == "gt-wrong" and not isinstance(value, str):
        raise InputError("`gt-wrong` needs the text you propose instead", hint="give it with --value, or type it in the field")
    return _judgement(evaluation, page, at, field, verdict, value)


def known_field(evaluation: Evaluation, field: str) -> None:
    """Refuse a field the schema does not have.

    Raises:
        InputError: it has none of that name.
    """
    names = evaluation.material.schema.names
    if field not in names:
        raise InputError(f"there is no field `{field}`", hint=f"fields are {', '.join(names)}")


def kept_value(evaluation: Evaluation, entry: LogEntry) -> Judgement:
    """What a stale verdict on a value says when it is said of the row that now stands where the judged one stood.

    Raises:
        InputError: the row or the field is gone.
    """
    field, target = field_of(entry), value_target(entry)
    known_field(evaluation, field)
    page = evaluation.prepared.pages.get(str(entry.basis.get("page", "")))
    if page is None:
        raise InputError(f"page {entry.basis.get('page')} is gone", hint="revisit the verdict instead")
    at = gt_row_of(page, target, entry.basis)
    if at is None:
        at = numbered(page, row_number(target))
    if at is None:
        raise InputError(f"there is no row {target} any more", hint="revisit the verdict instead")
    return _judgement(evaluation, page.page.id, at, field, entry.verdict, entry.value)


def _gt_row(evaluation: Evaluation, case: Case, said: Sequence[str]) -> str:
    """The GT ROW a value is of: the one pointed to, else the one the case asks about, else the one it proposes."""
    pointed = [target for target in dict.fromkeys(said) if target.startswith("gt:")]
    if len(pointed) > 1:
        raise InputError("a value is of one GT row", hint="point to one alone")
    key = case.basis.get("key")
    page = key.page if isinstance(key, CaseKey) else case.page
    asked = (*pointed, *(target for one in case.occurrences[:1] for target in one.targets), *case.targets)
    target = next((one for one in asked if one.startswith("gt:")), None)
    if target is None:
        raise InputError("no GT row is asked about here", hint="point to the row whose value you mean, by its digit or with --to")
    try:
        on, _ = located(evaluation.prepared, target)
    except (KeyError, IndexError, ValueError):
        raise InputError(f"there is no row {target}", hint="a ROW is gt:PAGE:ROW, rows from 1") from None
    if on != page:
        raise InputError(f"{target} lies on page {on}, the case on page {page}", hint="point to a row of the same page")
    return target


def _judgement(evaluation: Evaluation, page: str, at: int, field: str, verdict: str, value: object) -> Judgement:
    material, gt = evaluation.material, evaluation.prepared.pages[page]
    target, row = gt.target(at), gt.page.rows[at]
    against = majority_values(evaluation.as_scored, page).get((at, field))
    others = {one.name: text for one in material.schema.scored if (text := row.values[one.name])}
    basis: dict[str, object] = {
        "page": page,
        "ask": "value",
        "field": field,
        "cell": row.values[field],
        "subject": target,
        "asked": target,
        "rows": {target: gt.gt_hash(at)},
        "texts": {target: gt.texts[at]},
        "digests": {target: gt.others(row)},
        "fields": {target: others} if gt.forms[at] in gt.homonyms else {},
        "gate": material.settings.gate,
        "occurrences": len(against.places) if against is not None else 1,
        "gt": material.gt_fingerprint,
        "rules": material.rules.fingerprint,
        "engine": engine_fingerprint(),
    }
    return Judgement(value_key(gt, at, field).id, verdict, (target,), value, "reading", None, basis)


# What there is to choose from


def _rows_shown(evaluation: Evaluation, case: Case, occurrence: int, targets: Sequence[str]) -> tuple[str | None, str | None]:
    """The GT row and the model row whose values are shown, as ROWs: those pointed to, else those of the occurrence and the case."""
    of_case = case.occurrences[min(occurrence, len(case.occurrences) - 1)].targets if case.occurrences else ()
    known = (*targets, *of_case, *case.targets)
    gt = next((one for one in known if one.startswith("gt:")), None)
    # A row pointed to is what a label points to, or the candidate for a missed record, which has no row of its own.
    own = next((one for one in of_case if one.startswith("model:")), None)
    return gt, own or next((one for one in known if one.startswith("model:")), None)


def field_values(evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = ()) -> tuple[FieldValue, ...]:
    """Every field of the rows of a case, in the order of the schema; nothing where it has no GT row."""
    gt_row, model_row = _rows_shown(evaluation, case, occurrence, targets)
    if gt_row is None:
        return ()
    prepared, schema = evaluation.prepared, evaluation.material.schema
    page, at = located(prepared, gt_row)
    gt = prepared.pages[page]
    expected = gt.page.rows[at].values
    read = None
    if model_row is not None:
        on, row = located(prepared, model_row)
        read = prepared.run_page(run_of(model_row), on).page.rows[row].values
    agreed = agreed_values(evaluation, page, at)
    found = []
    for field in schema.fields:
        scorer = FieldScorer(field, evaluation.material.rules)
        said, value = agreed.get(field.name), read[field.name] if read is not None else None
        ruled = field.method not in _UNRULED and not field.is_list and bool(expected[field.name]) and bool(value)
        ruled = ruled and scorer.form(expected[field.name], "gt") != scorer.form(value or "", "model")
        text, models, of = (said.text, said.models, said.of) if said is not None and said.most else ("", 0, 0)
        found.append(FieldValue(field.name, field.name in schema.key, expected[field.name], value, text, models, of, ruled))
    return tuple(found)


def draft_of_value(evaluation: Evaluation, case: Case, field: str, occurrence: int = 0, targets: Sequence[str] = ()) -> RuleDraft:
    """The equivalence of a field's two values: the model's is the form, the ground truth's the canonical, the pair the witness.

    Raises:
        InputError: there is no such field, or the pair has no two values of it that a rule could make one.
    """
    known_field(evaluation, field)
    found = next((one for one in field_values(evaluation, case, occurrence, targets) if one.field == field), None)
    method = next(one.method for one in evaluation.material.schema.fields if one.name == field)
    if method in _UNRULED:
        raise InputError(f"`{field}` is scored as a {method}, so no rule is ever applied to it")
    if is_list(field):
        raise InputError(f"`{field}` is a list, and a rule is of one entry", hint="write the rule with `adjudicate rules draft`")
    if found is not None and (is_nested(found.expected) or is_nested(found.read or "")):
        raise InputError(f"`{field}` holds a nested value, to which no rule applies", hint="declare its path in gt/schema.json")
    if found is None or found.read is None:
        raise InputError("this case has no two rows whose values could be made equal", hint="point to the other row, or take another case")
    if not found.expected or not found.read:
        raise InputError(f"`{field}` is blank in one of the two rows", hint="an equivalence needs two writings")
    if not found.ruled:
        raise InputError(f"both values of `{field}` are compared as the same already: {found.expected}")
    gt_row, _ = _rows_shown(evaluation, case, occurrence, targets)
    assert gt_row is not None
    page, at = located(evaluation.prepared, gt_row)
    gt = evaluation.prepared.pages[page]
    return RuleDraft(found.read, found.expected, field, f"{found.read} (page {page} row {gt.page.rows[at].number}, {gt.texts[at]})")
