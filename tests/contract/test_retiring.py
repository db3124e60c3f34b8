"""Turned down: a proposal or a memory kept as a way that was decided against, with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store import history, review
from store.engine import Store
from store.errors import AlreadyDecided, AlreadyKnown, Conflict, NoneQualified, Stale, UsageError
from store.verify import verify
from tests.contract.decisions import ANN, Desk
from tests.contract.proposing import PERSON, known, one, propose, shown

WHY = "It lost sessions when the cache was emptied."


class TestProposals:
    def test_one_step_keeps_it_out_of_use_with_its_reason(self, desk: Desk) -> None:
        asked = desk.lay("Keep sessions in the cache", key="sessions.where")
        done = review.turn_down(desk.store, desk.see(asked), WHY, ANN)
        (memory_id,) = done.memory_ids
        memory = desk.memory(memory_id)
        assert (memory.status, memory.entry.key, memory.revision) == ("retired", "sessions.where", 1)
        assert desk.proposal(asked).status == "rejected"
        assert desk.served() == {}
        assert done.title == "turned down sessions.where"
        assert done.operation.count == 1
        assert history.why_retired(desk.store, [memory_id])[memory_id].reason == WHY
        assert verify(desk.store) is None

    def test_its_undo_brings_the_proposal_back_and_binds_nobody(self, desk: Desk) -> None:
        asked = desk.lay("Keep sessions in the cache")
        done = review.turn_down(desk.store, desk.see(asked), WHY, ANN)
        before = desk.live_stones()
        history.undo(desk.store, by=ANN)
        assert desk.proposal(asked).status == "pending"
        assert desk.memory(done.memory_ids[0]).status == "deleted"
        assert before
        assert desk.live_stones() == set()
        history.redo(desk.store, by=ANN)
        assert desk.memory(done.memory_ids[0]).status == "retired"
        assert history.why_retired(desk.store, done.memory_ids)[done.memory_ids[0]].reason == WHY
        assert desk.live_stones() == before
        assert verify(desk.store) is None

    def test_a_removal_says_nothing_to_turn_down(self, desk: Desk) -> None:
        held = desk.hold("Sessions stand in the database")
        asked = desk.lay(held.entry.content, op="remove", target=held.id)
        with pytest.raises(Conflict, match="removal"):
            review.turn_down(desk.store, desk.see(asked), WHY, ANN)
        assert desk.proposal(asked).status == "pending"

    def test_what_an_active_memory_says_is_turned_down_there(self, desk: Desk) -> None:
        asked = desk.lay("Sessions stand in the database")
        desk.hold("Sessions stand in the database")
        with pytest.raises(AlreadyKnown):
            review.turn_down(desk.store, desk.see(asked), WHY, ANN)

    def test_an_update_leaves_what_it_would_have_changed(self, desk: Desk) -> None:
        held = desk.hold("Sessions stand in the database", key="sessions.where")
        asked = desk.lay("Sessions stand in the cache", key="sessions.where")
        review.turn_down(desk.store, desk.see(asked), WHY, ANN)
        assert desk.served() == {held.id: "Sessions stand in the database"}

    def test_only_what_was_painted_and_only_once(self, desk: Desk) -> None:
        asked = desk.lay("Keep sessions in the cache", key="sessions.where")
        seen = desk.see(asked)
        desk.hold("Sessions stand in the database", key="sessions.where")
        with pytest.raises((Stale, AlreadyDecided)):
            review.turn_down(desk.store, seen, WHY, ANN)
        other = desk.lay("Keep sessions in memory")
        seen = desk.see(other)
        review.turn_down(desk.store, seen, WHY, ANN)
        with pytest.raises(AlreadyDecided):
            review.turn_down(desk.store, seen, WHY, ANN)

    def test_a_reason_is_needed(self, desk: Desk) -> None:
        asked = desk.lay("Keep sessions in the cache")
        with pytest.raises(UsageError, match="reason"):
            review.turn_down(desk.store, desk.see(asked), "  ", ANN)

    def test_what_may_be_a_secret_is_masked_in_what_is_kept(self, store: Store) -> None:
        asked = one(store, "Deploy with 9fK2mQ7xLp4Vt8Rz3Wb6Yc1Nd5Hg0Js on Mondays")
        assert "maybe_secret" in {flag.code for flag in shown(store, asked).flags}
        done = review.turn_down(store, shown(store, asked).seen(), WHY, ANN)
        kept = Desk(store).memory(done.memory_ids[0]).entry.content
        assert "9fK2mQ7xLp4Vt8Rz3Wb6Yc1Nd5Hg0Js" not in kept
        assert one(store, "Deploy with 9fK2mQ7xLp4Vt8Rz3Wb6Yc1Nd5Hg0Js on Mondays").status == "rejected_before"
        assert verify(store) is None


class TestMemories:
    def test_it_leaves_use_and_frees_its_key(self, desk: Desk) -> None:
        held = desk.hold("Keep sessions in the cache", key="sessions.where")
        history.retire(desk.store, held.id, held.revision, WHY, ANN)
        assert desk.memory(held.id).status == "retired"
        desk.hold("Sessions stand in the database", key="sessions.where")
        assert list(desk.served().values()) == ["Sessions stand in the database"]
        with pytest.raises(Conflict, match="turned down already"):
            history.retire(desk.store, held.id, held.revision + 1, WHY, ANN)
        with pytest.raises(Stale):
            history.retire(desk.store, held.id, held.revision, WHY, ANN)
        assert verify(desk.store) is None

    def test_a_batch_is_one_step_and_names_what_it_leaves(self, desk: Desk) -> None:
        first, second, gone = desk.hold_many("Use Redis", "Use Memcached", "Use files")
        history.delete(desk.store, gone.id, gone.revision, by=ANN)
        chosen = [(first.id, first.revision), (second.id, second.revision), (gone.id, gone.revision + 1)]
        done = history.retire_many(desk.store, chosen, WHY, ANN)
        assert done.memory_ids == (first.id, second.id)
        assert done.left == ((gone.id, "it was deleted"),)
        assert done.title == "turned down 2"
        history.undo(desk.store, by=ANN)
        assert set(desk.served()) == {first.id, second.id}
        with pytest.raises(NoneQualified):
            history.retire_many(desk.store, chosen[2:], WHY, ANN)


class TestSaidAgain:
    def test_an_agent_is_answered_with_the_reason(self, store: Store) -> None:
        asked = one(store, "Keep sessions in the cache")
        review.turn_down(store, shown(store, asked).seen(), WHY, ANN)
        again = one(store, "Keep  sessions in the cache")
        assert again.status == "rejected_before"
        assert WHY in str(again.reason)

    def test_a_turned_down_memory_is_answered_so_too(self, store: Store) -> None:
        held = known(store, "Keep sessions in the cache")
        history.retire(store, held, 1, WHY, ANN)
        assert one(store, "Keep sessions in the cache").status == "rejected_before"

    def test_a_person_may_take_it_up_again_and_it_is_the_same_memory(self, store: Store) -> None:
        asked = one(store, "Keep sessions in the cache")
        done = review.turn_down(store, shown(store, asked).seen(), WHY, ANN)
        (again,) = propose(store, "Keep sessions in the cache", context=replace(PERSON, go_on=True))
        proposal = shown(store, again)
        assert [flag.code for flag in proposal.flags] == ["rejected_before"]
        assert WHY in proposal.flags[0].detail
        taken = review.approve(store, proposal.seen(), by=ANN)
        assert taken.memory_ids == done.memory_ids
        assert one(store, "Keep sessions in the cache").status == "known"

    def test_turned_down_twice_it_is_one_memory_with_the_newer_reason(self, store: Store) -> None:
        asked = one(store, "Keep sessions in the cache")
        first = review.turn_down(store, shown(store, asked).seen(), WHY, ANN)
        (again,) = propose(store, "Keep sessions in the cache", context=replace(PERSON, go_on=True))
        second = review.turn_down(store, shown(store, again).seen(), "Still no.", ANN)
        assert second.memory_ids == first.memory_ids
        assert history.why_retired(store, first.memory_ids)[first.memory_ids[0]].reason == "Still no."
        assert verify(store) is None
