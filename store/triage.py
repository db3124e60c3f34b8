"""A checked line -> what becomes of it: the ordered steps of design section 5, deterministic, against a ``Book``.

``STEPS`` is the order. A step may complete the case, or answer the line and so end it. Steps look only into the
book, which was filled in bulk; none asks the store by itself (the count for an intake limit aside).
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from store.book import ID_LENGTH, Book, Waiting
from store.context import Context
from store.entry import GLOBAL, KEY_GRAMMAR, Entry, content_hash, fingerprint, group_id
from store.facts import Flag, Outcome
from store.policy import Limits
from store.raw import Raw

SUFFIX: Final = re.compile(r"[0-9a-f-]{4,36}", re.ASCII)
_ENGLISH: Final = r"\b(?:from now on|from here on|always|never|every ?time|each time)\b"
_CHINESE: Final = "以后|以後|每次|总是|總是|从现在起|從現在起|从今以后|從今以後|一律|不要再"
DIRECTIVE: Final = re.compile(f"{_ENGLISH}|{_CHINESE}")
"""A standing order rather than a mood: it need not be said twice. Matched on NFKC, lower case, single spaces."""
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
CAUSES: Final = {"rejected": "turned down", "deleted": "deleted", "rolled_back": "rolled back"}


@dataclass
class Case:
    """One line on its way through the steps.

    ``id`` is the proposal that it becomes if it is queued, ``at`` when it was proposed. ``target`` is the row of the
    active memory that it is about, ``kin`` the undecided proposal that it names as its target.
    """

    said: Raw
    context: Context
    limits: Limits
    id: str
    at: datetime
    op: str = "add"
    target: Any = None
    kin: Waiting | None = None
    entry: Entry = field(init=False)
    mark: str = ""
    flags: list[Flag] = field(default_factory=list)
    over_limit: bool = False

    @property
    def claimed(self) -> bool:
        """Whether the session is only the proposer's word."""
        return not self.context.witnessed

    def answer(self, status: str, reason: str | None = None, of: str | None = None) -> Outcome:
        """This line's outcome; the count of pending ones is added when the batch is written."""
        return Outcome(line=self.said.line, status=status, id=of, reason=reason)


Step = Callable[[Case, Book], Outcome | None]


# -- 0: the same call again


def answer_name(key: str) -> str:
    """The name of the setting that holds the answer to an idempotency key."""
    return "answer:" + hashlib.sha256(key.encode("utf-8")).hexdigest()


def what_is_said(line: Raw) -> str:
    """The digest that tells a retry from another proposal under the same idempotency key, as hex."""
    said = [line.op, line.scope, line.key, line.target, line.content]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode("utf-8")).hexdigest()


def repeated(case: Case, book: Book) -> Outcome | None:
    """A retry of an answered call is given the answer it missed; another text under the same key is refused."""
    if case.id in book.taken:
        return case.answer("pending", "taken in before", case.id)
    key = case.said.idempotency_key
    known = book.answers.get(answer_name(key)) if key is not None else None
    if known is None:
        return None
    if known["said"] != what_is_said(case.said):
        return case.answer("refused", "this idempotency_key was used before for another proposal")
    return case.answer(known["status"], known["reason"], known["id"])


# -- what it is about


def places_of(case: Case) -> list[str]:
    """The scopes in which a key or a suffix of this line is looked for: its own; else the project, then global."""
    scope = scope_of(case)
    return [scope] if scope is not None else [case.context.scope, GLOBAL]


def scope_of(case: Case) -> str | None:
    """The scope that a line names, its project's readable label taken as the project; None where it names none."""
    said, context = case.said.scope, case.context
    return context.scope if said is not None and said == context.label else said


def is_id(token: str) -> bool:
    """Whether a target is a whole id."""
    return len(token) == ID_LENGTH and SUFFIX.fullmatch(token.lower()) is not None


def is_suffix(token: str) -> bool:
    """Whether a target may be the end of an id."""
    return len(token) < ID_LENGTH and SUFFIX.fullmatch(token.lower()) is not None


