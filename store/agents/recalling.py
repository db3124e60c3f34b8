"""The tools that give what was approved, the resources that do the same, and the one that says what bore it out.

Only approved memories of the caller's project and of everywhere; each hand-out is noted before it is told. Lists hold
previews, and one memory asked for by its id comes whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from store import block, given, notes
from store.agents.answers import MOST_ANSWER, PREVIEW, Answer, cut, refused, said, spelled, until
from store.agents.calling import SURFACE, Call
from store.agents.offers import MOST_HITS
from store.characters import is_blank, marks
from store.entry import KINDS
from store.errors import StoreTrouble
from store.redact import redact_text

if TYPE_CHECKING:
    from store.engine import Store
    from store.retrieval import Found, Hit

Arguments = Mapping[str, Any]
USUAL_HITS: Final = 5
MOST_PATHS: Final = 4
MOST_BESIDE: Final = 2_000
"""Characters of all paths beside a text: also a memory asked for whole must be an answer that hosts take."""
MOST_NAME: Final = 200
"""Characters of a path, a reference, or whatever else stands beside a text."""
NOTHING_YET: Final = "Nothing has been approved here yet."
NOT_THERE: Final = "No approved memory of this project, or of everywhere, has this id or key."


# -- search_memory


def search_memory(call: Call, arguments: Arguments) -> Answer:
    """The memories that answer a query, the best first, or one whole."""
    wrong = _unknown(arguments, "query", "id", "kind", "limit") or _kind_wrong(arguments.get("kind"))
    if wrong is not None:
        return refused(wrong)
    token, query = _words(arguments.get("id")), _words(arguments.get("query"))
    if token is None and query is None:
        return refused("Give a query, or the id of one memory.")
    limit = _limit(arguments.get("limit"))
    if limit is None:
        return refused(f"limit must be a whole number from 1 to {MOST_HITS}.")
    with call.reading() as store:
        if store is None:
            return _found_nothing(NOTHING_YET)
        if token is not None:
            return _whole(call, store, token)
        kind = arguments.get("kind") or None
        return _several(call, store, query or "", {"case": "experience"}.get(str(kind), kind), limit)


def _several(call: Call, store: Store, query: str, kind: str | None, limit: int) -> Answer:
    from store import meaning, retrieval

    meaning.soon(store)
    kinds = None if kind is None else (kind,)
    found = retrieval.search(store, query, scopes=call.scopes, kinds=kinds, limit=limit)
    shown: list[dict[str, Any]] = []
    for hit in found.hits:
        value = _told(call, hit, PREVIEW)
        if shown and len(spelled([*shown, value])) > MOST_ANSWER - 1_000:
            break
        shown.append(value)
    _handed(call, found.hits[: len(shown)])
    return Answer({"memories": shown, **said(total=found.total, scorer=found.scorer, message=_rest(found, shown))})


def _rest(found: Found, shown: list[dict[str, Any]]) -> str | None:
    """What to do about what is not shown."""
    words = []
    if not shown:
        words.append("Nothing that was approved answers this.")
    elif found.total > len(shown):
        words.append(f"{found.total - len(shown):,} more answer: ask more exactly, or with a higher limit.")
    if any(one["truncated"] for one in shown):
        words.append("Where truncated is true, search_memory with that id gives the whole text.")
    return " ".join(words) or None


def _whole(call: Call, store: Store, token: str) -> Answer:
    hit = _one(call, store, token)
    if hit is None:
        return _found_nothing(NOT_THERE)
    _handed(call, [hit])
    return Answer({"memories": [_told(call, hit, None)], "total": 1, "scorer": hit.why})


def _one(call: Call, store: Store, token: str) -> Hit | None:
    """The one memory that an id, the end of one, a key, or its proposal's id means here. Raises AmbiguousId."""
    from store import retrieval
    from store.agents.standing import memory_of

    memory = retrieval.get(store, token, scopes=call.scopes)
    if memory is None:
        became = memory_of(store, call, token)
        memory = None if became is None else retrieval.get(store, became, scopes=call.scopes)
    if memory is None:
        return None
    found = retrieval.search(store, memory.id, scopes=call.scopes, limit=1)
    return next((hit for hit in found.hits if hit.memory.id == memory.id), None)


def _found_nothing(why: str) -> Answer:
    return Answer({"memories": [], "total": 0, "scorer": "words", "message": why})


