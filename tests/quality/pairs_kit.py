"""Pairs of the shared data, their cosines by the built-in encoder, and how well a score parts two sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from store.encoders import Choice, load

DATA = Path(__file__).parents[3] / "shared" / "data"


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file, a line each."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def cosines(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The cosine of each pair's vectors."""
    encoder = load(Choice())
    assert encoder is not None
    one, other = (encoder.encode([pair[side] for pair in pairs]) for side in (0, 1))
    return [float(cos) for cos in (one * other).sum(axis=1)]


def auc(yes: Sequence[float], no: Sequence[float]) -> float:
    """The share of (yes, no) in which the yes has the higher score; a tie counts half."""
    wins = sum((a > b) + (a == b) / 2 for a in yes for b in no)
    return float(wins / (len(yes) * len(no)))
