"""Which statements of real memory files a real refactor made false: precision and recall, per commit and over all.

Sees only the renames and deletions of each commit. Gates stand a little below what is reached. The shared data has no
trees; with a folder of clones in ``MEMINBOX_TEST_CLONES`` (``owner+name`` each) the whole of git is asked as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from store import moves
from store.left_over import left_over
from store.verdicts import Judge, TextVerdict

DATA = Path(__file__).parents[3] / "shared" / "data" / "refactor_cases.jsonl"
CLONES = os.environ.get("MEMINBOX_TEST_CLONES")
pytestmark = pytest.mark.skipif(not DATA.is_file(), reason="the shared data is not here")


@dataclass
class Count:
    hit: int = 0
    false: int = 0
    missed: int = 0
    later: int = 0
    later_hit: int = 0

    def take(self, said: bool, row: dict[str, Any]) -> None:
        stale = row["label"] == "stale"
        self.hit += said and stale
        self.false += said and not stale
        self.missed += stale and not said
        later = stale and bool(row["line_later_changed_by"])
        self.later += later
        self.later_hit += later and said

    @property
    def precision(self) -> float:
        return self.hit / max(1, self.hit + self.false)

    @property
    def recall(self) -> float:
        return self.hit / max(1, self.hit + self.missed)


def cases() -> Iterator[dict[str, Any]]:
    with DATA.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def repointed(row: dict[str, Any], said: TextVerdict) -> Iterator[bool]:
    """For each moved file of a statement that git follows: whether the new path is git's."""
    told = {old: new for old, new in zip(row["resolved_old"], row["new_paths"], strict=True) if new and "." in new}
    for one in said.mentions:
        for old, new in told.items():
            if one.verdict == "moved" and (one.mention.path == old or old.endswith("/" + one.mention.path)):
                yield one.new_path == new


def count(judge: Judge, case: dict[str, Any], right: list[bool]) -> Count:
    found = Count()
    for row in case["statements"]:
        if row["label"] == "unclear":
            continue
        said = judge.text(row["text"])
        stale = any(one.stale for one in said.mentions)
        assert not stale or judge.may_concern(row["text"]), row["text"]
        found.take(stale, row)
        if stale and row["label"] == "stale":
            right += repointed(row, said)
    return found


def total(counted: list[tuple[dict[str, Any], Count]]) -> Count:
    whole = Count()
    for case, one in counted:
        print(f"{case['repo']} {case['commit'][:7]}  precision {one.precision:.3f}  recall {one.recall:.3f}")
        for name in vars(whole):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
    print(
        f"all  precision {whole.precision:.3f}  recall {whole.recall:.3f}  later edited {whole.later_hit}/{whole.later}"
    )
    return whole


def test_stale_statements_from_the_rename_list_alone() -> None:
    right: list[bool] = []
    counted = []
    for case in cases():
        told = moves.from_list(case["renames"], case["deleted"])
        counted.append((case, count(Judge(told, names=(case["repo"].partition("/")[2],)), case, right)))
    whole = total(counted)
    assert whole.precision >= 0.98
    assert whole.recall >= 0.98
    assert whole.later_hit >= 0.98 * whole.later
    assert right and all(right)


@pytest.mark.long
@pytest.mark.skipif(CLONES is None, reason="MEMINBOX_TEST_CLONES names no folder of clones")
def test_stale_statements_with_the_trees() -> None:
    right: list[bool] = []
    counted = []
    for case in cases():
        place = Path(str(CLONES)) / case["repo"].replace("/", "+")
        place = place / "repo" if (place / "repo").is_dir() else place
        told = moves.between(place, case["parent"], case["commit"])
        judge = Judge(told, names=(case["repo"].partition("/")[2],), kept=left_over(place, told))
        counted.append((case, count(judge, case, right)))
    whole = total(counted)
    assert whole.precision >= 0.99
    assert whole.recall >= 0.99
    assert right and all(right)
