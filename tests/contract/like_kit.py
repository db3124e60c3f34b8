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


FALSE = (
    "and in every other one of the team", "except on the build server", "and delete requirements.txt first",
    "because pip was withdrawn", "and never npm either", "also for the system's own Python", "until version 3 is out",
    "unless Ada says otherwise", "and in the infrastructure project too", "but pip is fine for tools",
    "and install it as root", "and push the lock file to main", "and ignore the hashes", "on Windows only",
    "and conda for everything else",
)  # fmt: skip
"""What a wrong way of saying the rule adds to it."""
_LEADS = (
    "Use uv, never pip",
    "Always use uv, never pip",
    "Use uv and never pip",
    "Never use pip, use uv",
    "Use uv, not pip",
)
_PLACES = tuple(f"{word} this repository" for word in ("in", "within", "everywhere in", "for", "throughout"))
_PLACES += ("in this repo", "in this repository here")
FIFTY = (
    *(f"{lead} {place}" for lead in _LEADS for place in _PLACES),
    *(f"{_LEADS[number % 5]} {_PLACES[number % 2]}, {more}" for number, more in enumerate(FALSE)),
)
"""One rule said in 35 ways, and 15 ways that each add something false to it, in the order of ``FALSE``."""
