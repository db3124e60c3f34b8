"""A checked line -> what becomes of it: the ordered steps of design section 5, deterministic, against a ``Book``.

``STEPS`` is the order. A step may complete the case, or answer the line and so end it. Steps look only into the
book, which was filled in bulk; none asks the store by itself (the count for an intake limit aside).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from store.aim import aim, entry_of
from store.book import Book
from store.case import Case, day, named
from store.context import Context
from store.entry import Entry, content_hash, fingerprint, group_id, iso
from store.facts import Flag, Outcome
from store.known import Waiting
from store.orders import concerns, is_directive, orders
from store.raw import Raw
from store.signs import signs

CAUSES: Final = {"rejected": "turned down", "deleted": "deleted", "rolled_back": "rolled back"}
USED_BEFORE: Final = "this idempotency_key was used before for another proposal"


Step = Callable[[Case, Book], Outcome | None]


# -- 0: the same call again


def answer_name(said: Raw, context: Context) -> str:
    """The name of the setting that holds the answer to a line's idempotency key.

    The same key of another project or another agent is another key: each makes up its own, and "1" comes up anywhere.
    """
    place = [context.scope, said.source_agent, said.idempotency_key]
    return "answer:" + hashlib.sha256(json.dumps(place).encode("ascii")).hexdigest()


def what_is_said(line: Raw) -> str:
    """The digest that tells a retry from another proposal under the same idempotency key, as hex."""
    said = [line.op, line.scope, line.key, line.target, line.content]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode("utf-8")).hexdigest()


def repeated(case: Case, book: Book) -> Outcome | None:
    """A retry of an answered call is given the answer it missed; another text under the same key is refused."""
    if case.id in book.taken:
        return case.answer("pending", "taken in before", case.id)
    once = case.said.idempotency_key is not None
    known = book.answers.get(answer_name(case.said, case.context)) if once else None
    if known is None:
        return None
    if known["said"] != what_is_said(case.said):
        return case.answer("refused", USED_BEFORE)
    return case.answer(known["status"], known["reason"], known["id"])


def dated(case: Case, book: Book) -> Outcome | None:  # noqa: ARG001
    """What was over before it was proposed could never be approved."""
    until = case.entry.valid_until
    if until is None or until > case.at:
        return None
    return case.answer("refused", f"valid_until has passed: {iso(until)}")


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
        case.entry = entry_of(case, entry.key, entry.scope, entry.content)
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


def flagged(case: Case, book: Book) -> Outcome | None:
    """The warnings that follow from the line, from what it would replace, and from what stands around it."""
    case.flags.extend(flag for flagger in FLAGGERS for flag in flagger(case, book))
    return None


def read_signs(case: Case, _book: Book) -> Iterable[Flag]:
    """What the text itself gives away. A removal says nothing of its own."""
    if case.op == "remove":
        return ()
    before = case.target.content if case.target is not None else None
    return signs(case.entry.content, before=before, said=case.at)


def repeats(case: Case, book: Book) -> Iterable[Flag]:
    """What is said elsewhere already: in the project's instructions (imports aside), to the same session."""
    entry, root = case.entry, case.context.root
    if case.op == "remove":
        return
    if root is not None and entry.source != "import":
        flag = book.around.in_instructions(root, entry.content)
        if flag is not None:
            yield flag
    if entry.session_id is not None:
        flag = book.around.echo(entry.session_id, entry.content)
        if flag is not None:
            yield flag


def names_nothing(case: Case, book: Book) -> Iterable[Flag]:
    """A path of this project that is not there. What holds elsewhere is not looked for here."""
    root = case.context.root
    if root is None or case.op == "remove" or case.entry.scope != case.context.scope:
        return
    flag = book.around.path_missing(root, case.entry)
    if flag is not None:
        yield flag


def guess(case: Case, _book: Book) -> Iterable[Flag]:
    """A lesson from a failure that nothing bears out yet: what the user typed before it does not."""
    if case.entry.source == "task_failure" and case.quoted is None:
        yield Flag("guess", "from a failed task, without evidence")


def too_many(case: Case, _book: Book) -> Iterable[Flag]:
    """The proposer's session is past its intake limit."""
    if case.over_limit:
        yield Flag("over_limit", "more than its limit for one session")


FLAGGERS: Final[tuple[Callable[[Case, Book], Iterable[Flag]], ...]] = (
    read_signs,
    repeats,
    names_nothing,
    guess,
    too_many,
)


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
        "commit_hash": case.context.commit,
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
    return "pending" if _corrects(case) or _ordered(case) else "draft"


def _corrects(case: Case) -> bool:
    """Whether it corrects a live value with a user's words: quoted by the proposer, or in the transcript before it."""
    if case.target is None or case.entry.source != "user_feedback":
        return False
    said = f"{case.entry.content}\n{case.target.content or ''}"
    return case.quoted is not None or (case.said.excerpt is not None and concerns(case.said.excerpt, said))


def _ordered(case: Case) -> bool:
    """Whether it is a standing order: by its text, by the words quoted for it, or by what the user typed about it."""
    if is_directive(f"{case.entry.content}\n{case.quoted or ''}"):
        return True
    return case.said.excerpt is not None and orders(case.said.excerpt, case.entry.content)


STEPS: Final[tuple[Step, ...]] = (
    repeated,
    aim,
    dated,
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
    once = case.said.idempotency_key is not None
    if once and step is not repeated and outcome.status != "refused":
        answer = {"said": what_is_said(case.said), "status": outcome.status}
        book.remember(answer_name(case.said, case.context), answer | {"reason": outcome.reason, "id": outcome.id})
    return outcome


def _who(actor: str, context: Context) -> str:
    """Who decided. Only a person is told "you": an agent runs under the same name, and would take it for itself."""
    return "you" if context.person and context.name is not None and actor == context.name else actor
