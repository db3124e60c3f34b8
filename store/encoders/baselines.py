"""m, the mean cosine of two texts that have nothing in common, by language: measured on our own sample sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from store.encoders.samples import CHINESE, ENGLISH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HIGHEST = 0.9
"""An encoder to which everything is alike tells nothing; the scale stays a scale even then."""


class Baselines:
    """The baselines of one encoder, measured when first asked for (48 short texts)."""

    def __init__(self, encode: Callable[..., NDArray[np.float32]]) -> None:
        self._encode = encode
        self._known: dict[str, float] | None = None

    def of(self, language: str) -> float:
        """The mean cosine of unrelated texts in ``en``, ``zh``, or one of each (``mixed``, and anything else)."""
        if self._known is None:
            self._known = self._measured()
        return self._known.get(language, self._known["mixed"])

    def _measured(self) -> dict[str, float]:
        english, chinese = self._encode(ENGLISH), self._encode(CHINESE)
        # Each text's Chinese twin says the same: those pairs, and a text with itself, are not of unrelated ones.
        found = {
            "en": _mean(english, english),
            "zh": _mean(chinese, chinese),
            "mixed": _mean(english, chinese),
        }
        return {name: min(max(mean, 0.0), HIGHEST) for name, mean in found.items()}


def _mean(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    cosines = a @ b.T
    count = len(a) * len(b) - len(a)
    return float((cosines.sum() - cosines.trace()) / count)
