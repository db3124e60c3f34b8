"""The words around the difference in the detail: what is proposed, what to mind, where it comes from, what was before.

Pure but for the line type: a ``Detail`` in, lines out. Everything somebody else wrote goes through ``visible``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from console import keys, words
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.shown import DOT, Line, Part, own, said
from store.entry import Entry
from store.facts import Detail, Proposal, Version

LABEL: Final = 10
"""Cells that the labels on the left take."""
BAR: Final = 10
"""Cells of the bar of confidence."""
ACTION: Final = {
    "approve": "approved",
    "edit": "edited",
    "rollback": "brought back",
    "undo": "undone",
    "expire": "expired",
    "delete": "deleted",
    "date": "dated",
    "move": "moved",
    "pin": "pinned",
    "unpin": "unpinned",
    "retire": "turned down",
    "repoint": "re-pointed",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What the words depend on beside the detail itself: the time, the present project with its label, the person.

    ``shares`` says of an agent and a bin of confidence (``calibration.bin_of``) how many were right, of how many.
    """

    now: datetime
    project: str | None
    label: str | None
    me: str | None = None
    shares: Mapping[tuple[str, float], tuple[int, int]] = field(default_factory=dict)


def _dot() -> Part:
    return own(DOT, "$quiet")


def joined(parts: list[Part]) -> list[Part]:
    """The parts with a dot between them."""
    line: list[Part] = []
    for part in parts:
        line += [*([_dot()] if line else []), part]
    return line


def labelled(label: str, parts: list[Part]) -> Line:
    """A line with its label on the left."""
    return [own(label.ljust(LABEL), "$quiet"), *parts]


def head(detail: Detail, setting: Setting) -> list[Line]:
    """What is proposed, how sure the proposer is, and every flag with its detail."""
    proposal = detail.proposal
    lines: list[Line] = [_title(proposal, setting)]
    size = _size(proposal)
    if size is not None:
        lines.append(size)
    lines.append(_confidence(proposal, setting))
    return [*lines, *flag_lines(proposal, beside=True)]


def flag_lines(proposal: Proposal, *, beside: bool = False) -> list[Line]:
    """Every flag with its detail, the gravest first, whose word alone is a filled badge.

    ``beside`` names the key that sets a conflict side by side.
    """
    lines: list[Line] = []
    first = True
    for flag in words.gravest_first(proposal.flags):
        word = visible(words.flag_word(flag, proposal.entry.content), multiline=False)
        colour = words.flag_style(flag)
        badge = f"bold $ground on {colour}" if first else f"bold {colour}"
        told = said(visible(flag.detail, multiline=False), "$foreground")
        line: list[Part] = [Part(Shown(f" {word} "), badge), own(" "), told]
        if beside and flag.code == "conflict":
            line += [_dot(), own(keys.shown("sides.open"), "bold $accent"), own(" side by side", "$quiet")]
        lines.append(line)
        first = False
    return lines


def _title(proposal: Proposal, setting: Setting) -> Line:
    entry, target = proposal.entry, proposal.target
    style = words.OP_STYLE[proposal.op]
    line = [own(f"{words.SIGN[proposal.op]} {proposal.op} ", style)]
    if entry.key:
        line += [said(visible(entry.key, multiline=False), "bold $key"), own("  ")]
    scope = words.scope(entry.scope, setting.project, setting.label)
    facts = [
        own(words.KIND.get(entry.kind, ("", entry.kind))[1], "$quiet"),
        said(scope, "bold $accent" if scope == "everywhere" else "$foreground"),
    ]
    if target is not None:
        facts.append(own(f"{target.revision} → {target.revision + 1}", "$quiet"))
    if entry.valid_until is not None:
        facts.append(own(f"until {words.end(entry.valid_until, setting.now)}", "$warn"))
    if proposal.status not in ("pending", "draft", "deferred"):
        facts.append(own(proposal.status, "bold $alarm"))
    return [*line, *joined(facts)]


