"""A person's word on what may be a secret: mask, edit, or "not a secret"; in one operation, with one undo."""

from __future__ import annotations

import hashlib

import pytest

from store import history, review, review_cluster, secrecy
from store.engine import Store
from store.entry import Entry
from store.errors import NoneQualified, SecretOpen
from store.facts import Flag
from store.filters import parse
from store.listing import list_page
from store.undo import redo, undo
from store.verify import verify
from store.waiting import queue_ids
from tests.contract.decisions import ANN, Desk
from tests.contract.proposing import ADA, PROPOSAL, SETTING, known, one, propose, rows, shown
from tests.secret_samples import sample

TOKEN = "gFb51yBMWXaSCrUZoL8g5ubbbPIa8427"
TEXT = f"The deploy bot signs in with {TOKEN} every night"
MASKED = "The deploy bot signs in with [secret] every night"


@pytest.fixture
def held(store: Store) -> str:
    """A proposal that waits for a person's word."""
    outcome = one(store, TEXT)
    assert [flag.code for flag in shown(store, outcome).flags] == ["maybe_secret"]
    assert outcome.id is not None
    return outcome.id


def memory(store: Store, memory_id: str) -> Entry:
    return Desk(store).memory(memory_id).entry


def test_D079_without_a_word_it_is_not_approved_and_the_value_is_not_told(store: Store, held: str) -> None:
    with pytest.raises(SecretOpen) as caught:
        review.approve(store, shown(store, held).seen(), by=ADA)
    assert str(caught.value) == (
        "It may hold a secret: something in the text looks random. Nothing was changed. "
        "Mask it, edit the text, or say that it is not a secret."
    )
    assert caught.value.exit_code == 4
    ((field, place, start, end, why),) = caught.value.spans
    assert (field, place, TEXT[start:end], why) == ("content", 0, TOKEN, "looks random")
    assert shown(store, held).status == "pending"
    assert Desk(store).operations() == []


def test_masked_and_approved_in_one_operation(store: Store, held: str) -> None:
    done = review.approve(store, shown(store, held).seen(), by=ADA, secret="mask")
    assert memory(store, done.memory_ids[0]).content == MASKED
    (operation,) = Desk(store).operations()
    assert operation.selection == {"secret": "masked"}
    assert TOKEN not in repr(rows(store, PROPOSAL)), "once masked, it is nowhere"
    undo(store, by=ADA)
    back = shown(store, held)
    assert (back.status, back.entry.content) == ("pending", MASKED), "and no undo brings it back"
    redo(store, by=ADA)
    assert memory(store, done.memory_ids[0]).content == MASKED
    assert verify(store) is None


def test_what_was_edited_out_or_turned_down_is_gone_as_well(store: Store, held: str) -> None:
    entry = shown(store, held).entry
    review.approve(store, shown(store, held).seen(), by=ADA, edited=entry.with_(content="The bot has a key of its own"))
    undo(store, by=ADA)
    assert shown(store, held).entry.content == MASKED
    second = one(store, f"Nightly: {TOKEN} again", key="bot.key")
    review.turn_down(store, shown(store, second).seen(), "keys live in the vault", ADA)
    assert TOKEN not in repr([rows(store, PROPOSAL), Desk(store).operations()])
    undo(store, by=ADA)
    assert shown(store, second).entry.content == "Nightly: [secret] again"
    assert one(store, f"Nightly: {TOKEN} again", key="bot.key").status == "pending"
    assert verify(store) is None


def asked_for(store: Store, words: str) -> list[str]:
    return list(queue_ids(store, parse(words), scopes=None, since=None))


