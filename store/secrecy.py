"""A person's word on what may be a secret: mask it, or "not a secret", which is remembered and holds for the same text.

What is remembered is an HMAC-SHA256 under a key of this store (32 random bytes in ``setting``), never the text nor a
plain hash, from which a card or a telephone number could be found by trying. An undo of the decision takes the
remembering back, a redo gives it again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.entry import Entry, content_hash, fingerprint
from store.errors import SecretOpen
from store.facts import Flag, Operation, Proposal
from store.models import SettingRow

if TYPE_CHECKING:
    from datetime import datetime

    from store.ledger import Act
    from store.raw import Raw

SETTING = SettingRow.__table__  # type: ignore[attr-defined]
MAYBE: Final = "maybe_secret"
KEY: Final = "secrecy:key"
REMEMBERED: Final = "not a secret:"
TAKEN_BACK: Final = "secrecy:taken back"
"""Stands in a store in which such a word was once undone: then what came in unflagged because of it is asked about."""
SELECTION: Final = "not_a_secret"
"""Under this name an operation tells what it made remembered: HMACs, which tell nothing without the key."""
FIELDS: Final = ("content", "evidence", "aliases")
"""The fields of an entry in which doubt is weighed."""
Word = Literal["mask", "keep"]
_CHUNK: Final = 500


class Doubt(NamedTuple):
    """What may be a secret in an entry: the field, which of its texts, the span in code points, why, and the text.

    Where a later set of rules would mask what an older one let in, ``text`` is empty and ``why`` says what it is.
    """

    field: str
    place: int
    start: int
    end: int
    why: str
    text: str


def doubts(entry: Entry | Raw) -> list[Doubt]:
    """Every doubtful span of an entry or of an admitted proposal, in the order of its fields."""
    from store.redact import halves, uncertain

    found: list[Doubt] = []
    places = [(name, place, text) for name in FIELDS for place, text in enumerate(_texts(entry, name))]
    for name, place, text in places:
        found += (Doubt(name, place, *span[:2], span.why, text[span.start : span.end]) for span in uncertain(text))
    pair = halves([text for _, _, text in places])
    if pair is not None:
        for name, place, text in places:
            found += (Doubt(name, place, *span, "half a key", "".join(pair)) for span in _ends(text, pair))
    return found


def _ends(text: str, pair: tuple[str, str]) -> list[tuple[int, int]]:
    """Where the first half ends a text, or the second begins one."""
    first, second = (text.rfind(pair[0]), text.find(pair[1]))
    found = [(first, first + len(pair[0]))] if first >= 0 else []
    return found or ([(second, second + len(pair[1]))] if second >= 0 else [])


def _texts(entry: Entry | Raw, name: str) -> tuple[str, ...]:
    value = getattr(entry, name)
    return value if isinstance(value, tuple) else (value,) if value else ()


def open_doubts(connection: Connection, tenant: str, entry: Entry, version: int | None = None) -> list[Doubt]:
    """The doubts of an entry on which nobody has said a word yet.

    ``version`` is that of the rules it went through (None: the present ones); what the present ones would mask as well
    counts as one more doubt.
    """
    from store.redact import REDACTION_VERSION, redact_entry

    whole: list[Doubt] = []
    if version is not None and version < REDACTION_VERSION:
        now, flags = redact_entry(entry)
        if now != entry:
            whole = [Doubt("", 0, 0, 0, flags[0].detail if flags else "a secret", "")]
            entry = now
    found = [*doubts(entry), *whole]
    known = _remembered(connection, tenant, {one.text for one in found if one.text})
    return [one for one in found if one.text not in known]


def masked(entry: Entry, found: Iterable[Doubt]) -> Entry:
    """The entry with these spans masked, after what the present rules mask besides."""
    from store.redact import redact_entry, with_masks

    entry = redact_entry(entry)[0]
    spans: dict[str, dict[int, list[tuple[int, int]]]] = {}
    for one in found:
        if one.field:
            spans.setdefault(one.field, {}).setdefault(one.place, []).append((one.start, one.end))
    changed: dict[str, Any] = {}
    for name, places in spans.items():
        texts = tuple(with_masks(text, places.get(place, ())) for place, text in enumerate(_texts(entry, name)))
        changed[name] = texts if name == "aliases" else texts[0]
    return entry.with_(**changed)


# At a decision


def settled(
    act: Act, entry: Entry, word: Word | None, *, version: int | None = None, before: Entry | None = None
) -> Entry:
    """The entry as it may be kept, with the person's ``word`` on its open doubts; what it makes remembered is staged.

    What stood in ``before`` already needs no word. To be called before ``act`` is committed. Raises SecretOpen where
    there are doubts and no word.
    """
    stood = {one.text for one in doubts(before)} if before is not None else set()
    found = [one for one in open_doubts(act.connection, act.store.tenant, entry, version) if one.text not in stood]
    if not found:
        return entry
    if word is None:
        raise still_open(found)
    if word == "mask":
        act.selection["secret"] = "masked"
        return masked(entry, found)
    key = _key(act.connection, act.store.tenant, act.at)
    marks = sorted({mark(key, one.text) for one in found if one.text})
    act.selection[SELECTION] = marks
    _remember(act.connection, act.store.tenant, marks, act.at)
    return entry


def row_without(act: Act, proposal: Proposal, kept: Entry, word: Word | None = None) -> dict[str, Any]:
    """The columns of a proposal's row without the doubtful texts that its decision did not keep; empty without any.

    What was masked, or edited out, is gone for good: an undo brings the proposal back as a person left it, and no
    later copy of the store holds it.
    """
    if proposal.op == "remove" or not (word == "mask" or _flagged(proposal.flags)):
        return {}
    stays = {one.text for one in doubts(kept)}
    found = open_doubts(act.connection, act.store.tenant, proposal.entry, proposal.redaction_version)
    gone = [one for one in found if one.text not in stays]
    if not gone:
        return {}
    clean = masked(proposal.entry, gone)
    return {
        "content": clean.content,
        "evidence": clean.evidence,
        "aliases": list(clean.aliases),
        "content_hash": content_hash(clean.content),
        "fingerprint": fingerprint(clean.scope, proposal.op, clean.content),
    }


def still_open(found: Sequence[Doubt]) -> SecretOpen:
    """The refusal that says where what may be a secret stands, without the text."""
    places = dict.fromkeys((one.field, one.place, one.start, one.end, one.why) for one in found)
    told = "; ".join(dict.fromkeys(f"{_named(field)} {why}".strip() for field, _, _, _, why in places))
    return SecretOpen(f"It may hold a secret: {told}.", spans=tuple(places))


def _named(field: str) -> str:
    return {"content": "something in the text", "": "", "aliases": "something in its aliases"}.get(
        field, f"something in the {field}"
    )


def is_wary(connection: Connection, tenant: str) -> bool:
    """Whether a word was taken back here: a proposal's having no flag tells nothing then."""
    chosen = select(SETTING.c.name).where(SETTING.c.tenant_id == tenant, SETTING.c.name == TAKEN_BACK)
    return connection.execute(chosen).scalar() is not None


