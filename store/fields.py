"""The fields of a proposal and the rule of each: plain values in, a ``Raw`` or one sentence about what is wrong.

Sizes are bytes of UTF-8, everywhere. Where a value can only mean one thing it is taken as meant: a number given as
text (``"0.5"``), a list given as JSON text (``"[\\"a\\", \\"b\\"]"``) or as one text without a comma, -0.0 for 0,
``case`` for ``experience`` (the word on screen), CRLF for LF, and an empty text for an absent optional field. Nothing
else is converted, and nothing is cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from store.characters import Mark, code, describe, first_refused, is_blank, label, looks_like, marks, quoted
from store.decoding import MAX_DEPTH, Bad, NotDecoded, decode
from store.entry import KEY_GRAMMAR, KINDS, OPS, SOURCES, Entry
from store.facts import Flag
from store.raw import FIELDS, NotAdmitted, Raw

MAX_CONTENT: Final = 16 * 1024
MAX_ALIASES: Final = 32
MAX_PATHS: Final = 64
FIRST_YEAR, LAST_YEAR = 2000, 2200
_KIND_WORDS: Final = {"case": "experience"}


@dataclass(frozen=True, slots=True)
class _Text:
    """The rule of a text field: its size in bytes, whether LF and TAB may stand in it, whether it is an identifier.

    Identifiers are compared exactly, so nothing invisible may stand in them.
    """

    most: int
    lines: bool = False
    exact: bool = False


_TEXTS: Final = {
    "content": _Text(MAX_CONTENT, lines=True),
    "scope": _Text(1024, exact=True),
    "source_agent": _Text(256, exact=True),
    "session_id": _Text(256, exact=True),
    "source_ref": _Text(1024),
    "evidence": _Text(8 * 1024, lines=True),
    "excerpt": _Text(8 * 1024, lines=True),
    "target": _Text(256, exact=True),
    "idempotency_key": _Text(256, exact=True),
}
_LISTS: Final = {"aliases": (MAX_ALIASES, _Text(256)), "paths": (MAX_PATHS, _Text(1024))}
_WORDS: Final = {"op": OPS, "kind": KINDS, "source": SOURCES}
_OURS: Final = frozenset(
    (
        "id", "status", "actor", "surface", "revision", "version", "previous_value", "flags", "mentions", "pinned",
        "created_at", "updated_at", "decided_at", "approved", "approved_at", "approved_by", "tenant", "tenant_id",
        "content_hash", "fingerprint", "redaction_version", "branch", "commit", "commit_hash", "excerpt", "support",
        "uses", "last_used", "last_verified",
    )
)  # fmt: skip


def check(values: object, *, line: int = 1, room: int = 1) -> Raw:
    """Plain JSON values as an admitted proposal. Raises NotAdmitted, and nothing else, whatever the values are.

    ``room`` widens every size for texts that have been through redaction: a mask may be longer than what it masks.
    """
    if not isinstance(values, Mapping):
        raise NotAdmitted(values.reason if isinstance(values, Bad) else f"{_kind_of(values)}, not an object.")
    _look(values, "")
    _known(values)
    said: dict[str, Any] = {}
    for name in FIELDS:
        value = values.get(name)
        if value is not None:
            said[name] = _CHECKS[name](name, value, room)
    said = {name: value for name, value in said.items() if value is not None}
    made = Raw(line=line, **said)
    _whole(made, values)
    return _flagged(made)


def check_excerpt(value: object, *, room: int = 1) -> str | None:
    """The words of a transcript, which stand beside what was said. Raises NotAdmitted, as for evidence."""
    if value is None:
        return None
    _look(value, "excerpt")
    return _text("excerpt", value, room)


def _whole(raw: Raw, values: Mapping[Any, Any]) -> None:
    if raw.op == "remove":
        if raw.target is None and raw.key is None:
            raise NotAdmitted("remove needs a target (a memory's id or key) or a key.")
    elif raw.content is None:
        others = (
            f" (the fields given are {', '.join(quoted(str(name)) for name in list(values)[:8])})" if values else ""
        )
        raise NotAdmitted(f"content is missing{others}.")


def _look(value: object, path: str, depth: int = 0) -> None:
    """Refuse what no text may hold, and what JSON does not know, wherever it stands; names of fields included."""
    if isinstance(value, str):
        _allowed(value, path)
    elif isinstance(value, Bad):
        raise NotAdmitted(f"{path}: {value.reason}." if path else f"{value.reason}.")
    elif depth > MAX_DEPTH:
        raise NotAdmitted(f"nested deeper than {MAX_DEPTH} levels.")
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            _allowed(str(name), "the name of a field")
            _look(inner, f"{path}.{_named(str(name))}" if path else _named(str(name)), depth + 1)
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value, 1):
            _look(inner, f"{path}, item {place}", depth + 1)


def _named(name: str) -> str:
    return name if name in FIELDS else quoted(name)


def _allowed(text: str, path: str) -> None:
    # A CRLF counts as the LF it becomes; the offset stays that of the text as given.
    found = first_refused(text.replace("\r\n", " \n"))
    if found is None:
        return
    place = f"at offset {found.offset:,} of {path}" if path else f"at offset {found.offset:,}"
    if found.kind == "tag":
        hidden = f", which hide the text {quoted(found.spelt, most=200)}" if found.spelt else ""
        raise NotAdmitted(
            f"{code(found.char)} {place}: tag characters{hidden}. They are taken only inside a flag emoji."
        )
    if found.kind == "surrogate":
        raise NotAdmitted(f"{code(found.char)} {place}: half a character (a lone surrogate).")
    if found.char == "\r":
        raise NotAdmitted(f"{label(found.char)} {place}: a carriage return without a line feed.")
    raise NotAdmitted(f"{label(found.char)} {place}: a control character; only LF and TAB are taken.")


def _known(values: Mapping[Any, Any]) -> None:
    unknown = [str(name) for name in values if name not in FIELDS]
    if not unknown:
        return
    named = ", ".join(quoted(name) for name in unknown[:8]) + (" and others" if len(unknown) > 8 else "")
    if all(name in _OURS for name in unknown):
        raise NotAdmitted(f"{named}: set by Meminbox, never by who proposes.")
    fields = "field" if len(unknown) == 1 else "fields"
    raise NotAdmitted(f"unknown {fields} {named}; known are {', '.join(FIELDS)}.")


def _kind_of(value: object) -> str:
    kinds = ((bool, "true or false"), (str, "a text"), (int | float, "a number"), (Mapping, "an object"))
    named = next((words for kind, words in kinds if isinstance(value, kind)), None)
    return named or ("null" if value is None else "a list" if isinstance(value, list | tuple) else "no JSON value")


# Texts


def _text(name: str, value: object, room: int) -> str | None:
    rule = _TEXTS[name]
    if not isinstance(value, str):
        raise NotAdmitted(f"{name} is {_kind_of(value)}; it must be a text.")
    if name in ("content", "scope"):
        return _checked(name, value, rule, room)
    return _checked(name, value, rule, room) if value.strip() else None


def _checked(name: str, value: str, rule: _Text, room: int) -> str:
    text = value.replace("\r\n", "\n")
    size = len(text.encode("utf-8"))
    if size > rule.most * room:
        raise NotAdmitted(f"{name} is {size:,} bytes of UTF-8; at most {rule.most:,} are taken.")
    if is_blank(text):
        seen = "; nothing in it would be seen" if text.strip() else ""
        raise NotAdmitted(f"{name} is empty{seen}.")
    if not rule.lines and ("\n" in text or "\t" in text):
        raise NotAdmitted(f"{name} must be one line, without TAB: {quoted(text)}.")
    if rule.exact:
        _exact(name, text)
    return text


def _exact(name: str, text: str) -> None:
    found = marks(text)
    if found:
        raise NotAdmitted(f"{name} {quoted(text)} holds {describe(found)}, which cannot be told apart by eye.")
    if text != text.strip():
        raise NotAdmitted(f"{name} {quoted(text)} starts or ends with a space.")


def _word(name: str, value: object, _room: int) -> str:
    known = _WORDS[name]
    if isinstance(value, str) and value in known:
        return value
    if name == "kind" and isinstance(value, str) and value in _KIND_WORDS:
        return _KIND_WORDS[value]
    said = quoted(value) if isinstance(value, str) else _kind_of(value)
    raise NotAdmitted(f"{name} is {said}; it is one of {', '.join(known)}.")


def _key(_name: str, value: object, _room: int) -> str:
    if not isinstance(value, str):
        raise NotAdmitted(f"key is {_kind_of(value)}; it must be a text.")
    if KEY_GRAMMAR.fullmatch(value):
        return value
    rule = "A key is lower-case ASCII letters, digits, '.', '_' and '-', starts with a letter or digit, at most 128"
    if not value:
        raise NotAdmitted(f"key is empty; leave it out instead. {rule}.")
    if len(value) > 128:
        raise NotAdmitted(f"key {quoted(value)} is too long. {rule}.")
    odd = next((char for char in value if not char.isascii()), None)
    seen = looks_like(value)
    if odd is not None:
        twin = f", but looks like {quoted(seen)}" if KEY_GRAMMAR.fullmatch(seen) else ""
        raise NotAdmitted(f"key {quoted(value)} holds {label(odd)} at offset {value.index(odd)}{twin}. {rule}.")
    hint = " Write it in lower case?" if KEY_GRAMMAR.fullmatch(value.lower()) else ""
    raise NotAdmitted(f"key {quoted(value)} is outside the grammar. {rule}.{hint}")


# Lists


def _list(name: str, value: object, room: int) -> tuple[str, ...] | None:
    most, rule = _LISTS[name]
    items = _items(name, value)
    if len(items) > most:
        raise NotAdmitted(f"{name} has {len(items):,} items; at most {most} are taken.")
    for place, item in enumerate(items, 1):
        if not isinstance(item, str):
            raise NotAdmitted(f"{name}, item {place} is {_kind_of(item)}; it must be a text.")
    made = tuple(_checked(f"{name}, item {place}", str(item), rule, room) for place, item in enumerate(items, 1))
    return made or None


def _items(name: str, value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    if not isinstance(value, str):
        raise NotAdmitted(f"{name} is {_kind_of(value)}; it must be a list of texts.")
    text = value.strip()
    if text.startswith("["):
        try:
            inner, end = decode(text)
        except NotDecoded as error:
            raise NotAdmitted(f"{name} is a text that starts like a list: {error}.") from None
        if isinstance(inner, list) and end == len(text):
            _look(inner, name)
            return inner
    if "," in text or "\n" in text:
        raise NotAdmitted(f'{name} is one text, {quoted(text)}; write a list such as ["a", "b"].')
    return [value] if text else []


# Numbers and times

_NUMBER: Final = r"(?a)-?(?:[0-9]{1,20}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?"
_TIME: Final = (
    r"(?a)([0-9]{4})-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::([0-9]{2})(?:\.[0-9]{1,9})?)?"
    r"(Z|z|[+-][0-9]{2}:?[0-9]{2})?"
)


def _confidence(_name: str, value: object, _room: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise NotAdmitted(f"confidence is {_kind_of(value)}; it must be a number from 0 to 1, or absent.")
    if isinstance(value, str):
        said = value.strip()
        if not re.fullmatch(_NUMBER, said):
            point = " (the decimal sign is a point)" if re.fullmatch(r"[0-9]+,[0-9]+", said) else ""
            raise NotAdmitted(f"confidence is {quoted(value)}, not a number{point}; from 0 to 1, or absent.")
        number = float(said)
    else:
        number = value
    if not 0 <= number <= 1:
        raise NotAdmitted(f"confidence is {quoted(str(value), most=30)[1:-1]}; it must be from 0 to 1, or absent.")
    # Adding zero turns -0.0 into 0.0.
    return float(number) + 0.0


def _time(name: str, value: object, _room: int) -> datetime | None:
    if not isinstance(value, str):
        raise NotAdmitted(f"{name} is {_kind_of(value)}; it must be a time such as 2027-03-01T18:00:00+01:00.")
    said = value.strip()
    if not said:
        return None
    parts = re.fullmatch(_TIME, said)
    if parts is None:
        late = " (its year has more than four digits)" if re.match(r"[+-]?[0-9]{5,}-", said) else ""
        raise NotAdmitted(f"{name} is {quoted(value)}{late}; it must be a time such as 2027-03-01T18:00:00+01:00.")
    year, second, zone = parts.groups()
    if zone is None:
        raise NotAdmitted(f"{name} is {quoted(value)}, without a zone; end it with Z or an offset such as +01:00.")
    if second == "60":
        raise NotAdmitted(f"{name} is {quoted(value)}: a leap second has no place in the store; use second 59.")
    try:
        made = datetime.fromisoformat(said.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise NotAdmitted(f"{name} is {quoted(value)}: {error}.") from None
    if not FIRST_YEAR <= made.year <= LAST_YEAR:
        raise NotAdmitted(f"{name} is in the year {int(year)}; from {FIRST_YEAR} to {LAST_YEAR}, or absent for no end.")
    return made


_CHECKS: Final = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_LISTS, _list),
    **dict.fromkeys(_WORDS, _word),
    "key": _key,
    "confidence": _confidence,
    "valid_until": _time,
}


# Flags


def _flagged(raw: Raw) -> Raw:
    detail = hidden_detail(raw)
    if not detail:
        return raw
    said = {name: getattr(raw, name) for name in Raw.__slots__}
    return Raw(**said | {"flags": (Flag("hidden", detail),)})


def hidden_detail(raw: Raw | Entry) -> str:
    """The hidden characters of an entry in words, by field (``2 in content: ...``); empty where there are none."""
    told = []
    for name in ("content", "evidence", "source_ref", "aliases", "paths"):
        value = getattr(raw, name)
        found: list[Mark] = []
        for text in value if isinstance(value, tuple) else (value or "",):
            found += [mark for mark in marks(text) if mark.hides]
        if found:
            told.append(f"{len(found):,} in {name}: {describe(found)}")
    return "; ".join(told)
