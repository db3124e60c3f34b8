"""Rows for people: aligned on a terminal, whatever their number."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from console import tables


def rows(number: int, taken: list[int]) -> Iterator[list[str]]:
    for n in range(number):
        taken.append(n)
        yield [str(n), "部署" * (1 + n // 4), "end"]


def test_a_long_list_begins_before_it_is_all_there_and_stays_aligned(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "_HELD", 4)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    taken: list[int] = []
    at_first_print: list[int] = []
    plain = tables._print_aligned
    monkeypatch.setattr(tables, "_print_aligned", lambda *a: (at_first_print.append(len(taken)), plain(*a)))
    tables.print_rows(rows(12, taken), wide=1)
    lines = capsys.readouterr().out.splitlines()
    assert at_first_print == [4, 8, 12]
    assert len(lines) == 12
    ends = [tables.cell_len(line) for line in lines]
    assert ends == sorted(ends) and len(set(ends)) == 3, ends  # each part as wide as it needs, never narrower again
