"""Erasure (I14, D081): no reader finds a text again, no file holds its bytes, the chain verifies, nothing undoes it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from store import (
    backup,
    blocks,
    erase,
    erased,
    erasing,
    given,
    history,
    queries,
    retrieval,
    review,
    scopes,
    spool,
    traces,
)
from store.context import Context
from store.desk import drain, propose
from store.engine import Store
from store.entry import GLOBAL
from store.erased import Ids
from store.errors import Conflict, MeminboxError, NothingToUndo
from store.facts import Done, Seen
from store.location import Location
from store.project import Project
from store.raw import Raw
from store.verify import verify
from tests.contract.decisions import ANN, BOB, TABLES, Desk

SECRET = 'zqxsecretword 4111999922223333 \u5bc6\u7801\u662f\u4e03\u516b\u4e5d "caf\u00e9"\nthen zqysecondline'
OLD = "zqxoldvalue stood here before"
PROPOSED = "zqxrejectedword was proposed and turned down"
EVIDENCE = "zqxevidenceword, the person said"
WORDS = (
    "zqxsecretword",
    "4111999922223333",
    "\u5bc6\u7801\u662f\u4e03",
    "zqysecondline",
    "zqxoldvalue",
    "zqxrejectedword",
    "zqxevidenceword",
    "zqxkey",
    "zqxalias",
    "zqxpath",
)
PLACE = Context(scope="shop", surface="mcp")


@pytest.fixture
def desk(store: Store) -> Desk:
    blocks.ensure(store)
    return Desk(store)


@pytest.fixture
def memory(desk: Desk) -> str:
    """A memory with a history, a rejected proposal about it, one that waits, and neighbours."""
    said = {"key": "zqxkey.name", "aliases": ["zqxalias"], "paths": ["zqxpath/a.py"], "evidence": EVIDENCE}
    own = desk.approve(desk.lay(OLD, **said)).memory_ids[0]
    desk.approve(desk.lay(SECRET, target=own, **said))
    reject(desk, desk.lay(PROPOSED, target=own))
    desk.lay(f"{PROPOSED} again", target=own)
    desk.approve(desk.lay("the neighbour stays"))
    desk.lay("another waits")
    return own


def reject(desk: Desk, proposal: str) -> Done:
    return review.reject(desk.store, desk.see(proposal), by=ANN)


def extent(desk: Desk, memory: str) -> erase.Extent:
    return erase.extent_of(desk.store, Ids(memories=frozenset((memory,))))


def forms(text: str) -> Iterator[bytes]:
    yield text.encode()
    yield from (text.encode(how) for how in ("utf-16-le", "utf-16-be"))
    yield json.dumps(text)[1:-1].encode()


def found_in(location: Location, words: tuple[str, ...] = WORDS) -> dict[str, list[str]]:
    """By file under the folder, which words stand in it, by an own search that knows nothing of ``store.traces``."""
    told: dict[str, list[str]] = {}
    for path in sorted(location.folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            here = [word for word in words if any(form in data for form in forms(word))]
            if here:
                told[path.name] = here
    return told


def rows_with(desk: Desk) -> list[str]:
    told = []
    for name in (*TABLES, "setting", "search_doc", "block", "embedding", "handout"):
        table = erase.SETTING.metadata.tables[name]
        with desk.store.read() as connection:
            rows = connection.execute(table.select()).all()
        told += [name for row in rows if any(word in str(tuple(row)) for word in WORDS)]
    return told


def test_I14_D081_no_reader_and_no_byte_is_left(desk: Desk, memory: str, location: Location) -> None:
    if location.path is not None:
        backup.back_up(desk.store)
        assert found_in(location)
    _, proof = erasing.run(desk.store, extent(desk, memory), by=ANN)
    assert (proof.due, proof.left, proof.elsewhere) == ((), (), ())
    assert proof.clean
    assert rows_with(desk) == []
    assert found_in(location) == {}
    assert verify(desk.store) is None
    assert set(desk.served().values()) == {"the neighbour stays"}
    project = Project("shop", "shop", Path())
    told = given.profile_of(desk.store, project, now=desk.clock.now).text
    assert "neighbour" in told
    assert not any(word in told for word in WORDS)
    for word in ("zqxsecretword", "zqxoldvalue", "zqxkey"):
        assert not retrieval.search(desk.store, word, scopes=("shop", GLOBAL)).hits
    versions = queries.memory_versions(desk.store, memory)
    assert len(versions) == 3
    assert all(one.entry is None and one.previous_value is None for one in versions)
    assert queries.memory_rows(desk.store, [memory])[0].status == "deleted"


@pytest.mark.long
def test_erasing_twice_does_nothing_more_and_reopening_changes_nothing(
    desk: Desk, memory: str, location: Location, open_again: Callable[..., Store]
) -> None:
    erasing.run(desk.store, extent(desk, memory), by=ANN)
    number = len(desk.operations())
    again, proof = erasing.run(desk.store, extent(desk, memory), by=BOB)
    assert (again, proof.clean, len(desk.operations())) == (None, True, number)
    other = Desk(open_again())
    assert rows_with(other) == []
    assert verify(other.store) is None
    assert found_in(location) == {}


@pytest.mark.long
def test_nothing_undoes_an_erasure_or_what_stood_before_it(desk: Desk, memory: str) -> None:
    before = desk.operations()
    operation, _ = erasing.run(desk.store, extent(desk, memory), by=ANN)
    assert operation is not None
    for one in (operation, *before):
        if one.selection.get("batch") is None and one.id not in _free(desk, before):
            with pytest.raises((Conflict, NothingToUndo)):
                history.undo(desk.store, by=ANN, operation_id=one.id)
    with pytest.raises(MeminboxError):
        history.rollback(desk.store, memory, 3, by=ANN)
    for revision in (1, 2):
        with pytest.raises(Conflict):
            history.rollback(desk.store, memory, 3, by=ANN, to=revision)
    # The next step back is the neighbour's approval, the newest that is not about what was erased.
    assert history.undo(desk.store, by=ANN).title.endswith("neighbour stays”")
    assert verify(desk.store) is None
    assert rows_with(desk) == []


def _free(desk: Desk, before: list) -> set[str]:
    """The neighbour's own step."""
    return {before[-1].id}


