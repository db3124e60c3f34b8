"""Old and new lines of real memory files: a change of one thing against two things that only sound alike.

The labels are mechanical, with some noise; see the data's README. Lower bounds a little below what was reached.
"""

from __future__ import annotations

from typing import Any

import pytest

from store.cues import hints, same_subject
from tests.quality.pairs_kit import DATA, auc, cosines, rows

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")
CLEAN = ("path", "value", "polarity_or_constraint")


def chosen() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cleanest updates, and the pairs that stand beside one another."""
    told = rows("updates_memfiles.jsonl")
    updates = [one for one in told if one["relation"] == "update" and one["change"] in CLEAN]
    return updates, [one for one in told if one["relation"] == "coexist_similar"]


def area(known: bool) -> float:
    sides = []
    for some in chosen():
        cos = cosines([(one["old"], one["new"]) for one in some]) if known else [None] * len(some)
        sides.append([same_subject(one["old"], one["new"], held) for one, held in zip(some, cos, strict=True)])
    return auc(*sides)


def test_hints_find_what_changed() -> None:
    updates, _ = chosen()
    for change, least in (("path", 0.9), ("value", 0.93), ("polarity_or_constraint", 0.7)):
        some = [one for one in updates if one["change"] == change]
        share = sum(bool(hints(one["old"], one["new"])) for one in some) / len(some)
        print(f"\nhints on {len(some)} changes of {change}: recall {share:.3f}")
        assert share >= least
    told = rows("updates_memfiles.jsonl")
    added = [one for one in told if one.get("change") in ("extended", "shortened", "format_only")]
    wrong = sum(bool(hints(one["old"], one["new"])) for one in added) / len(added)
    print(f"\nhints on {len(added)} that only add, drop or reformat: {wrong:.3f}")
    assert wrong <= 0.05


def test_updates_against_what_stands_beside_by_words_alone() -> None:
    reached = area(known=False)
    print(f"\nupdate against coexisting, by words: AUC {reached:.3f}")
    assert reached >= 0.845


@pytest.mark.long
def test_updates_against_what_stands_beside_with_the_built_in_encoder() -> None:
    reached = area(known=True)
    print(f"\nupdate against coexisting, built-in encoder: AUC {reached:.3f}")
    assert reached >= 0.88
