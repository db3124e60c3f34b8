"""Encoders for tests: of whatever size and name, instant, and the same text always gives the same vector."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from store.encoders import Identity


class Letters:
    """Counts letter pairs, folded into ``dim`` numbers: what shares words is near. ``encoded`` says what was asked."""

    def __init__(self, dim: int = 64, name: str = "letters", pooling: str = "sum", prompt: str = "") -> None:
        self.identity = Identity(name, "1", dim, pooling, prompt)
        self.key = self.identity.key
        self.title = name
        self.dim = dim
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        self.encoded += texts
        found = np.zeros((len(texts), self.dim), dtype=np.float32)
        for at, text in enumerate(texts):
            for left, right in zip(f" {text}", text, strict=False):
                found[at, zlib.crc32((left + right).encode()) % self.dim] += 1
            found[at] /= max(float(np.linalg.norm(found[at])), 1e-9)
        return found

    def baseline(self, of: str) -> float:
        return 0.3

    def close(self) -> None:
        self.encoded.clear()
