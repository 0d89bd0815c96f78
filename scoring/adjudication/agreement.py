"""Agreement: of verifiers with each other, and of a verifier with himself (`docs/adjudication.md#agreement`).

Figures come from statsmodels (kappa) and krippendorff (alpha). What is undefined is None, never nan.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scoring.adjudication.blind import shown_as
from scoring.adjudication.decisions import HUMAN, LogEntry, live, meaning
from scoring.adjudication.log_entry import field_of
from scoring.adjudication.verdict_kinds import kind_of

OVERALL = ""
SEED = 20261129
RESAMPLES = 1000
# Of fewer cases the intervals of kappa and alpha say nothing: one disagreement alone would make kappa 0.000 [0.000, 0.000].
FEWEST = 10
_Asked = tuple[str, str, str | None, str, str]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; the interval is None where it is undefined."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class KindAgreement:
    """Agreement on one verdict kind (this kind or another), or, with kind "", over all verdicts as they are.

    `cases` are those at least two have judged; for a kind, where at least one of them gave it. `agreed` counts the pairs of
    verdicts on one case that are alike, of `pairs`; for a kind, a pair counts where at least one of the two is of the kind.
    `kappa` is given for two verifiers, `alpha` (nominal) for any number, both over all cases judged by at least two; without an
    interval where these are `few`. `percent` has a Wilson interval (95 %); pairs on one case are not independent, so its cases count.
    """

    kind: str
    cases: int
    pairs: int
    agreed: int
    percent: float | None
    kappa: Estimate | None
    alpha: Estimate | None
    percent_low: float | None = None
    percent_high: float | None = None
    few: bool = False


@dataclass(frozen=True, slots=True)
class SelfAgreement:
    """A verifier's agreement with himself, on cases shown again unannounced: `agreed` of `repeats`.

    A repeat agrees when it says the same of the same rows: one that points to another row does not.
    """

    verifier: str
    repeats: int
    agreed: int
    percent: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """All agreement of a log: overall first, then by kind in alphabetical order; between each two verifiers; with oneself."""

    verifiers: tuple[str, ...]
    kinds: tuple[KindAgreement, ...]
    by_pair: tuple[tuple[str, str, KindAgreement], ...]
    with_self: tuple[SelfAgreement, ...]


def agreement(entries: Iterable[LogEntry], *, by: Collection[str] = HUMAN, task: str | None = None) -> Agreement:
    """Agreement over the log's live verdicts.

    Of each verifier the greatest first-time verdict on a case (and run, where it is on one row) counts, for each question a case
    may answer (`kinds`): who doubts the ground truth of a pair has not taken back that it is one. Rulings are left out: who rules
    has seen the others' verdicts. Verdicts agree when they are the same, whatever they point to.

    Args:
        entries: of the log, in any order.
        by: whose verdicts: of `human`, `model`, `rule`.
        task: of one task only.
    """
    verdicts = [e for e in live(entries) if e.retracts is None and e.by in by and (task is None or e.task == task)]
    judged: dict[_Asked, dict[str, str]] = defaultdict(dict)
    for entry in verdicts:
        if not entry.repeat and entry.resolves is None:
            judged[_asked(entry)][entry.verifier] = entry.verdict
    ratings = {case: given for case, given in judged.items() if len(given) > 1}
    verifiers = tuple(sorted({verifier for given in ratings.values() for verifier in given}))
    pairs = []
    for first, second in combinations(verifiers, 2):
        both = [{first: g[first], second: g[second]} for g in ratings.values() if first in g and second in g]
        if both:
            pairs.append((first, second, _kind(OVERALL, both, (first, second))))
    return Agreement(verifiers, _kinds(list(ratings.values()), verifiers), tuple(pairs), _with_self(verdicts))


def _asked(entry: LogEntry) -> _Asked:
    """What an entry answers: the case, the row where it is of one, the kind of statement, and the field where it is about a value."""
    return entry.task, entry.case, entry.run if entry.scope == "row" else None, kind_of(entry), field_of(entry)


def _kinds(ratings: Sequence[dict[str, str]], verifiers: Sequence[str]) -> tuple[KindAgreement, ...]:
    if not ratings:
        return ()
    kinds = sorted({verdict for given in ratings for verdict in given.values()})
    return tuple(_kind(kind, ratings, verifiers) for kind in (OVERALL, *kinds))


def _kind(kind: str, ratings: Sequence[dict[str, str]], verifiers: Sequence[str]) -> KindAgreement:
    cases = pairs = agreed = 0
    for given in ratings:
        cases += kind == OVERALL or kind in given.values()
        for one, other in combinations(given.values(), 2):
            if kind == OVERALL or kind in (one, other):
                pairs += 1
                agreed += one == other
    coded = [{who: verdict if kind == OVERALL else str(verdict == kind) for who, verdict in given.items()} for given in ratings]
    few = len(ratings) < FEWEST
    kappa, alpha = _kappa(coded, verifiers) if len(verifiers) == 2 else None, _alpha(coded)
    if few:
        kappa, alpha = (Estimate(one.value) if one is not None else None for one in (kappa, alpha))
    percent = 100 * agreed / pairs if pairs else None
    low, high = _wilson(agreed, pairs, cases)
    return KindAgreement(kind, cases, pairs, agreed, percent, kappa, alpha, low, high, few)


def _wilson(agreed: int, pairs: int, cases: int) -> tuple[float | None, float | None]:
    """The interval of a percentage of pairs over so many cases."""
    from statsmodels.stats.proportion import proportion_confint

    if not pairs:
        return None, None
    low, high = proportion_confint(cases * agreed / pairs, cases, alpha=0.05, method="wilson")
    return 100 * float(low), 100 * float(high)


def _estimate(value: float, low: float, high: float) -> Estimate | None:
    """The estimate; without an interval where it is undefined, or of no width because all cases are alike."""
    if not math.isfinite(value):
        return None
    if not (math.isfinite(low) and math.isfinite(high)) or low == high:
        return Estimate(float(value))
    return Estimate(float(value), float(low), float(high))


def _kappa(coded: Sequence[dict[str, str]], verifiers: Sequence[str]) -> Estimate | None:
    """Cohen's kappa with its asymptotic interval; None where both gave one and the same verdict throughout (0 / 0)."""
    import numpy as np
    from statsmodels.stats.inter_rater import cohens_kappa

    first, second = verifiers
    codes = {verdict: code for code, verdict in enumerate(sorted({verdict for given in coded for verdict in given.values()}))}
    if len(codes) < 2:
        return None
    table = np.zeros((len(codes), len(codes)))
    for given in coded:
        table[codes[given[first]], codes[given[second]]] += 1
    with np.errstate(all="ignore"):
        result = cohens_kappa(table)
        return _estimate(result.kappa, max(result.kappa_low, -1.0), min(result.kappa_upp, 1.0))


