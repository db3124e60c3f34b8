"""What is known of something, as Markdown for a colleague: the approved memories first, then what still waits.

Nothing that an agent wrote can become markup where it is pasted: every text stands in a fence longer than any in it,
with hidden characters as their codes; names and scopes in code spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from console import tables, words
from console.visible import visible

if TYPE_CHECKING:
    from store.facts import Proposal
    from store.retrieval import Hit


def markdown(asked: str, hits: Sequence[Hit], waiting: Sequence[Proposal], *, more: int, scorer: str) -> Iterator[str]:
    """The answer line by line. ``more`` memories answer, too, and are not among ``hits``."""
    yield f"# {_span(asked)}"
    yield ""
    if not hits:
        yield "Nothing approved answers this."
    for hit in hits:
        yield from _memory(hit)
    if more:
        yield f"{more:,} more approved {'memory answers' if more == 1 else 'memories answer'} it."
    if waiting:
        yield ""
        yield "## Pending: proposed by agents, approved by nobody"
        yield ""
        for proposal in waiting:
            yield from _proposal(proposal)
    yield ""
    yield f"Found by {scorer}."


def _memory(hit: Hit) -> Iterator[str]:
    entry = hit.memory.entry
    facts = [
        words.KIND.get(entry.kind, ("", "memory"))[1],
        "everywhere" if entry.scope == "global" else _span(entry.scope),
        hit.age_words,
        "source: " + words.SOURCE.get(entry.source, "not said"),
    ]
    if entry.valid_until is not None:
        facts.append(f"until {tables.moment(entry.valid_until)}")
    if hit.memory.status != "active":
        facts.insert(0, f"**{'turned down' if hit.memory.status == 'retired' else hit.memory.status}**")
    yield f"{_name(entry.key, hit.memory.id)} · approved · {' · '.join(facts)}"
    yield from _fenced(entry.content)


def _proposal(proposal: Proposal) -> Iterator[str]:
    entry = proposal.entry
    does = {"add": "would be new", "update": "would change what is known", "remove": "would be removed"}
    facts = [does.get(proposal.op, "pending")]
    facts += [f"by {_span(entry.source_agent)}"] if entry.source_agent else []
    facts += [words.flag_word(flag, entry.content) for flag in words.gravest_first(proposal.flags)]
    place = "everywhere" if entry.scope == "global" else _span(entry.scope)
    yield f"{_name(entry.key, proposal.id)} · **pending, not approved** · {' · '.join([place, *map(_plain, facts)])}"
    yield from _fenced(words.content_of(proposal))


def _name(key: str | None, identity: str) -> str:
    return f"**{_span(key)}**" if key else f"**{_span(identity[-6:])}**"


def _plain(text: str) -> str:
    """Our own words, in which a file's name of the repository may stand."""
    return text if text.startswith("by `") else re.sub(r"[^\w .,:/?-]", "", visible(text, multiline=False))


def _fenced(text: str) -> Iterator[str]:
    shown = visible(text)
    fence = "`" * max(3, 1 + _longest(shown))
    yield ""
    yield f"{fence}text"
    yield from shown.split("\n")
    yield fence
    yield ""


def _span(text: str) -> str:
    """Somebody's words on one line, as a code span that they cannot leave."""
    shown = visible(" ".join(text.split()), multiline=False)
    ticks = "`" * (1 + _longest(shown))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _longest(text: str) -> int:
    return max(map(len, _ticks(text)), default=0)


def _ticks(text: str) -> Iterable[str]:
    return re.findall(r"`+", text)
