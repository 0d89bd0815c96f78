"""The campaign in the repository is what its script writes, and shows what it is meant to show."""

import runpy

from tests.shared import ROOT


def written():
    return runpy.run_path(str(ROOT / "scripts" / "make_campaign.py"))["campaign"]()


def test_the_files_in_the_repository_are_the_scripts():
    files = written()
    held = {path.relative_to(ROOT).as_posix() for path in (ROOT / "data").rglob("*") if path.is_file()}
    assert held == set(files)
    for name, content in files.items():
        assert (ROOT / name).read_text(encoding="utf-8") == content, name


def test_every_queue_that_can_be_is_filled():
    from scoring.foundations.incremental import finished
    from scoring.relations.task import RelationsTask
    from scoring.workspace.layout import Workspace

    task = RelationsTask()
    cases = finished(task.gathering(task.evaluate(task.load(Workspace(ROOT)))))
    assert {"gold differs", "gold split", "isAt without at"} <= {case.queue for case in cases}