def test_D083_what_was_erased_is_turned_down_when_an_agent_says_it_again(
    desk: Desk, memory: str, location: Location
) -> None:
    erasing.run(desk.store, extent(desk, memory), by=ANN)
    for text in (SECRET, OLD, PROPOSED):
        (outcome,) = propose(location, [Raw(content=text)], context=PLACE, store=desk.store)
        assert outcome.status == "rejected_before"
    assert rows_with(desk) == []
    assert found_in(location) == {}


@pytest.mark.long
def test_what_waits_in_the_spool_goes_as_well(desk: Desk, memory: str, location: Location) -> None:
    propose(location, [Raw(content=f"{SECRET} and more", target=memory)], context=PLACE)
    drain(desk.store)
    bad = location.spool / "bad"
    bad.mkdir(parents=True, mode=0o700)
    (bad / "torn.jsonl").write_text(json.dumps({"content": SECRET}))
    (bad / "torn.reason").write_text("cut")
    (bad / "other.jsonl").write_text("nothing of it")
    erasing.run(desk.store, extent(desk, memory), by=ANN)
    assert rows_with(desk) == []
    assert found_in(location) == {}
    assert [one.name for one in bad.iterdir()] == ["other.jsonl"]
    assert not spool.files(location.spool)


@pytest.mark.long
def test_a_rejected_proposal_alone_can_be_erased(desk: Desk, location: Location) -> None:
    own = desk.lay(PROPOSED)
    rejected = reject(desk, own)
    _, proof = erasing.run(desk.store, erase.one(desk.store, "proposal", own), by=ANN)
    assert proof.clean
    assert rows_with(desk) == []
    assert found_in(location) == {}
    assert verify(desk.store) is None
    with pytest.raises(Conflict):
        history.undo(desk.store, by=ANN, operation_id=rejected.operation.id)


