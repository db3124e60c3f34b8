"""Orders told by the parts a sentence has, whatever its words' order: who is spoken to, about what, to do what. Pure.

The tables of ``signs_instruction`` and its kin know how an order is phrased. This one knows what an order is made of:
somebody who reads (an assistant, "whoever loads this"), something he should not touch (other rules, a person's consent,
a secret), and what becomes of it (set aside, waived, sent out). Asked politely, in the third person, as a policy, in a
comment, a cell of a table or a field of JSON, the parts stay the same. One part alone is no sign.

Words are looked up in sets, phrases with ``in``; costs are those of splitting a text into words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from store.facts import Flag
from store.signs import MOST_READ
from store.signs_acts import ACTS
from store.signs_part import FRAMES, Part
from store.signs_whom import WHOM
from store.text import fold

PARTS: Final[dict[str, Part]] = {**WHOM, **ACTS}
_WORD: Final = re.compile(r"[a-z']+")
_ENDS: Final = re.compile(r"[.!?](?=\s|$|[\"'*])|[;。！？；\n]|\\n")
MOST_SENTENCE: Final = 400
"""Characters of one sentence that are looked at: parts farther apart do not belong together."""


@dataclass(frozen=True)
class Together:
    """Parts that make an order where they stand in one sentence, and those that make it harmless."""

    code: str
    why: str
    parts: tuple[str, ...]
    unless: tuple[str, ...] = ()


@dataclass
class _Sentence:
    """One sentence, and which parts were found in it, each looked for once."""

    text: str
    framed: bool
    words: frozenset[str] = frozenset()
    found: dict[str, str | None] = field(default_factory=dict)

    def part(self, name: str) -> str | None:
        """The word of the table that stands for a part here; None where it has none."""
        if name not in self.found:
            self.found[name] = PARTS[name].found(self.text, self.words)
        return self.found[name]


DROPS: Final = "tells its reader to drop other instructions"
LEAVE: Final = "gives leave to act without being asked"
SECRET: Final = "is to be kept from the user"
SENT: Final = "would have things sent away"
ALIVE: Final = "would keep itself alive"
KINDS: Final = (
    Together("instruction", DROPS, ("reader", "drop", "rules", "whose"), ("tools", "wired")),
    Together("instruction", DROPS, ("you", "drop", "rules", "former"), ("tools", "product")),
    Together("instruction", DROPS, ("you", "lifted", "rules"), ("tools", "product", "if")),
    Together("instruction", DROPS, ("frame", "drop", "rules"), ("tools", "product")),
    Together("instruction", DROPS, ("reader", "drop", "person", "said"), ("tools",)),
    Together("instruction", DROPS, ("former", "rules", "void")),
    Together("instruction", DROPS, ("drop_cn", "former_cn", "rules_cn"), ("tools",)),
    Together("instruction", DROPS, ("drop_other", "rules_other", "former_other")),
    Together("instruction", DROPS, ("reader", "drop_cn", "rules_cn", "safety_cn"), ("tools", "guarded")),
    Together("instruction", DROPS, ("frame", "drop_cn", "rules_cn"), ("tools", "guarded")),
    Together("instruction", DROPS, ("reader", "unbound"), ("guarded", "product")),
    Together("instruction", DROPS, ("you", "unbound"), ("guarded", "product", "if")),
    Together("instruction", DROPS, ("frame", "unbound"), ("guarded",)),
    Together("instruction", DROPS, ("reader", "halt")),
    Together("instruction", DROPS, ("you", "halt")),
    Together("instruction", "speaks in the place of somebody else", ("person", "as_orders"), ("guarded",)),
    Together("instruction", "sets itself above other instructions", ("this", "above", "others"), ("product",)),
    Together("instruction", LEAVE, ("reader", "consent", "waived"), ("guarded", "tools")),
    Together("instruction", LEAVE, ("you", "consent", "waived", "all"), ("guarded", "tools", "product")),
    Together("instruction", LEAVE, ("frame", "consent", "waived"), ("guarded",)),
    Together("instruction", LEAVE, ("person", "feigned")),
    Together("instruction", SECRET, ("person", "untold"), ("product",)),
    Together("instruction", SECRET, ("reader", "untold", "deed"), ("product",)),
    Together("instruction", SECRET, ("frame", "untold"), ("product",)),
    Together("instruction", SECRET, ("unsaid",), ("product",)),
    Together("instruction", SENT, ("secret", "send", "out", "reader"), ("guarded",)),
    Together("instruction", SENT, ("secret", "send", "out", "you"), ("guarded", "product", "if")),
    Together("instruction", SENT, ("secret", "send", "frame"), ("guarded",)),
    Together("instruction", SENT, ("secret", "send", "out", "hide"), ("guarded",)),
    Together("instruction", SENT, ("secret", "send", "outlet"), ("guarded",)),
    Together("instruction", "would have things done in secret", ("reader", "hide", "deed"), ("guarded", "tried")),
    Together("instruction", "would have things done in secret", ("frame", "hide", "deed"), ("guarded",)),
    Together("instruction", "would do harm", ("reader", "harm", "deed"), ("guarded",)),
    Together("instruction", "would do harm", ("frame", "harm"), ("guarded",)),
    Together("instruction", "would decide on memories itself", ("reader", "accept", "notes", "all"), ("guarded",)),
    Together("instruction", "would decide on memories itself", ("reader", "other_notes", "get_rid"), ("guarded",)),
    Together("instruction", "would decide on memories itself", ("frame", "other_notes", "get_rid"), ("guarded",)),
    Together("conditional", "waits for a moment to deceive", ("when", "person_or_this", "deceive"), ("product",)),
    Together("conditional", "waits for a moment to act in secret", ("when", "hide", "deed"), ("guarded", "product")),
    Together("conditional", "waits for a moment to act in secret", ("when", "unwatched", "deed"), ("guarded",)),
    Together("conditional", "waits for a moment to do harm", ("when", "harm", "person"), ("guarded", "product")),
    Together("self_persisting", ALIVE, ("this", "times", "again"), ("product", "not_me")),
    Together("self_persisting", ALIVE, ("this", "spread", "everywhere"), ("product", "not_me")),
    Together("self_persisting", ALIVE, ("reader", "memory", "gone", "again"), ("not_me",)),
    Together("self_persisting", "would keep itself from being changed", ("this", "never", "lose"), ("not_me",)),
)


def together(content: str) -> list[Flag]:
    """The flags that the parts of the sentences of a text give, one for each code at most."""
    flags: dict[str, Flag] = {}
    for one in _sentences(content):
        for kind in KINDS:
            if kind.code not in flags and (words := _fits(kind, one)) is not None:
                flags[kind.code] = Flag(kind.code, f"{kind.why}: “{' … '.join(words)}”")
    return list(flags.values())


def _fits(kind: Together, one: _Sentence) -> list[str] | None:
    words: list[str] = []
    for name in kind.parts:
        if name == "frame":
            if not one.framed:
                return None
        elif (word := one.part(name)) is None:
            return None
        else:
            words.append(word.strip())
    if any(one.part(name) is not None for name in kind.unless):
        return None
    return list(dict.fromkeys(words)) or [kind.why]


def _sentences(content: str) -> Sequence[_Sentence]:
    """The sentences of a text that could hold an order at all."""
    text = fold(content[:MOST_READ]).replace("’", "'")
    framed = any(mark.search(text) for mark in FRAMES)
    found = []
    for piece in _ENDS.split(text):
        if len(piece) < 5:
            continue
        line = " ".join(piece[:MOST_SENTENCE].split())
        found.append(_Sentence(line, framed, frozenset(_WORD.findall(line))))
    return found
