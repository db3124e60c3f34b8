"""The log as a person looks through it: which steps, what each did part by part, and what stands on it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert

from store import activity, history, review, told
from store.facts import Operation
from store.ids import new_id
from store.log_changes import change_ids, changes
from store.log_filter import read_log
from store.models import HandoutRow
from store.scopes import set_label
from store.steps import newest
from tests.contract.decisions import ANN, BOB, Desk


def titles(desk: Desk, line: str = "", scopes: tuple[str, ...] | None = None) -> list[str]:
    """What the list would show ann for a filter line."""
    flt = read_log(line)
    assert not flt.errors, flt.errors
    names = list(activity.log(desk.store, flt, scopes=scopes, me=ANN.name))
    rows = activity.rows(desk.store, names, scopes=scopes)
    return [rows[name].title for name in names]


def last(desk: Desk) -> Operation:
    return desk.operations()[-1]


def hand_out(desk: Desk, memory_id: str, revision: int, session: str | None, **said: object) -> None:
    """Note that a memory was given, as a hook does."""
    row = {"memory_id": memory_id, "revision": revision, "session_id": session, "agent": "codex", "surface": "hook"}
    with desk.store.write() as connection:
        own = {"tenant_id": desk.store.tenant, "id": new_id(), "at": desk.clock.now}
        connection.execute(insert(HandoutRow.__table__), [{**own, **row, **said}])  # type: ignore[attr-defined]


def test_the_log_is_listed_newest_first_with_what_is_undone(desk: Desk) -> None:
    held = desk.hold("active voice", key="style.voice")
    desk.approve(desk.lay("passive voice", key="style.voice"))
    history.rollback(desk.store, held.id, 2, by=BOB)
    history.undo(desk.store, by=BOB)
    log = activity.log(desk.store)
    assert list(log) == ["4", "3", "2", "1"]
    assert [log.index(name) for name in log] == [0, 1, 2, 3]
    assert log.index("5") is log.index("x") is log.index(None) is None
    rows = activity.rows(desk.store, list(log))
    told_ = {step.operation.id: (step.title, step.undone) for step in rows.values()}
    assert told_ == {step.operation.id: (step.title, step.undone) for step in newest(desk.store, 10)}
    assert [rows[name].undone for name in log] == [False, True, False, False]
    assert activity.find(desk.store, rows["3"].operation.id) == "3"


def test_undo_and_redo_again_and_again_is_one_question(desk: Desk) -> None:
    desk.hold("active voice", key="style.voice")
    for _ in range(4):
        history.undo(desk.store, by=ANN)
        history.redo(desk.store, by=ANN)
    history.undo(desk.store, by=ANN)
    rows = activity.rows(desk.store, list(activity.log(desk.store)))
    assert rows["1"].undone
    assert rows["10"].title == "undid: approved style.voice"
    assert rows["9"].title == "redid: approved style.voice"
    assert [step.undone for step in newest(desk.store, 50)] == [rows[str(seq)].undone for seq in range(10, 0, -1)]
    assert activity.standing(desk.store, rows["1"].operation).turns.seq == 10


FOUND = {
    "by:bob": ["deleted Use pnpm", "rejected “Use yarn”"],
    "by:ann": ["approved Use pnpm", "approved style.voice"],
    "by:you": ["approved Use pnpm", "approved style.voice"],
    "by:yo action:appr": ["approved Use pnpm", "approved style.voice"],
    "action:undid": [],
    "action:reject": ["rejected “Use yarn”"],
    "action:approved": ["approved Use pnpm", "approved style.voice"],
    "from:cli by:bob": ["deleted Use pnpm", "rejected “Use yarn”"],
    "from:shell": ["deleted Use pnpm", "rejected “Use yarn”"],
    "from:console": ["approved Use pnpm", "approved style.voice"],
    "since:1h": ["deleted Use pnpm"],
    "pnpm": ["deleted Use pnpm", "approved Use pnpm"],
    "yarn": ["rejected “Use yarn”"],
    "style.voice": ["approved style.voice"],
    "moved away": ["deleted Use pnpm"],
    "scope:other": ["approved Use pnpm", "deleted Use pnpm"],
    "scope:nickname": ["approved Use pnpm", "deleted Use pnpm"],
    "scope:everywhere": [],
    "nothing-says-this": [],
}


def test_filters(desk: Desk) -> None:
    desk.hold("active voice", key="style.voice")
    held = desk.hold("Use pnpm", scope="other")
    review.reject(desk.store, desk.see(desk.lay("Use yarn")), by=BOB)
    desk.clock.jump(hours=3)
    history.delete(desk.store, held.id, 1, by=BOB, reason="we moved away")
    with desk.store.write() as connection:
        set_label(connection, desk.store.tenant, "other", "the nickname")
    for line, found in FOUND.items():
        wanted = [one.replace("Use pnpm", "“Use pnpm”") for one in found]
        assert sorted(titles(desk, line)) == sorted(wanted), line


@pytest.mark.parametrize("line", ["by:", "since:soon", "since:2026-02-31", "by<ada", "who:ada"])
def test_what_a_filter_cannot_mean_is_said_and_holds_nobody_back(line: str) -> None:
    flt = read_log(line)
    assert flt.errors
    assert flt.empty


def test_each_part_of_a_step_before_and_after(desk: Desk) -> None:
    held = desk.hold("active voice", key="style.voice")
    update, rival = desk.lay("passive voice", key="style.voice"), desk.lay("plain voice", key="style.voice")
    desk.approve(update)
    ids = change_ids(desk.store, last(desk))
    assert list(ids) == [held.id, rival]
    parts = changes(desk.store, last(desk), list(ids))
    memory, other = parts[held.id], parts[rival]
    assert memory.before is not None and memory.after is not None
    assert (memory.before.content, memory.after.content) == ("active voice", "passive voice")
    assert (memory.was, memory.became, memory.revision) == ("active", "active", 2)
    assert (other.was, other.became, other.revision) == ("pending", "superseded", None)
    assert other.after is not None and other.after.content == "plain voice"
    history.delete(desk.store, held.id, 2, by=ANN)
    gone = changes(desk.store, last(desk), [held.id])[held.id]
    assert (gone.was, gone.became) == ("active", "deleted")
    placed = desk.lay("for everyone")
    review.place(desk.store, desk.see(placed), by=ANN, scope="global")
    assert changes(desk.store, last(desk), [placed])[placed].moved == (("scope", "shop", "global"),)


def test_what_stands_in_the_way_is_named_and_what_was_undone_can_be_done_again(desk: Desk) -> None:
    one, two = desk.hold_many("first text", "second text")
    approved = last(desk)
    assert activity.standing(desk.store, approved).blocked == 0
    history.edit(desk.store, one.id, 1, one.entry.with_(content="first, edited", key="first"), by=BOB)
    edited = last(desk)
    stuck = activity.standing(desk.store, approved)
    assert (stuck.blocked, stuck.of) == (1, 2)
    assert [(operation.id, title) for operation, title in stuck.by] == [(edited.id, "edited first")]
    history.undo(desk.store, by=ANN, operation_id=edited.id)
    free = activity.standing(desk.store, approved)
    assert (free.blocked, free.turns.id, free.undone) == (0, approved.id, None)
    history.undo(desk.store, by=ANN, operation_id=approved.id)
    undone = activity.standing(desk.store, approved)
    assert undone.undone is not None and undone.turns == undone.undone == last(desk)
    history.undo(desk.store, by=ANN, operation_id=undone.turns.id)
    assert desk.memory(two.id).status == "active"
    again = activity.standing(desk.store, approved)
    assert (again.turns, again.undone) == (last(desk), None)


def test_an_agents_environment_sees_its_project_only(desk: Desk) -> None:
    desk.hold("active voice", key="style.voice")
    desk.hold("Use pnpm", scope="secret-project", key="tools.pnpm")
    both = desk.hold_many("kept here", {"content": "kept there", "scope": "secret-project"})
    here = ("shop", "global")
    assert titles(desk, scopes=here) == ["approved 2", "approved style.voice"]
    assert set(changes(desk.store, last(desk), [one.id for one in both], scopes=here)) == {both[0].id}
    moved = both[0].entry.with_(scope="secret-project", key="hidden.key")
    history.edit(desk.store, both[0].id, 1, moved, by=ANN, reason="for the hidden plan")
    assert "hidden" not in " ".join(titles(desk, scopes=here))
    history.edit(desk.store, both[0].id, 2, moved.with_(scope="shop"), by=ANN)
    assert titles(desk, scopes=here)[:2] == ["edited 1", "edited 1"]
    rows = activity.rows(desk.store, list(activity.log(desk.store, scopes=here)), scopes=here)
    assert all(step.operation.reason is None for step in rows.values())
    assert not changes(desk.store, last(desk), [both[0].id], scopes=here)


def test_who_was_told_this_also_what_is_no_longer_said(desk: Desk) -> None:
    held = desk.hold("passive voice", key="style.voice")
    hand_out(desk, held.id, 1, "s-1")
    hand_out(desk, held.id, 1, "s-2", agent="claude-code")
    desk.clock.jump(hours=1)
    desk.approve(desk.lay("plain voice", key="style.voice"))
    hand_out(desk, held.id, 2, "s-2")
    ids = told.told_ids(desk.store, held.id)
    assert len(ids) == 3
    rows = told.told_rows(desk.store, held.id, list(ids))
    assert [(rows[id_].revision, rows[id_].holds) for id_ in ids] == [(2, True), (1, False), (1, False)]
    assert {rows[id_].said for id_ in ids} == {"passive voice", "plain voice"}
    numbers = told.telling(desk.store, held.id)
    assert (numbers.times, numbers.sessions, numbers.past, numbers.past_sessions) == (3, 2, 2, 2)
    history.rollback(desk.store, held.id, 2, by=ANN)
    numbers = told.telling(desk.store, held.id)
    assert (numbers.past, numbers.past_sessions) == (1, 1)  # what session 1 was told is said again
    assert told.told_before(desk.store, held.id, 3) == 3
    history.delete(desk.store, held.id, 3, by=ANN)
    assert told.telling(desk.store, held.id).past == 3


def test_what_holds_until_a_date_is_no_longer_said_after_it(desk: Desk) -> None:
    held = desk.hold("for now", valid_until=desk.clock.now + timedelta(days=1))
    hand_out(desk, held.id, 1, None)
    assert told.telling(desk.store, held.id).past == 0
    desk.clock.jump(days=2)
    numbers = told.telling(desk.store, held.id)
    assert (numbers.times, numbers.sessions, numbers.past) == (1, 0, 1)
