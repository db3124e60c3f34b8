"""How facts are put into words on the screen: kinds, flags, ages, sizes, agents. Pure; untrusted text comes shown."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from console.visible import Shown, hidden_count, visible
from store.entry import GLOBAL
from store.facts import OPEN, Done, Flag, Proposal
from store.source_ref import parse

SIGN: Final = {"add": "+", "update": "~", "remove": "-"}
"""The op in one character; the meaning never depends on colour."""
OP_STYLE: Final = {"add": "bold $added", "update": "bold $updated", "remove": "bold $removed"}
KIND: Final = {
    "fact": ("fact", "fact"),
    "preference": ("pref", "preference"),
    "procedure": ("proc", "procedure"),
    "experience": ("case", "case"),
    "decision": ("dec", "decision"),
    "requirement": ("req", "requirement"),
    "feedback": ("fdbk", "feedback"),
}
"""A kind in four characters, and in full."""
SOURCE: Final = {
    "user_feedback": "user feedback",
    "task_success": "a task that worked",
    "task_failure": "a task that failed",
    "manual": "by hand",
    "import": "import",
    "unknown": "not said",
}
FLAG: Final = {
    "conflict": ("conflict", "$alarm"),
    "hidden": ("hidden", "$alarm"),
    "maybe_secret": ("secret?", "$alarm"),
    "instruction": ("instruction", "$alarm"),
    "conditional": ("conditional", "$alarm"),
    "self_persisting": ("self-saving", "$alarm"),
    "shrinks": ("shrinks", "$alarm"),
    "elision": ("left out", "$alarm"),
    "link": ("links out", "$alarm"),
    "rejected_before": ("rejected before", "$warn"),
    "stale_base": ("moved on", "$warn"),
    "guess": ("guess", "$warn"),
    "masked": ("masked", "$warn"),
    "relative_date": ("relative date", "$warn"),
    "fragment": ("fragment", "$warn"),
    "path_missing": ("path gone", "$warn"),
    "over_limit": ("over limit", "$warn"),
    "episodes": ("from cases", "$key"),
    "in_instructions": ("in AGENTS.md", "$key"),
    "echo": ("echo", "$key"),
}
"""A flag's word and colour, the gravest first."""
LONGEST_FILE: Final = 24
"""Characters of a file's name that a flag's word has room for."""
LOW: Final = 0.6
"""A confidence below this is painted as a warning."""
MOST_REASONS: Final = 3
"""Reasons for leaving something that are told, the most frequent first."""
STALE: Final = timedelta(days=30)
"""What has waited longer than this is marked: it may no longer be true."""
ORDER: Final = {"queue": "newest session first", "oldest": "oldest first", "newest": "newest first"}
"""The orders of the queue, each followed by the next where the person asks for another."""


def flag_word(flag: Flag, content: str) -> str:
    """The word of a flag; for hidden characters with their number, for a repetition with the file that says it."""
    if flag.code == "in_instructions":
        name = flag.detail.partition(",")[0].rpartition("/")[2]
        return f"in {name}" if 0 < len(name) <= LONGEST_FILE else "in the instructions"
    word = FLAG.get(flag.code, (flag.code.replace("_", " "), "$warn"))[0]
    return f"{word} {hidden_count(content)}" if flag.code == "hidden" else word


def flag_style(flag: Flag) -> str:
    """The colour of a flag."""
    return FLAG.get(flag.code, ("", "$warn"))[1]


def gravest_first(flags: tuple[Flag, ...]) -> list[Flag]:
    """The flags in the order in which a reader should meet them."""
    order = {code: place for place, code in enumerate(FLAG)}
    return sorted(flags, key=lambda flag: order.get(flag.code, len(order)))


def confidence(value: float | None) -> str:
    """Three cells: ``.62``, ``1.0``, or `` ? `` where the proposer said none."""
    if value is None:
        return " ? "
    return "1.0" if value >= 0.995 else f"{value:.2f}"[1:]


