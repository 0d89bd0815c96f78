"""The repository as a product: what its papers say is so."""

import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click
import pytest

from scoring.example import ENTRIES
from scoring.problems import install_hint
from scripts.bench import MAKERS, benchmarks
from scripts.pictures import NAMESPACE, PICTURES, without_addresses
from tests.shared import ROOT
from tui.cli import COMMANDS, adjudicate

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINS = ("requirements.txt", "requirements-dev.txt", "requirements-bootstrap.txt")
PAPERS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md")

# Split so that this file does not hold what it looks for.
REGISTRIES = re.compile(
    "|".join(("py" + r"pi\.(org|python)", "files" + r"\.pythonhosted", "registry" + r"\.npmjs", "deb" + r"\.debian\.org"))
)
INDEX_OPTION = re.compile(r"--(extra-)?index-url|--find-links|--trusted-host")
MACHINE_PATH = re.compile("|".join((r"(?<![\w.])/work" + "/", "/tmp" + "/venv", r"(?<![\w.])/root" + "/", "/home" + r"/[a-z]+/")))
# Another project owns the name `adjudicate` on the package index, so no text may install it by that name.
INSTALLERS = r"\b(pip3? install|uv add|uv pip install|uv tool install|uvx|pipx install|pipx run)\b"
STRANGER = re.compile(INSTALLERS + r"[^\n`]*?[\s\"']" + r"adjudicate\b(?!-)|adjudicate" + r"\[")
FONT_HOSTS = re.compile("|".join(("fonts" + r"\.g(oogleapis|static)", "cdn" + "js", "js" + "delivr", "un" + "pkg")))


