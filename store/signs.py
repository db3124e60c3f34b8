"""Signs that a text is not what a memory should be: orders to its reader, pieces of answers, dates that will not keep.

Pure. Each sign is a flag that a person sees, with a detail that says why in words; none refuses anything. A detail
quotes only words of the tables here and numbers, never what else the text holds: a flag outlives a masking.

Texts are compared folded (``store.text.fold``), on one line, in English and Chinese. Every gap in a pattern is bounded,
so that no crafted text costs more than a plain one of its length. What each sign says wrongly is measured by
``tests/quality/test_signs.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from store.facts import Flag
from store.text import fold

MOST_READ: Final = 20_000
"""Characters of a text that are looked at: more than any text that is admitted has."""
MOST_BESIDE: Final = 160
"""Characters before and after a match that belong to its sentence at most."""
_BREAKS: Final = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_NOT: Final = re.compile(
    r"(?:\b(?:never|not|cannot|avoid|don't|doesn't|won't|can't|mustn't|shouldn't|no|forbid\w*|refuses?|rejects?|reject)"
    r"(?: to)?(?: \w+)?|\w+n't(?: \w+)?|不要|不得|不能|不可|不可以|不应|不准|不许|禁止|严禁|切勿|请勿|避免|别|勿|"
    r"未经)(?:把|将|向|在)?\s*$"
)
"""A negation right before an order turns it round: "never ignore earlier instructions" is no order to ignore them."""


@dataclass(frozen=True)
class Rule:
    """One kind of sentence. Texts without any of the ``cues`` are not looked at closer; ``pattern`` is compiled late.

    The groups of the pattern hold words of the table only: they are what the detail quotes. ``turned`` says that a
    negation right before it makes it harmless; ``beside`` is what must stand in the same sentence, whatever the order.
    """

    why: str
    cues: tuple[str, ...]
    pattern: str
    turned: bool = True
    beside: str = ""

    @cached_property
    def chinese(self) -> bool:
        """Whether it is about Chinese texts: plain ASCII need not be looked at."""
        return not self.cues[0].isascii()

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled at its first use."""
        return re.compile(self.pattern)

    @cached_property
    def _also(self) -> re.Pattern[str] | None:
        return re.compile(self.beside) if self.beside else None

    def _beside(self, text: str, match: re.Match[str]) -> tuple[str, ...] | None:
        """What stands beside a match in its sentence, if anything must; None where it does not."""
        if self._also is None:
            return ()
        start = max(0, match.start() - MOST_BESIDE)
        before = _BREAKS.split(text[start : match.start()])[-1]
        after = _BREAKS.split(text[match.end() : match.end() + MOST_BESIDE])[0]
        found = self._also.search(before) or self._also.search(after)
        return None if found is None else found.groups()

    def found(self, text: str) -> str | None:
        """What a detail says of a text (folded, on one line); None where the rule does not fit."""
        if not holds(text, self.cues):
            return None
        for match in self.compiled.finditer(text):
            if self.turned and _NOT.search(text[max(0, match.start() - 40) : match.start()]):
                continue
            beside = self._beside(text, match)
            if beside is None:
                continue
            quoted = " … ".join(dict.fromkeys(one.strip() for one in (*match.groups(), *beside) if one))
            return f"{self.why}: “{quoted}”" if quoted else self.why
        return None


def flat(text: str) -> str:
    """A text as the rules see it: folded, plain apostrophes, every run of white space one space."""
    return " ".join(fold(text[:MOST_READ]).replace("’", "'").split())


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [one.strip() for one in _BREAKS.split(text) if one.strip()]


def holds(text: str, cues: Sequence[str]) -> bool:
    """Whether any of these stands in a text: the quick look before a pattern."""
    for cue in cues:  # noqa: SIM110 (a generator costs twice the search)
        if cue in text:
            return True
    return False


def first(code: str, rules: Sequence[Rule], text: str) -> Flag | None:
    """The flag of the first rule that fits."""
    plain = text.isascii()
    for rule in rules:
        if plain and rule.chinese:
            continue
        detail = rule.found(text)
        if detail is not None:
            return Flag(code, detail)
    return None


def signs(content: str, *, before: str | None = None, said: datetime | None = None) -> tuple[Flag, ...]:
    """Every sign of a text, the gravest first. ``before`` is what it would replace, ``said`` when it was said."""
    from store import signs_orders, signs_text

    line = flat(content)
    found = (
        *signs_orders.orders(content, line),
        signs_text.link(content),
        signs_text.shrinks(before, content) if before is not None else None,
        signs_text.elision(content, before),
        signs_text.fragment(content),
        signs_text.relative_date(content, said),
    )
    return tuple(flag for flag in found if flag is not None)
