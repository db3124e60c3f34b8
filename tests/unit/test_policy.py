"""Limits, rules and the config file: what is not understood is told, limits nothing and approves nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import config
from store.entry import GLOBAL, Entry
from store.policy import (
    MOST_RULES,
    UNLIMITED,
    Limit,
    Rule,
    Rules,
    config_lines,
    read_limits,
    read_rules,
)


def test_no_section_limits_nobody() -> None:
    limits, messages = read_limits(None)
    assert not limits
    assert messages == ()
    assert limits.of("codex") is UNLIMITED


def test_an_agent_has_its_own_limits_else_those_of_every_agent() -> None:
    limits, messages = read_limits({"codex": {"kinds": ["fact", "decision"]}, "*": {"per_session": 5}})
    assert messages == ()
    assert limits.of("codex") == Limit(kinds=frozenset({"fact", "decision"}))
    assert limits.of("gemini") == limits.of(None) == Limit(per_session=5)


def test_a_limit_of_nothing_is_a_limit() -> None:
    limits, _ = read_limits({"codex": {"per_session": 0}})
    assert limits.of("codex").per_session == 0


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (7, "[limits] is not a table"),
        ({"codex": 7}, "[limits.codex] is not a table"),
        ({"codex": {"kinds": "fact"}}, "limits.codex.kinds"),
        ({"codex": {"kinds": ["rumour"]}}, "limits.codex.kinds"),
        ({"codex": {"per_session": -1}}, "limits.codex.per_session"),
        ({"codex": {"per_session": True}}, "limits.codex.per_session"),
        ({"codex": {"per_hour": 1}}, "limits.codex.per_hour is not known"),
    ],
)
def test_what_is_not_understood_is_told_and_limits_nothing(section: object, said: str) -> None:
    limits, messages = read_limits(section)
    assert said in " ".join(messages)
    assert limits.of("codex") == UNLIMITED


def write(folder: Path, data: bytes) -> config.Config:
    path = folder / "config.toml"
    path.write_bytes(data)
    return config.read(path)


def test_a_missing_config_is_an_empty_one(tmp_path: Path) -> None:
    assert config.read(tmp_path / "config.toml").messages == ()
    assert config.load({"MEMINBOX_HOME": str(tmp_path)}).path == tmp_path / "config.toml"


def test_the_good_part_of_a_config_holds_beside_the_bad(tmp_path: Path) -> None:
    found = write(tmp_path, b'colour = 1\n[limits.codex]\nper_session = 3\nkinds = 9\n[keys]\n"queue.approve" = "y"\n')
    assert found.limits.of("codex") == Limit(per_session=3)
    assert found.section("keys") == {"queue.approve": "y"}
    assert found.section("console") == {}
    assert len(found.messages) == 2
    assert all(str(found.path) in message for message in found.messages)


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe", b"[limits", b"x = " + b"[" * 50_000, b"#" * (300 * 1024), b"\x00", b"limits = 3", b"a = 1\na = 2"],
)
def test_a_malformed_config_is_a_message_and_never_a_crash(tmp_path: Path, data: bytes) -> None:
    found = write(tmp_path, data)
    assert not found.limits
    assert found.messages


def test_a_config_that_cannot_be_read_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    assert "cannot be read" in config.read(tmp_path / "config.toml").messages[0]


# -- rules of approval

GOOD: dict[str, Any] = {"name": "codex-facts", "agent": "codex"}


def entry(**said: Any) -> Entry:
    return Entry(**{"scope": "shop", "content": "Tests run", "kind": "fact", "source_agent": "codex", **said})


def test_no_section_approves_nothing() -> None:
    rules, messages = read_rules(None)
    assert not rules
    assert messages == ()
    assert rules.for_entry(entry()) is None


def test_a_rule_asks_for_all_that_it_names() -> None:
    several = {**GOOD, "kind": ["fact", "procedure"], "source": "task_success", "scope": "shop", "min_confidence": 0.8}
    rules, messages = read_rules([several])
    assert messages == ()
    fits = {"source": "task_success", "confidence": 0.8}
    assert rules.for_entry(entry(**fits)) == rules.all[0]
    for other in (
        {"source_agent": "claude"},
        {"source_agent": None},
        {"kind": "preference"},
        {"source": "unknown"},
        {"scope": "web"},
        {"scope": GLOBAL},
        {"confidence": 0.79},
        {"confidence": None},
    ):
        assert rules.for_entry(entry(**{**fits, **other})) is None, other


def test_a_rule_is_for_global_only_where_it_says_so() -> None:
    rules, _ = read_rules([GOOD])
    assert rules.for_entry(entry(scope="any project")) is not None
    assert rules.for_entry(entry(scope=GLOBAL)) is None
    rules, _ = read_rules([{**GOOD, "scope": ["shop", "global"]}])
    assert rules.for_entry(entry(scope=GLOBAL)) is not None


def test_a_minimum_of_nothing_still_asks_for_a_stated_confidence() -> None:
    rules, _ = read_rules([{**GOOD, "min_confidence": 0}])
    assert rules.for_entry(entry(confidence=0.0)) is not None
    assert rules.for_entry(entry()) is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (7, "not a table"),
        ({"agent": "codex"}, "needs a name"),
        ({**GOOD, "name": "Codex facts"}, "needs a name"),
        ({**GOOD, "name": 7}, "needs a name"),
        ({"name": "all"}, "names no agent"),
        ({**GOOD, "agent": "*"}, "every agent"),
        ({**GOOD, "agent": ["codex", "*"]}, "every agent"),
        ({**GOOD, "agent": []}, "agent is neither"),
        ({**GOOD, "agent": ""}, "agent is neither"),
        ({**GOOD, "kind": "rumour"}, "there is no kind"),
        ({**GOOD, "kind": []}, "kind is neither"),
        ({**GOOD, "source": 3}, "source is neither"),
        ({**GOOD, "min_confidence": "0.8"}, "min_confidence is not a number"),
        ({**GOOD, "min_confidence": 1.5}, "min_confidence is not a number"),
        ({**GOOD, "min_confidence": True}, "min_confidence is not a number"),
        ({**GOOD, "min_confidence": float("nan")}, "min_confidence is not a number"),
        ({**GOOD, "minimum_confidence": 0.8}, "minimum_confidence is not known"),
    ],
)
def test_a_rule_with_any_part_not_understood_approves_nothing(said: object, why: str) -> None:
    rules, messages = read_rules([said, {**GOOD, "name": "beside"}])
    assert why in messages[0] and "number 1" in messages[0]
    assert [rule.name for rule in rules.all] == ["beside"]


def test_rules_are_a_list_with_names_of_their_own_and_an_end() -> None:
    assert "[[approve]]" in read_rules(GOOD)[1][0]
    rules, messages = read_rules([GOOD, {**GOOD, "kind": "fact"}])
    assert len(rules.all) == 1 and rules.all[0].kinds is None
    assert "another rule is called codex-facts" in messages[0]
    rules, messages = read_rules([{**GOOD, "name": f"r{n}"} for n in range(MOST_RULES + 1)])
    assert len(rules.all) == MOST_RULES and messages


def test_rules_of_a_config_file_stand_beside_what_is_wrong_in_it(tmp_path: Path) -> None:
    lines = '[[approve]]\nname = "a"\nagent = "codex"\n[[approve]]\nname = "b"\n[limits]\ncodex = 3\n'
    found = write(tmp_path, lines.encode())
    assert [rule.name for rule in found.rules.all] == ["a"]
    assert len(found.messages) == 2
    assert not write(tmp_path, b"[approve]\nname = 'a'\nagent = 'codex'\n").rules


def test_rules_that_anybody_could_have_written_approve_nothing(tmp_path: Path) -> None:
    found = write(tmp_path, b'[[approve]]\nname = "a"\nagent = "codex"\n[limits.codex]\nper_session = 3\n')
    assert found.rules
    found.path.chmod(0o606)
    found = config.read(found.path)
    assert not found.rules and found.limits
    assert "anybody on this machine" in found.messages[0]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)
NAMES = st.frozensets(TEXTS.filter(lambda text: text != "*"), min_size=1, max_size=3)


@given(
    NAMES,
    st.none() | st.frozensets(st.sampled_from(["fact", "preference"]), min_size=1),
    st.none() | NAMES,
    st.none() | st.sampled_from([0.0, 0.5, 0.85, 1.0]),
)
def test_the_lines_of_a_rule_read_back_as_that_rule(
    agents: frozenset[str], kinds: frozenset[str] | None, scopes: frozenset[str] | None, minimum: float | None
) -> None:
    rule = Rule("r-1", agents, kinds=kinds, scopes=scopes, min_confidence=minimum)
    lines = config_lines(rule)
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert read_rules(tomllib.loads("\n".join(lines))["approve"]) == (Rules((rule,)), ())


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ({"name": "any", "agent": "codex"}, "auto:any means something else"),
        ({"name": "all", "agent": "codex", "scope": "*"}, "scope * is no project"),
    ],
)
def test_a_rule_that_would_be_mistaken_for_another_thing_approves_nothing(rule: dict[str, str], why: str) -> None:
    rules, messages = read_rules([rule])
    assert not rules and why in messages[0]
