"""What is due for another look, why, and a person's word that it holds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import history, rechecking, tending
from store.borne_out import evidence
from store.errors import AlreadyKnown, Stale
from store.rechecking import due, looked, looked_this_week, still_true
from store.retrieval import told
from store.verify import verify
from tests.contract.decisions import ANN, Desk


def reasons(desk: Desk, **asked: object) -> dict[str, tuple[str, ...]]:
    return {one.id: one.reasons for one in due(desk.store, ("shop",), **asked)}  # type: ignore[arg-type]


def test_each_reason_is_found_and_the_gravest_comes_first(desk: Desk) -> None:
    plain, unsure, ending, gone, elsewhere = desk.hold_many(
        "Use uv, never pip",
        {"content": "Paging goes to the night team", "confidence": 0.3},
        {"content": "The freeze holds", "valid_until": desk.clock.now + timedelta(days=10)},
        "Entry point is services/pay.py",
        {"content": "Somewhere else", "scope": "other", "confidence": 0.1},
    )
    found = reasons(desk, gone={gone.id: "why"})
    assert found == {gone.id: ("path_gone",), ending.id: ("ends",), unsure.id: ("unsure",)}
    assert list(found) == [gone.id, ending.id, unsure.id]
    desk.clock.jump(days=100)
    later = reasons(desk)
    assert later[unsure.id] == ("unsure", "unverified", "unused")
    assert later[plain.id] == ("unverified", "unused")
    assert ending.id not in later
    assert elsewhere.id not in later


def test_two_that_say_otherwise_of_one_matter_name_each_other(desk: Desk) -> None:
    one, other, third = desk.hold_many(
        "The retry limit of the payment service is 3 attempts",
        "The retry limit of the payment service is 5 attempts",
        "Reports are written in the passive voice",
    )
    found = {row.id: row.other for row in due(desk.store, ("shop",))}
    assert set(found) == {one.id, other.id}
    assert found[one.id] is not None and found[one.id].other == other.id
    assert third.id not in found


def test_still_true_is_one_step_that_bears_out_and_leaves_it_in_peace(desk: Desk) -> None:
    memory = desk.hold("Paging goes to the night team", key="paging", confidence=0.3)
    desk.clock.jump(days=100)
    support = told(desk.store, ("shop",), [memory.id])[0].support
    done = still_true(desk.store, memory.id, 1, by=ANN)
    assert done.title == "still true: paging"
    (standing,) = told(desk.store, ("shop",), [memory.id])
    assert (standing.support, standing.verified_at) == (support + 1, desk.clock.now)
    assert evidence(desk.store, memory.id)[0].named().startswith("looked at by ann, 2026-")
    assert desk.memory(memory.id).revision == 1
    assert reasons(desk) == {}
    with pytest.raises(AlreadyKnown):
        still_true(desk.store, memory.id, 1, by=ANN)
    history.undo(desk.store, by=ANN)
    assert told(desk.store, ("shop",), [memory.id])[0].support == support
    assert memory.id in reasons(desk)
    history.redo(desk.store, by=ANN)
    assert reasons(desk) == {}
    desk.clock.jump(days=31)
    assert memory.id in reasons(desk)
    assert verify(desk.store) is None


def test_what_has_moved_on_is_not_confirmed_and_what_is_pinned_is_not_asked_about(desk: Desk) -> None:
    memory = desk.hold("Paging goes to the night team", confidence=0.3)
    tending.pin(desk.store, [(memory.id, 1)], True, by=ANN)
    assert reasons(desk) == {}
    with pytest.raises(Stale):
        still_true(desk.store, memory.id, 1, by=ANN)


def test_who_looked_is_asked_again_after_a_week(desk: Desk) -> None:
    assert not looked_this_week(desk.store, "shop")
    looked(desk.store, "shop")
    assert looked_this_week(desk.store, "shop")
    assert not looked_this_week(desk.store, "other")
    desk.clock.jump(days=8)
    assert not looked_this_week(desk.store, "shop")


def test_a_list_shown_anew_all_day_changes_the_store_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each change of the store shows the list anew: one that changed it again would never come to rest."""
    looked(desk.store, "shop")
    desk.clock.jump(minutes=30)
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.store), "read_only", "nothing is to be written here")
        looked(desk.store, "shop")
    desk.clock.jump(days=6, hours=23)
    looked(desk.store, "shop")
    desk.clock.jump(hours=23)
    assert looked_this_week(desk.store, "shop")


def test_there_is_an_end_to_what_is_listed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rechecking, "EACH", 3)
    said = ("Use uv", "Tabs are four wide", "Deploys on Mondays", "Paging goes to the night team", "Reports are short")
    desk.hold_many(*({"content": text, "confidence": number / 20} for number, text in enumerate(said)))
    found = [one.id for one in due(desk.store, ("shop",)) if "unsure" in one.reasons]
    assert [desk.memory(one).entry.confidence for one in found] == [0.0, 0.05, 0.1]
