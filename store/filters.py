"""The filter language of the console and the command line (design section 6). Pure: words in, a ``Filter`` out.

``conf<0.6 agent:codex kind:preference flag:conflict scope:shop session: source: op: age>30d changed:3d text``

``contains:`` finds any run of characters within a text, which is slower than words; ``like:`` finds what is near in
words or meaning, the nearest first.

Terms stand side by side and all must hold. A full-width colon, ``＜``, ``＞``, ``≤``, ``≥`` and a full-width space are
as good as their narrow forms. A value or a text in quotes may hold spaces: ``agent:"claude code"``, ``"two words"``.
Everything that is no term is text, and text is literal: ``%``, ``_``, ``*`` and a lone quote mean themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from store.entry import KINDS, OPS, SOURCES

Comparison = Literal["=", "<", "<=", ">", ">="]
UNKNOWN: Final = "unknown"
"""As a value: absent. ``conf:unknown``, ``agent:unknown``, ``session:unknown``."""
NONE: Final = "none"
"""As a value of flag: without any."""
ANY: Final = "any"
"""And: with at least one."""
ANY_RULE: Final = "any"
NO_RULE: Final = "none"
"""As values of ``auto``: what any rule approved, and what none did."""
FLAGS: Final = (
    "conflict",
    "stale_base",
    "rejected_before",
    "shrinks",
    "elision",
    "hidden",
    "masked",
    "maybe_secret",
    "guess",
    "instruction",
    "conditional",
    "self_persisting",
    "relative_date",
    "fragment",
    "in_instructions",
    "echo",
    "path_missing",
    "link",
    "over_limit",
    "episodes",
)
"""The flag codes of design section 5.5, and those that came since."""
COUNTED: Final = frozenset({"conf", "agent", "kind", "scope", "source", "age", "changed"})
"""The fields of which the index of what waits holds all there is to know."""
LONGEST_TEXT: Final = 400
"""Characters a literal text may have: the engines cap the length of a pattern."""


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. ``value`` is a float for conf, a timedelta for age and changed, else a string.

    ``value`` is None where the field must be absent (``conf:unknown``, ``flag:none``).
    """

    field: str
    comparison: Comparison
    value: str | float | timedelta | None