def _alpha(coded: Sequence[dict[str, str]]) -> Estimate | None:
    """Krippendorff's nominal alpha; its interval by resampling cases (percentiles, a fixed seed)."""
    import numpy as np

    codes = {verdict: code for code, verdict in enumerate(sorted({verdict for given in coded for verdict in given.values()}))}
    if len(codes) < 2:
        return None
    # Cases with the same counts of verdicts are one pattern: a resample is then a draw of how often each pattern occurs.
    patterns = Counter(tuple(Counter(codes[v] for v in given.values()).get(code, 0) for code in range(len(codes))) for given in coded)
    shapes = sorted(patterns)
    counts = np.array(shapes)
    times = np.array([patterns[shape] for shape in shapes])
    value = _alpha_of(counts, times)
    if value is None:
        return None
    draws = np.random.default_rng(SEED).multinomial(len(coded), times / times.sum(), size=RESAMPLES)
    sample = [alpha for drawn in draws if (alpha := _alpha_of(counts, drawn)) is not None]
    if len(coded) < 2 or len(sample) < RESAMPLES / 2:
        return Estimate(value)
    low, high = np.percentile(sample, [2.5, 97.5])
    return _estimate(value, low, high)


def _alpha_of(counts: Any, times: Any) -> float | None:
    """Alpha of cases given as verdict counts, each pattern occurring so many times; None where only one verdict occurs."""
    import krippendorff
    import numpy as np

    present = times > 0
    if (counts[present].sum(axis=0) > 0).sum() < 2:
        return None
    value = float(krippendorff.alpha(value_counts=np.repeat(counts[present], times[present], axis=0), level_of_measurement="nominal"))
    return value if math.isfinite(value) else None


def _with_self(verdicts: Iterable[LogEntry]) -> tuple[SelfAgreement, ...]:
    """Each repeat against what the verifier had said last of the case shown, to the same question; repeats left out."""
    said: dict[tuple[object, ...], LogEntry] = {}
    repeats: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    for entry in verdicts:
        # The case on the screen: a verdict that points to another row is said of another case.
        shown = entry.verifier, entry.task, shown_as(entry), kind_of(entry)
        if not entry.repeat:
            said[*shown, entry.run] = entry
            continue
        first = said.get((*shown, entry.run)) or said.get((*shown, None))
        if first is not None:
            repeats[entry.verifier] += 1
            agreed[entry.verifier] += _say_the_same(first, entry)
    return tuple(SelfAgreement(who, repeats[who], agreed[who], 100 * agreed[who] / repeats[who]) for who in sorted(repeats))


def _say_the_same(one: LogEntry, other: LogEntry) -> bool:
    # One narrowed to a run's row is said of that row's own case, whatever it says.
    return _sense(one) == _sense(other) and (one.case == other.case or one.scope != other.scope)


def _sense(entry: LogEntry) -> tuple[object, ...]:
    """What a verdict says, of which rows: a model row by what it reads, since a reading is shown now in one run, now in another."""
    verdict, targets, value = meaning(entry)
    texts = entry.basis.get("texts")
    texts = texts if isinstance(texts, dict) else {}
    return verdict, frozenset(str(texts.get(one, one)) if one.startswith("model:") else one for one in targets), value
