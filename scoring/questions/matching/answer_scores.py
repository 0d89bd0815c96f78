"""Scoring one answer against the ground truth (`docs/questions.md#pre-processing`, `docs/questions.md#scores`). Values in, values out.

Pre-processing is the one text pipeline with this task's own trailing characters (`,.;:)]`); a `?` at the end of a
ground-truth word is an annotator's doubt and goes, a `?` of a model is a character like any other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.questions.matching.question_set import Condition, Question
from scoring.texts.forms import NO_RULES, QUESTION_STRIPPED, FieldRules, Side, base_form, character_accuracy, ruled, tokens
from scoring.texts.list_matching import EntryPair, best_pairs, list_f1, total_accuracy

ILLEGIBLE = "illegible"
_DIGITS = re.compile(r"[0-9]+")

Same = Collection[tuple[str, str]]
"""Pairs (plain ground-truth entry, plain model entry) that a verifier called equivalent."""


class Outcome(StrEnum):
    """What became of an answer. `graded` answers (texts) have a score between 0 and 1, `excluded` ones none."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    CLAIM = "claim"
    GRADED = "graded"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """One entry of a text answer.

    Attributes:
        number: its place among the entries that are not empty, from 1.
        text: as it stands in the answer, trimmed.
        plain: pre-processed without equivalences; what a case is known by, so that a settled rule makes no verdict stale.
        form: pre-processed with the settled equivalences; what is compared.
    """

    number: int
    text: str
    plain: str
    form: str


@dataclass(frozen=True, slots=True)
class Match:
    """Two lists of entries and which belong together. Entries without partner score 0."""

    gt: tuple[AnswerItem, ...]
    model: tuple[AnswerItem, ...]
    pairs: tuple[EntryPair, ...]

    @property
    def total(self) -> float:
        """Sum of the matched accuracies."""
        return total_accuracy(self.pairs)

    @property
    def recall(self) -> float | None:
        return self.total / len(self.gt) if self.gt else None

    @property
    def precision(self) -> float | None:
        return self.total / len(self.model) if self.model else None

    @property
    def f1(self) -> float:
        """2PR / (P + R), which is twice the total over both lengths. Both lists empty: 1; one empty: 0."""
        return list_f1(self.total, len(self.gt), len(self.model))


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """The result for one answer.

    `score` is 1 or 0 for right or wrong (a claim: 0), from 0 to 1 for texts, None when excluded. `difference` is
    the signed difference model - GT of two whole numbers. `match` holds the entries of a text answer.
    """

    outcome: Outcome
    score: float | None
    difference: int | None = None
    match: Match | None = None


CORRECT = AnswerScore(Outcome.CORRECT, 1.0)
INCORRECT = AnswerScore(Outcome.INCORRECT, 0.0)
CLAIM = AnswerScore(Outcome.CLAIM, 0.0)
EXCLUDED = AnswerScore(Outcome.EXCLUDED, None)


# Pre-processing


def plain_value(text: str, side: Side) -> str:
    """A value pre-processed, without equivalences."""
    return base_form(text, side, NO_RULES, QUESTION_STRIPPED)


def entry(number: int, text: str, side: Side, rules: FieldRules, words: int | None) -> AnswerItem:
    """One entry pre-processed. With `words`, only the first so many words count; they are taken before equivalences apply."""
    kept: Sequence[str] = tokens(text, QUESTION_STRIPPED)[:words]
    if side == "gt":
        kept = [word for word in (word.rstrip("?") for word in kept) if word]
    return AnswerItem(number, text.strip(), " ".join(kept), " ".join(ruled(kept, side, rules)))


def entries(question: Question, text: str, side: Side, rules: FieldRules = NO_RULES) -> tuple[AnswerItem, ...]:
    """The entries of a text answer: split on `|` (a string is one entry), those that pre-processing leaves empty dropped."""
    parts = text.split("|") if question.type == "text_array" else [text]
    out: list[AnswerItem] = []
    for part in parts:
        made = entry(len(out) + 1, part, side, rules, question.words)
        if made.plain:
            out.append(made)
    return tuple(out)


