"""Whether a run of letters and digits was drawn at random, or written, numbered, hashed. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import ne
from typing import Final

_SHORTEST: Final = 20
"""Characters below which the chance of an error is too great."""
# Hexadecimal is a digest, an id or a commit until a word says otherwise; 26 capitals and digits are a ULID.
_NUMBERED: Final = r"(?:0x)?[0-9a-fA-F-]+|age1[a-z0-9]{50,60}|[0-9]+|[0-9A-Z]{26}"
_WORDS: Final = r"[a-z]{5,}|[A-Z]{6,}|[A-Z][a-z]{4,}"


def is_random(said: str) -> bool:
    """Whether ``said`` looks drawn.

    Drawn from all letters and digits, neighbours are of different kinds in 62 of 100 places (in 40 where there is only
    one case); in names made of words in about 25.
    """
    core = said.strip("-_=~")
    if len(core) < _SHORTEST or _compiled(_NUMBERED).fullmatch(core):
        return False
    drawn = kinds(core)
    if "0" not in drawn or not ("a" in drawn or "A" in drawn):
        return False
    parts = core.replace("_", "-").split("-")
    if len(parts) > 3 and max(map(len, parts)) < 12:
        return False
    words = _compiled(_WORDS).findall(core)
    if sum(len(word) for word in words) * 3 > len(core) or (len(core) < 60 and len(set(core)) < len(core) * 0.3):
        return False
    if "a" in drawn and "A" in drawn:
        return changes(drawn) >= 0.36
    return len(core) >= 24 and "-" not in core and "_" not in core and changes(drawn) >= 0.28


def kinds(said: str) -> str:
    """Each character's kind: ``0`` a digit, ``a`` and ``A`` a letter, ``!`` anything else."""
    if said.isascii():
        return said.translate(_KINDS)
    return "".join(map(_kind, said))


def _kind(char: str) -> str:
    return "0" if char.isdigit() else "a" if char.islower() else "A" if char.isupper() else "!"


_KINDS: Final = {code: _kind(chr(code)) for code in range(128)}


def changes(drawn: str) -> float:
    """In how many places of 1 the neighbours are of different kinds."""
    different: int = sum(map(ne, drawn, drawn[1:]))
    return different / max(1, len(drawn) - 1)


@lru_cache(maxsize=2)
def _compiled(said: str) -> re.Pattern[str]:
    return re.compile(said)
