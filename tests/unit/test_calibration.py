"""What past decisions say of an agent, by the interval that so few of them allow; a rule only where they support it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.calibration import (
    LEAST_DECISIONS,
    Bin,
    NoRule,
    Record,
    Suggestion,
    added,
    bin_of,
    interval,
    stated,
    suggest,
)
from store.policy import NO_RULES, Rule, Rules


def record(*bins: Bin, agent: str | None = "codex", kind: str | None = "fact", **more: object) -> Record:
    decided, right = sum(one.decided for one in bins), sum(one.right for one in bins)
    return Record(agent, kind, approved=right, rejected=decided - right, bins=bins, **more)  # type: ignore[arg-type]


def plain(right: int, of: int, low: float | None = None) -> Bin:
    """Decisions that a rule could have been about."""
    return Bin(low, of, right, None if low is None else low + 0.05, of, right)


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    # Published examples: Newcombe, Statistics in Medicine 17, 1998, table I, method 3 (score, without continuity).
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilson_s(right: int, of: int, low: float, high: float) -> None:
    assert interval(right, of) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500), st.integers(1, 500))
def test_an_interval_holds_the_share_and_narrows_with_more_decisions(right: int, more: int) -> None:
    of = right + more
    low, high = interval(right, of)
    assert 0 <= low <= right / of <= high <= 1
    wider_low, wider_high = interval(right, of, 2.5)
    assert wider_low <= low and high <= wider_high
    low_10, high_10 = interval(right * 10, of * 10)
    assert high_10 - low_10 < high - low


def test_nothing_is_known_of_nothing() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    assert stated(record()) is None
    assert isinstance(suggest(record(), NO_RULES), NoRule)


@pytest.mark.parametrize(
    ("confidence", "low"), [(None, None), (0.0, 0.0), (0.49, 0.0), (0.5, 0.5), (0.7, 0.7), (0.899, 0.8), (1.0, 0.9)]
)
def test_every_confidence_has_its_bin(confidence: float | None, low: float | None) -> None:
    assert bin_of(confidence) == low


@pytest.mark.parametrize(
    ("right", "of", "supported"),
    [(29, 29, False), (30, 30, True), (29, 30, False), (40, 41, True), (93, 100, True), (91, 100, False)],
)
def test_a_rule_is_suggested_only_where_thirty_decisions_and_the_lower_bound_support_it(
    right: int, of: int, supported: bool
) -> None:
    said = suggest(record(plain(right, of)), NO_RULES)
    assert isinstance(said, Suggestion) is supported
    if isinstance(said, Suggestion):
        assert (said.right, said.of) == (right, of)
        assert said.least == interval(right, of)[0] >= 0.85
        assert said.rule == Rule("codex-fact", frozenset({"codex"}), frozenset({"fact"}))
    else:
        assert ("30 decisions" in said.why) is (of < LEAST_DECISIONS)


def test_decisions_that_no_rule_could_have_been_about_support_none() -> None:
    updates = Bin(0.9, 200, 200, 0.95, plain=3, plain_right=3)
    said = suggest(record(updates), NO_RULES)
    assert isinstance(said, NoRule) and said.why.startswith("3 of the 30")


def test_where_only_the_sure_ones_are_right_the_rule_asks_for_that_confidence() -> None:
    said = suggest(record(plain(10, 40, 0.5), plain(60, 60, 0.8), plain(60, 60, 0.9)), NO_RULES)
    assert isinstance(said, Suggestion)
    assert said.rule.min_confidence == 0.6
    assert (said.right, said.of) == (120, 120)
    # Among five minima one looks good by chance: each must be surer than one bound alone.
    assert isinstance(suggest(record(plain(10, 40, 0.5), plain(30, 30, 0.9)), NO_RULES), NoRule)
    # What was not stated is above no minimum.
    assert isinstance(suggest(record(plain(10, 40), plain(20, 20, 0.9)), NO_RULES), NoRule)


def test_a_rule_holds_where_it_was_seen_to_hold() -> None:
    one = suggest(record(plain(60, 60), scopes=("shop",)), NO_RULES)
    two = suggest(record(plain(60, 60), scopes=("shop", "web")), NO_RULES)
    assert isinstance(one, Suggestion) and one.rule.scopes == frozenset({"shop"})
    assert isinstance(two, Suggestion) and two.rule.scopes is None


def test_no_rule_for_nobody_for_every_kind_or_twice() -> None:
    enough = plain(60, 60)
    assert isinstance(suggest(record(enough, agent=None), NO_RULES), NoRule)
    assert isinstance(suggest(record(enough, kind=None), NO_RULES), NoRule)
    there = Rules((Rule("mine", frozenset({"codex"})),))
    said = suggest(record(enough), there)
    assert isinstance(said, NoRule) and "mine" in said.why
    other = Rules((Rule("codex-fact", frozenset({"claude"})),))
    named = suggest(record(enough), other)
    assert isinstance(named, Suggestion) and named.rule.name == "codex-fact-2"


@given(st.text(max_size=200))
def test_whatever_an_agent_calls_itself_its_rule_has_a_proper_name(agent: str) -> None:
    from store.policy import RULE_NAME

    said = suggest(record(plain(60, 60), agent=agent), NO_RULES)
    assert isinstance(said, Suggestion)
    assert RULE_NAME.fullmatch(said.rule.name)
    assert said.rule.agents == {agent}


@pytest.mark.parametrize(
    ("right", "word"), [(40, "less sure"), (30, "fair"), (12, "surer")], ids=["better", "as stated", "worse"]
)
def test_stated_confidence_is_held_against_the_decisions(right: int, word: str) -> None:
    said = stated(record(Bin(0.7, 40, right, 0.75), Bin(None, 100, 0)))
    assert said is not None
    assert (said.word, said.right, said.of) == (word, right, 40)
    assert math.isclose(said.stated, 0.75)


def test_kinds_are_added_up() -> None:
    whole = added(
        [record(plain(3, 4, 0.8), proposed=9, scopes=("a",)), record(plain(1, 4, 0.8), plain(1, 1), proposed=2)],
        "codex",
    )
    assert (whole.proposed, whole.approved, whole.rejected, whole.kind) == (11, 5, 4, None)
    assert [(one.low, one.decided, one.right) for one in whole.bins] == [(None, 1, 1), (0.8, 8, 4)]