@pytest.mark.long
def test_the_same_words_elsewhere_are_told_and_stay(desk: Desk, memory: str) -> None:
    desk.approve(desk.lay(SECRET, scope="other"))
    _, proof = erasing.run(desk.store, extent(desk, memory), by=ANN)
    assert proof.clean
    assert any(one.startswith("memory ") for one in proof.elsewhere)
    assert SECRET in desk.served().values()


@pytest.mark.long
def test_a_scope_is_erased_and_the_other_one_stays(desk: Desk, memory: str, location: Location) -> None:
    desk.approve(desk.lay("kept in another project", scope="other"))
    with desk.store.write() as connection:
        scopes.note(desk.store, connection, [scopes.Seen("shop", "zqxlabel", "/home/zqxfolder")])
        scopes.note(desk.store, connection, [scopes.Seen("other", "the other", "/home/other")])
    if location.path is not None:
        backup.back_up(desk.store)
    _, proof = erasing.run(desk.store, erase.of_scope(desk.store, "shop"), by=ANN)
    assert proof.clean
    assert set(desk.served().values()) == {"kept in another project"}
    assert found_in(location, (*WORDS, "the neighbour stays", "zqxlabel", "zqxfolder")) == {}
    assert (scopes.labels(desk.store)["shop"], scopes.labels(desk.store)["other"]) == ("shop", "the other")
    assert not erase.of_scope(desk.store, "shop").ids
    assert verify(desk.store) is None


@pytest.mark.long
def test_everything_is_erased_with_the_backups(desk: Desk, memory: str, location: Location) -> None:
    if location.path is not None:
        backup.back_up(desk.store)
    _, proof = erasing.run(desk.store, erase.of_scope(desk.store, None), by=ANN, everything=True)
    assert proof.clean
    assert desk.served() == {}
    assert found_in(location, (*WORDS, "neighbour", "another waits")) == {}
    assert backup.backups(location) == []
    assert verify(desk.store) is None


@pytest.mark.long
def test_a_killed_erasure_is_finished_by_whoever_goes_on(
    desk: Desk, memory: str, location: Location, open_again: Callable[..., Store]
) -> None:
    if location.path is not None:
        backup.back_up(desk.store)
    erase.blank(desk.store, extent(desk, memory), by=ANN)  # ... and the process dies
    desk.store.close()
    again = open_again()
    assert verify(again) is None
    assert erase.unfinished(again)
    assert erasing.finish(again, by=BOB).clean
    assert not erase.unfinished(again)
    assert memory in erased.noted(location).memories
    again.close()
    assert found_in(location) == {}


@pytest.mark.long
@pytest.mark.parametrize("engine_name", ["sqlite"], indirect=True)
def test_a_reader_bars_the_log_and_is_told_of(desk: Desk, memory: str, location: Location) -> None:
    desk.store.backend._wait = 0.1  # type: ignore[attr-defined]
    with desk.store.read() as connection:
        connection.execute(TABLES["memory"].select()).all()
        _, proof = erasing.run(desk.store, extent(desk, memory), by=ANN)
    assert not proof.clean
    assert "--finish" in proof.due[0]
    assert erase.unfinished(desk.store)
    assert erasing.finish(desk.store, by=ANN).clean
    assert found_in(location) == {}


@pytest.mark.long
def test_D082_old_words_find_nothing_and_new_ones_the_memory(desk: Desk) -> None:
    def found(word: str) -> list[str]:
        return [one.memory.id for one in retrieval.search(desk.store, word, scopes=("shop", GLOBAL)).hits]

    own = desk.approve(desk.lay("aurora is the deploy host")).memory_ids[0]
    entry = queries.memory_rows(desk.store, [own])[0].entry
    history.edit(desk.store, own, 1, entry.with_(content="borealis is the deploy host"), by=ANN)
    assert (found("aurora"), found("borealis")) == ([], [own])
    history.rollback(desk.store, own, 2, by=ANN)
    assert (found("aurora"), found("borealis")) == ([own], [])
    history.delete(desk.store, own, 3, by=ANN)
    assert (found("aurora"), found("borealis")) == ([], [])
    reject(desk, desk.lay("celestial is the deploy host"))
    assert found("celestial") == []


