"""The one place through which every text passes before it is written anywhere, the spool included (design 4.2).

What is certainly a secret, or personal and masked by policy, becomes a mask such as ``[aws access key]``, and the item
is flagged ``masked``. What only may be one stays, and the item is flagged ``maybe_secret``: approving it needs a
person's word (``store.secrecy``). Flags name the kind, the number and the field, never the value.

A change of the rules is a new ``REDACTION_VERSION``; the version that a text went through is kept with it. Applied
twice nothing changes more. What comes out is admissible again, only its sizes may double.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from store.entry import Entry
from store.facts import Flag
from store.raw import Raw
from store.rules import commands, doubt, personal, prose, shapes, vendors
from store.rules.doubt import Span
from store.rules.folding import Folded, fold, parted, unescaped
from store.rules.policy import MASK_ALL, Policy, current
from store.rules.vendors import Hit

__all__ = ["REDACTION_VERSION", "Policy", "Span", "redact", "redact_entry", "redact_text", "uncertain", "with_masks"]

REDACTION_VERSION: Final = 1
MASKED: Final = "masked"
MAYBE: Final = "maybe_secret"
TEXTS: Final = (
    "content", "key", "scope", "source_agent", "session_id", "source_ref", "evidence", "excerpt", "target",
    "idempotency_key",
)  # fmt: skip
"""The text fields of a proposal; an entry has those that it knows."""
LISTS: Final = ("aliases", "paths")
PROSE: Final = ("content", "key", "evidence", "excerpt", "aliases", "paths")
"""Fields in which people and places are masked; the others name things, and only secrets are masked in them."""
WEIGHED: Final = ("content", "evidence", "aliases")
"""Fields in which what may be a secret is looked for."""
_PASSES: Final = 6
_PASSES_OF_LONG: Final = 3
"""Times that a text is gone over for what comes together only where something was masked; then it goes whole."""
_LONG: Final = 20_000
"""Characters from which on a text is longer than any proposal's."""
_SHORTEST: Final = 6
_SHORTEST_NAME: Final = 16
"""No secret that is told by its form alone is shorter."""
_MOST_NAMES: Final = 512
_LONGEST_AGAIN: Final = 200
_MOST_AGAIN: Final = 40
_plain_names: set[str] = set()
"""Names of agents, sessions and scopes without a secret in them: a batch says the same ones again and again."""
_NAMED: Final = {"content": "the text", "source_ref": "the source", "source_agent": "the agent's name"}


@dataclass(slots=True, repr=False)
class _Found:
    """What was found in an item: masks by (what, field), and doubts by (why, field)."""

    masks: Counter[tuple[str, str]] = field(default_factory=Counter)
    doubts: Counter[tuple[str, str]] = field(default_factory=Counter)
    values: dict[str, str] = field(default_factory=dict)
    """What was masked as a secret, for as long as this item is looked at; by its text what it is."""

    def note(self, text: str, hits: Iterable[Hit], place: str) -> None:
        """Count these masks, and keep what no word of prose could be to look for it again."""
        for hit in hits:
            self.masks[hit.what, place] += 1
            if len(self.values) >= _MOST_AGAIN:
                continue
            value = text[hit.start : hit.end]
            telling = any(char.isdigit() for char in value) or not value.replace("-", "").isalpha()
            if telling and _SHORTEST <= len(value) <= _LONGEST_AGAIN:
                self.values[value] = hit.what

    def flags(self) -> tuple[Flag, ...]:
        """The flags for people: how many of what, in which field."""
        made = []
        if self.masks:
            made.append(Flag(MASKED, _counted(self.masks)))
        if self.doubts:
            made.append(Flag(MAYBE, _counted(self.doubts)))
        return tuple(made)


def _counted(found: Counter[tuple[str, str]]) -> str:
    told = []
    for (what, name), number in found.items():
        place = f" in {_NAMED.get(name, name)}" if name else ""
        told.append(f"{what if number == 1 else f'{number:,} x {what}'}{place}")
    return ", ".join(told)


