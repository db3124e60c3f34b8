"""The gram index: words in every script and any punctuation, inside a scope, as the texts change; on both engines."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, insert, select

from store import history, queries, review, search_index
from store.engine import Store
from store.entry import Entry
from store.filters import parse
from store.models import SearchDocRow
from store.text import entry_grams, terms
from tests.contract.decisions import ANN, Desk

DOC = SearchDocRow.__table__  # type: ignore[attr-defined]


SAYABLE = st.characters(blacklist_categories=("Cs",), blacklist_characters="\x00")


def matching(store: Store, query: str, scopes: tuple[str, ...] | None = None) -> set[str]:
    with store.read() as connection:
        return set(connection.execute(search_index.matching(store.tenant, query, scopes)).scalars())


def put(store: Store, **said: str) -> None:
    """Index one entry a name, in the scope ``shop``."""
    with store.write() as connection:
        pairs = [(name, Entry(scope="shop", content=content)) for name, content in said.items()]
        search_index.index(connection, store.tenant, pairs)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("设备", "部署前检查设备清单"),
        ("部署", "部署前检查设备清单"),
        ("设备清单", "部署前检查设备清单"),
        ("单", "部署前检查设备清单"),
        ("しりとり", "今日は成語しりとりをした"),
        ("끝말잇기", "오늘 끝말잇기 게임"),
        ("pnpm", "用pnpm"),
        ("𠮷野", "𠮷野家"),
    ],
)
def test_D084_words_of_scripts_without_spaces_match(store: Store, query: str, said: str) -> None:
    put(store, there=said, other="Run the tests before every commit 服务")
    assert matching(store, query) == {"there"}


@pytest.mark.parametrize(
    ("query", "said", "near"),
    [
        ("pre-edit", "the pre-edit hook", "pre edit"),
        ("TODO: fix", "TODO: fix it", "todo fix"),
        ("don't", "don't push", "don t"),
        ("src/app.py", "see src/app.py", "src app py"),
        ("C++", "C++ here", "C here"),
        ("a AND", "a and b", "a b"),
        ("*", "globs use *", "globs"),
        ('"', 'say "yes"', "say yes"),
        ("'", "it's", "its"),
        ("foo(bar", "foo(bar)", "foo bar"),
        ("^x", "a ^x", "a x"),
        ("NEAR(a b", "NEAR(a b, 3)", "near a b"),
        ("🚀", "ship 🚀", "ship"),
        ("100%", "100%", "100"),
        ("a_b", "a_b", "a b"),
        ("\\", "a\\b", "a b"),
        ("col:x", "col:x", "col x"),
        (":*", "the tsquery :*", "the tsquery"),
        ("a & !b", "a & !b", "a b"),
        ("<->", "a <-> b", "a b"),
        ("';DROP", "'; x ';DROP", "DROP"),
    ],
)
def test_D086_V45_punctuation_is_literal_and_never_an_error(store: Store, query: str, said: str, near: str) -> None:
    put(store, there=said, near=near)
    assert matching(store, query) == {"there"}


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u200b", "　"])
def test_D086_nothing_asked_finds_nothing(store: Store, query: str) -> None:
    put(store, there="something")
    assert matching(store, query) == set()


@pytest.mark.parametrize(
    ("one", "other"), [("café", "cafe\u0301"), ("Zürich", "ZU\u0308RICH"), ("ＡＰＩ", "api"), ("ｶﾀｶﾅ", "カタカナ")]
)
def test_D087_two_spellings_find_each_other(store: Store, one: str, other: str) -> None:
    put(store, one=f"say {one} twice", other=f"say {other} twice", apart="say cafe, Zurich and kata twice")
    assert matching(store, one) == matching(store, other) == {"one", "other"}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\x00"), min_size=1), query=st.text()
)
def test_no_query_raises_and_a_text_finds_itself(store: Store, text: str, query: str) -> None:
    put(store, it=text)
    matching(store, query)
    assert matching(store, text) == ({"it"} if terms(text) else set())


def test_overlong_queries_and_texts_are_taken(store: Store) -> None:
    word, wide = "x9" * 8000, "设备" * 2700
    put(store, word=word, wide=wide, marks="!?" * 8000, emoji="".join(chr(0x1F300 + n % 700) for n in range(4000)))
    assert matching(store, word) == {"word"}
    assert matching(store, "设备设") == {"wide"}
    assert matching(store, "!?" * 8000) == {"marks"}
    assert matching(store, " ".join(f"w{n}" for n in range(8000))) == set()


def test_the_scope_is_looked_up_inside_the_index(store: Store) -> None:
    with store.write() as connection:
        pairs = [
            (scope, Entry(scope=scope, content="unique token")) for scope in ("shop", "sho", "global", "%", "or x")
        ]
        search_index.index(connection, store.tenant, pairs)
    assert matching(store, "unique", ("shop", "global")) == {"shop", "global"}
    assert matching(store, "unique", ("%",)) == {"%"}
    assert matching(store, "unique", ("or x",)) == {"or x"}
    assert matching(store, "unique", ()) == set()
    assert matching(store, "unique", None) == {"shop", "sho", "global", "%", "or x"}
    assert matching(store, "shop", None) == set()


def test_another_tenant_finds_nothing(store: Store) -> None:
    put(store, it="unique token")
    store.tenant = "another"
    assert matching(store, "unique") == set()


def test_D082_old_words_find_nothing_and_new_words_are_found(desk: Desk) -> None:
    held = desk.hold("Write in the active voice", key="style.voice", aliases=("wording", "文风"))

    def found(typed: str) -> list[str]:
        return list(queries.memory_ids(desk.store, parse(typed), scopes=("shop", "global")))

    for typed in ("active", "style.voice", "voice", "wording", "文风", "act", "active voice", "ACTIVE"):
        assert found(typed) == [held.id], typed
    history.edit(desk.store, held.id, 1, held.entry.with_(content="Write in the passive tone", aliases=()), by=ANN)
    assert found("active") == found("wording") == []
    assert found("passive tone style.voice") == [held.id]
    history.rollback(desk.store, held.id, 2, by=ANN)
    assert found("passive") == []
    assert found("active") == [held.id]
    history.delete(desk.store, held.id, 3, by=ANN)
    assert found("active") == found("") == []
    history.undo(desk.store, by=ANN)
    assert found("active") == [held.id]
    dated = desk.hold("soon over", valid_until=desk.clock.now + timedelta(days=1))
    assert found("soon") == [dated.id]
    desk.clock.jump(days=2)
    assert found("soon") == []


def test_a_memory_moved_to_another_scope_is_found_there(desk: Desk) -> None:
    held = desk.hold("unique token")
    history.edit(desk.store, held.id, 1, held.entry.with_(scope="global"), by=ANN)
    assert list(queries.memory_ids(desk.store, parse("unique"), scopes=("shop",))) == []
    assert list(queries.memory_ids(desk.store, parse("unique"), scopes=("global",))) == [held.id]


def test_a_proposal_is_never_found_among_memories(desk: Desk) -> None:
    desk.lay("only proposed")
    refused = desk.lay("turned away")
    review.reject(desk.store, desk.see(refused), by=ANN)
    assert list(queries.memory_ids(desk.store, parse("proposed"), scopes=None)) == []
    assert list(queries.memory_ids(desk.store, parse("turned"), scopes=None)) == []


def test_indexing_again_replaces_and_forgetting_takes_away(store: Store) -> None:
    put(store, a="first words", b="other words")
    put(store, a="second thoughts")
    put(store, a="second thoughts")
    assert matching(store, "words") == {"b"}
    assert matching(store, "thoughts") == {"a"}
    with store.write() as connection:
        assert connection.execute(select(func.count()).select_from(DOC)).scalar_one() == 2
        search_index.forget(connection, store.tenant, ["b", "nobody"])
    assert matching(store, "words") == set()


def test_five_thousand_at_once(store: Store) -> None:
    many = [(f"m{n}", Entry(scope="shop", content=f"number {n} of many")) for n in range(5000)]
    with store.write() as connection:
        search_index.index(connection, store.tenant, many)
        search_index.index(connection, store.tenant, [*many[:3000], many[0]])
    assert matching(store, "number 4999") == {"m4999"}
    assert len(matching(store, "many")) == 5000


def test_the_index_holds_no_empty_document(store: Store) -> None:
    put(store, it="\u200b")
    with store.read() as connection:
        assert connection.execute(select(DOC.c.grams)).scalar_one() == entry_grams(Entry(scope="shop", content=""))


def test_search_doc_rows_written_by_hand_are_seen_by_the_index(store: Store) -> None:
    row = {"tenant_id": store.tenant, "memory_id": "m", "grams": "alpha _2b_ 部署"}
    with store.write() as connection:
        connection.execute(insert(DOC), row)
    assert matching(store, "alpha +") == matching(store, "部署") == {"m"}