def settled_before(
    connection: Connection, tenant: str, proposal: Proposal, edited: Entry | None, *, wary: bool = False
) -> None:
    """Refuse an approval of what nobody has said a word on. A removal keeps nothing. Raises SecretOpen.

    ``wary``: look also where no flag asks for it.
    """
    from store.redact import REDACTION_VERSION

    if proposal.op == "remove":
        return
    old = proposal.redaction_version < REDACTION_VERSION
    if edited is None and not (old or wary or _flagged(proposal.flags)):
        return
    found = open_doubts(connection, tenant, edited or proposal.entry, None if edited else proposal.redaction_version)
    if found:
        raise still_open(found)


def turn(connection: Connection, tenant: str, root: Operation, *, undone: bool, at: datetime) -> None:
    """Take back what a decision made remembered, where it is undone; give it again, where it is redone."""
    marks = root.selection.get(SELECTION, ())
    if not marks:
        return
    if undone:
        names = [REMEMBERED + mark for mark in marks]
        for start in range(0, len(names), _CHUNK):
            part = names[start : start + _CHUNK]
            connection.execute(delete(SETTING).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(part)))
        if not is_wary(connection, tenant):
            row = {"tenant_id": tenant, "name": TAKEN_BACK, "value": {}, "at": at}
            connection.execute(insert(SETTING), [row])
    else:
        _remember(connection, tenant, marks, at)