def aim(case: Case, book: Book) -> Outcome | None:
    """Find what an update or a removal is about, and take over from it what the line leaves unsaid."""
    said = case.said
    case.op = said.op
    key = said.key
    if said.target is not None:
        refusal = _by_token(case, book, said.target)
        if refusal is not None:
            return refusal
        if case.target is None and key is None and not is_suffix(said.target) and KEY_GRAMMAR.fullmatch(said.target):
            key = said.target if not is_id(said.target) else None
    elif case.op != "add" and key is not None:
        _by_key(case, book, key)
    if case.op == "remove":
        return _removal(case, key)
    _complete(case, key)
    return None


def _by_key(case: Case, book: Book, key: str) -> None:
    for scope in places_of(case):
        if (scope, key) in book.by_key:
            case.target = book.by_key[scope, key]
            return


def _by_token(case: Case, book: Book, token: str) -> Outcome | None:
    if is_id(token):
        _by_id(case, book, token.lower())
        return None
    _by_key(case, book, token)
    if case.target is not None or not is_suffix(token):
        return None
    places = places_of(case)
    ends = [one for one in book.by_suffix.get(token.lower(), ()) if _stands_in(book, one, places)]
    if len(ends) > 1:
        return case.answer("refused", f"{len(ends)} ids end with {token}: write more of the one you mean")
    if ends:
        _by_id(case, book, ends[0])
    return None


def _stands_in(book: Book, one: str, places: list[str]) -> bool:
    scope = book.memories[one].scope if one in book.memories else book.waiting_by_id[one].scope
    return scope in places


def _by_id(case: Case, book: Book, memory_id: str) -> None:
    case.target = book.memories.get(memory_id)
    case.kin = book.waiting_by_id.get(memory_id)


def _removal(case: Case, key: str | None) -> Outcome | None:
    token = case.said.target or key
    if token is None:
        return case.answer("refused", "nothing to remove: name the memory by target or key")
    if case.target is None or case.target.status != "active":
        return case.answer("refused", f"nothing to remove: {_why_nothing(case, token)}")
    # A removal is judged, and remembered, by the text it would take away. The proposer's own words are its evidence.
    target, said = case.target, case.said
    words = [one for one in (said.content, said.evidence) if one and one != target.content]
    case.entry = _entry(case, target.key, target.scope, target.content).with_(
        kind=target.kind, evidence="\n".join(words) or None
    )
    return None


def _why_nothing(case: Case, token: str) -> str:
    if case.target is not None:
        return f"{named(case.target)} is {case.target.status} already"
    if case.kin is not None:
        return f"{token} is only proposed"
    return f"no memory here is called {token}"


def _complete(case: Case, key: str | None) -> None:
    """An update says of its target's scope, key, kind, aliases and paths only what it changes."""
    model = case.target if case.target is not None else case.kin
    scope = scope_of(case)
    if model is not None:
        scope = scope if scope is not None else model.scope
        key = key if key is not None else model.key
    if case.target is not None and case.target.status != "active":
        case.target = None
    case.op = "update" if case.target is not None else "add"
    assert case.said.content is not None
    case.entry = _entry(case, key, scope if scope is not None else case.context.scope, case.said.content)


def _entry(case: Case, key: str | None, scope: str, content: str) -> Entry:
    said, model = case.said, case.target
    return Entry(
        scope=scope,
        content=content,
        kind=said.kind or (model.kind if model is not None else "fact"),
        key=key,
        aliases=said.aliases or (tuple(model.aliases) if model is not None else ()),
        paths=said.paths or (tuple(model.paths) if model is not None else ()),
        source=said.source or "unknown",
        source_agent=said.source_agent,
        session_id=said.session_id,
        source_ref=said.source_ref,
        evidence=said.evidence,
        confidence=said.confidence,
        valid_until=said.valid_until,
    )


# -- 5.1: exact


