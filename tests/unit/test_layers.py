"""The rules of the house about who may import whom: as import-linter sees the sources, and as a process sees itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import meminbox

ROOT = Path(meminbox.__file__).resolve().parent
PURE = (
    "console.actions",
    "console.visible",
    "store.admit",
    "store.block",
    "store.calibration",
    "store.entry",
    "store.policy",
    "store.prose_diff",
    "store.redact",
    "store.spool",
    "store.text",
)
FRONT = (
    "console.cli",
    "console.faults",
    "console.front",
    "console.output",
    "console.proposing",
    "console.quick",
    "console.terminal",
    "store.dialects.sqlite_quick",
    "store.given",
    "store.notes",
)


def test_the_contracts_hold() -> None:
    told = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr


def heavy_after(module: str) -> str:
    heavy = ("textual", "sqlalchemy", "sqlmodel", "alembic", "rich", "numpy", "pydantic")
    code = f"import sys, {module}; print(sorted({{*{heavy!r}}} & {{*sys.modules}}))"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return told.stdout.strip()


@pytest.mark.parametrize("module", PURE)
def test_pure_modules_import_neither_textual_nor_sqlalchemy(module: str) -> None:
    assert heavy_after(module) == "[]"


@pytest.mark.parametrize("module", FRONT)
def test_the_front_of_the_command_line_imports_nothing_heavy(module: str) -> None:
    assert heavy_after(module) == "[]"


def test_the_store_imports_no_toolkit() -> None:
    code = (
        "import sys, store.queries, store.review, store.history; print('textual' in sys.modules, 'rich' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False False"
