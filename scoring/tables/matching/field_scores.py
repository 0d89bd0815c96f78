"""Per-field accuracy: how one value of a matched pair is scored (`docs/method.md#per-field-accuracy`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from scoring.rules import Rules
from scoring.texts.forms import Side, base_form, character_accuracy, date_form, name_form, place_form, wildcard_edits
from scoring.texts.list_matching import best_pairs, list_f1, total_accuracy
from scoring.texts.nested_paths import is_nested, list_entries, list_text
from scoring.workspace.schema import Field, Schema

Form = Callable[[str, Side], str]
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


def _flag(text: str, _side: Side) -> str:
    return text.strip().upper()


def _count(text: str, _side: Side) -> str:
    text = text.strip()
    return str(int(text)) if _INTEGER.fullmatch(text) else text


class FieldScorer:
    """Scores values of one field. Forms and scores are kept, since runs repeat the same values.

    `form(value, side)` is the field's own scoring normalisation; `score(gt, model)` is in [0, 1], or `None` when unscorable.
    In a field scored as a name, a `?` of GT matches any glyph, as it does in the key. A list scores the F1 of the best
    matching of its entries, each pair by the method of the field. A nested value is unscorable on either side.
    """

    def __init__(self, field: Field, rules: Rules) -> None:
        self.field = field
        self._form = _form_of(field, rules)
        self._forms: dict[tuple[str, Side], str] = {}
        self._scores: dict[tuple[str, str], float | None] = {}
        self._agreed: dict[tuple[str, str], bool] = {}

    def form(self, value: str, side: Side) -> str:
        """The value as it is compared."""
        key = (value, side)
        found = self._forms.get(key)
        if found is None:
            found = self._forms[key] = self._list_form(value, side) if self.field.is_list else self._form(value, side)
        return found

    def _list_form(self, value: str, side: Side) -> str:
        """A list in its normal form: the forms of its entries, sorted where order is free."""
        forms = self._entry_forms(value, side)
        return list_text(sorted(forms) if self.field.order == "free" else forms)

    def _entry_forms(self, value: str, side: Side) -> list[str]:
        """The forms of the entries of a list, in its order; entries of which nothing is left are dropped."""
        return [form for entry in list_entries(value) if (form := self._form(entry, side))]

    def score(self, gt: str, model: str) -> float | None:
        """The score of a model value against the ground truth's."""
        key = (gt, model)
        if key not in self._scores:
            self._scores[key] = self._score(gt, model)
        return self._scores[key]

    def agree(self, gt: str, model: str) -> bool:
        """Whether both values are filled and equal under the field's normalisation. Nothing left of a value is nothing filled."""
        if not gt or not model:
            return False
        key = (gt, model)
        found = self._agreed.get(key)
        if found is None:
            expected = self.form(gt, "gt")
            found = self._agreed[key] = bool(expected) and expected == self.form(model, "model")
        return found

    def lacks_path(self, gt: str, model: str) -> bool:
        """Whether a value is unscorable only because one side is nested and no path is declared for what lies in it."""
        return bool(gt or self.field.blank == "wrong") and (is_nested(gt) or is_nested(model))

    def _score(self, gt: str, model: str) -> float | None:
        if self.lacks_path(gt, model):
            return None
        if not gt:
            return 0.0 if self.field.blank == "wrong" and model and self.form(model, "model") else None
        expected = self.form(gt, "gt")
        if not expected:
            # The value is a mark of doubt or a rule's token alone: it is not blank, and there is nothing to compare.
            return None
        if not model:
            return 0.0
        if self.field.is_list:
            return self._list_score(gt, model)
        return self._accuracy(expected, self.form(model, "model"))

    def _list_score(self, gt: str, model: str) -> float:
        """The F1 of the best matching of two lists."""
        wanted, given = self._entry_forms(gt, "gt"), self._entry_forms(model, "model")
        accuracies = [[self._accuracy(one, other) for other in given] for one in wanted]
        pairs = best_pairs(accuracies, in_order=self.field.order == "kept")
        return list_f1(total_accuracy(pairs), len(wanted), len(given))

    def _accuracy(self, expected: str, found: str) -> float:
        """The accuracy of one value, both in their normal forms."""
        if self.field.method in ("flag", "count"):
            return 1.0 if expected == found else 0.0
        if self.field.method == "name":
            return max(0.0, 1 - wildcard_edits(expected, found) / len(expected))
        return character_accuracy(expected, found)


def _form_of(field: Field, rules: Rules) -> Form:
    match field.method:
        case "flag":
            return _flag
        case "count":
            return _count
        case "date":
            return partial(date_form, rules=rules.field(field.name))
        case "place":
            return partial(place_form, rules=rules.field(field.name))
        case "name":
            name_rules = rules.name(field.name)
            return lambda text, _side: name_form(text, name_rules)
        case _:
            return partial(base_form, rules=rules.field(field.name))


class FieldScorers:
    """The scorers of all value fields of a schema, in schema order."""

    def __init__(self, schema: Schema, rules: Rules) -> None:
        self.scorers = tuple(FieldScorer(field, rules) for field in schema.scored)

    def agreement(self, gt: Mapping[str, str], model: Mapping[str, str]) -> int:
        """How many values of two records agree: the tie-break between homonyms (`docs/method.md#pairing`)."""
        return sum(scorer.agree(gt[scorer.field.name], model[scorer.field.name]) for scorer in self.scorers)

    def scores(self, gt: Mapping[str, str], model: Mapping[str, str]) -> tuple[float | None, ...]:
        """The score of each value field of a pair, in schema order."""
        return tuple(scorer.score(gt[scorer.field.name], model[scorer.field.name]) for scorer in self.scorers)
