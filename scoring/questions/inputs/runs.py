"""The runs of the questions: `questions/runs/<model>/<phase>/run_01.json` (`docs/questions.md#material`).

Forgiving in reading, strict in reporting: every repair is a `Problem`. A page without readable answers is failed, a page
that a run lacks is missing; both stay out of every figure and are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from scoring.answers import Incomplete, RepeatedKeys, parse_json
from scoring.foundations.model_run import ModelRun, Status
from scoring.foundations.problems import InputError, Problem, Severity
from scoring.questions.inputs.documents import Document
from scoring.questions.inputs.responses import Answers, QuestionNames, answer_text, find_answers, folded, read_response
from scoring.questions.matching.question_set import QuestionSet
from scoring.texts.decoding import read_text
from scoring.texts.forms import visible
from scoring.workspace.layout import Workspace, entries, natural_key

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class RunPage:
    """What a run answered about one document: question id -> text ("" when blank or left out)."""

    document: str
    status: Status
    answers: Mapping[str, str] = field(default_factory=dict)
    error: str = ""

    @property
    def answered(self) -> bool:
        """Whether the page counts in the figures."""
        return self.status in ("ok", "truncated")


class Run(ModelRun[RunPage]):
    """A run over the documents of the ground truth."""

    __slots__ = ()


def read_runs(
    workspace: Workspace, questions: QuestionSet, documents: Iterable[Document], *, progress: Progress | None = None
) -> tuple[tuple[Run, ...], tuple[Problem, ...]]:
    """Read `runs/<model>/<phase>/run_01.json`, or a folder `run_01/` of `page_1.json`, `.txt` or `.md`, each what the model returned."""
    reader = _RunReader(workspace, questions, tuple(document.id for document in documents))
    folder = workspace.questions / "runs"
    found: list[tuple[str, str, Path]] = []
    for model in reader.listed(folder):
        for phase in reader.listed(model) if model.is_dir() else ():
            found += [(model.name, phase.name, path) for path in (reader.listed(phase) if phase.is_dir() else ())]
    chosen = list(reader.chosen(found))
    if not chosen:
        return (), (*reader.problems, Problem(Severity.WARNING, "there are no runs", workspace.relative(folder)))
    runs: list[Run] = []
    for number, (model_name, phase_name, path) in enumerate(chosen, 1):
        runs.append(reader.read(model_name, phase_name, path))
        if progress is not None:
            progress(number, len(chosen))
    runs.sort(key=lambda run: tuple(natural_key(part) for part in (run.model, run.phase, run.name)))
    return tuple(runs), tuple(reader.problems)


class _RunReader:
    """Reads runs and gathers what was found in them."""

    def __init__(self, workspace: Workspace, questions: QuestionSet, documents: tuple[str, ...]) -> None:
        self.workspace, self.questions, self.documents = workspace, questions, documents
        self.names, self.blank_words = QuestionNames(questions.ids), folded(workspace.settings)
        self.problems: list[Problem] = []

    def listed(self, folder: Path) -> list[Path]:
        found, problems = entries(folder, self.workspace.root)
        self.problems += problems
        return found

    def tell(self, severity: Severity, message: str, path: Path, page: str | None = None) -> None:
        self.problems.append(Problem(severity, message, self.workspace.relative(path), page=page))

    def chosen(self, found: list[tuple[str, str, Path]]) -> Iterator[tuple[str, str, Path]]:
        """The run files and folders; of a file and a folder of one name, the folder."""
        folders = {path for _, _, path in found if path.is_dir()}
        for model, phase, path in found:
            if path in folders:
                yield model, phase, path
            elif path.suffix.lower() != ".json":
                self.tell(Severity.NOTE, "no run file (`run_01.json`); ignored", path)
            elif path.with_suffix("") in folders:
                self.tell(Severity.WARNING, "there is a folder of this name too; the folder counts", path)
            else:
                yield model, phase, path

    def read(self, model: str, phase: str, path: Path) -> Run:
        pages: dict[str, RunPage] = {}
        generated: str | None = None
        unknown: set[str] = set()
        if path.is_dir():
            for file in self.listed(path):
                if file.suffix.lower() in (".json", ".txt", ".md") and file.stem.startswith("page_"):
                    document = file.stem.removeprefix("page_")
                    pages[document] = self._from_text(document, self._text(file), file, unknown)
                else:
                    self.tell(Severity.NOTE, "no page file (`page_1.json`); ignored", file)
            name = path.name
        else:
            name = path.stem
            pages, generated = self._checkpoint(path, unknown)
        if unknown:
            listed = ", ".join(visible(key) for key in sorted(unknown))
            self.tell(Severity.NOTE, f"keys that are no question of the set: {listed}", path)
        for document in pages:
            if document not in self.documents:
                self.tell(Severity.NOTE, "the ground truth has no such document; ignored", path, document)
        absent = [document for document in self.documents if document not in pages]
        if absent:
            self.tell(Severity.WARNING, f"missing pages, left out of the figures: {', '.join(absent)}", path)
        return Run(
            model, phase, name, {document: pages.get(document) or RunPage(document, "missing") for document in self.documents}, generated
        )

    def _text(self, path: Path) -> str | None:
        try:
            decoded = read_text(path)
        except InputError as fault:
            self.tell(Severity.WARNING, fault.what, path)
            return None
        for repair in decoded.repairs:
            self.tell(Severity.REPAIR, repair, path)
        for warning in decoded.warnings:
            self.tell(Severity.WARNING, warning, path)
        return decoded.text

    def _checkpoint(self, path: Path, unknown: set[str]) -> tuple[dict[str, RunPage], str | None]:
        text = self._text(path)
        parsed = parse_json(text) if text is not None else None
        body = parsed.value if parsed is not None else None
        listed = body.get("pages") if isinstance(body, Mapping) else None
        if parsed is None or not isinstance(body, Mapping) or not isinstance(listed, Mapping):
            told = 'no run can be read here (`{"pages": {"1": ...}}`); all its pages count as failed'
            self.tell(Severity.WARNING, told, path)
            return {document: RunPage(document, "failed", error="the run file cannot be read") for document in self.documents}, None
        for repair in parsed.repairs:
            self.tell(Severity.REPAIR, repair, path)
        if isinstance(listed, RepeatedKeys):
            for document, earlier in listed.earlier.items():
                told = f"given {len(earlier) + 1} times in the run file; the last one read"
                self.tell(Severity.WARNING, told, path, str(document))
        pages = {str(document).strip(): self._page(str(document).strip(), value, path, unknown) for document, value in listed.items()}
        if parsed.truncated:
            self.tell(Severity.REPAIR, "the file is cut off; the pages before the end are kept", path)
        generated = body.get("generated")
        return pages, generated if isinstance(generated, str) else None

    def _page(self, document: str, value: object, path: Path, unknown: set[str]) -> RunPage:
        if not isinstance(value, Mapping):
            return self._from_text(document, value if isinstance(value, str) else None, path, unknown)
        status = str(value.get("status", "ok")).strip().casefold()
        if status not in ("ok", "truncated"):
            error = str(value.get("error") or f"status {status}")
            return self._failed(document, f"the run says: {visible(error)}", path)
        torn = isinstance(value, Incomplete) or status == "truncated"
        rest = {key: part for key, part in value.items() if key not in ("status", "error")}
        given = rest.get("answers", rest.get("response", rest))
        if isinstance(given, str):
            page = self._from_text(document, given, path, unknown)
        else:
            found = find_answers(given, self.names)
            if found is None or (torn and not found.values):
                return self._failed(document, "no answers can be found", path)
            page = self._read(document, found, path, unknown)
        return replace(page, status="truncated") if torn and page.status == "ok" else page

    def _from_text(self, document: str, text: str | None, path: Path, unknown: set[str]) -> RunPage:
        if text is None or not text.strip():
            return self._failed(document, "the response is empty", path)
        try:
            response = read_response(text, self.names)
        except InputError as fault:
            return self._failed(document, fault.what, path)
        if response is None:
            return self._failed(document, "no answers can be found", path)
        for warning in response.warnings:
            self.tell(Severity.WARNING, warning, path, document)
        page = self._read(document, response.answers, path, unknown)
        if not response.truncated:
            return page
        self.tell(Severity.REPAIR, "the response is cut off; complete answers are kept", path, document)
        return replace(page, status="truncated")

    def _failed(self, document: str, why: str, path: Path) -> RunPage:
        self.tell(Severity.WARNING, f"failed page, left out of the figures ({why})", path, document)
        return RunPage(document, "failed", error=why)

    def _read(self, document: str, found: Answers, path: Path, unknown: set[str]) -> RunPage:
        unknown.update(found.unknown)
        for repair in found.repairs:
            self.tell(Severity.REPAIR, repair, path, document)
        answers: dict[str, str] = {}
        notes: dict[str, list[str]] = {}
        for question in self.questions.questions:
            value = found.values.get(question.id)
            if value is None:
                answers[question.id] = ""
            elif type(value) is str and value.isascii() and value.isalnum() and not value.isdecimal():
                answers[question.id] = "" if value.casefold() in self.blank_words else value
            else:
                answers[question.id], note = answer_text(question, value, self.blank_words)
                if note:
                    notes.setdefault(note, []).append(question.id)
        for note, ids in notes.items():
            self.tell(Severity.REPAIR, f"{', '.join(ids)}: {note}", path, document)
        left_out = [name for name in self.questions.ids if name not in found.values]
        if left_out:
            told = f"no answer given to {', '.join(left_out)}; taken as blank"
            self.tell(Severity.NOTE, told, path, document)
        return RunPage(document, "ok", answers)