def pair_values(text: str, side: Side) -> tuple[str, ...]:
    """The two columns of a paired integer, each pre-processed; `3|4`, `3 | 4` and `3 | 4 ` are the same. Blank: empty."""
    values = tuple(plain_value(part, side) for part in text.split("|"))
    return values if any(values) else ()


def is_blank(question: Question, text: str, side: Side = "model") -> bool:
    """Whether an answer says nothing after pre-processing."""
    if question.type == "text_array":
        return not entries(question, text, side)
    if question.type == "paired_integer":
        return not pair_values(text, side)
    return not plain_value(text, side)


def same_number(gt: str, model: str) -> bool:
    """Equal whole numbers, or equal texts (`1767/8`) after pre-processing."""
    return _plain_digits(gt) == _plain_digits(model)


def _plain_digits(text: str) -> str:
    return (text.lstrip("0") or "0") if _DIGITS.fullmatch(text) else text


def condition_met(condition: Condition | None, gt_text: str) -> bool:
    """Whether a question is asked, given the ground truth of the question it depends on. A blank meets no condition."""
    if condition is None:
        return True
    found = plain_value(gt_text, "gt")
    return bool(found) and same_number(plain_value(condition.value, "gt"), found) != condition.negated


# Scores


def score(question: Question, gt: str, model: str, rules: FieldRules = NO_RULES, same: Same = ()) -> AnswerScore:
    """The score of one answer to a question, both as texts (a blank is the empty text)."""
    if question.graded:
        return score_entries(question, entries(question, gt, "gt", rules), entries(question, model, "model", rules), same)
    gt_blank, model_blank = is_blank(question, gt, "gt"), is_blank(question, model)
    if gt_blank and model_blank:
        return EXCLUDED if question.blank_blank == "excluded" else CORRECT
    if gt_blank or model_blank:
        return INCORRECT
    if question.type == "paired_integer":
        expected, found = pair_values(gt, "gt"), pair_values(model, "model")
        right = len(expected) == len(found) and all(map(same_number, expected, found))
        return CORRECT if right else INCORRECT
    wanted, given = plain_value(gt, "gt"), plain_value(model, "model")
    if question.type == "integer":
        difference = _difference(wanted, given)
        right = same_number(wanted, given)
        return AnswerScore(Outcome.CORRECT if right else Outcome.INCORRECT, float(right), difference)
    if wanted == given:
        return CORRECT
    return CLAIM if question.illegible and given == ILLEGIBLE else INCORRECT


def _difference(gt: str, model: str) -> int | None:
    if not (_DIGITS.fullmatch(gt) and _DIGITS.fullmatch(model)) or max(len(gt), len(model)) > 18:
        return None
    return int(model) - int(gt)


def score_entries(question: Question, gt: tuple[AnswerItem, ...], model: tuple[AnswerItem, ...], same: Same = ()) -> AnswerScore:
    """The score of a text answer from its entries: a string by character accuracy, an array by F1 over the best matching."""
    if not gt and not model:
        return EXCLUDED if question.blank_blank == "excluded" else AnswerScore(Outcome.GRADED, 1.0, match=Match((), (), ()))
    match = Match(gt, model, _matched(question, gt, model, same))
    return AnswerScore(Outcome.GRADED, match.f1 if question.type == "text_array" else match.total, match=match)


def _matched(question: Question, gt: tuple[AnswerItem, ...], model: tuple[AnswerItem, ...], same: Same) -> tuple[EntryPair, ...]:
    """Return the best matching of the entries; a pair that a verifier called equivalent has accuracy 1."""
    accuracies = [
        [1.0 if (wanted.plain, found.plain) in same else character_accuracy(wanted.form, found.form) for found in model] for wanted in gt
    ]
    return best_pairs(accuracies, in_order=question.order == "document")
