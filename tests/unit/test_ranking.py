"""What search asks for, and what ranks: units and weights, recency, sources, ages in words. No store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store.entry import Entry
from store.ranking import (
    FLOOR,
    age_words,
    borne_out,
    leading,
    names,
    names_path,
    query_units,
    recency,
    similarity,
    source_weight,
    text_units,
    wanted,
    weigh,
)
from store.text import entry_grams, words

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def asked(text: str) -> list[str]:
    return [unit.exact or " ".join(unit.grams) for unit in text_units(text)]


def test_a_sentence_is_asked_by_what_it_is_about() -> None:
    assert asked("Could you please change how the service reads its port?") == ["change", "service", "reads", "port"]
    assert asked("请问我们如何部署？")[-1] == "部署"
    assert asked("the of to and") == asked("") == asked("。，！") == []


def test_a_name_with_punctuation_is_asked_whole_and_in_parts() -> None:
    units = text_units("fix src/app.py, (pre-edit)")
    whole = [unit for unit in units if len(unit.grams) > 1]
    assert [len(unit.grams) for unit in whole] == [9, 5]
    assert {unit.grams[0] for unit in units if unit.share < 1} >= {"src", "app"}


def test_a_query_of_common_words_alone_is_asked_all_the_same() -> None:
    assert [unit.grams for unit in query_units("to the")] == [("to",), ("the",)]
    assert query_units("") == query_units("\u200b \t") == []


def test_the_last_word_of_a_query_may_go_on() -> None:
    assert query_units("act")[0].grams == ("act*",)
    assert query_units("c")[0].grams == ("c",)
    assert query_units("单")[0].grams == ("单*",)


def test_an_overlong_text_is_asked_by_a_bounded_number_of_units() -> None:
    assert len(text_units(" ".join(f"word{n}" for n in range(5000)))) == 48
    assert len(query_units("设备" * 2000 + "服务清单" * 100)) <= 48


def scored(query: str, *contents: str) -> list[float]:
    """How like each of these texts a query is, in a store that holds them and nothing else."""
    units = query_units(query)
    held = [entry_grams(Entry(scope="shop", content=content)) for content in contents]
    counts = [sum(similarity(weigh([unit], [0], 1), one, 1e9) > 0 for one in held) for unit in units]
    weighed = weigh(units, counts, len(held))
    return [similarity(weighed, one, wanted(weighed)) for one in held]


def test_more_of_what_is_asked_and_rarer_words_are_more_alike() -> None:
    both, rare, common, none = scored(
        "deploy tests", "deploy after the tests", "the tests", "deploy the shop", "write short sentences"
    )
    assert both > max(rare, common) > none == 0
    many = scored("deploy tests", "deploy a", "tests b", "tests c", "tests d", "tests e", "tests f")
    assert many[0] > many[1]


def test_a_short_text_is_more_alike_than_a_long_one_with_the_same_words() -> None:
    short, long = scored("deploy", "deploy", "deploy " + " ".join(f"word{n}" for n in range(300)))
    assert short > long >= FLOOR


def test_another_ending_counts_for_less_than_the_word() -> None:
    exact, other = scored("deploying tests", "deploying the tests", "we deployed a test")
    assert exact > other > FLOOR


def test_nothing_that_lacks_all_leading_units_can_reach_the_floor() -> None:
    units = text_units("alpha beta gamma delta epsilon")
    weighed = weigh(units, [1, 900, 900, 900, 990], 1000)
    full = wanted(weighed)
    first = leading(weighed, full)
    rest = " ".join(unit.unit.exact or unit.unit.grams[0] for unit in weighed[first:])
    assert 1 <= first < 5
    assert similarity(weighed, rest, full) < FLOOR
    assert leading([], 0.0) == 0


@pytest.mark.parametrize(
    ("query", "name", "found"),
    [
        ("roll out to k8s, please", "k8s", True),
        ("roll out to K8S.", "k8s", True),
        ("see k8s.yaml", "k8s", False),
        ("my-k8s", "k8s", False),
        ("k8sx", "k8s", False),
        ("在集群上部署", "集群", True),
        ("ＡＰＩ keys", "api", True),
        ("anything", "", False),
        ("C++ here", "c++", True),
    ],
)
def test_a_name_stands_by_itself(query: str, name: str, found: bool) -> None:
    assert names(query, name) is found


@pytest.mark.parametrize(
    ("query", "path", "found"),
    [
        ("look at src/app.py:18 first", "src/app.py", True),
        ("app.py", "src/app.py", True),
        ("./src/app.py", "src/app.py", True),
        ("/w/shop/src/app.py", "src/app.py", True),
        ("src\\app.py", "src/app.py", True),
        ("myapp.py", "src/app.py", False),
        ("app", "src/app.py", False),
        ("py", "src/app.py", False),
    ],
)
def test_a_path_is_named_whole_or_by_its_last_parts(query: str, path: str, found: bool) -> None:
    assert names_path(query, path) is found


def test_semantic_kinds_fade_slower_than_cases_and_none_to_nothing() -> None:
    assert recency("fact", 0) == recency("experience", 0) == recency("fact", -5) == 1.0
    assert recency("fact", 90) == pytest.approx(0.85)
    assert recency("experience", 30) == pytest.approx(0.7)
    assert recency("fact", 9999) == pytest.approx(0.7)
    assert recency("decision", 9999) == pytest.approx(0.4)


def test_a_guess_counts_for_little_until_it_is_borne_out() -> None:
    guess = source_weight("task_failure", evidence=False, support=1)
    assert guess < source_weight("task_failure", evidence=False, support=2)
    assert guess < source_weight("task_failure", evidence=True, support=0)
    assert source_weight("user_feedback", evidence=False, support=0) == 1.0
    assert source_weight("never heard of", evidence=False, support=0) == source_weight(
        "unknown", evidence=True, support=9
    )


def test_support_counts_up_to_a_bound() -> None:
    assert [borne_out(n) for n in (-1, 0, 1, 5, 500)] == pytest.approx([1.0, 1.0, 1.1, 1.5, 1.5])


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (-3, "less than a day"),
        (0, "less than a day"),
        (1, "1 day"),
        (13, "13 days"),
        (14, "2 weeks"),
        (59, "8 weeks"),
        (61, "2 months"),
        (150, "5 months"),
        (730, "2 years"),
        (3000, "8 years"),
    ],
)
def test_D068_an_age_in_words(days: float, said: str) -> None:
    assert age_words(NOW - timedelta(days=days), NOW) == f"verified {said} ago"


def test_words_are_without_marks() -> None:
    assert words("fix src/app.py:18, 用 pnpm! 🚀") == ["fix", "src", "app", "py", "18", "用*", "pnpm"]