def redact(raw: Raw, policy: Policy | None = None) -> Raw:
    """An admitted proposal with secrets masked, the flags of what was found added, and the version noted."""
    said = {name: getattr(raw, name) for name in (*TEXTS, *LISTS)}
    changed, found = _fields(said, policy or current())
    flags = raw.flags + tuple(flag for flag in found.flags() if flag not in raw.flags)
    return replace(raw, **changed, flags=flags, redaction_version=REDACTION_VERSION)  # type: ignore[arg-type]


def redact_entry(entry: Entry, policy: Policy | None = None) -> tuple[Entry, tuple[Flag, ...]]:
    """The same for an entry that a person edited: the entry to store, and the flags it has earned."""
    said = {name: getattr(entry, name, None) for name in (*TEXTS, *LISTS)}
    changed, found = _fields(said, policy or current())
    return (entry.with_(**changed) if changed else entry), found.flags()


def redact_text(text: str, policy: Policy | None = None) -> tuple[str, tuple[Flag, ...]]:
    """One text with its secrets masked, and a flag for what was masked or is doubtful. Twice is the same as once."""
    changed, found = _fields({"content": text}, policy or current(), alone=True)
    return str(changed.get("content", text)), found.flags()


def uncertain(text: str, policy: Policy | None = None) -> tuple[Span, ...]:
    """What in a redacted text may still be a secret, in order: spans in code points, and why. They do not overlap."""
    if len(text) < _SHORTEST:
        return ()
    return tuple(sorted(_doubtful(fold(text), policy or current())))


def with_masks(text: str, spans: Iterable[tuple[int, int]], what: str = "secret") -> str:
    """``text`` with each of these spans masked by a person's word."""
    return _masked(text, [Hit(start, end, what) for start, end in sorted(spans)], slug=False)


def halves(texts: Iterable[str]) -> tuple[str, str] | None:
    """The two halves of a known key, where one ends one of these texts and the other begins another."""
    return doubt.across(texts)


# Fields


def _fields(said: dict[str, object], policy: Policy, *, alone: bool = False) -> tuple[dict[str, object], _Found]:
    """The fields that change, and what was found; ``alone``: one text without a name."""
    found = _Found()
    made = {
        name: [_masked_text(str(part), name, policy, found, alone=alone) for part in _parts(value)]
        for name, value in said.items()
    }
    if found.values:  # what is a secret in one place is one wherever else it stands
        for name in PROSE:
            made[name] = [_repeats(text, name, policy, found, alone=alone) for text in made.get(name, ())]
    for name in WEIGHED:
        for text in made.get(name, ()):
            if len(text) >= _SHORTEST:
                found.doubts.update((span.why, "" if alone else name) for span in _doubtful(fold(text), policy))
    if not alone and halves(text for name in WEIGHED for text in made[name]) is not None:
        found.doubts["a key in two halves", ""] += 1
    changed: dict[str, object] = {}
    for name, value in said.items():
        if made[name] != list(_parts(value)):
            changed[name] = tuple(made[name]) if isinstance(value, tuple) else made[name][0]
    return changed, found


