"""Near misses: pairs of texts that no rule may make equal (`docs/rules.md#near-misses`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.foundations.problems import Severity
from scoring.rules.pipelines import Pipeline
from scoring.rules.rows import PLACEHOLDER, EquivalenceRow, IgnoreRow, NearMissRow, RuleRow, Rules
from scoring.texts.forms import NO_RULES, FieldRules, Ignore, Replacement, Side, unpunctuated

# A reading is a name stepped over added tokens; more of them than this are not looked at for one near miss.
_MOST_READINGS = 256
_SIDES: tuple[Side, ...] = ("gt", "model")


@dataclass(frozen=True, slots=True)
class Miss:
    """What is wrong with a near miss, or with the rules for its sake."""

    severity: Severity
    line: int
    message: str
    is_open: bool = False


def _readings(words: tuple[str, ...], ignores: Sequence[Ignore]) -> set[tuple[str, ...]]:
    """The token sequences that the ignore rules of a name can leave, `words` among them."""
    found, waiting = {words}, [words]
    while waiting and len(found) < _MOST_READINGS:
        now = waiting.pop()
        for rule in ignores:
            size = len(rule.form)
            places = {
                "leading": range(1),
                "trailing": range(len(now) - size, len(now) - size + 1),
                "anywhere": range(len(now) - size + 1),
            }[rule.position]
            for at in places:
                if at < 0 or now[at : at + size] != rule.form:
                    continue
                left = now[:at] + now[at + size :]
                if left and left not in found:
                    found.add(left)
                    waiting.append(left)
    return found


def covered(pipeline: Pipeline, form: str, other: str, rules: FieldRules) -> bool:
    """Whether the rules make the two texts one, on either side; with a blank `other`, whether they touch `form` at all."""
    if pipeline.is_name:
        reduced = _readings(tuple(pipeline.normal(form, rules, "model").split()), rules.ignores)
        if not other:
            return len(reduced) > 1 or pipeline.normal(form, rules, "model") != pipeline.normal(form, NO_RULES, "model")
        back = _readings(tuple(pipeline.normal(other, rules, "model").split()), rules.ignores)
        return tuple(pipeline.normal(other, rules, "gt").split()) in reduced or tuple(pipeline.normal(form, rules, "gt").split()) in back
    if not other:
        return pipeline.normal(form, rules, "model") != pipeline.normal(form, NO_RULES, "model")
    return pipeline.normal(form, rules, "model") == pipeline.normal(other, rules, "gt") or pipeline.normal(
        form, rules, "gt"
    ) == pipeline.normal(other, rules, "model")


def _only(pipeline: Pipeline, row: RuleRow) -> FieldRules:
    alone = Rules(equivalences=(row,) if isinstance(row, EquivalenceRow) else (), ignores=(row,) if isinstance(row, IgnoreRow) else ())
    return pipeline.compiled(alone, (row.line,))


class _Relevant:
    """The settled rules of a field, asked for those that a near miss can meet: all others leave it as it is."""

    def __init__(self, pipeline: Pipeline, settled: FieldRules) -> None:
        self._pipeline, self._settled = pipeline, settled
        self._starting: dict[str, list[int]] = {}
        for at, rule in enumerate(settled.replacements):
            self._starting.setdefault(rule.form[0], []).append(at)

    def _found(self, met: set[str]) -> list[Replacement]:
        places = sorted(at for word in met for at in self._starting.get(word, ()))
        rules = (self._settled.replacements[at] for at in places)
        return [rule for rule in rules if met.issuperset(rule.form)]

    def met(self, miss: NearMissRow) -> set[str]:
        """Every token that the near miss may consist of on its way through the pipeline: as written, then rewritten twice."""
        met: set[str] = set()
        for text in (miss.form, miss.not_):
            for side in _SIDES:
                for words in (*self._pipeline.written(text, side), *self._pipeline.written(text, side, ignoring=True)):
                    met.update(words)
        for _ in ("single tokens", "sequences"):
            met.update(word for rule in self._found(met) for word in rule.canonical)
        if self._pipeline.is_name:
            met.update(unpunctuated(" ".join(met)).split())
        return met

    def rules(self, met: set[str]) -> FieldRules:
        """The settled rules whose form could stand in these tokens."""
        return FieldRules(tuple(self._found(met)), tuple(rule for rule in self._settled.ignores if met.issuperset(rule.form)))


def uncovered(rules: Rules, pipeline: Pipeline) -> Iterator[Miss]:
    """The near misses of a field that do not hold: under the settled rules, or with one OPEN row beside them."""
    name = pipeline.field
    misses = [row for row in rules.near_misses if name in row.fields and pipeline.form(row.form)]
    if not misses:
        return
    settled = pipeline.compiled(rules)
    relevant = _Relevant(pipeline, settled)
    rows = [row for row in rules.rules if name in row.fields]
    carriers = _carriers(pipeline, rows)
    drafts = [(row, _words(pipeline, row, settled, rules, carriers)) for row in rows if row.status == "OPEN"]
    for miss in misses:
        what = f"the near miss `{miss.form}` / `{miss.not_}`" if miss.not_ else f"the near miss `{miss.form}`"
        met = relevant.met(miss)
        if miss.not_ and covered(pipeline, miss.form, miss.not_, NO_RULES):
            message = f"{what} cannot hold in `{name}`: normalisation alone makes the two equal"
            yield Miss(Severity.WARNING, miss.line, message)
        elif covered(pipeline, miss.form, miss.not_, relevant.rules(met)):
            alone = [row.line for row in rows if row.status == "settled" and covered(pipeline, miss.form, miss.not_, _only(pipeline, row))]
            by = f"by line {', '.join(map(str, alone))}" if alone else "by the settled rules together"
            yield Miss(Severity.ERROR, miss.line, f"{what} is covered in `{name}` {by}")
        else:
            for row, forms in drafts:
                touched = any(met.issuperset(form) for form in forms)
                if touched and covered(pipeline, miss.form, miss.not_, pipeline.compiled(rules, (row.line,))):
                    message = f"{what} of line {miss.line} would be covered in `{name}` by this row"
                    yield Miss(Severity.ERROR, row.line, message, is_open=True)


def _carriers(pipeline: Pipeline, rows: Sequence[RuleRow]) -> list[set[str]]:
    """The words that stand inside settled rows as written and that an equivalence rewrites there: an ignored token, a long form."""
    settled = [row for row in rows if row.status == "settled"]
    if pipeline.is_name:
        return [set(pipeline.form(PLACEHOLDER.sub(" ", row.token))) for row in settled if isinstance(row, IgnoreRow)]
    forms = [pipeline.form(row.form) for row in settled if isinstance(row, EquivalenceRow)]
    return [set(form) for form in forms if len(form) > 1]


def _words(pipeline: Pipeline, row: RuleRow, settled: FieldRules, rules: Rules, carriers: list[set[str]]) -> tuple[tuple[str, ...], ...]:
    """What an OPEN row makes the rules look for: its form as written and as the settled single tokens leave it, and settled
    rules whose own words it rewrites."""
    if isinstance(row, IgnoreRow):
        return (pipeline.ignored(row.token, settled),)
    form, singles = pipeline.form(row.form), settled.singles
    forms = (form, tuple(part for word in form for part in singles.get(word, (word,))))
    if not any(carrier.issuperset(form) for carrier in carriers):
        return forms
    now = pipeline.compiled(rules, (row.line,))
    replacements, ignores = set(now.replacements) - set(settled.replacements), set(now.ignores) - set(settled.ignores)
    return (*forms, *(rule.form for rule in replacements), *(rule.form for rule in ignores))
