"""The process that holds a model: ``meminbox encoder``, started by ``aside``. It reads texts and writes vectors.

The first frame is the choice, answered with the identity; each further one holds texts, answered with their vectors as
little-endian float32. The end of standard input is its end.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from store.encoders import BUILT_IN, EncoderMissing, Identity, frames, models

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NICE: Final = 10
_UNFIT: Final = (AttributeError, ImportError, KeyError, OSError, RuntimeError, TypeError, ValueError)
"""What those libraries raise for a folder that holds something else than a whole model: none of their own kind."""


class _Model(Protocol):
    @property
    def identity(self) -> Identity: ...

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]: ...


def main(arguments: list[str]) -> int:  # noqa: ARG001  (as every quick command)
    """Serve the process that started us until it ends. Returns the exit code."""
    os.nice(_NICE)
    source = os.dup(0)
    answers = os.dup(1)
    os.dup2(2, 1)  # a library that prints must not print among the vectors
    try:
        asked, _ = frames.read(source)
        try:
            model = _loaded(asked)
        except EncoderMissing as error:
            frames.write(answers, {"missing": error.what})
            return 1
        one = model.identity
        parts = {"name": one.name, "revision": one.revision, "dim": one.dim, "pooling": one.pooling}
        frames.write(answers, {"identity": {**parts, "prompt": one.prompt}})
        while True:
            asked, _ = frames.read(source)
            vectors = model.encode(asked["texts"], query=bool(asked["query"]))
            frames.write(answers, {}, vectors.astype("<f4").tobytes())
    except frames.Ended:
        return 0


def _loaded(asked: dict[str, Any]) -> _Model:
    if asked["encoder"] == BUILT_IN:
        from store.encoders.builtin import BuiltIn

        return BuiltIn()
    return SentenceModel(asked["title"], Path(asked["folder"]), asked)


class SentenceModel:
    """A sentence-transformers model, from a folder on this machine."""

    def __init__(self, name: str, folder: Path, asked: dict[str, Any]) -> None:
        """Load it; no code that a model's folder brings is run. Raises EncoderMissing where it cannot be loaded."""
        revision = models.revision_of(folder)
        try:
            import torch
            from sentence_transformers import SentenceTransformer

            torch.set_num_threads(1)
            self._model: Any = SentenceTransformer(
                str(folder), device="cpu", local_files_only=True, trust_remote_code=False
            )
            pooling = self._pool(asked.get("pooling"))
            self._prompts = self._prompted(asked)
            dim = self._model.encode(["a"], show_progress_bar=False).shape[1]
        except _UNFIT as error:
            raise EncoderMissing(f"{name} cannot be loaded ({type(error).__name__})") from error
        self.identity = Identity(name, revision, dim, pooling, "\x1f".join(self._prompts))

    def _pool(self, wanted: str | None) -> str:
        """Take the pooling that was asked for, where the model has any; what it is now, in a word."""
        for part in self._model:
            if type(part).__name__ == "Pooling":
                if wanted is not None:
                    part.pooling_mode = wanted
                return str(part.pooling_mode)
        return "own"

    def _prompted(self, asked: dict[str, Any]) -> tuple[str, str]:
        """What is put before a query and before a text: the person's choice, else the model's own."""
        own = {name: prompt or "" for name, prompt in (self._model.prompts or {}).items()}
        query = asked.get("query_prompt") or own.get("query", "")
        text = asked.get("text_prompt") or own.get("document", own.get("passage", ""))
        return query, text

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """The vectors of these texts, one row each, of length 1."""
        import numpy as np

        prompt = self._prompts[0 if query else 1]
        found = self._model.encode(list(texts), prompt=prompt or None, batch_size=16, show_progress_bar=False)
        vectors: NDArray[np.float32] = np.nan_to_num(np.asarray(found, dtype=np.float32))
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors
