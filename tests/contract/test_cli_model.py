"""``meminbox model``: what is chosen and how far it is, choosing, checking; nothing reaches for the network unasked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import update

from console import modelling
from store import encoders, indexing
from store.encoders import Choice, EncoderMissing, builtin, models
from store.engine import open_store
from store.location import locate
from store.vector_rows import EMBEDDING, packed
from tests.cli_kit import Cli, Ran
from tests.contract.vector_kit import Letters


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    (tmp_path / "home").mkdir()
    return Cli(tmp_path / "home", tmp_path / "work")


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Letters]:
    """What stands for the built-in encoder."""
    given = Letters()
    monkeypatch.setattr(builtin, "BuiltIn", lambda: given)
    monkeypatch.setattr(builtin, "identity", lambda: given.identity)
    kept = encoders._KEPT
    kept.choice = kept.encoder = kept.reason = None
    yield given
    kept.choice = kept.encoder = kept.reason = None


def told(ran: Ran) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(ran.out)
    return values


def propose(cli: Cli, *texts: str) -> None:
    for text in texts:
        assert cli("propose", text).code == 0


def test_status_tells_what_is_chosen_and_how_much_is_encoded(cli: Cli) -> None:
    assert told(cli("model", "--json"))["indexed"] == {"done": 0, "total": 0}
    propose(cli, "Use uv here", "Deploys are on Mondays")
    said = told(cli("model", "status", "--json"))
    assert (said["encoder"], said["here"], said["stored"]) == ("built-in", True, [])
    assert said["indexed"] == {"done": 0, "total": 2}
    assert "encoded  0 of 2" in cli("model").out


def test_check_encodes_what_is_left_and_makes_anew_what_is_wrong(cli: Cli, encoder: Letters) -> None:
    propose(cli, "Use uv here", "Deploys are on Mondays")
    first = told(cli("model", "check", "--json"))
    assert (first["done"], first["total"], first["tried"], first["differ"]) == (2, 2, 2, 0)
    store = open_store(locate(str(cli.home / "meminbox.db")))
    with store.write() as connection:
        wrong = packed(np.eye(1, encoder.dim, dtype=np.float32)[0])
        connection.execute(update(EMBEDDING).values(vector=wrong))
    ran = cli("model", "check")
    assert (ran.code, "2 differ, and were made again" in ran.out) == (1, True)
    assert cli("model", "check").code == 0
    assert indexing.kept(store) == {encoder.key: 2}
    store.close()


def test_use_writes_one_setting_and_leaves_the_rest_of_the_file(cli: Cli) -> None:
    place = cli.home / "config.toml"
    place.write_text('# mine\n[keys]\npreset = "git"\n\n[model]\npooling = "cls"  # kept\n', encoding="utf-8")
    assert cli.person("model", "use", "words").code == 0
    text = place.read_text(encoding="utf-8")
    assert "# mine" in text
    assert 'pooling = "cls"  # kept' in text
    assert told(cli("model", "--json"))["encoder"] == "words"
    assert cli.person("model", "use", "built-in").code == 0
    assert told(cli("model", "--json"))["encoder"] == "built-in"


def test_what_is_not_here_is_not_chosen(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "find_spec", lambda _: object())
    ran = cli.person("model", "use", "BAAI/bge-small-zh-v1.5", env={"HF_HUB_CACHE": str(cli.home)})
    assert ran.code == 3
    assert "meminbox model fetch BAAI/bge-small-zh-v1.5" in ran.err
    assert not (cli.home / "config.toml").exists()


def test_an_agent_chooses_and_fetches_nothing(cli: Cli) -> None:
    for arguments in (("use", "words"), ("fetch",)):
        assert cli("model", *arguments).code == 2


def test_fetch_asks_before_it_reaches_for_the_network(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modelling, "fetch", lambda _: pytest.fail("fetched"))
    ran = cli.person("model", "fetch", typed="n\n")
    assert (ran.code, "Nothing was fetched" in ran.err) == (1, True)


def test_a_choice_that_is_gone_is_told_and_the_built_in_encoder_stands_in(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cli.home / "config.toml").write_text('[model]\nencoder = "BAAI/gone"\n', encoding="utf-8")
    propose(cli, "Use uv here")
    monkeypatch.setattr(models, "find_spec", lambda _: object())
    env = {"HF_HUB_CACHE": str(cli.home)}
    assert "stands in" in cli("model", env=env).out
    assert "BAAI/gone is not on this machine" in cli("doctor", env=env).out
    said = told(cli("model", "check", "--json", env=env))
    assert (said["loaded"], said["done"]) == ("letters", 1)
    assert "not on this machine" in said["reason"]


def test_without_any_encoder_words_remain(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise EncoderMissing("the built-in encoder is not installed")

    monkeypatch.setattr(builtin, "BuiltIn", none)
    ran = cli("model", "check")
    assert (ran.code, "Words alone judge likeness." in ran.out) == (1, True)


def test_mistakes_are_named(cli: Cli) -> None:
    assert cli("model", "train").code == 2
    assert cli("model", "status", "x").code == 2
    assert cli.person("model", "use").code == 2
    assert cli.person("model", "use", "./nowhere").code == 3


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    from store import config

    (tmp_path / "config.toml").write_text('[model]\nencoder = "built-in"\n', encoding="utf-8")
    read = config.read(tmp_path / "config.toml")
    assert encoders.chosen(read, {"MEMINBOX_ENCODER": "words"}) == Choice("words")
    assert encoders.chosen(read, {}) == Choice()