def exact(case: Case, book: Book) -> Outcome | None:
    """The same saying in the same scope is never queued twice, nor against an earlier decision without a person."""
    entry = case.entry
    case.mark = fingerprint(entry.scope, case.op, entry.content)
    memory = book.by_print.get(case.mark)
    if memory is not None:
        book.support(memory.id, entry.session_id, claimed=case.claimed)
        return case.answer("known", f"already known as {named(memory)}", memory.id)
    waiting = book.waiting.get(case.mark)
    if waiting is not None:
        return _said_again(case, book, waiting)
    grave = book.graves.get(case.mark)
    if grave is None:
        return None
    words = f"{CAUSES[grave.cause]} on {day(grave.at, book.now)} by {_who(grave.actor, case.context)}"
    words = f"{words}: {grave.reason}" if grave.reason else words
    if case.context.person and case.context.go_on:
        case.flags.append(Flag("rejected_before", words))
        return None
    if not case.context.person:
        book.refuse(grave)
    return case.answer("rejected_before", words, book.refused_ids.get(case.mark))


def _said_again(case: Case, book: Book, one: Waiting) -> Outcome:
    book.mention(one)
    book.say(one, case.entry.session_id, claimed=case.claimed)
    if one.status == "draft":
        keyed(case, book, flagging=False)
        barred = limited(case, book) is not None
        if not barred and standing(case, len(one.sessions)) == "pending":
            book.promote(one, case.entry.source_agent or case.context.name or "unknown agent")
            return case.answer("pending", f"said {one.mentions} times: now in the queue", one.id)
        return case.answer("draft", WAITS_FOLDED, one.id)
    later = "; put off until later" if one.status == "deferred" else ""
    return case.answer("pending", f"already proposed, said {one.mentions} times{later}", one.id)


# -- 5.2: key


def keyed(case: Case, book: Book, *, flagging: bool = True) -> Outcome | None:
    """Another value for a key that is taken is an update of what holds it; from another agent, a conflict."""
    entry = case.entry
    if case.target is None and entry.key is not None and (entry.scope, entry.key) in book.by_key:
        case.target = book.by_key[entry.scope, entry.key]
        case.op = "update"
        case.entry = _entry(case, entry.key, entry.scope, entry.content)
    target = case.target
    if flagging and target is not None and not case.context.person and target.source_agent != entry.source_agent:
        setter = target.source_agent or "a person or an unnamed agent"
        case.flags.append(Flag("conflict", f"{setter} set it on {day(target.updated_at, book.now)}"))
    return None


# -- 5.7: what this agent may propose


def limited(case: Case, book: Book) -> Outcome | None:
    """Intake limits: a kind that the agent may not propose is refused; beyond its number a session waits folded."""
    if case.context.person or not case.limits:
        return None
    entry = case.entry
    limit = case.limits.of(entry.source_agent)
    who = entry.source_agent or "an unnamed agent"
    if limit.kinds is not None and entry.kind not in limit.kinds:
        return case.answer("refused", f"{who} may not propose a {entry.kind} here (limits in config.toml)")
    if limit.per_session is not None:
        queued = book.queued_before(entry.source_agent, entry.session_id)
        case.over_limit = queued >= limit.per_session
    return None


# -- 5.5: flags


def flagged(case: Case, _book: Book) -> Outcome | None:
    """The flags that follow from the line itself; further ones of section 5.5 join ``FLAGGERS``."""
    case.flags.extend(flag for flagger in FLAGGERS if (flag := flagger(case)) is not None)
    return None


def guess(case: Case) -> Flag | None:
    """A lesson from a failure that nothing bears out yet."""
    entry = case.entry
    return Flag("guess", "from a failed task, without evidence") if _is_guess(entry) else None


def _is_guess(entry: Entry) -> bool:
    return entry.source == "task_failure" and entry.evidence is None


def too_many(case: Case) -> Flag | None:
    """The proposer's session is past its intake limit."""
    return Flag("over_limit", "more than its limit for one session") if case.over_limit else None


FLAGGERS: Final[tuple[Callable[[Case], Flag | None], ...]] = (guess, too_many)


