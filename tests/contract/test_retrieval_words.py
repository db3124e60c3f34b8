"""How memories are found: by names, by words of any script, by what a task needs, and in which order; both engines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, text

from store import candidates, history, retrieval
from store.errors import AmbiguousId
from store.memory_rows import memory_columns
from store.ranking import query_units
from store.retrieval import Found
from tests.contract.decisions import ANN, TABLES, Desk
from tests.contract.finding import HERE, MEMORY, needed, search, texts, use

SAYABLE = st.characters(codec="utf-8", exclude_characters="\x00")


# -- names


def test_a_name_outranks_words_and_says_so(desk: Desk) -> None:
    words, key, alias, path = desk.hold_many(
        {"content": "The release train: release, k8s, deploy/k8s.yaml", "source": "user_feedback"},
        {"content": "Every second Tuesday", "key": "release", "source": "task_failure"},
        {"content": "The cluster in Oslo", "aliases": ("K8s", "kubernetes")},
        {"content": "Two replicas", "paths": ("deploy/k8s.yaml",)},
    )

    def ranked(query: str) -> list[tuple[str, str]]:
        return [(hit.why, hit.memory.id) for hit in search(desk, query).hits]

    assert ranked("release")[:2] == [("key", key.id), ("words", words.id)]
    assert ranked("RELEASE")[0] == ("key", key.id)
    assert ranked("k8s")[0] == ("alias", alias.id)
    assert ranked("how do I log in to kubernetes?")[0] == ("alias", alias.id)
    for query in ("deploy/k8s.yaml", "k8s.yaml", "./deploy/k8s.yaml", "why does deploy/k8s.yaml:12 say three?"):
        assert ranked(query)[0] == ("path", path.id), query
    assert ranked(words.id) == [("id", words.id)]
    assert ranked(words.id[-6:]) == ranked(words.id.upper()[-8:]) == [("id", words.id)]


def test_a_key_inside_a_sentence_is_looked_up(desk: Desk) -> None:
    held = desk.hold("In the passive voice", key="style.report_voice")
    desk.hold_many(*(f"A report about style number {n}" for n in range(3)))
    assert search(desk, "what does style.report_voice say?").hits[0].memory.id == held.id
    assert needed(desk, "Write the report; mind style.report_voice.")[0] == "In the passive voice"
    assert search(desk, "style.report_voice").hits[0].why == "key"
    assert search(desk, "style.report_voice", scopes=None).hits[0].why == "key"


def test_the_project_is_asked_for_a_key_before_global(desk: Desk) -> None:
    wide = desk.hold("everywhere", key="db.engine", scope="global")
    here = desk.hold("only here", key="db.engine")
    assert retrieval.get(desk.store, "db.engine", scopes=HERE) == here
    assert retrieval.get(desk.store, "DB.Engine ", scopes=("billing", "global")) == wide
    assert [hit.memory.id for hit in search(desk, "db.engine").hits] == [here.id, wide.id]


def test_an_ambiguous_end_of_an_id_names_only_what_may_be_seen(desk: Desk) -> None:
    ids = []
    for place, scope in (("0", "shop"), ("1", "shop"), ("2", "billing")):
        held = desk.hold(f"text {place}", scope=scope)
        same = held.id[:-12] + place * 6 + "abcdef"
        with desk.store.write() as connection:
            if connection.dialect.name == "sqlite":
                connection.execute(text("PRAGMA defer_foreign_keys=ON"))
            for name in ("version", "usage"):
                copied = [{**row, "memory_id": same} for row in desk.rows(name) if row["memory_id"] == held.id]
                if name == "version":
                    row = memory_columns(held, desk.store.tenant) | {"id": same}
                    connection.execute(insert(MEMORY), row)
                connection.execute(insert(TABLES[name]), copied)
        ids.append(same)
    with pytest.raises(AmbiguousId) as raised:
        retrieval.get(desk.store, "abcdef", scopes=HERE)
    assert ids[0][-12:] in str(raised.value)
    assert ids[2][-12:] not in str(raised.value)
    found = retrieval.get(desk.store, "0abcdef", scopes=HERE)
    assert found is not None
    assert found.id == ids[0]


# -- words


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("设备", "部署前检查设备清单"),
        ("部署", "部署前检查设备清单"),
        ("设备清单", "部署前检查设备清单"),
        ("しりとり", "今日は成語しりとりをした"),
        ("끝말잇기", "오늘 끝말잇기 게임"),
        ("pnpm", "用pnpm"),
    ],
)
def test_D084_words_of_scripts_without_spaces_are_found(desk: Desk, query: str, content: str) -> None:
    desk.hold(content)
    desk.hold("Run the tests before every commit 服务")
    assert texts(desk, query) == [content]


PUNCTUATION = (
    ("pre-edit", "the pre-edit hook", "edit before pre"),
    ("C++", "C++ here", "C here"),
    ("don't", "don't push", "don t"),
    ("src/app.py", "see src/app.py", "src app py"),
    ("*", "globs use *", "globs"),
    ('"', 'say "yes"', "say yes"),
    ("foo(bar", "foo(bar)", "foo bar"),
    ("^x", "a ^x", "a x"),
    ("🚀", "ship 🚀", "ship"),
    ("100%", "100%", "100"),
    ("a_b", "a_b", "a b"),
)


def test_D086_punctuation_is_literal_and_never_an_error(desk: Desk) -> None:
    desk.hold_many(*(one for _, there, near in PUNCTUATION for one in (there, near)))
    desk.hold_many("TODO: fix it", "a AND b", "NEAR(a b, 3)")
    for query, there, near in PUNCTUATION:
        found = texts(desk, query, limit=50)
        assert there in found, query
        assert near not in found, query
    for query, first in (("TODO: fix", "TODO: fix it"), ("a AND", "a AND b"), ("NEAR(a b", "NEAR(a b, 3)")):
        assert texts(desk, query)[0] == first
    for query in ("", "\u200b", '"', "';DROP TABLE memory;--", "\\", ":*", "a & !b", "\x00", "\ud800", "%"):
        search(desk, query)
        needed(desk, query)
        retrieval.get(desk.store, query, scopes=HERE)


@pytest.mark.parametrize(
    ("one", "other"), [("café", "cafe\u0301"), ("Zürich", "ZU\u0308RICH"), ("ＡＰＩ", "api"), ("ｶﾀｶﾅ", "カタカナ")]
)
def test_D087_two_spellings_find_each_other_and_come_as_they_were_stored(desk: Desk, one: str, other: str) -> None:
    held = {f"say {one} twice", f"say {other} once"}
    desk.hold_many(*held)
    assert set(texts(desk, one)) == set(texts(desk, other)) == held


def test_D096_an_empty_store_and_an_empty_query_answer_at_once(desk: Desk) -> None:
    assert (
        search(desk, "anything") == search(desk, "") == search(desk, "anything", scopes=None) == Found((), 0, "words")
    )
    assert needed(desk, "a long task, in words") == needed(desk, "") == []
    assert retrieval.everything(desk.store, HERE).items == ()
    assert retrieval.get(desk.store, "abcdef", scopes=HERE) is retrieval.get(desk.store, "", scopes=HERE) is None
    desk.hold("something")
    assert search(desk, " \t") == Found()


def test_D095_what_is_read_for_a_word_that_every_memory_holds_is_bounded(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "MOST_SCORED", 20)
    monkeypatch.setattr(candidates, "MOST_READ", 40)
    monkeypatch.setattr(candidates, "MOST_NAMED", 5)
    desk.hold_many(*(f"the common word {n}" for n in range(60)))
    read: list[int] = []
    original = candidates._read

    def counted(connection: Any, tenant: str, part: Any) -> Any:
        read.append(len(part))
        return original(connection, tenant, part)

    monkeypatch.setattr(candidates, "_read", counted)
    found = search(desk, "common word")
    assert (len(found.hits), found.total) == (5, candidates.MOST_SCORED)
    assert sum(read) <= candidates.MOST_SCORED + candidates.MOST_NAMED
    assert texts(desk, "word 3")[0] == "the common word 3"
    assert len(search(desk, "word", limit=400).hits) == candidates.MOST_SCORED


def test_rarer_words_and_more_of_them_come_first(desk: Desk) -> None:
    desk.hold_many(*(f"The service number {n} reads its port" for n in range(8)))
    rare = desk.hold("The gateway reads its certificates from the vault")
    assert texts(desk, "how does the gateway read its certificates?")[0] == rare.entry.content
    assert texts(desk, "certificates service")[0] == rare.entry.content
    assert texts(desk, "nothing of the kind") == []


def test_age_source_and_support_rank_what_is_equally_alike(desk: Desk) -> None:
    old = desk.hold("Deploy with make one", source="user_feedback")
    desk.clock.jump(days=400)
    guess = desk.hold("Deploy with make two", source="task_failure")
    plain = desk.hold("Deploy with make six")
    said_twice = desk.hold("Deploy with make ten")
    told = desk.hold("Deploy with make tea", source="user_feedback")
    use(desk, said_twice.id, support=3)
    ranked = [hit.memory.id for hit in search(desk, "deploy make", limit=10).hits]
    assert ranked == [said_twice.id, told.id, plain.id, old.id, guess.id]
    use(desk, guess.id, support=2)
    assert search(desk, "deploy make", limit=10).hits[-1].memory.id == old.id
    use(desk, plain.id, claimed_support=50)
    assert [hit.memory.id for hit in search(desk, "deploy make", limit=10).hits].index(plain.id) > 1


@pytest.mark.long
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(SAYABLE, min_size=1, max_size=120), query=st.text(max_size=80))
def test_V45_no_query_raises_and_a_text_is_found_by_itself(desk: Desk, content: str, query: str) -> None:
    held = desk.hold(content)
    for asked in (query, content):
        found = {hit.memory.id for hit in search(desk, asked, limit=50).hits}
        needed(desk, asked)
        retrieval.get(desk.store, asked, scopes=HERE)
    assert held.id in found or not query_units(content)
    history.delete(desk.store, held.id, 1, by=ANN)
    assert held.id not in {hit.memory.id for hit in search(desk, content, limit=50).hits}


# -- what a task needs


def test_a_task_in_english_or_chinese_gets_the_few_it_needs(desk: Desk) -> None:
    desk.hold_many(
        *(f"Reports of quarter {n} are written in the passive voice" for n in range(6)),
        "Before a deploy, drain the queue of the payment service",
        "部署前检查设备清单",
        {"content": "The payment service needs Node 20", "kind": "experience"},
    )
    english = needed(desk, "I have to deploy a new version of the payment service tonight. What should I mind?")
    assert english == [
        "Before a deploy, drain the queue of the payment service",
        "The payment service needs Node 20",
    ]
    assert needed(desk, "今晚要部署新版本，部署前需要检查哪些东西？") == ["部署前检查设备清单"]
    assert 3 <= len(needed(desk, "Write the reports of this quarter")) <= 5
    assert needed(desk, "the of to and") == needed(desk, "ordering pizza") == []
    assert needed(desk, "payment " * 20_000)[0].endswith(("payment service", "Node 20"))