def _size(proposal: Proposal) -> Line | None:
    size = words.size_change(proposal)
    if size is None or proposal.target is None:
        return None
    smaller = len(proposal.entry.content) < len(proposal.target.entry.content)
    overwrites = proposal.proposed_op == "add"
    said_so = "overwrites what is there" if overwrites else ("shrinks" if smaller else "grows")
    return labelled("size", [own(size, "bold $alarm" if smaller else "bold $warn"), own(f"  {said_so}", "$quiet")])


def _confidence(proposal: Proposal, setting: Setting) -> Line:
    value = proposal.entry.confidence
    if value is None:
        return [own("confidence ", "$quiet"), own("not said")]
    filled = min(BAR, max(0, round(value * BAR)))
    return [
        own("confidence ", "$quiet"),
        own("━" * filled, "$warn" if value < words.LOW else "$accent"),
        own("─" * (BAR - filled), "$rule"),
        own(f" {value:.2f}", "bold"),
        *_share(proposal, setting),
    ]


def _share(proposal: Proposal, setting: Setting) -> list[Part]:
    """How often the agent was right where it was about as sure."""
    if not setting.shares:
        return []  # until they are counted nothing of how they are is loaded: it would delay the first paint
    from store.calibration import EDGES, bin_of

    agent, low = proposal.entry.source_agent, bin_of(proposal.entry.confidence)
    share = setting.shares.get((agent, low)) if agent is not None and low is not None else None
    if share is None or low is None:
        return []
    right, of = share
    where = f"at {low:.1f} and more" if low == EDGES[-1] else f"at about {low:.1f}" if low else f"below {EDGES[1]:.1f}"
    return [own("  "), said(words.agent(agent), "$quiet"), own(f": {right:,} of {of:,} right {where}", "$quiet")]


def foot(detail: Detail, setting: Setting, roll_back: bool, beside: Sequence[Line] = ()) -> list[Line]:
    """Where it comes from, what stands ``beside`` it, what was before. The last may be cut: what counts comes first."""
    proposal = detail.proposal
    lines = [labelled("source", _source(proposal, setting))]
    lines += _elsewhere(detail)
    lines += evidence(proposal.entry)
    lines += beside
    if detail.versions:
        lines.append(labelled("history", history_line(detail.versions, setting)))
    previous = previous_value(proposal)
    if previous is not None and roll_back:
        back = visible(previous[:400], multiline=False)
        lines.append([own(keys.shown("history.rollback"), "bold $accent"), own(" brings back: ", "$quiet"), said(back)])
    lines += _also(detail, setting)
    return lines


def _elsewhere(detail: Detail) -> list[Line]:
    """That the same preference holds in other projects: the person may mean it for all of them."""
    if not detail.elsewhere:
        return []
    names = visible(", ".join(detail.elsewhere), multiline=False)
    key = [_dot(), own(f"{keys.shown('queue.place')} g", "bold $accent"), own(" lets it hold everywhere", "$quiet")]
    return [labelled("also", [own("holds in "), said(names, "bold"), *key])]


def evidence(entry: Entry) -> list[Line]:
    """What is quoted for it, and the key that opens it where it stands."""
    if entry.evidence:
        quoted = [own("o", "bold $accent"), own(" opens ", "$quiet"), said(words.quoted(entry.evidence), "italic")]
        return [labelled("evidence", quoted)]
    if entry.source_ref and words.is_transcript(entry.source_ref):
        return [labelled("evidence", [own("o", "bold $accent"), own(" opens the transcript", "$quiet")])]
    return []


def previous_value(proposal: Proposal) -> str | None:
    """What ``r`` would bring back, or None. Raw."""
    return proposal.target.previous_value if proposal.target else None