def _parts(value: object) -> tuple[object, ...]:
    return (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def _masked_text(text: str, name: str, policy: Policy, found: _Found, *, alone: bool) -> str:
    """One text with all that is certain masked; what was, is counted in ``found``."""
    prose_like = name in PROSE
    if len(text) < _SHORTEST or (not prose_like and (len(text) < _SHORTEST_NAME or text in _plain_names)):
        return text
    before = text
    passes = _PASSES if len(text) < _LONG else _PASSES_OF_LONG
    for turn in range(2 * passes):
        hits = _certain(text, fold(text), policy if prose_like else None)
        if not hits:
            break
        if turn >= passes:  # made to be found without end: it goes whole
            hits = [Hit(hits[0].start, hits[-1].end, hits[0].what)]
        found.note(text, hits, "" if alone else name)
        text = _masked(text, hits, slug=name == "key")
    if not prose_like and text == before and len(_plain_names) < _MOST_NAMES:
        _plain_names.add(text)
    return text


def _repeats(text: str, name: str, policy: Policy, found: _Found, *, alone: bool) -> str:
    """The text with what was masked as a secret elsewhere masked as well."""
    hits: list[Hit] = []
    for value, what in found.values.items():
        at = text.find(value)
        while at >= 0:
            end = at + len(value)
            if not _joins(text[at - 1 : at], value[0]) and not _joins(text[end : end + 1], value[-1]):
                hits.append(Hit(at, end, what))
            at = text.find(value, end)
    if not hits:
        return text
    hits = _merged(hits)
    found.note(text, hits, "" if alone else name)
    return _masked_text(_masked(text, hits, slug=name == "key"), name, policy, found, alone=alone)


def _joins(beside: str, edge: str) -> bool:
    """Whether a character carries on the word that ends here."""
    return bool(beside) and beside.isascii() and beside.isalnum() and edge.isalnum()


def _masked(text: str, hits: Iterable[Hit], *, slug: bool) -> str:
    """The text with each hit masked. In a key a mask is spelt as a key may be."""
    parts: list[str] = []
    done = 0
    for start, end, what in hits:
        mask = "~" if what == personal.HOME else f"[{what}]"
        parts += (text[done:start], f"masked-{what.replace(' ', '-')}" if slug else mask)
        done = end
    made = "".join((*parts, text[done:]))
    return made[:128] if slug else made


# Finding


def _certain(text: str, folded: Folded, policy: Policy | None) -> list[Hit]:
    """What is masked, as spans of the text before folding, in order and apart. ``policy`` None: secrets only."""
    views = [folded, parted(text)] if folded.dropped else [folded]
    ranked = [_placed(view, hit) for view in views for hit in _secrets(view)]
    inner = unescaped(folded)
    if inner is not None:
        ranked += [_placed(inner, hit) for hit in _secrets(inner)]
    if policy is not None:
        secret = bytearray(len(text))
        for hit in ranked:
            secret[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
        people = [_placed(view, hit) for view in views for hit in _people(view, policy, "mask")]
        ranked += [hit for hit in people if _apart(hit, secret)]
    return _merged(ranked)


def _secrets(folded: Folded) -> Iterator[Hit]:
    text, lowered = folded.text, folded.lowered
    yield from vendors.find(text)
    yield from shapes.find(text, lowered)
    yield from commands.find(text, lowered)
    yield from prose.find(text, lowered)


def _people(folded: Folded, policy: Policy, choice: str) -> Iterator[Hit]:
    for hit in personal.find(folded.text, folded.lowered):
        named = personal.POLICY.get(hit.what)
        if (getattr(policy, named) if named else "mask") == choice:
            yield hit


def _apart(hit: Hit, secret: bytearray) -> bool:
    """Whether a find about people is none of a secret: ``password@host`` in a URL looks like an address."""
    return hit.what not in (personal.EMAIL, personal.HOST, personal.HOME) or secret.find(1, hit.start, hit.end) < 0


def _placed(folded: Folded, hit: Hit) -> Hit:
    return Hit(*folded.span(hit.start, hit.end), hit.what)


def _merged(ranked: list[Hit]) -> list[Hit]:
    """Overlapping finds as one, from the first to the last character, called what the first that was looked for is."""
    made: list[tuple[int, Hit]] = []
    for rank, hit in sorted(enumerate(ranked), key=lambda one: (one[1].start, -one[1].end, one[0])):
        if made and hit.start < made[-1][1].end:
            before, last = made[-1]
            best = min(before, rank)
            made[-1] = (best, Hit(last.start, max(last.end, hit.end), ranked[best].what))
        else:
            made.append((rank, hit))
    return [hit for _, hit in made]


def _doubtful(folded: Folded, policy: Policy) -> Iterator[Span]:
    for span in doubt.find(folded.text, folded.lowered, _holds_a_key):
        yield Span(*folded.span(span.start, span.end), span.why)
    if policy != MASK_ALL:
        for hit in _merged([_placed(folded, hit) for hit in _people(folded, policy, "hold")]):
            yield Span(hit.start, hit.end, hit.what)


def _holds_a_key(text: str) -> bool:
    return any(vendors.find(text)) or any(shapes.find(text, text.lower()))
