"""What can be wrong with the rules (`docs/rules.md#checks`): all of it told at once, each with its line and a sentence.

An error stops scoring, for half the rules would be other rules. The same fault in an OPEN row stops only that row's
preview and settling, so it is told as a warning. Rows that disagree are an OPEN fault if one of them is OPEN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import regex

from scoring.foundations.problems import Problem, Severity
from scoring.rules.checks.conflicts import chains, contains, doubles
from scoring.rules.checks.near_misses import uncovered
from scoring.rules.parse import OPEN_MARK
from scoring.rules.pipelines import Fields, Pipeline, pipeline_of
from scoring.rules.rows import PLACEHOLDER, EquivalenceRow, IgnoreRow, NearMissRow, Row, Rules
from scoring.texts.forms import FieldRules, place_tokens, ruled, visible

_MARKED = regex.compile(r"(`+|\*\*|__).+\1")

_LONGEST_WORDS = 60


@dataclass(frozen=True)
class Witnesses:
    """The distinct values of each field: `gt` as the verifiers recorded them, `runs` as the models gave them."""

    gt: Mapping[str, Collection[str]] = field(default_factory=dict)
    runs: Mapping[str, Collection[str]] = field(default_factory=dict)


class _Values:
    """Token sequences, asked whether a form stands in one of them."""

    def __init__(self, values: Iterable[tuple[str, ...]]) -> None:
        self._values = list(dict.fromkeys(values))
        self._text: str | None = None
        self._places: dict[str, list[int]] = {}
        for at, words in enumerate(self._values):
            for word in set(words):
                self._places.setdefault(word, []).append(at)

    def __len__(self) -> int:
        return len(self._values)

    def holding(self, form: tuple[str, ...]) -> tuple[str, ...] | None:
        """The first value that the form stands in."""
        rarest = min((self._places.get(word, []) for word in form), key=len, default=[])
        return next((self._values[at] for at in rarest if contains(self._values[at], form)), None)

    def around(self, form: tuple[str, ...]) -> str:
        """The first words whose letters hold the form, though not as words of its own; empty where there are none."""
        if self._text is None:
            self._text = "\n".join(" ".join(value) for value in self._values)
        said = " ".join(form)
        at = self._text.find(said) if said else -1
        if at < 0:
            return ""
        start = max(self._text.rfind(mark, 0, at) for mark in " \n") + 1
        behind = self._text[at + len(said) : at + len(said) + _LONGEST_WORDS].replace("\n", " ").partition(" ")[0]
        return (self._text[start : at + len(said)] + behind)[:_LONGEST_WORDS]


class _Check:
    """One check of one file."""

    def __init__(self, rules: Rules, witnesses: Witnesses | None, known: Fields | None) -> None:
        self.rules, self.witnesses, self.known = rules, witnesses, known
        self.where = str(rules.path) if rules.path is not None else ""
        self.problems: list[Problem] = []
        self.pipelines: dict[str, Pipeline] = {
            name: pipeline_of(name, known) for name in sorted({name for row in rules.rows for name in row.fields})
        }
        self._seen: dict[tuple[str, str], _Values] = {}
        self._ignored: dict[tuple[str, tuple[str, ...], str], int] = {}

    def tell(self, severity: Severity, line: int, message: str, *, is_open: bool = False) -> None:
        if is_open and severity is Severity.ERROR:
            severity, message = Severity.WARNING, OPEN_MARK + message
        self.problems.append(Problem(severity, message, self.where, line))

    def run(self) -> None:
        for row in self.rules.rows:
            self.fields(row)
            self._marks(row)
            if isinstance(row, IgnoreRow):
                self._ignore(row)
            elif isinstance(row, EquivalenceRow):
                self._equivalence(row)
            elif self._empty(row, row.form):
                self.tell(Severity.ERROR, row.line, f"the form `{row.form}` normalises to nothing, so nothing can come near it")
        for name, pipeline in self.pipelines.items():
            rows = [row for row in self.rules.equivalences if name in row.fields]
            for conflict in (*doubles(rows, pipeline), *chains(rows, pipeline)):
                self.tell(Severity.ERROR if conflict.harmful else Severity.NOTE, conflict.line, conflict.message, is_open=conflict.is_open)
            for miss in uncovered(self.rules, pipeline):
                self.tell(miss.severity, miss.line, miss.message, is_open=miss.is_open)
        if self.witnesses is not None:
            for rule in self.rules.rules:
                self._witness(rule)

    def fields(self, row: Row) -> None:
        names = list(row.fields)
        if isinstance(row, IgnoreRow):
            for match in PLACEHOLDER.finditer(row.token):
                names.append(match.group(1).strip())
        is_open = not isinstance(row, NearMissRow) and row.status == "OPEN"
        for name in dict.fromkeys(names):
            if self.known is not None and name not in self.known:
                # Only a faulty file pays for this import.
                from difflib import get_close_matches

                near = get_close_matches(name, list(self.known), 1)
                hint = f"did you mean `{near[0]}`?" if near else f"the fields are {', '.join(sorted(self.known))}"
                self.tell(Severity.ERROR, row.line, f"unknown field `{name}`: {hint}", is_open=is_open)
            elif name in self.pipelines and self.pipelines[name].method in ("flag", "count") and not isinstance(row, NearMissRow):
                message = f"the field `{name}` is scored as a {self.pipelines[name].method}, so no rule is ever applied to it"
                self.tell(Severity.WARNING, row.line, message)

    def _marks(self, row: Row) -> None:
        cells = (
            (row.token,)
            if isinstance(row, IgnoreRow)
            else (row.form, row.canonical)
            if isinstance(row, EquivalenceRow)
            else (row.form, row.not_)
        )
        for cell in cells:
            if _MARKED.fullmatch(cell):
                self.tell(
                    Severity.WARNING,
                    row.line,
                    f"the marks around {cell} count as text; leave them out if they are only for show",
                )

    def _empty(self, row: Row, text: str) -> bool:
        return any(not self.pipelines[name].form(text) for name in row.fields)

    def _equivalence(self, row: EquivalenceRow) -> None:
        is_open = row.status == "OPEN"
        if self._empty(row, row.form):
            self.tell(Severity.ERROR, row.line, f"the form `{row.form}` normalises to nothing", is_open=is_open)
        elif self._empty(row, row.canonical):
            message = f"the canonical `{row.canonical}` normalises to nothing; to leave a text out, write an ignore rule"
            self.tell(Severity.ERROR, row.line, message, is_open=is_open)
        for name in row.fields:
            pipeline = self.pipelines[name]
            form, canonical = pipeline.form(row.form), pipeline.form(row.canonical)
            if pipeline.method == "place":
                placed = place_tokens(form)
                if form and placed == place_tokens(canonical):
                    self._alike(row, name)
                elif form and placed != form:
                    message = (
                        f"the form `{row.form}` never occurs in `{name}`: place normalisation comes first "
                        f"and leaves `{' '.join(placed)}`; write the form so"
                    )
                    self.tell(Severity.WARNING, row.line, message)
            elif form and form == canonical and pipeline.method not in ("flag", "count"):
                self._alike(row, name)

    def _alike(self, row: EquivalenceRow, name: str) -> None:
        if row.form == row.canonical:
            # Written so on purpose: a word that is nothing else.
            return
        message = f"`{row.form}` and `{row.canonical}` are read alike in `{name}` already: there the row changes nothing"
        self.tell(Severity.WARNING, row.line, message)

    def _ignore(self, row: IgnoreRow) -> None:
        is_open = row.status == "OPEN"
        placeholders = PLACEHOLDER.search(row.token) is not None
        for name in row.fields:
            pipeline = self.pipelines[name]
            settled = pipeline.compiled(self.rules)
            form = pipeline.ignored(row.token, settled)
            if not form:
                self.tell(Severity.ERROR, row.line, f"the token `{row.token}` normalises to nothing in `{name}`", is_open=is_open)
                continue
            if pipeline.is_name and row.side == "both":
                message = "side `both` is refused for a name: names of the ground truth are never reduced"
                self.tell(Severity.ERROR, row.line, message, is_open=is_open)
            if placeholders and not pipeline.is_name:
                message = f"`{row.token}` names another field, which only a rule for a name may do, not one for `{name}`"
                self.tell(Severity.ERROR, row.line, message, is_open=is_open)
                continue
            if not pipeline.is_name and ruled(form, "gt", FieldRules(settled.replacements)) != form:
                message = f"the token `{row.token}` is never met in `{name}`, for an equivalence rewrites it first"
                self.tell(Severity.WARNING, row.line, message)
            first = self._ignored.setdefault((name, form, row.position), row.line)
            if first != row.line:
                self.tell(Severity.NOTE, row.line, f"in `{name}` this says the same as line {first}")
            if row.side == "model" and not placeholders:
                self._in_ground_truth(row, name, form)

    def _in_ground_truth(self, row: IgnoreRow, name: str, form: tuple[str, ...]) -> None:
        if self.witnesses is None or not self.witnesses.gt.get(name):
            return
        pipeline = self.pipelines[name]
        if (name, "compared") not in self._seen:
            settled = pipeline.compiled(self.rules)
            self._seen[name, "compared"] = _Values(pipeline.rewritten(value, settled) for value in self.witnesses.gt[name])
        value = self._seen[name, "compared"].holding(form)
        if value is None:
            return
        if pipeline.is_name:
            message = f"the token `{row.token}` stands in the ground truth too (`{' '.join(value)}`): it only adds readings to model names"
            self.tell(Severity.NOTE, row.line, message)
        else:
            message = (
                f"the token `{row.token}` stands in the ground truth of `{name}` (`{' '.join(value)}`): "
                "left out on the model's side alone it would split identical pairs"
            )
            self.tell(Severity.ERROR, row.line, message, is_open=row.status == "OPEN")

    def _written(self, name: str, *, ignoring: bool) -> _Values:
        key = (name, "ignoring" if ignoring else "written")
        if key not in self._seen:
            self._seen[key] = _Values(self._as_written(name, ignoring=ignoring))
        return self._seen[key]

    def _as_written(self, name: str, *, ignoring: bool) -> Iterator[tuple[str, ...]]:
        if self.witnesses is None:
            return
        pipeline = self.pipelines[name]
        for value in self.witnesses.gt.get(name, ()):
            yield from pipeline.written(value, "gt", ignoring=ignoring)
        for value in self.witnesses.runs.get(name, ()):
            yield from pipeline.written(value, "model", ignoring=ignoring)

    def _witness(self, row: IgnoreRow | EquivalenceRow) -> None:
        asked = self._unmet(row)
        if asked:
            kind, text = _kind_and_text(row)
            named = ", ".join(f"`{name}`" for name in asked)
            message = f"the {kind} `{text}` has no witness in ground truth or runs (looked for in {named})"
            self.tell(Severity.WARNING, row.line, self.inside_words(row) or message)

    def _unmet(self, row: IgnoreRow | EquivalenceRow) -> list[str]:
        """The fields with values of a row that no value of any of its fields holds; none where one does."""
        ignoring = isinstance(row, IgnoreRow)
        if PLACEHOLDER.search(_kind_and_text(row)[1]):
            return []
        asked = [name for name in row.fields if len(self._written(name, ignoring=ignoring))]
        forms = [(name, self._form(row, name)) for name in asked]
        met = any(not form or self._written(name, ignoring=ignoring).holding(form) is not None for name, form in forms)
        return [] if met else asked

    def _form(self, row: IgnoreRow | EquivalenceRow, name: str) -> tuple[str, ...]:
        pipeline = self.pipelines[name]
        return pipeline.ignored(row.token, FieldRules()) if isinstance(row, IgnoreRow) else pipeline.form(row.form)

    def inside_words(self, row: IgnoreRow | EquivalenceRow) -> str:
        """Return a sentence on a form or token that occurs only inside words, so that its row does nothing; else nothing."""
        ignoring = isinstance(row, IgnoreRow)
        found = (self._written(name, ignoring=ignoring).around(self._form(row, name)) for name in self._unmet(row))
        words = next(filter(None, found), "")
        if not words:
            return ""
        kind, text = _kind_and_text(row)
        what = f"the {kind} `{text}` occurs only inside words, as in `{visible(words)}`, and a rule applies to whole words"
        return f"{what}: the row does nothing, so write the whole word"


def _kind_and_text(row: IgnoreRow | EquivalenceRow) -> tuple[str, str]:
    return ("token", row.token) if isinstance(row, IgnoreRow) else ("form", row.form)


def inside_words(row: IgnoreRow | EquivalenceRow, witnesses: Witnesses, known_fields: Fields | None = None) -> str:
    """Return what `check` warns of where the form or token of a draft occurs only inside words; empty where that is not so."""
    rules = Rules(ignores=(row,)) if isinstance(row, IgnoreRow) else Rules(equivalences=(row,))
    return _Check(rules, witnesses, known_fields).inside_words(row)


def check(rules: Rules, witnesses: Witnesses | None = None, known_fields: Fields | None = None) -> tuple[Problem, ...]:
    """Every error, warning and note of a rules file, those of parsing included, by line.

    Args:
        rules: as `read_rules` gives them.
        witnesses: the values of the fields; without them nothing is said of witnesses and ground truth.
        known_fields: the fields there are; given as a mapping, each with its method (`name`, `text`, `date`, `place`,
            `flag`, `count`, `question`). As a plain collection, `name` is a name, `Q1` to `Q99` are questions, all else text.
    """
    run = _Check(rules, witnesses, known_fields)
    run.run()
    return tuple(sorted(dict.fromkeys((*rules.problems, *run.problems)), key=lambda problem: problem.line or 0))


def field_problems(rules: Rules, known_fields: Fields) -> tuple[Problem, ...]:
    """The unknown fields of a rules file."""
    run = _Check(rules, None, known_fields)
    for row in rules.rows:
        run.fields(row)
    return tuple(run.problems)


def scoring_errors(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that must stop scoring."""
    return tuple(problem for problem in problems if problem.severity is Severity.ERROR)


