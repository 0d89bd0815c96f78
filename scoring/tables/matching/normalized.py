"""Pages and runs made ready to score: name normal forms, readings, and who counts as the same row.

Everything that depends on the rules but not on decisions is worked out here once, and kept over runs, because runs
of one page repeat the same names and values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.foundations.hashing import content_hash
from scoring.rules import Rules
from scoring.tables.inputs.material import GTPage, Material, Row, Run, RunPage
from scoring.tables.matching.field_scores import FieldScorers
from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import readings
from scoring.texts.forms import base_form, name_form
from scoring.workspace.schema import Schema


class NormalForms:
    """Normal forms and readings of key texts under one set of rules, each worked out once."""

    def __init__(self, schema: Schema, rules: Rules) -> None:
        self._schema = schema
        self._rules = rules.name(schema.rule_field)
        self._placeholders = tuple(
            sorted({token[1:-1] for rule in self._rules.ignores for token in rule.form if token.startswith("{") and token.endswith("}")})
        )
        self._forms: dict[str, str] = {}
        self._models: dict[tuple[str, ...], tuple[ModelName, bool]] = {}

    def form(self, text: str) -> str:
        """The name normal form of a key text."""
        found = self._forms.get(text)
        if found is None:
            found = self._forms[text] = name_form(text, self._rules)
        return found

    def model(self, row: Row) -> tuple[ModelName, bool]:
        """The readings of a model row's name, and whether there were more than are kept."""
        text = self._schema.key_text(row.values)
        own = tuple(row.values.get(name, "") for name in self._placeholders)
        key = (text, *own)
        found = self._models.get(key)
        if found is None:
            form = self.form(text)
            values = {name: self.form(value) for name, value in zip(self._placeholders, own, strict=True)}
            kept, more = readings(form, self._rules.ignores, values) if form else ((), False)
            found = self._models[key] = (ModelName(kept), more)
        return found


@dataclass(frozen=True, slots=True)
class PreparedRunPage:
    """One page of one run: names beside rows. `models[i]` has no readings where row i is nameless.

    `rows_by_form` gives the rows (0-based) that bear an unreduced normal form.
    """

    run: Run
    page: RunPage
    texts: tuple[str, ...]
    models: tuple[ModelName, ...]
    rows_by_form: Mapping[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[str, tuple[int, ...]] = {}
        for at, name in enumerate(self.models):
            if name.readings:
                form = name.readings[0].text
                found[form] = (*found[form], at) if form in found else (at,)
        object.__setattr__(self, "rows_by_form", found)

    def form(self, row: int) -> str:
        """The unreduced normal form of a row's name; empty for a nameless one."""
        kept = self.models[row].readings
        return kept[0].text if kept else ""

    def target(self, row: int) -> str:
        """The ROW of a row: `model:MODEL/PHASE/RUN:PAGE:ROW`."""
        return f"model:{self.run.key}:{self.page.page}:{self.page.rows[row].number}"


class PreparedPage:
    """One GT page: normal forms, the pairer with its kept values, and the identity of rows.

    A form borne by several GT rows is a **homonym**; rows with it are told apart by their other fields.
    `anchors[i]` identifies GT row i by content, so that it is found again when rows move.
    """

    def __init__(self, page: GTPage, schema: Schema, names: NormalForms, scorers: FieldScorers) -> None:
        self.page, self.schema, self.names, self.scorers = page, schema, names, scorers
        self.texts = tuple(schema.key_text(row.values) for row in page.rows)
        self.forms = tuple(names.form(text) for text in self.texts)
        self.pairer = PagePairer(self.forms)
        self.homonyms = frozenset(form for form, times in Counter(self.forms).items() if form and times > 1)
        self.anchors = self._anchors()
        self.row_of = {anchor: at for at, anchor in enumerate(self.anchors)}

    def _anchors(self) -> tuple[str, ...]:
        seen: Counter[str] = Counter()
        anchors = []
        for at in range(len(self.page.rows)):
            key = self.gt_hash(at)
            seen[key] += 1
            anchors.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
        return tuple(anchors)

    def target(self, row: int) -> str:
        """The ROW of a GT row: `gt:PAGE:ROW`."""
        return f"gt:{self.page.id}:{self.page.rows[row].number}"

    def gt_hash(self, row: int) -> str:
        """Content hash of a GT row: its key text, and for a homonym its other fields."""
        others = self.others(self.page.rows[row]) if self.forms[row] in self.homonyms else None
        return content_hash([self.texts[row], others])

    def model_hash(self, answer: PreparedRunPage, row: int) -> str:
        """Content hash of a model row, made as `gt_hash`."""
        others = self.others(answer.page.rows[row]) if answer.form(row) in self.homonyms else None
        return content_hash([answer.texts[row], others])

    def others(self, row: Row) -> str:
        """Digest of a row's other fields in their base forms, apart from any rule."""
        return content_hash([base_form(row.values.get(field.name, ""), "model") for field in self.schema.scored])

    def agreement(self, rows: Sequence[Row], gt: int, model: int) -> int:
        """How many other fields of a pair agree."""
        return self.scorers.agreement(self.page.rows[gt].values, rows[model].values)


class PreparedMaterial:
    """The material made ready to score.

    `located` keeps where the entries of the log were found (`locating`), `chances` how likely a misreading is by chance (`evaluate`).
    """

    def __init__(self, material: Material) -> None:
        self.material = material
        self.scorers = FieldScorers(material.schema, material.rules)
        self.names = NormalForms(material.schema, material.rules)
        self.pages = {page.id: PreparedPage(page, material.schema, self.names, self.scorers) for page in material.pages}
        self._run_pages: dict[tuple[str, str], PreparedRunPage] = {}
        self.runs = {run.key: run for run in material.runs}
        self.models = tuple((run.key, run.model) for run in material.runs)
        self.located: dict[str, Any] = {}
        self.chances: dict[tuple[object, ...], float | None] = {}

    def run_page(self, run: str, page: str) -> PreparedRunPage:
        """One page of one run, made ready once."""
        key = (run, page)
        found = self._run_pages.get(key)
        if found is None:
            of_run = self.runs[run]
            answer = of_run.pages[page]
            schema = self.material.schema
            found = self._run_pages[key] = PreparedRunPage(
                of_run,
                answer,
                tuple(schema.key_text(row.values) for row in answer.rows),
                tuple(self.names.model(row)[0] for row in answer.rows),
            )
        return found

    def foreign_names(self, page: str, most: int = 100) -> tuple[ModelName, ...]:
        """GT names of the other pages, evenly taken when they are more than `most`: what a chance rate is measured on."""
        own = frozenset(self.pages[page].forms)
        forms = sorted({form for other in self.pages.values() for form in other.forms if form} - own)
        step = max(1, -(-len(forms) // most))
        return tuple(ModelName(readings(form, (), {})[0]) for form in forms[::step])
