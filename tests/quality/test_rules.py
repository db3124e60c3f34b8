"""How much a rule of approval lets pass that changes what is known, and how much it keeps for the person for nothing.

One memory is known, the other text is proposed as an addition without a key: the worst case, since with its key an
update is told at once. By words alone: what two languages say of the same thing is not seen to be the same.
"""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from store import queries, review
from store.engine import Store, open_store
from store.facts import Outcome
from store.intake import take
from store.policy import NO_RULES, Rule, Rules
from tests.contract.conftest import located, sqlite_template
from tests.contract.proposing import ADA, AGENT, lines
from tests.quality.pairs_kit import DATA, rows

__all__ = ["sqlite_template"]

pytestmark = [pytest.mark.long, pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")]
RULES = Rules((Rule("all", frozenset({"codex"})),))
CHANGED = ("path", "value", "polarity_or_constraint")


def propose(store: Store, text: str, scope: str, rules: Rules = NO_RULES) -> Outcome:
    with store.write() as connection:
        said = lines({"content": text, "source_agent": "codex", "kind": "fact"})
        return take(store, connection, said, context=replace(AGENT, scope=scope), rules=rules)[0]


def test_what_changes_something_known_is_kept_for_the_person(tmp_path: Path, sqlite_template: Path) -> None:
    path = tmp_path / "memory.db"
    shutil.copy(sqlite_template, path)
    store = open_store(located(str(path), tmp_path))
    pairs = [(one["label"], one["a"], one["b"]) for one in rows("pairs.jsonl") if one["lang"] in ("en", "zh")]
    memfiles = rows("updates_memfiles.jsonl")
    pairs += [("update", one["old"], one["new"]) for one in memfiles if one.get("change") in CHANGED][::2]
    pairs += [("unrelated", one["old"], one["new"]) for one in memfiles if one["relation"] == "unrelated"][::4]
    passed: Counter[tuple[str, bool]] = Counter()
    for place, (label, old, new) in enumerate(pairs):
        waiting = propose(store, old, f"s{place}")
        if waiting.status != "pending" or waiting.id is None:
            continue
        (shown,) = queries.queue_rows(store, [waiting.id])
        review.approve(store, shown.seen(), by=ADA)
        passed[label, propose(store, new, f"s{place}", RULES).status == "known"] += 1
    store.close()
    changes = {told: passed["update", told] + passed["contradict", told] for told in (True, False)}
    unlike = {told: passed["unrelated", told] for told in (True, False)}
    told = f"{changes[True]} of {sum(changes.values())} changes"
    print(f"\nrules let pass {told}, {unlike[True]} of {sum(unlike.values())} other additions")
    assert sum(changes.values()) > 80 and sum(unlike.values()) > 40
    assert changes[True] <= 0.04 * sum(changes.values())
    assert unlike[True] >= 0.9 * sum(unlike.values())
