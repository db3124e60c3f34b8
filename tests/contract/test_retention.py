"""What is kept no longer: per kind, previewed, archived in one step with one undo, never deleted."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from store import history, retention
from store.errors import NoneQualified
from store.keeping import Copies, Retention, read_copies, read_retention
from store.models import UsageRow
from store.verify import verify
from tests.contract.decisions import ANN, Desk

USAGE = UsageRow.__table__  # type: ignore[attr-defined]
USUAL = Retention()


def used(desk: Desk, memory: str, **values: object) -> None:
    with desk.store.write() as connection:
        connection.execute(update(USAGE).where(USAGE.c.memory_id == memory).values(**values))


def found(desk: Desk, kept: Retention = USUAL) -> set[str]:
    return {one.content for one in retention.due(desk.store, kept)}


def test_each_kind_has_its_own_time(desk: Desk) -> None:
    for kind in ("fact", "preference", "procedure", "experience", "decision", "requirement", "feedback"):
        desk.hold(f"some {kind}", kind=kind)
    assert found(desk) == set()
    desk.clock.jump(days=31)
    assert found(desk) == {"some feedback"}
    desk.clock.jump(days=150)
    assert found(desk) == {"some feedback", "some experience", "some requirement"}
    desk.clock.jump(days=4000)
    assert found(desk) == {"some feedback", "some experience", "some requirement"}
    assert found(desk, Retention({**USUAL.days, "decision": 10, "feedback": None})) >= {"some decision"}


@pytest.mark.long
def test_what_was_of_use_or_borne_out_or_pinned_stays(desk: Desk) -> None:
    texts = ("borne out", "never", "used feedback", "unused feedback", "changed", "dated")
    kinds = ("experience", "experience", "feedback", "feedback", "experience", "experience")
    ids = {text: desk.hold(text, kind=kind) for text, kind in zip(texts, kinds, strict=True)}
    desk.clock.jump(days=100)
    used(desk, ids["borne out"].id, last_verified=desk.clock.now)
    used(desk, ids["used feedback"].id, uses=3)
    history.edit(desk.store, ids["changed"].id, 1, ids["changed"].entry.with_(evidence="seen"), by=ANN)
    later = desk.clock.now.replace(year=desk.clock.now.year + 2)
    history.edit(desk.store, ids["dated"].id, 1, ids["dated"].entry.with_(valid_until=later), by=ANN)
    desk.clock.jump(days=100)
    assert found(desk) == {"never", "unused feedback", "used feedback"}


def test_a_sweep_is_one_step_with_one_undo_and_deletes_nothing(desk: Desk) -> None:
    ids = [desk.hold(f"case {n}", kind="experience").id for n in range(4)]
    desk.hold("kept")
    desk.clock.jump(days=181)
    due = retention.due(desk.store, USUAL)
    assert not retention.swept_before(desk.store)
    changed = desk.memory(ids[0])
    history.edit(desk.store, ids[0], 1, changed.entry.with_(evidence="it was seen again"), by=ANN)
    done = retention.sweep(desk.store, due, by=ANN)
    assert done.operation.count == 3
    assert [one for one, _ in done.left] == [ids[0]]
    assert done.title == "archived 3"
    assert {desk.memory(one).status for one in ids[1:]} == {"archived"}
    assert set(desk.served().values()) == {"kept", "case 0"}
    assert retention.swept_before(desk.store)
    assert verify(desk.store) is None
    history.undo(desk.store, by=ANN)
    assert len(desk.served()) == 5
    assert verify(desk.store) is None
    with pytest.raises(NoneQualified):
        retention.sweep(desk.store, due, by=ANN)


def test_what_config_says_and_what_nobody_understands() -> None:
    said, messages = read_retention({"fact": 10, "decision": "forever", "experience": 0, "feedback": -1, "jam": 3})
    assert (said.days["fact"], said.days["decision"], said.days["experience"], said.days["feedback"]) == (
        10,
        None,
        None,
        30,
    )
    assert len(messages) == 2
    assert read_copies({"daily": 3, "weekly": True, "when": 1})[0] == Copies(daily=3)
    assert read_copies([])[1] == ("[backup] is not a table.",)
    assert read_retention(None) == (USUAL, ())