def test_not_a_secret_is_remembered_without_the_text_and_undone_with_the_decision(store: Store, held: str) -> None:
    other = one(store, f"Nightly: {TOKEN} again")
    assert [flag.code for flag in shown(store, other).flags] == ["maybe_secret"]
    done = review.approve(store, shown(store, held).seen(), by=ADA, secret="keep")
    assert memory(store, done.memory_ids[0]).content == TEXT
    kept = [row for row in rows(store, SETTING) if row.name.startswith(secrecy.REMEMBERED)]
    assert len(kept) == 1
    assert TOKEN not in repr(rows(store, SETTING))
    assert hashlib.sha256(TOKEN.encode()).hexdigest() not in repr(rows(store, SETTING))

    assert shown(store, other).flags == ()  # what waits is shown without the flag,
    assert asked_for(store, "flag:maybe_secret") == asked_for(store, "flag:any") == []
    assert asked_for(store, "flag:none") == [other.id]  # and found as it is shown,
    assert list_page(store, flag="maybe_secret").total == 0
    assert shown(store, one(store, f"And {TOKEN} once more")).flags == ()  # what comes has none,
    (row,) = rows(store, PROPOSAL, PROPOSAL.c.id == other.id)
    assert row.flags  # and what was written stands as it was
    history.undo(store, by=ADA)
    assert [flag.code for flag in shown(store, other).flags] == ["maybe_secret"]
    assert other.id in asked_for(store, "flag:maybe_secret") and other.id not in asked_for(store, "flag:none")
    with pytest.raises(SecretOpen):
        review.approve(store, shown(store, other).seen(), by=ADA)
    history.redo(store, by=ADA)
    review.approve(store, shown(store, other).seen(), by=ADA)
    assert verify(store) is None


def test_what_came_in_unflagged_by_a_word_is_asked_about_once_it_is_taken_back(store: Store, held: str) -> None:
    review.approve(store, shown(store, held).seen(), by=ADA, secret="keep")
    second, plain = one(store, f"And {TOKEN} once more"), one(store, "The tests run with pytest")
    history.undo(store, by=ADA)
    seens = [shown(store, second).seen(), shown(store, plain).seen()]
    done = review.approve_many(store, seens, by=ANN, plain_only=False)
    assert done.proposal_ids == (plain.id,)
    with pytest.raises(SecretOpen):
        review_cluster.approve(store, [shown(store, second).seen()], str(second.id), by=ANN)


def test_another_store_remembers_under_another_key(store: Store, held: str) -> None:
    review.approve(store, shown(store, held).seen(), by=ADA, secret="keep")
    (key,) = [row for row in rows(store, SETTING) if row.name == secrecy.KEY]
    assert len(bytes.fromhex(key.value["key"])) == 32
    (mark,) = [row.name for row in rows(store, SETTING) if row.name.startswith(secrecy.REMEMBERED)]
    assert mark == secrecy.REMEMBERED + secrecy.mark(bytes.fromhex(key.value["key"]), TOKEN)


def test_only_the_open_ones_of_several_are_asked_about(store: Store, held: str) -> None:
    second = "Zk3v9QpL7mWx2RtY8bNc4HdS6gJfA1eU"
    review.approve(store, shown(store, held).seen(), by=ADA, secret="keep")
    both = one(store, f"{TOKEN} and {second}")
    with pytest.raises(SecretOpen) as caught:
        review.approve(store, shown(store, both).seen(), by=ADA)
    assert len(caught.value.spans) == 1
    done = review.approve(store, shown(store, both).seen(), by=ADA, secret="mask")
    assert memory(store, done.memory_ids[0]).content == f"{TOKEN} and [secret]"


def test_an_edit_is_the_third_answer_and_passes_redaction_again(store: Store, held: str) -> None:
    seen = shown(store, held).seen()
    entry = shown(store, held).entry
    with pytest.raises(SecretOpen):
        review.approve(store, seen, by=ADA, edited=entry.with_(content=TEXT.replace("every", "each")))
    key = sample("github token")
    done = review.approve(store, seen, by=ADA, edited=entry.with_(content=f"The deploy bot signs in with {key}"))
    assert memory(store, done.memory_ids[0]).content == "The deploy bot signs in with [github token]"


