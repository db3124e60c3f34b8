"""The benches are run by hand and now and then: what they stand on must not be gone by then."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests import bench


@pytest.mark.parametrize("name", sorted(path.stem for path in Path(bench.__file__).parent.glob("bench_*.py")))
def test_every_bench_can_be_started(name: str) -> None:
    assert callable(importlib.import_module(f"tests.bench.{name}").main)