def _told(call: Call, hit: Hit, most: int | None) -> dict[str, Any]:
    """A memory as an agent is told it; of its text at most so many characters, or all."""
    memory, entry = hit.memory, hit.memory.entry
    content, truncated = (entry.content, False) if most is None else cut(entry.content, most)
    paths = [cut(path, MOST_NAME)[0] for path in entry.paths[: MOST_PATHS if most is not None else None]]
    paths = paths[: next((at for at in range(len(paths)) if len(spelled(paths[: at + 1])) > MOST_BESIDE), None)]
    return said(
        id=memory.id,
        key=entry.key,
        kind=entry.kind,
        scope=call.scope_word(entry.scope),
        content=content,
        truncated=truncated,
        age=hit.age_words,
        valid_until=until(entry.valid_until),
        source=None if entry.source == "unknown" else entry.source,
        why=hit.why,
        paths=paths,
    )


def _handed(call: Call, hits: Iterable[Hit]) -> None:
    _note(call, [(hit.memory.id, hit.memory.revision) for hit in hits])


def _note(call: Call, handed: Iterable[tuple[str, int]]) -> None:
    """Note what is handed out, before it is. Where nothing can be written, memories are still there to be read."""
    caller = call.caller
    with suppress(StoreTrouble):
        notes.note_handout(call.location, handed, session_id=caller.session_id, agent=caller.agent, surface=SURFACE)


# -- get_profile


def get_profile(call: Call, arguments: Arguments) -> Answer:
    """The block of this project and of everywhere, or of what a task needs."""
    wrong = _unknown(arguments, "task")
    if wrong is not None:
        return refused(wrong)
    task = _words(arguments.get("task"))
    found = profile(call, waiting=True) if task is None else _for_task(call, task)
    _note(call, found.given)
    text = found.text or (NOTHING_YET if task is None else "Nothing that was approved answers this task.")
    values = said(profile=found.text, memories=len(found.given), left_out=found.left, pending=found.waiting)
    return Answer(values, text=text)


def profile(call: Call, *, waiting: bool = False) -> block.Block:
    """The block as it was rendered when the last decision was taken."""
    return given.profile(call.location, call.project, waiting=waiting)


def _for_task(call: Call, task: str) -> block.Block:
    with call.reading() as store:
        if store is None:
            return block.NOTHING
        from store import meaning

        meaning.soon(store)
        return given.task(store, call.project, task)[0]


# -- resources


def profile_resource(call: Call) -> str:
    """The block as a document; the same bytes as long as nothing was decided."""
    found = profile(call)
    _note(call, found.given)
    return found.text or NOTHING_YET


def memory_resource(call: Call, token: str) -> str | None:
    """One memory as a document, whole; None where there is none. Raises AmbiguousId."""
    with call.reading() as store:
        hit = None if store is None else _one(call, store, token)
    if hit is None:
        return None
    _handed(call, [hit])
    entry = hit.memory.entry
    head = ", ".join(part for part in (entry.kind, entry.key, call.scope_word(entry.scope), hit.age_words) if part)
    return f"{head}\n\n{entry.content}"


# -- report_evidence


def report_evidence(call: Call, arguments: Arguments) -> Answer:
    """Note a claim: it is counted as one, shown to the person, and ranks nothing."""
    wrong = _unknown(arguments, "memory", "kind", "ref")
    if wrong is not None:
        return refused(wrong)
    token, kind, ref = (_words(arguments.get(name)) for name in ("memory", "kind", "ref"))
    if token is None or kind not in notes.CLAIMS or ref is None:
        return refused("Give memory (its id or key), kind (commit or test) and ref (the hash, or the test's name).")
    if len(ref) > MOST_NAME or not ref.isprintable() or is_blank(ref) or marks(ref):
        return refused(f"ref must be one line of at most {MOST_NAME} characters, all of them to be seen.")
    with call.reading() as store:
        hit = None if store is None else _one(call, store, token)
    if hit is None:
        return refused(NOT_THERE)
    notes.note_claim(call.location, hit.memory.id, kind, redact_text(ref)[0])
    name = hit.memory.entry.key or hit.memory.id[-6:]
    return Answer({"id": hit.memory.id, "message": f"Noted as your claim: the {kind} {ref} bears out {name}."})


# -- arguments as the models of some hosts write them


def _unknown(arguments: Arguments, *known: str) -> str | None:
    """Why these arguments cannot be taken, or None. null is the same as absent."""
    others = [name for name, value in arguments.items() if name not in known and value is not None]
    if not others:
        return None
    return f"Not known here: {', '.join(others)[:MOST_NAME]}. Known are {', '.join(known)}."


def _words(value: object) -> str | None:
    """A text, or a number as the text it was meant to be; None for nothing and for everything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    return value.strip() or None if isinstance(value, str) else None


def _limit(value: object) -> int | None:
    """How many at most: what was asked for, no more than are ever given; None for no whole number above 0."""
    if value is None or value == "":
        return USUAL_HITS
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:9])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        return None
    return min(value, MOST_HITS)


def _kind_wrong(kind: object) -> str | None:
    if kind is None or kind == "" or kind in (*KINDS, "case"):
        return None
    return f"kind is one of {', '.join(KINDS)}."
