"""What resembles a proposal: memories, refusals, ways that were turned down; by words and by vectors."""

from __future__ import annotations

import pytest

from store import history, indexing, queries, review
from store.encoders import EncoderMissing
from store.engine import Store
from store.entry import GLOBAL
from store.facts import Proposal
from store.similar import Similars, by_text, similar
from tests.contract.like_kit import Bag
from tests.contract.proposing import ADA, PERSON, SHOP, approve, known, one, propose, shown

HERE = (SHOP, GLOBAL)


def beside(store: Store, content: str, **said: object) -> tuple[Proposal, Similars]:
    proposal = shown(store, one(store, content, **said))
    return proposal, similar(store, proposal, scopes=HERE)


def texts(found: Similars) -> list[str]:
    return [one.memory.entry.content for one in found.items]


def test_up_to_three_similar_memories_the_most_alike_first(store: Store) -> None:
    known(store, "The staging database listens on port 5433.")
    known(store, "The staging database is backed up every night.")
    known(store, "The staging database is a PostgreSQL 16.")
    known(store, "The staging database stands in Frankfurt.")
    known(store, "Office keys are kept by the receptionist.")
    _, found = beside(store, "The staging database listens on port 5440.")
    assert len(found.items) == 3
    assert found.items[0].memory.entry.content == "The staging database listens on port 5433."
    assert [hint.reason for hint in found.items[0].hints] == ["5433 -> 5440"]
    assert [one.score for one in found.items] == sorted((one.score for one in found.items), reverse=True)
    assert found.scorer == "words"
    assert "Office keys are kept by the receptionist." not in texts(found)


def test_D015_another_run_is_queued_and_its_like_shown(store: Store) -> None:
    known(store, "run 2: 39.8 ms")
    outcome = one(store, "run 3: 41.2 ms")
    assert outcome.status == "pending"
    found = similar(store, shown(store, outcome), scopes=HERE)
    assert [hint.reason for hint in found.items[0].hints] == ["2 -> 3", "39.8 ms -> 41.2 ms"]


def test_D016_one_digit_apart_is_shown_as_a_change(store: Store) -> None:
    known(store, "freeze starts 15 Oct")
    known(store, "port 8080")
    proposal, found = beside(store, "freeze starts 16 Oct")
    assert (proposal.status, proposal.op) == ("pending", "add")
    assert [hint.reason for hint in found.items[0].hints] == ["15 -> 16"]
    proposal, found = beside(store, "port 8081")
    assert proposal.status == "pending"
    assert [hint.reason for hint in found.items[0].hints] == ["8080 -> 8081"]


def test_D019_one_sentence_about_five_things_changes_none_of_them(store: Store) -> None:
    names = ("redis", "postgres", "nginx", "vault", "kafka")
    ids = [known(store, f"The {name} host stands in rack {name}.", key=f"host.{name}") for name in names]
    proposal, found = beside(store, f"The hosts of {', '.join(names)} are behind the VPN.", key="host.redis")
    assert proposal.target is not None
    assert proposal.target.id == ids[0]
    assert ids[0] not in {one.memory.id for one in found.items}
    review.approve(store, proposal.seen(), by=ADA)
    for name, memory_id in zip(names[1:], ids[1:], strict=True):
        (version,) = queries.memory_versions(store, memory_id)
        assert (version.status, version.revision) == ("active", 1)
        assert version.entry is not None
        assert version.entry.content == f"The {name} host stands in rack {name}."


def test_D030_a_paraphrase_of_a_refusal_is_shown_beside_it(store: Store) -> None:
    first = one(store, "Always use yarn for installing packages.")
    review.reject(store, shown(store, first).seen(), by=ADA, reason="we are on pnpm")
    assert one(store, "Always  use yarn for installing packages.").status == "rejected_before"
    for variant in ("ALWAYS use Yarn for installing packages.", "Packages: always use yarn for installing."):
        outcome = one(store, variant)
        assert outcome.status == "pending", variant
        (refused,) = similar(store, shown(store, outcome), scopes=HERE).refused
        assert (refused.proposal.id, refused.reason, refused.actor) == (first.id, "we are on pnpm", "ada")
        review.approve(store, shown(store, outcome).seen(), by=ADA)