def test_pieces_find_a_text_that_is_parted_between_pages() -> None:
    text = "a beginning " + "x y z " * 900 + "the very end"
    wanted = traces.sought([text])
    assert len(wanted.pieces) == 3
    assert all(len(one) <= traces.PIECE for one in wanted.pieces)
    assert traces.sought(["abc", ""]).left_out == 2


@pytest.mark.long
def test_approving_what_was_erased_is_refused(desk: Desk, memory: str) -> None:
    waiting = [row for row in desk.rows("proposal") if row["content"] and row["content"].endswith("again")]
    seen = Seen(waiting[0]["id"], 1, waiting[0]["content_hash"], memory, 2)
    erasing.run(desk.store, extent(desk, memory), by=ANN)
    with pytest.raises(Conflict):
        review.approve(desk.store, seen, by=ANN)


@pytest.mark.long
def test_the_same_text_that_was_deleted_or_turned_down_before_goes_with_it(desk: Desk, location: Location) -> None:
    first = desk.hold("zqxsecretword is the password")
    history.delete(desk.store, first.id, 1, by=ANN)
    reject(desk, desk.lay("zqxsecretword is the password"))
    second = desk.hold("zqxsecretword is the password")
    _, proof = erasing.run(desk.store, extent(desk, second.id), by=ANN)
    assert (proof.clean, proof.elsewhere) == (True, ())
    assert rows_with(desk) == []
    assert found_in(location) == {}
    assert verify(desk.store) is None


@pytest.mark.long
def test_a_reason_in_the_log_stays_and_is_told_of(desk: Desk) -> None:
    own = desk.lay("zqxsecretword is the password")
    review.reject(desk.store, desk.see(own), by=ANN, reason="because zqxsecretword is the password")
    _, proof = erasing.run(desk.store, erase.one(desk.store, "proposal", own), by=ANN)
    assert any("reasons stay" in one for one in proof.elsewhere)
    assert verify(desk.store) is None


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_erasures_among_all_other_acts_never_break_the_chain_or_bring_a_text_back(desk: Desk, seed: int) -> None:
    dice = random.Random(seed)
    gone: set[str] = set()
    for turn in range(40):
        with suppress(MeminboxError):
            _act(desk, dice, turn, gone)
        assert verify(desk.store) is None, turn
        assert not gone & set(desk.served().values())
        with desk.store.read() as connection:
            said = str(connection.execute(TABLES["version"].select()).all())
        assert not [text for text in gone if text in said]


def _act(desk: Desk, dice: random.Random, turn: int, gone: set[str]) -> None:
    held = [row for row in desk.rows("memory") if row["content"]]
    waiting = [row for row in desk.rows("proposal") if row["status"] == "pending"]
    one = dice.choice(held) if held else None
    match dice.randrange(9):
        case 0 | 1:
            desk.lay_many([{"content": f"zq{turn}word.{n}", "key": f"k.{n}"} for n in range(dice.randint(1, 3))])
        case 2 if waiting:
            desk.approve(dice.choice(waiting)["id"])
        case 3 if waiting:
            review.approve_many(desk.store, [desk.see(row["id"]) for row in waiting], by=ANN)
        case 4 if waiting:
            review.reject_many(desk.store, [desk.see(row["id"]) for row in waiting[:2]], by=ANN)
        case 5 if one:
            history.rollback(desk.store, one["id"], one["revision"], by=ANN)
        case 6:
            history.undo(desk.store, by=ANN)
        case 7 if desk.operations():
            operation = dice.choice(desk.operations())
            history.undo(desk.store, by=ANN, operation_id=operation.id, free_only=True)
        case 8 if one:
            found = extent(desk, one["id"])
            erase.blank(desk.store, found, by=ANN)
            gone |= {text for text in found.texts if text.startswith("zq")}
