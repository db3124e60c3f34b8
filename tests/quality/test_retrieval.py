"""How well search finds what is meant, on shared question sets. Lower bounds: a change must not lose what is there.

DevMemBench (coding sessions) and PrecisionMemBench (scopes, aliases, questions with no answer); see the data's README.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store import encoders, indexing, queries, retrieval, review
from store.encoders import Choice, Encoder
from store.engine import Store, open_store
from store.entry import KEY_GRAMMAR
from store.location import locate
from tests.contract.decisions import ANN, Desk

DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here"),
]


def load(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(locate(str(tmp_path / "meminbox.db"), {"MEMINBOX_HOME": str(tmp_path)}))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def built_in() -> Iterator[Encoder]:
    found = encoders.load(Choice())
    assert found is not None
    yield found
    encoders.lost(found)


@pytest.fixture(params=["words", "built-in encoder + words"])
def encoder(request: pytest.FixtureRequest) -> Encoder | None:
    """None for words alone."""
    if request.param == "words":
        encoders._KEPT.choice = encoders._KEPT.encoder = None
        return None
    found: Encoder = request.getfixturevalue("built_in")
    return found


def index(store: Store, encoder: Encoder | None) -> None:
    while encoder is not None and not indexing.step(store, encoder, limit=500).complete:
        pass


def hold(store: Store, said: list[dict[str, Any]]) -> dict[str, int]:
    """Approve these; by memory id the place of each."""
    desk = Desk(store)
    asked = desk.lay_many([{**one, "session_id": None} for one in said])
    done = review.approve_many(
        store, [one.seen() for one in queries.queue_rows(store, asked)], by=ANN, plain_only=False
    )
    assert not done.left
    by_content = {one["content"]: at for at, one in enumerate(said)}
    return {one.id: by_content[one.entry.content] for one in queries.memory_rows(store, done.memory_ids)}


def test_questions_about_coding_sessions(store: Store, encoder: Encoder | None) -> None:
    corpus = load("retrieval_devmembench_corpus.jsonl")
    place = hold(store, [{"content": one["text"], "scope": "all"} for one in corpus])
    index(store, encoder)
    asked = [
        one for one in load("retrieval_devmembench_queries.jsonl") if one["gold_sessions"] and not one["abstention"]
    ]
    recall = rank = task = 0.0
    for one in asked:
        gold = set(one["gold_sessions"])
        hits = retrieval.search(store, one["query"], scopes=("all",), limit=50, encoder=encoder).hits
        sessions = list(dict.fromkeys(corpus[place[hit.memory.id]]["session"] for hit in hits))
        recall += len(gold & set(sessions[:5])) / len(gold)
        rank += next((1 / at for at, session in enumerate(sessions, 1) if session in gold), 0.0)
        given = retrieval.needed(store, one["query"], scopes=("all",), encoder=encoder)
        task += bool(gold & {corpus[place[hit.memory.id]]["session"] for hit in given})
    recall, rank, task = (round(number / len(asked), 3) for number in (recall, rank, task))
    print(f"\nrecall@5 {recall}, MRR {rank}, a task is given one that is right {task}")
    assert recall >= (0.84 if encoder is None else 0.85)
    assert rank >= 0.8
    assert task >= 0.92


def test_questions_with_scopes_and_aliases(store: Store, encoder: Encoder | None) -> None:
    corpus = [one for one in load("retrieval_pmb_corpus.jsonl") if one["status"] == "active"]
    said = []
    for one in corpus:
        key = str(one["subject"] or "").lower()
        key_or_none = key if KEY_GRAMMAR.fullmatch(key) else None
        aliases = tuple(one["aliases"] or ())
        said.append({"content": one["text"], "scope": one["scope"][0], "key": key_or_none, "aliases": aliases})
    place = hold(store, said)
    index(store, encoder)
    recall = precision = 0.0
    asked = [one for one in load("retrieval_pmb_queries.jsonl") if one["gold_ids"] and not one["expect_empty"]]
    for one in asked:
        scopes = tuple(dict.fromkeys((*one["scope"], "user:universal")))
        hits = retrieval.search(store, one["query"], scopes=scopes, encoder=encoder).hits
        found = [corpus[place[hit.memory.id]]["id"] for hit in hits]
        right = len(set(one["gold_ids"]) & set(found))
        recall += right / len(one["gold_ids"])
        precision += right / max(1, len(found))
    recall, precision = (round(number / len(asked), 3) for number in (recall, precision))
    print(f"\nrecall {recall}, precision {precision}")
    assert recall >= (0.9 if encoder is None else 0.95)
    assert precision >= (0.75 if encoder is None else 0.77)


def test_the_same_said_in_other_words_or_another_language(store: Store, encoder: Encoder | None) -> None:
    """Sentence pairs that say the same: the other half of each is looked for, all of them beside one another."""
    pairs = [one for one in load("pairs.jsonl") if one["label"] == "dup"]
    hold(store, [{"content": one["b"], "scope": "all"} for one in pairs])
    index(store, encoder)
    right: dict[str, list[bool]] = {}
    for one in pairs:
        hits = retrieval.search(store, one["a"], scopes=("all",), limit=1, encoder=encoder).hits
        right.setdefault(one["lang"], []).append(bool(hits) and hits[0].memory.entry.content == one["b"])
    shares = {of: round(sum(found) / len(found), 2) for of, found in sorted(right.items())}
    print(f"\nthe right one comes first: {shares}")
    assert sum(sum(found) for found in right.values()) / len(pairs) >= (0.6 if encoder is None else 0.8)
