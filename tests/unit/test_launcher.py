"""The launcher: ours are the packages beside it, whatever else has their names; and the streams are made usable."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import meminbox

ROOT = Path(meminbox.__file__).resolve().parent
CLEAN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
HOSTILE = "import sys\nprint('TAKEN FOR OURS', __name__)\nsys.exit(66)\n"
COMMANDS = ("list", "show", "history", "status", "approve", "edit", "reject", "rollback", "delete", "undo", "redo")


@pytest.fixture(scope="session")
def plain_install(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked into a fresh environment as installers do it; what it depends on is borrowed from ours."""
    place = tmp_path_factory.mktemp("plain")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place / "venv")], check=True)
    python = place / "venv" / "bin" / "python"
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())
    with zipfile.ZipFile(next(place.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    # A line of a .pth is added at the end of the path and its own .pth files are not read: our editable self is not in.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a ``store`` and a ``console`` that print and end the process as soon as they are imported."""
    folder = tmp_path / "hostile"
    for name in ("store", "console"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(HOSTILE, encoding="utf-8")
    return folder


def starts(python: str) -> dict[str, list[str]]:
    """The three ways to start: as the installed script does, as a module, and as our own children do."""
    script = "import sys; from meminbox import main; sys.exit(main())"
    child = "import meminbox, os, sys; c = meminbox.command(*sys.argv[1:]); os.execv(c[0], c)"
    return {
        "script": [python, "-P", "-c", script],
        "module": [python, "-m", "meminbox"],
        "child": [python, "-c", child],
    }


def run(command: list[str], hostile: Path, home: Path, **options: object) -> subprocess.CompletedProcess[str]:
    env = {**CLEAN, "PYTHONPATH": str(hostile), "MEMINBOX_HOME": str(home)}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, cwd=hostile, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, **options
    )


@pytest.mark.parametrize("install", ["plain", "editable"])
@pytest.mark.parametrize("start", ["script", "module", "child"])
def test_hostile_packages_of_our_names_are_never_imported(
    install: str, start: str, hostile: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    python = str(request.getfixturevalue("plain_install")) if install == "plain" else sys.executable
    command = starts(python)[start]
    told = run([*command, "where", "--json"], hostile, tmp_path / "home")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["store"] == str(tmp_path / "home" / "meminbox.db")
    assert "TAKEN FOR OURS" not in told.stdout + told.stderr


@pytest.mark.long
@pytest.mark.parametrize("install", ["plain", "editable"])
def test_every_command_runs_beside_hostile_packages(
    install: str, hostile: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    python = str(request.getfixturevalue("plain_install")) if install == "plain" else sys.executable
    home = tmp_path / "home"
    module = [python, "-m", "meminbox"]
    proposed = run([*module, "propose", "Tests run with pytest -q", "--json"], hostile, home)
    assert (proposed.returncode, json.loads(proposed.stdout)["status"]) == (0, "pending"), proposed.stderr
    expected = {"list": 0, "status": 0, "verify": 0, "where": 0, "show": 3, "history": 3, "demo": 2}
    for name in ("list", "status", "verify", "where", "show", "history", "demo", *COMMANDS[4:]):
        arguments = (
            ["nothing.like.it"]
            if name in ("show", "history", "approve", "edit", "reject", "rollback", "delete")
            else []
        )
        told = run([*module, name, *arguments], hostile, home)
        assert told.returncode == expected.get(name, 2), (name, told.stdout, told.stderr)
        assert "TAKEN FOR OURS" not in told.stdout + told.stderr
        assert "Traceback" not in told.stderr
    assert run(module, hostile, home).returncode == 2


def test_the_plain_install_holds_all_that_is_not_python(plain_install: Path) -> None:
    code = (
        "import console, pathlib; print([p.name for p in pathlib.Path(console.__file__).parent.rglob('*.tcss')] != [])"
    )
    told = subprocess.run([str(plain_install), "-c", code], capture_output=True, text=True, check=True, env=CLEAN)
    assert told.stdout.strip() == "True"


def loaded_by(*arguments: str) -> set[str]:
    """The top-level modules that a command has imported when it is done."""
    code = (
        "import sys, json, io; out, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO(), write_through=True)\n"
        f"import meminbox; assert meminbox.main({list(arguments)!r}) == 0\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=out)"
    )
    told = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, env=CLEAN)
    return set(json.loads(told.stdout))


HEAVY = {"textual", "sqlmodel", "sqlalchemy", "pydantic", "numpy", "mcp", "rich", "alembic", "asyncio"}


def test_help_imports_nothing_heavy() -> None:
    assert not loaded_by("--help") & HEAVY
    # Typer itself brings pydantic along as soon as a command has an option.
    assert not loaded_by("propose", "--help") & (HEAVY - {"pydantic"})


def test_version_imports_not_even_the_command_line() -> None:
    loaded = loaded_by("--version")
    assert not loaded & (HEAVY | {"typer", "console", "store"})


def test_version_is_the_one_of_the_distribution() -> None:
    told = subprocess.run(meminbox.command("--version"), capture_output=True, text=True, check=True, env=CLEAN)
    assert told.stdout == f"meminbox {meminbox.__version__}\n"


def test_F38_arguments_and_paths_are_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    env = {"PATH": CLEAN["PATH"], "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    told = subprocess.run(
        meminbox.command("where", "--db", "数据/a.db", "--json"), cwd=tmp_path, env=env, capture_output=True
    )
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["store"] == f"{tmp_path}/数据/a.db"


def test_claim_keeps_what_is_ours_already() -> None:
    meminbox.claim()
    errors = importlib.import_module("store.errors")
    before = sys.modules["store"]
    meminbox.claim()
    assert sys.modules["store"] is before
    assert sys.modules["store.errors"] is errors