def _source(proposal: Proposal, setting: Setting) -> list[Part]:
    entry = proposal.entry
    parts = [own(words.SOURCE.get(entry.source, entry.source))]
    if entry.source_agent:
        parts.append(said(visible(entry.source_agent, multiline=False)))
    if entry.session_id:
        parts.append(said(Shown("session " + words.session(entry.session_id))))
    parts.append(own(words.day(proposal.created_at, setting.now).removeprefix("today ")))
    checkout = words.checkout(proposal)
    if checkout:
        parts.append(said(Shown("on " + checkout)))
    if entry.source_ref and not words.is_transcript(entry.source_ref):
        parts.append(said(visible(entry.source_ref, multiline=False)))
    return joined(parts)


def history_line(versions: Sequence[Version], setting: Setting) -> list[Part]:
    """The last versions in one line: number, day, who."""
    line: list[Part] = []
    for version in versions[:6]:
        who = words.who(version.actor, setting.me)
        line += [
            own(f"v{version.revision} ", "bold $accent"),
            own(f"{words.day(version.at, setting.now)} "),
            said(who, "$quiet"),
            own("  "),
        ]
    if len(versions) > 6:
        line.append(own(f"and {len(versions) - 6:,} before", "$quiet"))
    return line


def _also(detail: Detail, setting: Setting) -> list[Line]:
    proposal, entry = detail.proposal, detail.proposal.entry
    lines: list[Line] = []
    others = len(detail.group) - 1 if any(one.id == proposal.id for one in detail.group) else len(detail.group)
    if others > 0:
        about = "this key" if entry.key else "this memory"
        agents = _agents(detail)
        rejects = [_dot(), own(keys.shown("queue.reject_group"), "bold $accent"), own(" rejects all", "$quiet")]
        lines.append(labelled("group", [own(f"{others:,} more for {about}"), *agents, *rejects]))
    if detail.refused_before is not None:
        lines.append(_refused(detail, setting))
    if proposal.mentions > 1 or detail.sessions > 1:
        said_by = [own(f"{words.count(proposal.mentions, 'time', 'times')}")]
        if detail.sessions:
            said_by.append(own(f"in {words.count(detail.sessions, 'session', 'sessions')}"))
        lines.append(labelled("said", joined(said_by)))
    for label, values in (("aliases", entry.aliases), ("paths", entry.paths)):
        if values:
            lines.append(labelled(label, [said(visible(", ".join(values), multiline=False))]))
    return lines


def _agents(detail: Detail) -> list[Part]:
    own_id = detail.proposal.id
    names = sorted({one.entry.source_agent for one in detail.group if one.id != own_id and one.entry.source_agent})
    return [_dot(), said(visible(", ".join(names), multiline=False), "$quiet")] if names else []


def _refused(detail: Detail, setting: Setting) -> Line:
    refusal = detail.refused_before
    assert refusal is not None
    cause = {"rejected": "turned down", "deleted": "deleted", "rolled_back": "rolled back"}.get(
        refusal.cause, refusal.cause
    )
    line = [own(f"{cause} {words.day(refusal.at, setting.now)}", "$warn"), _dot()]
    line.append(said(visible(refusal.actor, multiline=False)))
    if refusal.reason:
        line += [_dot(), said(visible(refusal.reason, multiline=False), "italic")]
    return labelled("before", line)


def fits(lines: list[Line], rows: int) -> list[Line]:
    """The first lines; where some are left out the last says how many."""
    if len(lines) <= rows:
        return lines
    if rows <= 0:
        return []
    return [*lines[: rows - 1], [own(f"… {len(lines) - rows + 1} more lines, + zooms", "$quiet")]]


def wrapped(lines: list[Line], room: int, least: int = LABEL) -> list[Line]:
    """The lines with those that are too long continued below their own beginning, behind the labels.

    A label is a line's first part, and takes ``least`` cells at least.
    """
    out: list[Line] = []
    for line in lines:
        label, rest = list(line[:1]), line[1:]
        indent = max(least, shown.width(label))
        if shown.width(line) <= room or room < indent * 2:
            out.append(line)
            continue
        for row, (start, end) in enumerate(shown.breaks(rest, room - indent)):
            out.append([*(label if row == 0 else [own(" " * indent)]), *shown.cut_out(rest, start, end)])
    return out
