"""From what a person types to the one thing that is meant."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from store import history
from store.errors import AmbiguousId, NotFound
from store.queries import resolve
from tests.contract.decisions import ANN, TABLES, Desk

HEAD = "01a22c6c-0a09-7237-8706-"


def rename(desk: Desk, proposal_id: str, own: str) -> None:
    """Give a proposal an id of the test's choice."""
    table = TABLES["proposal"]
    with desk.store.write() as connection:
        connection.execute(update(table).where(table.c.id == proposal_id).values(id=own))


def lay(desk: Desk, ending: str, **said: object) -> str:
    """A proposal whose id ends so."""
    content = str(said.pop("content", f"say {ending}"))
    own = HEAD + ending.rjust(12, "0")
    rename(desk, desk.lay(content, session_id=None, **said), own)
    return own


def test_a_whole_id_and_its_ending(desk: Desk) -> None:
    held = desk.hold("held")
    waits = lay(desk, "abc123")
    operation = desk.operations()[-1].id
    for own, kind in ((held.id, "memory"), (waits, "proposal"), (operation, "operation")):
        assert resolve(desk.store, own) == (kind, own)
        assert resolve(desk.store, own.upper()) == (kind, own)
        assert resolve(desk.store, f" {own[-6:]} ") == (kind, own)
        assert resolve(desk.store, own[-15:]) == (kind, own)  # over the dash
        assert resolve(desk.store, own, what=kind) == (kind, own)
        others = {"memory", "proposal", "operation"} - {kind}
        for other in others:
            with pytest.raises(NotFound):
                resolve(desk.store, own, what=other)
    assert resolve(desk.store, "c123") == ("proposal", waits)


@pytest.mark.parametrize(
    "token", ["", "   ", "123", "zzzz", "no.such.key", "%", "____", "'; --", "🚀", "0" * 36, "x" * 500, "部署", "ab c1"]
)
def test_what_names_nothing_is_not_found(desk: Desk, token: str) -> None:
    lay(desk, "abc123")
    for what in ("any", "proposal", "memory", "operation"):
        with pytest.raises(NotFound) as refused:
            resolve(desk.store, token, what=what)
        assert refused.value.exit_code == 3
        assert len(str(refused.value)) < 200


def test_an_ending_of_two_names_both(desk: Desk) -> None:
    one, two = lay(desk, "1abc123", key="a.key"), lay(desk, "2abc123")
    with pytest.raises(AmbiguousId) as refused:
        resolve(desk.store, "abc123")
    said = str(refused.value)
    assert one[-12:] in said
    assert two[-12:] in said
    assert "a.key in shop" in said
    assert "Type more of the id" in said
    assert refused.value.exit_code == 2
    assert resolve(desk.store, "1abc123") == ("proposal", one)


def test_an_ending_of_many_names_a_few(desk: Desk) -> None:
    for n in range(10):
        lay(desk, f"{n}abcdef")
    with pytest.raises(AmbiguousId, match="and more"):
        resolve(desk.store, "abcdef")


def test_a_key_of_a_memory_in_this_project_first_then_global_then_anywhere(desk: Desk) -> None:
    shop, world = desk.hold("shop", key="style.voice"), desk.hold("world", key="style.voice", scope="global")
    billing = desk.hold("billing", key="style.voice", scope="billing")
    only = desk.hold("only", key="db.engine", scope="billing")
    assert resolve(desk.store, "style.voice", scopes=("shop", "global")) == ("memory", shop.id)
    assert resolve(desk.store, "style.voice", scopes=("billing",)) == ("memory", billing.id)
    assert resolve(desk.store, "style.voice", scopes=("new",)) == ("memory", world.id)
    assert resolve(desk.store, "style.voice") == ("memory", world.id)
    assert resolve(desk.store, "db.engine", scopes=("shop", "global")) == ("memory", only.id)
    history.delete(desk.store, world.id, world.revision, by=ANN)
    with pytest.raises(AmbiguousId, match=r"style\.voice in billing"):
        resolve(desk.store, "style.voice")


def test_a_key_of_an_open_proposal_where_no_memory_has_it(desk: Desk) -> None:
    waits = desk.lay("waits", key="db.engine")
    desk.lay("decided", key="db.engine", status="rejected")
    assert resolve(desk.store, "db.engine") == ("proposal", waits)
    with pytest.raises(NotFound):
        resolve(desk.store, "db.engine", what="memory")
    held = desk.hold("held", key="db.port")
    changes = desk.lay("changes it", key="db.port")
    assert resolve(desk.store, "db.port") == ("memory", held.id)
    assert resolve(desk.store, "db.port", what="proposal") == ("proposal", changes)
    desk.lay("changes it too", key="db.port")
    with pytest.raises(AmbiguousId):
        resolve(desk.store, "db.port", what="proposal")


def test_too_short_an_ending_is_told_so(desk: Desk) -> None:
    lay(desk, "abc123")
    with pytest.raises(NotFound, match="last 4 characters"):
        resolve(desk.store, "123")


def test_a_key_that_could_be_an_ending_is_told_apart(desk: Desk) -> None:
    held = desk.hold("held", key="abc123")
    assert resolve(desk.store, "abc123") == ("memory", held.id)
    waits = lay(desk, "abc123")
    with pytest.raises(AmbiguousId):
        resolve(desk.store, "abc123")
    assert resolve(desk.store, "abc123", what="proposal") == ("proposal", waits)
    assert resolve(desk.store, waits) == ("proposal", waits)


def test_a_deleted_memory_is_found_by_id_but_not_by_key(desk: Desk) -> None:
    held = desk.hold("held", key="a.key")
    history.delete(desk.store, held.id, held.revision, by=ANN)
    assert resolve(desk.store, held.id) == ("memory", held.id)
    with pytest.raises(NotFound, match=f"as {held.id[-6:]} its history"):
        resolve(desk.store, "a.key")