# -- 5.3 and 5.4: groups, sessions, drafts


def queued(case: Case, book: Book) -> Outcome | None:
    """Nothing stands against it: it joins the queue, or waits folded until it is said again."""
    entry, said, one_id = case.entry, case.said, case.id
    status = standing(case, 1 if entry.session_id is not None else 0)
    rank = one_id if entry.session_id is None else book.ranks.setdefault(entry.session_id, one_id)
    target = case.target
    own_group = group_id(entry.scope, entry.key, target.id if target is not None else None, one_id)
    row = _columns(entry) | {
        "tenant_id": book.store.tenant,
        "id": one_id,
        "op": case.op,
        "target_id": target.id if target is not None else None,
        "base_revision": target.revision if target is not None else None,
        "content_hash": content_hash(entry.content),
        "fingerprint": case.mark,
        "group_id": case.kin.group_id if case.kin is not None and entry.key is None else own_group,
        "flags": [flag.as_dict() for flag in (*said.flags, *case.flags)],
        "redaction_version": said.redaction_version or 0,
        "idempotency_key": said.idempotency_key,
        "status": status,
        "mentions": 1,
        "branch": case.context.branch,
        "session_rank": rank,
        "deferred_at": None,
        "revision": 1,
        "created_at": case.at,
    }
    one = book.queue(row)
    book.say(one, entry.session_id, claimed=case.claimed)
    return case.answer(status, _why(case, status), one_id)


WAITS_FOLDED: Final = "said once: waits folded until another session says it too"


def _why(case: Case, status: str) -> str | None:
    if status != "draft":
        return None
    return "over this session's limit: waits folded" if case.over_limit else WAITS_FOLDED


def _columns(entry: Entry) -> dict[str, Any]:
    return entry.as_dict() | {"valid_until": entry.valid_until}


def standing(case: Case, sessions: int) -> str:
    """``pending``, or ``draft`` for what must be said again; ``sessions`` known and distinct ones have said it."""
    entry = case.entry
    if case.over_limit:
        return "draft"
    if case.context.person or case.op == "remove" or entry.kind != "preference" or sessions >= 2:
        return "pending"
    corrects = case.target is not None and entry.source == "user_feedback" and entry.evidence is not None
    return "pending" if corrects or is_directive(entry) else "draft"


def is_directive(entry: Entry) -> bool:
    """Whether the text, or the user's words quoted for it, is a standing order ("from now on", 以后)."""
    text = unicodedata.normalize("NFKC", f"{entry.content}\n{entry.evidence or ''}").lower()
    return DIRECTIVE.search(" ".join(text.split())) is not None


STEPS: Final[tuple[Step, ...]] = (
    repeated,
    aim,
    exact,
    keyed,
    # 5.6, similarity to active memories, stands here: it may add flags and never ends a case.
    limited,
    flagged,
    # 5.7, auto-approval, follows on what ``queued`` has queued as pending and unflagged.
    queued,
)


def triage(case: Case, book: Book) -> Outcome:
    """Take one line through the steps; the first answer is its outcome. A refused line may be mended and sent again."""
    for step in STEPS:
        outcome = step(case, book)
        if outcome is not None:
            break
    else:
        raise AssertionError("the last step answers")
    key = case.said.idempotency_key
    if key is not None and step is not repeated and outcome.status != "refused":
        answer = {"said": what_is_said(case.said), "status": outcome.status}
        book.remember(answer_name(key), answer | {"reason": outcome.reason, "id": outcome.id})
    return outcome


# -- words


def named(memory: Any) -> str:
    """A memory row by its key, else by the end of its id."""
    return str(memory.key or f"…{memory.id[-6:]}")


def _who(actor: str, context: Context) -> str:
    return "you" if context.name is not None and actor == context.name else actor


def day(moment: datetime, now: datetime) -> str:
    """A date in words (UTC), with its year where that is not the present one. Not by the locale."""
    words = f"{moment.day} {MONTHS[moment.month - 1]}"
    return words if moment.year == now.year else f"{words} {moment.year}"
