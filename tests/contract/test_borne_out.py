"""Evidence by a person: a commit or a test that bears a memory out, one operation each; claims stay claims."""

from __future__ import annotations

import pytest

from store import history, notes, retrieval, review
from store.borne_out import bear_out, evidence
from store.engine import Store
from store.errors import AlreadyKnown, Conflict, UsageError
from store.verify import verify
from tests.contract.decisions import ANN, BOB, Desk
from tests.contract.proposing import USAGE, known, one, rows, shown

SHA = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d"


def counted(store: Store, memory: str) -> tuple[int, int]:
    (row,) = rows(store, USAGE, USAGE.c.memory_id == memory)
    return row.support, row.claimed_support


class TestByAPerson:
    def test_a_commit_counts_as_seen_and_today(self, desk: Desk) -> None:
        held = desk.hold("Tests run with pytest -q", key="build.test")
        desk.clock.jump(days=60)
        done = bear_out(desk.store, held.id, "commit", SHA, ANN)
        assert done.title == "bore out build.test by the commit 1a2b3c4d5e6f"
        assert ("commit", SHA, False) in [(e.kind, e.ref, e.claimed) for e in evidence(desk.store, held.id)]
        assert counted(desk.store, held.id) == (2, 0)
        (hit,) = retrieval.search(desk.store, "pytest", scopes=("shop",)).hits
        assert hit.age_words == "verified less than a day ago"
        assert desk.memory(held.id).revision == held.revision
        assert verify(desk.store) is None

    def test_its_undo_and_redo(self, desk: Desk) -> None:
        held = desk.hold("Tests run with pytest -q")
        first = desk.clock.now
        bear_out(desk.store, held.id, "test", "tests/test_a.py::test_b", ANN)
        desk.clock.jump(days=1)
        bear_out(desk.store, held.id, "commit", SHA, ANN)
        history.undo(desk.store, by=ANN)
        assert counted(desk.store, held.id) == (2, 0)
        (row,) = rows(desk.store, USAGE, USAGE.c.memory_id == held.id)
        assert row.last_verified == first
        undone = history.undo(desk.store, by=ANN)
        assert undone.title == "undid: bore out “Tests run with pytest -q” by the test tests/test_a.py::test_b"
        assert counted(desk.store, held.id) == (1, 0)
        history.redo(desk.store, by=ANN)
        history.redo(desk.store, by=ANN)
        assert counted(desk.store, held.id) == (3, 0)
        assert verify(desk.store) is None

    def test_an_earlier_step_undone_leaves_the_later_day(self, desk: Desk) -> None:
        held = desk.hold("Tests run with pytest -q")
        earlier = bear_out(desk.store, held.id, "test", "a", ANN)
        desk.clock.jump(days=1)
        bear_out(desk.store, held.id, "test", "b", BOB)
        history.undo(desk.store, by=ANN, operation_id=earlier.operation.id)
        (row,) = rows(desk.store, USAGE, USAGE.c.memory_id == held.id)
        assert (row.support, row.last_verified) == (2, desk.clock.now)

    def test_twice_is_once(self, desk: Desk) -> None:
        held = desk.hold("Tests run with pytest -q")
        bear_out(desk.store, held.id, "commit", SHA, ANN)
        with pytest.raises(AlreadyKnown):
            bear_out(desk.store, held.id, "commit", SHA.upper(), BOB)
        assert len(desk.operations()) == 2

    @pytest.mark.parametrize(
        ("kind", "ref"), [("commit", "main"), ("commit", "abc"), ("test", " "), ("test", "x" * 201), ("session", "s1")]
    )
    def test_what_names_nothing_is_refused(self, desk: Desk, kind: str, ref: str) -> None:
        held = desk.hold("Tests run with pytest -q")
        with pytest.raises(UsageError):
            bear_out(desk.store, held.id, kind, ref, ANN)

    def test_nothing_bears_out_what_is_not_in_use(self, desk: Desk) -> None:
        held = desk.hold("Tests run with pytest -q")
        history.retire(desk.store, held.id, held.revision, "no longer", ANN)
        with pytest.raises(Conflict, match="turned down"):
            bear_out(desk.store, held.id, "commit", SHA, ANN)


class TestClaims:
    def test_a_claim_stays_one_until_a_person_says_so_too(self, store: Store) -> None:
        memory = known(store, "Tests run with pytest -q", session_id="s1")
        notes.note_claim(store.location, memory, "commit", SHA)
        notes.take_notes(store)
        assert [(e.kind, e.claimed) for e in evidence(store, memory) if e.kind == "commit"] == [("commit", True)]
        before = counted(store, memory)
        bear_out(store, memory, "commit", SHA, ANN)
        assert counted(store, memory) == (before[0] + 1, before[1] - 1)
        history.undo(store, by=ANN)
        assert counted(store, memory) == before
        assert verify(store) is None

    def test_sessions_that_said_a_proposal_are_its_evidence(self, store: Store) -> None:
        asked = one(store, "Tests run with pytest -q", session_id="s1")
        one(store, "Tests run with pytest -q", session_id="s2")
        assert asked.id is not None
        assert {(e.kind, e.ref) for e in evidence(store, asked.id)} == {("session", "s1"), ("session", "s2")}
        review.approve(store, shown(store, asked).seen(), by=ANN)