def test_a_refusal_that_was_taken_back_is_shown_no_more(store: Store) -> None:
    first = one(store, "Use yarn for packages.")
    done = review.reject(store, shown(store, first).seen(), by=ADA)
    assert by_text(store, "Use yarn for the packages", scopes=HERE).refused
    history.undo(store, by=ADA, operation_id=done.operation.id)
    assert not by_text(store, "Use yarn for the packages", scopes=HERE).refused


def test_what_was_turned_down_is_shown_with_its_reason(store: Store) -> None:
    outcome = one(store, "Cache sessions in Redis.")
    review.turn_down(store, shown(store, outcome).seen(), "lost sessions on every restart", ADA)
    _, found = beside(store, "Sessions are cached in Redis.")
    (retired,) = found.retired
    assert (retired.reason, retired.actor) == ("lost sessions on every restart", "ada")
    assert found.refused == ()
    assert found.items == ()


def test_D077_only_the_scopes_in_view_are_looked_at(store: Store) -> None:
    elsewhere = "github.com/acme/other"
    told = propose(store, {"content": "The zanzibar token is 77.", "scope": elsewhere}, context=PERSON)[0]
    approve(store, told)
    refused = propose(store, {"content": "The zanzibar token is 78.", "scope": elsewhere}, context=PERSON)[0]
    review.reject(store, shown(store, refused).seen(), by=ADA)
    assert by_text(store, "The zanzibar token is 79.", scopes=HERE) == Similars()
    everywhere = by_text(store, "The zanzibar token is 79.", scopes=None)
    assert len(everywhere.items) == len(everywhere.refused) == 1
    assert by_text(store, "The zanzibar token is 79.", scopes=()) == Similars()


def test_the_same_key_comes_first_however_unlike(store: Store) -> None:
    known(store, "Answer in one sentence.", key="style.voice", scope=GLOBAL)
    known(store, "The build takes ten minutes on the runner.")
    _, found = beside(store, "The build takes ten minutes.", key="style.voice")
    assert found.items[0].same_key
    assert found.items[0].memory.entry.content == "Answer in one sentence."
    assert [one.same_key for one in found.items] == [True, False]


def test_what_it_changes_and_removals_resemble_nothing(store: Store) -> None:
    known(store, "Tests run with pytest -q.", key="build.test")
    _, found = beside(store, "Tests run with pytest -q -x.", key="build.test")
    assert found.items == ()
    _, found = beside(store, "gone", op="remove", key="build.test")
    assert found == Similars()


@pytest.mark.parametrize("content", ["!!!", "💥", "的", "a", "%_\\", "' OR 1=1 --", "x" * 9_000])
def test_any_text_can_be_asked_with(store: Store, content: str) -> None:
    known(store, "Use uv.")
    assert by_text(store, content, scopes=HERE).items == ()


def test_vectors_find_what_shares_no_rare_word_and_name_themselves(store: Store) -> None:
    encoder = Bag()
    known(store, "The repository uses uv.")
    known(store, "Nothing else matters at all.")
    before = similar(store, shown(store, one(store, "The repo employs uv.")), encoder=encoder, scopes=HERE)
    assert (before.scorer, texts(before)) == ("bag of words", ["The repository uses uv."])
    while not indexing.step(store, encoder).complete:
        pass
    after = by_text(store, "The project utilizes uv.", encoder=encoder, scopes=HERE)
    assert texts(after) == ["The repository uses uv."]


def test_rejected_vectors_are_looked_at_too(store: Store) -> None:
    encoder = Bag()
    outcome = one(store, "Use yarn for packages.")
    review.reject(store, shown(store, outcome).seen(), by=ADA)
    while not indexing.step(store, encoder).complete:
        pass
    (refused,) = by_text(store, "For packages use yarn.", encoder=encoder, scopes=HERE).refused
    assert refused.proposal.id == outcome.id


def test_an_encoder_that_has_gone_leaves_the_words(store: Store) -> None:
    class Gone(Bag):
        def encode(self, texts: object, *, query: bool = False) -> object:  # type: ignore[override]
            raise EncoderMissing("the process has ended")

    known(store, "The staging database listens on port 5433.")
    found = by_text(store, "The staging database listens on 5440.", encoder=Gone(), scopes=HERE)  # type: ignore[arg-type]
    assert (found.scorer, len(found.items)) == ("words", 1)