@dataclass(frozen=True, slots=True)
class Filter:
    """What ``parse`` understood. ``errors`` says in words for people what it did not; those terms hold nobody back."""

    given: str = ""
    terms: tuple[Term, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The literal texts, in the order typed."""
        return tuple(str(term.value) for term in self.terms if term.field == "text")

    @property
    def like(self) -> str:
        """What the memories are to be like, or empty."""
        return " ".join(str(term.value) for term in self.terms if term.field == "like")

    @property
    def empty(self) -> bool:
        """Whether everything passes."""
        return not self.terms

    @property
    def counted(self) -> bool:
        """Whether an index alone tells how many proposals pass: long before all have come, and no row is read."""
        return all(term.field in COUNTED for term in self.terms)


EVERYTHING: Final = Filter()
"""The filter that lets everything pass."""

_SIGN: Final = r"(?:[<>＜＞][=＝]?|[≤≥:：=＝])"
_TERM: Final = re.compile(rf"([A-Za-zＡ-Ｚａ-ｚ_]+)({_SIGN})(.*)", re.DOTALL)
_QUOTES: Final = {'"': '"', "“": "”", "＂": "＂"}
_AGE: Final = re.compile(r"(\d{1,5}(?:\.\d+)?)(h|d|w|mo|m|y)?", re.ASCII | re.IGNORECASE)
UNITS: Final = {
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
"""What an age is counted in."""


class Refused(Exception):
    """A term that cannot be meant; the message is for people. Never leaves ``parse``."""


Reader = Callable[[str, str, str], Term]
"""(name of the field, sign, value) -> the condition; raises Refused with the reason in words for people."""


def parse(text: str, fields: Mapping[str, Reader] | None = None) -> Filter:
    """Understand a filter line. Never raises: what is wrong with it stands in ``errors`` of the answer.

    ``fields`` are those of the queue and the library where none are given.
    """
    known = _FIELDS if fields is None else fields
    terms: list[Term] = []
    errors: list[str] = []
    for piece, quoted in _pieces(text):
        try:
            term = _text(piece) if quoted else _term(piece, known)
        except Refused as refused:
            errors.append(str(refused))
        else:
            if term is not None:
                terms.append(term)
    return Filter(given=text, terms=tuple(terms), errors=tuple(errors))


def _pieces(text: str) -> list[tuple[str, bool]]:
    """The line cut at white space outside quotes; the flag says that a piece is a quoted text as a whole."""
    found: list[tuple[str, bool]] = []
    at, size = 0, len(text)
    while at < size:
        if text[at].isspace():
            at += 1
            continue
        inside = _quoted(text, at)
        if inside is not None:
            found.append((inside, True))
            at += len(inside) + 2
            continue
        start = at
        while at < size and not text[at].isspace():
            value = _quoted(text, at) if at > start and text[at - 1] in ":：=＝" else None
            at += len(value) + 2 if value is not None else 1
        found.append((text[start:at], False))
    return found


def _quoted(text: str, at: int) -> str | None:
    """What stands between the quote at ``at`` and its partner, or None where no quoted text begins here.

    A partner is followed by white space or the end, so a quote inside a word stays a literal character.
    """
    closing = _QUOTES.get(text[at])
    if closing is None:
        return None
    end = text.find(closing, at + 1)
    while end >= 0 and end + 1 < len(text) and not text[end + 1].isspace():
        end = text.find(closing, end + 1)
    return text[at + 1 : end] if end > at + 1 else None


def _term(piece: str, fields: Mapping[str, Reader]) -> Term | None:
    matched = _TERM.fullmatch(piece)
    if matched is None:
        return _text(piece)
    name, sign, value = matched.groups()
    name = name.translate(_NARROW).lower()
    sign = _comparison(sign)
    reader = fields.get(name)
    if reader is not None:
        return reader(name, sign, _bare(value))
    if sign != ":" or not value or value[0] in ":/\\":  # a URL, std::vector, a Windows path, TODO:
        return _text(piece)
    known = ", ".join(fields)
    raise Refused(f'There is no field "{name}": put the text in quotes to look for it. The fields are {known}.')


_NARROW: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}


def _comparison(sign: str) -> str:
    return sign.translate(_NARROW).replace("≤", "<=").replace("≥", ">=")


def _bare(value: str) -> str:
    inside = _quoted(value, 0) if value else None
    return value if inside is None else inside


def _text(piece: str) -> Term:
    _check_text(piece)
    return Term("text", "=", piece)


def _check_text(piece: str) -> None:
    if len(piece) > LONGEST_TEXT:
        raise Refused(f"The text to look for is too long: {len(piece):,} characters, {LONGEST_TEXT} at most.")
    if "\x00" in piece or any("\ud800" <= char <= "\udfff" for char in piece):
        raise Refused("The text to look for holds a character that no text can hold.")


def _only_equal(name: str, sign: str) -> None:
    if sign not in (":", "="):
        raise Refused(f"{name} knows no {sign}: write {name}:value.")


def _needs_value(name: str, value: str) -> None:
    if not value:
        raise Refused(f"{name} needs a value, as in {_EXAMPLES[name]}.")


def _literal(name: str, sign: str, value: str) -> Term:
    """agent, session, scope: part of the value, whatever its case."""
    _only_equal(name, sign)
    _needs_value(name, value)
    _check_text(value)
    return Term(name, "=", None if value.lower() == UNKNOWN and name != "scope" else value)


def _whole(name: str, sign: str, value: str) -> Term:
    """contains and like: the value as it stands."""
    _only_equal(name, sign)
    _needs_value(name, value)
    _check_text(value)
    return Term(name, "=", value)


def _choice(values: tuple[str, ...], words: dict[str, str]) -> Reader:
    """A reader for a field with fixed values; a beginning that fits one value only is enough."""

    def read(name: str, sign: str, value: str) -> Term:
        _only_equal(name, sign)
        _needs_value(name, value)
        asked = value.translate(_NARROW).lower().replace("-", "_").replace(" ", "_")
        if asked in words or value in words:
            return Term(name, "=", words.get(asked) or words[value])
        fitting = [one for one in values if one == asked] or [one for one in values if one.startswith(asked)]
        if len(fitting) != 1:
            raise Refused(f'{name} cannot be "{value}". It is one of {", ".join(values)}.')
        return Term(name, "=", fitting[0])

    return read


def _flag(name: str, sign: str, value: str) -> Term:
    """flag: a code of ``FLAGS``; ``none`` finds what has no flag at all, ``any`` what has one."""
    if value.translate(_NARROW).lower() == NONE:
        _only_equal(name, sign)
        return Term(name, "=", None)
    return _choice((*FLAGS, ANY), {})(name, sign, value)


def _confidence(name: str, sign: str, value: str) -> Term:
    """conf: 0 to 1. What is unknown is neither above nor below anything; ``conf:unknown`` finds it."""
    _needs_value(name, value)
    narrow = value.translate(_NARROW).lower()
    if narrow == UNKNOWN:
        _only_equal(name, sign)
        return Term(name, "=", None)
    try:
        number = float(narrow)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise Refused(f'conf is a number from 0 to 1, or "unknown", not "{value}".')
    return Term(name, _equal(sign), number)


def _span(name: str, sign: str, value: str) -> Term:
    """age and changed: a number of hours, days, weeks, months (30 days) or years; days where no unit is given."""
    _needs_value(name, value)
    if name == "age" and sign in (":", "="):
        raise Refused("age needs < or >, as in age>30d.")
    matched = _AGE.fullmatch(value.translate(_NARROW))
    if matched is None:
        raise Refused(f'{name} is a number of days such as {_EXAMPLES[name]}, not "{value}".')
    amount, unit = matched.groups()
    span = float(amount) * UNITS[(unit or "d").lower()]
    if span > timedelta(days=365 * 1000):
        raise Refused(f"{name} reaches back too far: {value}.")
    return Term(name, "<=" if sign in (":", "=") else _equal(sign), span)


def _by_rule(name: str, sign: str, value: str) -> Term:
    """auto: the name of a rule, ``any`` for all of them, ``none`` for what no rule approved."""
    _only_equal(name, sign)
    _needs_value(name, value)
    _check_text(value)
    asked = value.lower()
    return Term(name, "=", None if asked == NO_RULE else asked)


def _equal(sign: str) -> Comparison:
    known: dict[str, Comparison] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
    return known.get(sign, "=")


_EXAMPLES: Final = {
    "conf": "conf<0.6",
    "agent": "agent:codex",
    "kind": "kind:preference",
    "flag": "flag:conflict",
    "scope": "scope:shop",
    "session": "session:7f3a",
    "source": "source:manual",
    "op": "op:update",
    "age": "age>30d",
    "changed": "changed:3d",
    "auto": "auto:any",
    "pinned": "pinned:yes",
    "contains": 'contains:"re-tri"',
    "like": 'like:"how to deploy"',
}
_FIELDS: Final[dict[str, Reader]] = {
    "conf": _confidence,
    "agent": _literal,
    "kind": _choice(KINDS, {"case": "experience"}),
    "flag": _flag,
    "scope": _literal,
    "session": _literal,
    "source": _choice(SOURCES, {}),
    "op": _choice(OPS, {"+": "add", "~": "update", "-": "remove"}),
    "age": _span,
    "changed": _span,
    "auto": _by_rule,
    "pinned": _choice(("yes", "no"), {}),
    "contains": _whole,
    "like": _whole,
}
FIELDS: Final = tuple(_FIELDS)
"""The names of the fields, in the order the help names them."""