def tracked() -> list[Path]:
    """The files git tracks, else (a source archive) those of the project's folders."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("this is no checkout: git tracks nothing here")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[str, str]]:
    """Path and text of every tracked file that is text."""
    found = []
    for path in tracked():
        data = path.read_bytes()
        if b"\0" not in data:
            found.append((path.relative_to(ROOT).as_posix(), data.decode("utf-8", errors="replace")))
    return found


@pytest.mark.parametrize(
    "pattern", [REGISTRIES, MACHINE_PATH, FONT_HOSTS, STRANGER], ids=["registries", "machine paths", "font hosts", "another's package"]
)
def test_no_tracked_file_names(pattern: re.Pattern[str]) -> None:
    assert [f"{name}: {found.group()}" for name, text in texts() if (found := pattern.search(text))] == []


@pytest.mark.parametrize("command", ["pip install", "uvx", "pipx install", "pipx run", "uv tool install"])
@pytest.mark.parametrize("asked", ["NAME", '"NAME"', "-U NAME", "'NAME[serve]'", "NAME==0.1.0"])
def test_an_install_of_the_stranger_is_found(command: str, asked: str) -> None:
    text = f"{command} {asked}".replace("NAME", "adjudicate")
    assert STRANGER.search(text)
    assert not STRANGER.search(text.replace("adjudicate", "adjudicate-workbench"))


def test_the_command_keeps_its_name_and_the_distribution_has_its_own() -> None:
    assert PROJECT["project"]["name"] == "adjudicate-workbench"
    assert PROJECT["project"]["scripts"] == {"adjudicate": "tui.cli:main"}
    systems = [line for line in PROJECT["project"]["classifiers"] if line.startswith("Operating System")]
    assert systems == ["Operating System :: MacOS", "Operating System :: POSIX :: Linux"]


@pytest.mark.parametrize("extra", ["serve", "dask", "parquet"])
def test_an_install_hint_names_libraries_of_its_extra(extra: str) -> None:
    (source,) = re.findall(rf'install_hint\("{extra}", ([^)]*)\)', "\n".join(text for name, text in texts() if name.endswith(".py")))
    assert set(re.findall(r'"([^"]+)"', source)) == wanted(extra) - wanted()
    assert f'pip install ".[{extra}]"' in install_hint(extra, "x")


@pytest.mark.parametrize("name", PINS)
def test_pins_hold_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    assert not INDEX_OPTION.search(text)
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 3
    assert [entry.splitlines()[0] for entry in entries if "==" not in entry.splitlines()[0] or "--hash=sha256:" not in entry] == []


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(name: str) -> dict[str, str]:
    return {canonical(found[1]): found[2] for found in re.finditer(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE)}


def wanted(*extras: str) -> set[str]:
    groups = [PROJECT["project"]["dependencies"], *(PROJECT["project"]["optional-dependencies"][extra] for extra in extras)]
    return {canonical(re.match(r"[\w.-]+", line)[0]) for group in groups for line in group}  # type: ignore[index]


def test_everything_declared_is_pinned() -> None:
    run, dev = pinned("requirements.txt"), pinned("requirements-dev.txt")
    assert wanted("build", "serve", "images") - set(run) == set()
    assert wanted("build", "serve", "images", "dask", "parquet", "dev") - set(dev) == set()
    assert {name: (one, dev.get(name)) for name, one in run.items() if dev.get(name) != one} == {}


def imported(folder: str) -> set[str]:
    """The top-level modules that a folder's Python files import, wherever in the file."""
    pattern = re.compile(r"^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
    return {name for path in (ROOT / folder).rglob("*.py") for name in pattern.findall(without_strings(path.read_text("utf-8")))}


def without_strings(source: str) -> str:
    return re.sub(r'"""(?:.|\n)*?"""', '""', source)


def test_everything_imported_is_declared() -> None:
    import sys
    from importlib.metadata import packages_distributions

    ours = {"scoring", "tui", "tests", "scripts", "benchmarks", "example"}
    distributions = packages_distributions()
    # Levenshtein is the module of the package that python-Levenshtein names.
    declared = wanted("serve", "images", "dask", "parquet") | {"levenshtein"}
    foreign = (imported("scoring") | imported("tui")) - ours - set(sys.stdlib_module_names)
    undeclared = {name for name in foreign if not {canonical(one) for one in distributions.get(name, [name])} & declared}
    assert foreign >= {"click", "textual", "rapidfuzz"}
    assert undeclared == set()


def make_targets(*files: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in files:
        if (ROOT / name).exists():
            found |= dict(re.findall(r"^([a-z][a-z-]*):.*## (.+)$", (ROOT / name).read_text("utf-8"), re.MULTILINE))
    return found


def test_make_alone_lists_every_target() -> None:
    done = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = set(re.findall(r"^  make ([a-z-]+) ", done.stdout, re.MULTILINE))
    assert listed == set(make_targets("Makefile", "campaign.mk"))
    assert {"setup", "review", "test", "lint", "bench", "soak", "snapshots", "help"} <= listed


def test_papers_name_targets_that_exist() -> None:
    targets = make_targets("Makefile", "campaign.mk")
    named = {
        (paper, target)
        for paper in PAPERS
        for target in re.findall(r"(?:^ {4}|`)make ([a-z][a-z-]*)", (ROOT / paper).read_text("utf-8"), re.MULTILINE)
    }
    assert {target for _, target in named} >= {"review", "test", "lint", "bench", "soak", "snapshots"}
    assert {pair for pair in named if pair[1] not in targets} == set()


def test_every_target_has_a_rule_file_or_command() -> None:
    """A target that runs a script runs one that is there."""
    scripts = re.findall(r"scripts/\w+\.(?:py|sh)", (ROOT / "Makefile").read_text("utf-8"))
    assert scripts
    assert [name for name in scripts if not (ROOT / name).is_file()] == []


def test_ci_runs_the_readme_s_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^    (make [a-z]+)$", readme, re.MULTILINE)
    assert commands == ["make review", "make test"]
    assert [command for command in commands if not re.search(rf"^{command}\b", script, re.MULTILINE)] == []
    assert "set -euo pipefail" in script
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme_and_explains_itself(name: str) -> None:
    assert re.search(rf"^\|.*`{name}`.*\|.*\|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    context = click.Context(adjudicate, info_name="adjudicate")
    command = adjudicate.get_command(context, name)
    assert command is not None
    text = command.get_help(click.Context(command, info_name=name, parent=context))
    assert re.search(rf"Example:\s+adjudicate\b.*\b{name}\b", " ".join(text.split()))


def test_versions_agree() -> None:
    ours = PROJECT["project"]["version"]
    try:
        installed = version("adjudicate-workbench")
    except PackageNotFoundError:
        installed = ours  # run from a checkout that is not installed; `make test` installs it
    assert installed == ours
    assert re.search(rf"(^## \[{re.escape(ours)}\]|\b{re.escape(ours)}\b)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert PROJECT["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("MIT License")


def markdown() -> list[str]:
    return sorted({*PAPERS, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))})


@pytest.mark.parametrize("paper", markdown())
def test_links_lead_somewhere(paper: str) -> None:
    text = (ROOT / paper).read_text("utf-8")
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not ((ROOT / paper).parent / target).exists()] == []


def test_the_index_names_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    assert [path.name for path in sorted((ROOT / "docs").glob("*.md")) if path.name != "README.md" and f"]({path.name})" not in index] == []


def test_contributing_names_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    text = text.replace("NAME", "tables")
    named = set(re.findall(r"`((?:scoring|tui|tests|scripts|benchmarks|docs)/[\w/.]*)`", text))
    assert len(named) > 15
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_load_nothing(name: str) -> None:
    svg = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text("utf-8")
    assert "://" not in svg.replace(NAMESPACE, "")
    assert "<text" in svg


def test_a_picture_is_stripped_of_addresses_and_refused_with_one() -> None:
    font = '@font-face { font-family: "F"; src: url("https://fonts.invalid/f.woff2"); }'
    page = f'<svg xmlns="{NAMESPACE}"><!-- from https://rich.invalid --><style>{font}</style>\n<text>a</text></svg>'
    assert without_addresses(page) == f'<svg xmlns="{NAMESPACE}"><style></style>\n<text>a</text></svg>\n'
    with pytest.raises(ValueError, match="loads https"):
        without_addresses(page.replace("<text>a", "<image href='https://pictures.invalid/a.png'/><text>a"))


def test_the_source_archive_takes_the_example_along() -> None:
    manifest = (ROOT / "MANIFEST.in").read_text("utf-8").split()
    assert [entry for entry in ENTRIES if entry.split("/")[0] not in manifest] == []


def test_every_benchmark_is_found() -> None:
    programs = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8")}
    assert set(benchmarks()) == programs - MAKERS
    assert programs >= {"log", "pairing"} | MAKERS
