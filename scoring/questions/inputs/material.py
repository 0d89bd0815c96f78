"""All that the questions task reads of a workspace, put together (`docs/questions.md#material`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from scoring.foundations.hashing import content_hash
from scoring.foundations.problems import InputError, Problem
from scoring.questions.inputs.documents import Document, read_ground_truth
from scoring.questions.inputs.runs import Progress, Run, read_runs
from scoring.questions.matching.question_set import Question, QuestionSet, read_questions
from scoring.rules import NO_RULES_FILE, Rules, check, read_rules, scoring_errors
from scoring.texts.forms import QUESTION_STRIPPED, FieldRules
from scoring.workspace.layout import Workspace


@dataclass(frozen=True)
class Material:
    """All that scoring needs, and what was found wrong with it."""

    workspace: Workspace
    questions: QuestionSet
    documents: tuple[Document, ...]
    runs: tuple[Run, ...]
    rules: Rules = NO_RULES_FILE
    problems: tuple[Problem, ...] = ()

    def field_rules(self, question: Question) -> FieldRules:
        """The settled equivalences of one question."""
        return self.rules.field(question.id, stripped=QUESTION_STRIPPED)

    def with_rules(self, rules: Rules) -> Material:
        """The same material under other rules, for a preview."""
        return replace(self, rules=rules)

    @cached_property
    def _questions(self) -> dict[str, Question]:
        return {question.id: question for question in self.questions.questions}

    @cached_property
    def _documents(self) -> dict[str, Document]:
        return {document.id: document for document in self.documents}

    def question(self, id: str) -> Question:
        """The question of that id; `KeyError` if there is none."""
        return self._questions[id]

    def document(self, id: str) -> Document:
        """The document of that id; `KeyError` if there is none."""
        return self._documents[id]

    @cached_property
    def gt_fingerprint(self) -> str:
        """8 hex digits over the ground truth as parsed."""
        return content_hash([[document.id, dict(document.values)] for document in self.documents])

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """What the figures rest on, 8 hex digits each, equal on every machine."""
        return {
            "questions": content_hash(self.questions.parsed()),
            "ground truth": self.gt_fingerprint,
            "rules": self.rules.fingerprint,
            "runs": content_hash(
                [[run.key, [[page.document, page.status, dict(page.answers)] for page in run.pages.values()]] for run in self.runs]
            ),
            "settings": content_hash(self.workspace.settings.parsed()),
        }


def load(workspace: Workspace, *, progress: Progress | None = None) -> Material:
    """Read the questions of a workspace.

    Args:
        progress: called with run files read and run files in all.

    Raises:
        InputError: no question set or ground truth, or one that cannot be understood; faulty rules (never half of them).
    """
    questions = read_questions(workspace.questions / "questions.toml")
    truth = workspace.questions / "ground_truth.csv"
    documents, problems = read_ground_truth(truth, questions, workspace.settings, workspace.relative(truth))
    rules = read_rules(workspace.rules_file) if workspace.rules_file.exists() else NO_RULES_FILE
    for problem in scoring_errors(check(rules)):
        raise InputError(problem.message, where=problem.where, line=problem.line, hint="mend it: no scores are made of half the rules")
    runs, found = read_runs(workspace, questions, documents, progress=progress)
    return Material(workspace, questions, documents, runs, rules, (*problems, *found))