def open_faults(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that stop only the preview and settling of an OPEN row; each stands on a line of its row."""
    return tuple(problem for problem in problems if problem.severity is Severity.WARNING and problem.message.startswith(OPEN_MARK))


def blocking(
    rules: Rules, lines: Collection[int], witnesses: Witnesses | None = None, known_fields: Fields | None = None
) -> tuple[Problem, ...]:
    """What forbids previewing or settling the OPEN rows on `lines` together: the errors that settling them would bring in.

    Nothing forbids reopening, so settled rows on `lines` do not count.
    """
    settled = {row.line for row in rules.rules if row.status == "settled"}
    lines = [line for line in lines if line not in settled]
    unread = tuple(problem for problem in open_faults(rules.problems) if problem.line in lines)
    if unread:
        return unread
    return brought_in(check(rules, witnesses, known_fields), check(rules.with_open(lines), witnesses, known_fields))


_LINE_NUMBER = regex.compile(r"\blines? [\d, and]+")


def brought_in(before: Iterable[Problem], after: Iterable[Problem]) -> tuple[Problem, ...]:
    """The errors and OPEN faults of `after` that `before` has not; lines, which an edit may shift, do not tell them apart."""
    stood = Counter((problem.severity, _LINE_NUMBER.sub("", problem.message)) for problem in before)
    new: list[Problem] = []
    after = tuple(after)
    for problem in (*scoring_errors(after), *open_faults(after)):
        key = (problem.severity, _LINE_NUMBER.sub("", problem.message))
        if stood[key]:
            stood[key] -= 1
        else:
            new.append(problem)
    return tuple(new)