# At intake, and for readers


def without_answered(connection: Connection, tenant: str, raws: Sequence[Raw]) -> list[Raw]:
    """Admitted proposals, with the flag dropped where a person has said of all of it that it is no secret."""
    if not any(_flagged(raw.flags) for raw in raws):
        return list(raws)
    answered = _answered(connection, tenant, [raw if _flagged(raw.flags) else None for raw in raws])
    return [replace(raw, flags=_unflagged(raw.flags)) if yes else raw for raw, yes in zip(raws, answered, strict=True)]


def without_answered_flags(connection: Connection, tenant: str, proposals: list[Proposal]) -> list[Proposal]:
    """The same for proposals that wait. What has been decided keeps the flags it was decided with."""
    open_ones = [one.entry if _flagged(one.flags) and one.status in _WAITING else None for one in proposals]
    if not any(open_ones):
        return proposals
    answered = _answered(connection, tenant, open_ones)
    return [
        replace(one, flags=_unflagged(one.flags)) if yes else one for one, yes in zip(proposals, answered, strict=True)
    ]


_WAITING: Final = ("draft", "pending", "deferred")


def _answered(connection: Connection, tenant: str, asked: Sequence[Entry | Raw | None]) -> list[bool]:
    """For each, whether it has doubts and all of them were called no secret; False for None."""
    if stored_key(connection, tenant) is None:
        return [False] * len(asked)
    found = [{one.text for one in doubts(entry)} if entry is not None else set() for entry in asked]
    known = _remembered(connection, tenant, set().union(*found))
    return [bool(texts) and texts <= known for texts in found]


def _flagged(flags: Iterable[Flag]) -> bool:
    return any(flag.code == MAYBE for flag in flags)


def _unflagged(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    return tuple(flag for flag in flags if flag.code != MAYBE)


# What is remembered


def mark(key: bytes, text: str) -> str:
    """What is remembered of a text that is no secret."""
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _remembered(connection: Connection, tenant: str, texts: set[str]) -> set[str]:
    """Of these texts, those that a person has called no secret."""
    key = stored_key(connection, tenant) if texts else None
    if key is None:
        return set()
    named = {REMEMBERED + mark(key, text): text for text in texts}
    names = sorted(named)
    known: set[str] = set()
    for start in range(0, len(names), _CHUNK):
        part = names[start : start + _CHUNK]
        chosen = select(SETTING.c.name).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(part))
        known |= {named[row.name] for row in connection.execute(chosen)}
    return known


def _remember(connection: Connection, tenant: str, marks: Iterable[str], at: datetime) -> None:
    names = [REMEMBERED + mark for mark in marks]
    chosen = select(SETTING.c.name).where(SETTING.c.tenant_id == tenant, SETTING.c.name.in_(names))
    there = {row.name for row in connection.execute(chosen)}
    rows = [{"tenant_id": tenant, "name": name, "value": {}, "at": at} for name in names if name not in there]
    if rows:
        connection.execute(insert(SETTING), rows)


def remembered(connection: Connection, tenant: str) -> frozenset[str]:
    """Every mark of this store: what somebody has called no secret."""
    named = SETTING.c.name.startswith(REMEMBERED, autoescape=True)
    chosen = select(SETTING.c.name).where(SETTING.c.tenant_id == tenant, named)
    return frozenset(name[len(REMEMBERED) :] for (name,) in connection.execute(chosen))


def stored_key(connection: Connection, tenant: str) -> bytes | None:
    """The key of this store; None where nobody has said such a word yet."""
    chosen = select(SETTING.c.value).where(SETTING.c.tenant_id == tenant, SETTING.c.name == KEY)
    value = connection.execute(chosen).scalar()
    return bytes.fromhex(value["key"]) if value else None


def _key(connection: Connection, tenant: str, at: datetime) -> bytes:
    """The key of this store, made where there is none yet."""
    key = stored_key(connection, tenant)
    if key is None:
        key = secrets.token_bytes(32)
        row = {"tenant_id": tenant, "name": KEY, "value": {"key": key.hex()}, "at": at}
        connection.execute(insert(SETTING), [row])
    return key
