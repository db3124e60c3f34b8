"""Intake limits and the config file: what is not understood is told and limits nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from store import config
from store.policy import UNLIMITED, Limit, read_limits


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
