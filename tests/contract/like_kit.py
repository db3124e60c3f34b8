"""A small encoder for tests of likeness: words become directions, and texts with the same words point the same way."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from store.encoders import Identity
from store.likeness import marks


class Bag:
    """An ``Encoder`` of 64 numbers: the sum of a direction for each word, by its stem and group of synonyms."""

    title = "bag of words"
    dim = 64

    def __init__(self, name: str = "bag") -> None:
        self.identity = Identity(name, "1", self.dim, "sum")
        self.key = self.identity.key
        self.asked = 0

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """One row a text."""
        self.asked += len(texts)
        made = np.stack([self._vector(text) for text in texts]) if texts else np.empty((0, self.dim))
        return made.astype(np.float32)

    def _vector(self, text: str) -> NDArray[np.float64]:
        total = np.zeros(self.dim)
        for mark in marks(text) or {text}:
            random = np.random.default_rng(zlib.crc32(mark.encode()))
            total += random.standard_normal(self.dim)
        return total / np.linalg.norm(total)

    def baseline(self, of: str) -> float:
        """Unrelated words are at right angles."""
        return 0.0

    def close(self) -> None:
        """Nothing is held."""
