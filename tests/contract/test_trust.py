"""What became of each agent's proposals, as the log tells it: a person's decisions, and what was taken back later."""

from __future__ import annotations

from typing import Any

import pytest

from store import history, review
from store.calibration import Record, Suggestion, suggest
from store.engine import Store
from store.entry import GLOBAL
from store.policy import NO_RULES, Rule, Rules
from store.trust import Trust, trust
from tests.contract.decisions import ANN, Desk
from tests.contract.proposing import ON_BOTH
from tests.contract.test_auto import propose


def of(told: Trust, kind: str | None = "fact", agent: str | None = "codex") -> Record:
    """One record; there must be one."""
    (found,) = [record for record in told.agents if (record.agent, record.kind) == (agent, kind)]
    return found


def numbers(record: Record) -> dict[str, int]:
    """Its counts, those that are not zero."""
    names = ("proposed", "waiting", "approved", "edited", "rejected", "taken_back", "by_rule", "rule_back")
    return {name: value for name in names if (value := getattr(record, name))}


@ON_BOTH
def test_an_empty_store_says_nothing_of_anybody(store: Store) -> None:
    assert trust(store) == Trust((), ())


def test_decisions_are_counted_by_agent_and_kind(desk: Desk) -> None:
    approved, edited, rejected, _waits = desk.lay_many([{"content": f"Fact {n}", "confidence": 0.7} for n in range(4)])
    desk.approve(approved)
    entry = desk.proposal(edited).entry.with_(content="Fact 1, better")
    desk.approve(edited, edited=entry)
    review.reject(desk.store, desk.see(rejected), by=ANN)
    procedure = desk.lay("Run make", kind="procedure")
    review.turn_down(desk.store, desk.see(procedure), "not here", ANN)
    told = trust(desk.store)
    counted = {"proposed": 4, "waiting": 1, "approved": 1, "edited": 1, "rejected": 1}
    assert numbers(of(told)) == counted
    assert numbers(of(told, "procedure")) == {"proposed": 1, "rejected": 1}
    assert numbers(of(told, None)) == {**counted, "proposed": 5, "rejected": 2}
    (one,) = of(told).bins
    assert (one.low, one.decided, one.right, one.plain, one.plain_right) == (0.7, 3, 1, 3, 1)
    assert one.stated == pytest.approx(0.7)
    assert [record.kind for record in told.agents] == [None, "fact", "procedure"]


@ON_BOTH
def test_what_was_undone_waits_again_and_what_was_redone_does_not(desk: Desk) -> None:
    done = desk.approve(desk.lay("Fact"))
    history.undo(desk.store, by=ANN)
    assert numbers(of(trust(desk.store))) == {"proposed": 1, "waiting": 1}
    history.redo(desk.store, by=ANN)
    assert numbers(of(trust(desk.store))) == {"proposed": 1, "approved": 1}
    assert done.memory_ids


def test_what_was_rolled_back_deleted_or_turned_down_later_was_not_right(desk: Desk) -> None:
    first = desk.hold("Port 5433", key="db.port")
    desk.hold("Port 5440", key="db.port")
    history.rollback(desk.store, first.id, 2, by=ANN)
    deleted = desk.hold("Tests run with nose")
    history.delete(desk.store, deleted.id, 1, by=ANN)
    retired = desk.hold("Use bower")
    history.retire(desk.store, retired.id, 1, "nobody does", ANN)
    kept = desk.hold("Docs are built with make")
    history.delete(desk.store, kept.id, 1, by=ANN)
    history.undo(desk.store, by=ANN)
    record = of(trust(desk.store))
    assert numbers(record) == {"proposed": 5, "approved": 5, "taken_back": 3}
    assert record.right == 2


@ON_BOTH
def test_what_a_rule_approved_is_nobody_s_decision(store: Store) -> None:
    desk = Desk(store)
    rule = Rule("facts", frozenset({"codex"}))
    first, second, third = propose(store, "One", "Two", "Three", rules=(rule,))
    assert first.id is not None and second.id is not None and third.id is not None
    history.undo(store, by=ANN)
    history.delete(store, first.id, 1, by=ANN)
    told = trust(store)
    assert numbers(of(told)) == {"proposed": 3, "waiting": 1, "by_rule": 2, "rule_back": 1}
    assert of(told).bins == ()
    (kept,) = told.rules
    assert (kept.rule, kept.approved, kept.taken_back) == ("facts", 3, 2)
    # A person who approves what was taken back from the rule has decided.
    (waiting,) = [row["id"] for row in desk.rows("proposal") if row["status"] == "pending"]
    desk.approve(waiting)
    assert numbers(of(trust(store))) == {"proposed": 3, "approved": 1, "by_rule": 2, "rule_back": 1}


@ON_BOTH
def test_near_copies_that_were_set_aside_say_nothing(desk: Desk) -> None:
    _, newest = desk.lay_many([{"content": f"Port {n}", "key": "db.port"} for n in (1, 2)])
    desk.approve(newest)
    record = of(trust(desk.store))
    assert numbers(record) == {"proposed": 2, "approved": 1}
    assert record.decided == 1


@ON_BOTH
def test_thirty_plain_additions_support_a_rule_and_others_do_not(desk: Desk) -> None:
    def decide(said: list[dict[str, Any]]) -> None:
        seens = [desk.see(one) for one in desk.lay_many(said)]
        review.approve_many(desk.store, seens, by=ANN, plain_only=False)

    decide([{"content": f"Flagged {n}", "flags": [{"code": "guess", "detail": ""}]} for n in range(20)])
    decide([{"content": f"Global {n}", "scope": GLOBAL} for n in range(20)])
    decide([{"content": f"Plain {n}", "confidence": 0.9} for n in range(29)])
    assert not isinstance(suggest(of(trust(desk.store)), NO_RULES), Suggestion)
    decide([{"content": "The thirtieth"}])
    said = suggest(of(trust(desk.store)), NO_RULES)
    assert isinstance(said, Suggestion)
    assert (said.right, said.of, said.rule.scopes) == (30, 30, frozenset({"shop"}))
    # The lines that are suggested approve what is like the decisions, and nothing else.
    told = propose(
        desk.store,
        {"content": "The thirty-first", "scope": "shop"},
        {"content": "Elsewhere", "scope": "web"},
        rules=Rules((said.rule,)).all,
    )
    assert [one.status for one in told] == ["known", "pending"]


@ON_BOTH
def test_only_the_view_and_only_the_newest_are_looked_at(desk: Desk) -> None:
    desk.lay_many([{"content": f"Shop {n}"} for n in range(3)] + [{"content": "Web", "scope": "web"}])
    assert of(trust(desk.store, ("shop",))).proposed == 3
    told = trust(desk.store, limit=2)
    assert of(told).proposed == 2 and told.older
    assert not trust(desk.store, limit=4).older


@ON_BOTH
def test_an_agent_under_ever_new_names_does_not_fill_the_screen(desk: Desk) -> None:
    desk.lay_many([{"content": f"Fact {n}", "kind": "fact"} for n in range(3)])
    with desk.store.write() as connection:
        connection.exec_driver_sql("UPDATE proposal SET source_agent = id WHERE content <> 'Fact 0'")
    from store import trust as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_RECORDS", 2)
        told = trust(desk.store)
    assert told.more == 1
    assert len([record for record in told.agents if record.kind is not None]) == 2
