"""What a line is about: the memory that it names by id, by the end of an id, or by key; and what it leaves unsaid."""

from __future__ import annotations

import re
from typing import Final

from store.case import Case, named
from store.entry import GLOBAL, KEY_GRAMMAR, Entry
from store.facts import Outcome
from store.known import ID_LENGTH, Known

SUFFIX: Final = re.compile(r"[0-9a-f-]{4,36}", re.ASCII)


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


def aim(case: Case, known: Known) -> Outcome | None:
    """Find what an update or a removal is about, and take over from it what the line leaves unsaid."""
    said = case.said
    case.op = said.op
    key = said.key
    if said.target is not None:
        refusal = _by_token(case, known, said.target)
        if refusal is not None:
            return refusal
        if case.target is None and key is None and not is_suffix(said.target) and KEY_GRAMMAR.fullmatch(said.target):
            key = said.target if not is_id(said.target) else None
    elif case.op != "add" and key is not None:
        _by_key(case, known, key)
    if case.op == "remove":
        return _removal(case, key)
    _complete(case, key)
    return None


def _by_key(case: Case, known: Known, key: str) -> None:
    for scope in places_of(case):
        if (scope, key) in known.by_key:
            case.target = known.by_key[scope, key]
            return


def _by_token(case: Case, known: Known, token: str) -> Outcome | None:
    if is_id(token):
        _by_id(case, known, token.lower())
        return None
    _by_key(case, known, token)
    if case.target is not None or not is_suffix(token):
        return None
    places = places_of(case)
    ends = [one for one in known.by_suffix.get(token.lower(), ()) if _stands_in(known, one, places)]
    if len(ends) > 1:
        return case.answer("refused", f"{len(ends)} ids end with {token}: write more of the one you mean")
    if ends:
        _by_id(case, known, ends[0])
    return None


def _stands_in(known: Known, one: str, places: list[str]) -> bool:
    found = known.memories.get(known.became.get(one, one)) or known.waiting_by_id.get(one)
    return found is not None and found.scope in places


def _by_id(case: Case, known: Known, which: str) -> None:
    """What agents were told is the id of a proposal; once it is approved they mean the memory that it became.

    A person may name what they like. An agent reaches its project and what holds everywhere: the rest is not there.
    """
    target, kin = known.memories.get(known.became.get(which, which)), known.waiting_by_id.get(which)
    reach = {*places_of(case), case.context.scope, GLOBAL}
    case.target = target if target is not None and (case.context.person or target.scope in reach) else None
    case.kin = kin if kin is not None and (case.context.person or kin.scope in reach) else None


def _removal(case: Case, key: str | None) -> Outcome | None:
    token = case.said.target or key
    if token is None:
        return case.answer("refused", "nothing to remove: name the memory by target or key")
    if case.target is None or case.target.status != "active":
        return case.answer("refused", f"nothing to remove: {_why_nothing(case, token)}")
    # A removal is judged, and remembered, by the text it would take away. The proposer's own words are its evidence.
    target, said = case.target, case.said
    words = [one for one in (said.content, said.evidence) if one and one != target.content]
    case.entry = entry_of(case, target.key, target.scope, target.content).with_(
        kind=target.kind, evidence="\n".join(words) or said.excerpt
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
    case.entry = entry_of(case, key, scope if scope is not None else case.context.scope, case.said.content)


def entry_of(case: Case, key: str | None, scope: str, content: str) -> Entry:
    """The entry that the line proposes; kind, aliases and paths that it does not say are those of its target."""
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
        evidence=said.evidence if said.evidence is not None else said.excerpt,
        confidence=said.confidence,
        valid_until=said.valid_until,
    )
