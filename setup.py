"""The build step that pyproject.toml cannot say: the package carries the example workspace (`adjudicate example DIR`)."""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from scoring.workspace.example import PACKAGED, copy_example, example_files  # noqa: E402


class BuildWithExample(build_py):
    """Copies the example beside `scoring/workspace/example.py`. An editable install needs no copy: the checkout is the example."""

    @property
    def _example(self) -> Path:
        return Path(self.build_lib) / "scoring" / PACKAGED

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            shutil.rmtree(self._example, ignore_errors=True)
            copy_example(ROOT, self._example)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        carried = [] if self.editable_mode else [str(self._example / path) for path in example_files(ROOT)]
        return super().get_outputs(include_bytecode) + carried


setup(cmdclass={"build_py": BuildWithExample})