def age(then: datetime, now: datetime) -> str:
    """How long ago, in at most four cells."""
    seconds = max(0, int((now - then).total_seconds()))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{min(seconds // size, 999)}{unit}"
    return "now"


def stale(proposal: Proposal, now: datetime) -> bool:
    """Whether it has waited undecided for more than ``STALE``."""
    return proposal.status in OPEN and now - proposal.created_at > STALE


def agent(name: str | None) -> Shown:
    """An agent's name as a row has room for it: ``claude`` for claude-code. The detail shows it whole."""
    return visible(name.split("-")[0] or name, multiline=False) if name else Shown("")


def session(name: str) -> Shown:
    """A session's id; of a long one its end, which is what differs."""
    return visible(name if len(name) <= 20 else "…" + name[-8:], multiline=False)


def day(moment: datetime, now: datetime) -> str:
    """A date for people, in their own time zone: today 14:02, 2 Oct, 2 Oct 2025."""
    here, present = moment.astimezone(), now.astimezone()
    if here.date() == present.date():
        return f"today {here:%H:%M}"
    short = f"{here.day} {here:%b}"
    return short if here.year == present.year else f"{short} {here.year}"


def end(moment: datetime, now: datetime) -> str:
    """Until when something holds, as ``day``, with the hour where it does not hold to the end of that day."""
    said, here = day(moment, now), moment.astimezone()
    return said if said.startswith("today ") or (here.hour, here.minute) == (23, 59) else f"{said} {here:%H:%M}"


def scope(name: str, project: str | None, label: str | None) -> Shown:
    """A scope by its readable label: ``everywhere`` for global, the project's label for the present project."""
    if name == GLOBAL:
        return Shown("everywhere")
    return visible(label if label and name == project else name, multiline=False)


def checkout(proposal: Proposal) -> Shown:
    """What git had checked out where it was proposed: ``main @ 1a2b3c4``, or what of it is known; else empty."""
    parts = [visible(proposal.branch, multiline=False)] if proposal.branch else []
    if proposal.commit:
        parts.append(visible(proposal.commit[:7], multiline=False))
    return Shown(" @ ".join(parts))


def is_transcript(source_ref: str) -> bool:
    """Whether a reference is the place of a call in a transcript: long, told by the session, and opened by a key."""
    place = parse(source_ref)
    return place is not None and place.path.endswith(".jsonl")


def content_of(proposal: Proposal) -> str:
    """The text that a proposal is about: what it says, or what it would remove. Raw."""
    target = proposal.target
    return target.entry.content if proposal.op == "remove" and target else proposal.entry.content


def title(proposal: Proposal) -> Shown:
    """What a proposal is called in one phrase: its key, else the beginning of its text."""
    said = proposal.entry.key or content_of(proposal)[:60]
    return visible(said, multiline=False)


def size_change(proposal: Proposal) -> str | None:
    """The change of size where it matters, in words: a create that overwrites, or a change by a third or more."""
    target = proposal.target
    if target is None or proposal.op != "update":
        return None
    old, new = len(target.entry.content), len(proposal.entry.content)
    if proposal.proposed_op != "add" and abs(new - old) * 3 < max(old, 1):
        return None
    return f"{old:,} → {new:,} characters ({round((new - old) * 100 / max(old, 1)):+,}%)"


def quoted(text: str) -> Shown:
    """A quotation on one line. Only plain white space is taken off its ends: anything else there is to be seen."""
    return visible("“" + text.strip(" \n\t") + "”", multiline=False)


def who(actor: str, me: str | None) -> Shown:
    """Who did something: ``you`` for the person at the console."""
    return Shown("you") if actor == me else visible(actor, multiline=False)


def done(what: Done) -> str:
    """A step that was done: its title, and of what it left, how many and why. To be painted through ``visible``."""
    if not what.left:
        return what.title
    reasons = Counter(why for _, why in what.left)
    more = [f"{number:,} ({why})" if len(reasons) > 1 else why for why, number in reasons.most_common(MOST_REASONS)]
    if rest := len(what.left) - sum(number for _, number in reasons.most_common(MOST_REASONS)):
        more.append(f"{rest:,} for other reasons")
    return f"{what.title}; {count(len(what.left), 'was', 'were')} left: {', '.join(more)}"


def count(number: int, one: str, many: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{number:,} {one if number == 1 else many}"