def test_an_edit_of_a_memory_asks_about_what_is_new_in_it(store: Store, held: str) -> None:
    done = review.approve(store, shown(store, held).seen(), by=ADA, secret="keep")
    history.undo(store, by=ADA)
    history.redo(store, by=ADA)
    which = done.memory_ids[0]
    now = Desk(store).memory(which)
    entry = now.entry
    history.edit(store, which, now.revision, entry.with_(content=TEXT + "."), by=ADA)
    now = Desk(store).memory(which)
    added = now.entry.with_(content="Zk3v9QpL7mWx2RtY8bNc4HdS6gJfA1eU it is")
    with pytest.raises(SecretOpen):
        history.edit(store, which, now.revision, added, by=ADA)
    history.edit(store, which, now.revision, added, by=ADA, secret="mask")
    assert memory(store, which).content == "[secret] it is"
    history.undo(store, by=ADA)
    assert memory(store, which).content == TEXT + "."
    assert verify(store) is None


def test_a_batch_leaves_it_alone_and_says_why(store: Store, held: str) -> None:
    plain = one(store, "The tests run with pytest")
    seens = [shown(store, held).seen(), shown(store, plain).seen()]
    done = review.approve_many(store, seens, by=ANN, plain_only=False)
    assert done.proposal_ids == (plain.id,)
    assert done.left == ((held, "It may hold a secret: something in the text looks random."),)
    with pytest.raises(NoneQualified):
        review.approve_many(store, [shown(store, held).seen()], by=ANN)
    with pytest.raises(SecretOpen):
        review_cluster.approve(store, [shown(store, held).seen()], held, by=ANN)


def test_halves_in_two_fields_are_masked_in_both(store: Store) -> None:
    key = sample("aws access key")
    said = {"content": f"It begins with {key[:12]}", "evidence": f"{key[12:]} is the rest", "source": "user_feedback"}
    (outcome,) = propose(store, said)
    assert shown(store, outcome).flags == (Flag("maybe_secret", "a key in two halves"),)
    with pytest.raises(SecretOpen):
        review.approve(store, shown(store, outcome).seen(), by=ADA)
    done = review.approve(store, shown(store, outcome).seen(), by=ADA, secret="mask")
    entry = memory(store, done.memory_ids[0])
    assert (entry.content, entry.evidence) == ("It begins with [secret]", "[secret] is the rest")


def test_what_an_older_set_of_rules_let_in_is_asked_about_as_well(store: Store) -> None:
    desk = Desk(store)
    key = sample("github token")
    laid = desk.lay(f"log in with {key}")
    with store.write() as connection:
        connection.execute(PROPOSAL.update().where(PROPOSAL.c.id == laid).values(redaction_version=0))
    with pytest.raises(SecretOpen, match="It may hold a secret: github token in the text"):
        desk.approve(laid)
    done = desk.approve(laid, secret="mask")
    assert desk.memory(done.memory_ids[0]).entry.content == "log in with [github token]"


def test_a_removal_needs_no_word(store: Store, held: str) -> None:
    done = review.approve(store, shown(store, held).seen(), by=ADA, secret="keep")
    history.undo(store, by=ADA)
    history.redo(store, by=ADA)
    (outcome,) = propose(store, {"op": "remove", "target": done.memory_ids[0]})
    review.approve(store, shown(store, outcome).seen(), by=ADA)
    assert Desk(store).memory(done.memory_ids[0]).status == "deleted"


def test_an_exact_repeat_of_a_masked_text_is_the_same_text(store: Store) -> None:
    first = one(store, f"Deploy with {sample('github token', 1)}")
    again = one(store, f"Deploy with {sample('github token', 2)}")
    assert again.id == first.id
    assert "already proposed" in str(again.reason)
    which = known(store, "The password is hunter2x")
    told = one(store, "The password is other3y!")
    assert (told.status, told.id) == ("known", which)
