"""A proposal beside a memory: the one it would replace, or one that is like it. Who said what, when, borne out by what.

The answers are taken here, on what is painted here, and carried out by the queue: the new value, the live one, a
wording of one's own, or both under two keys. What loses stays in the history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from textual.app import ComposeResult
from textual.events import Resize

from console import keys, words
from console.actions import Situation
from console.diff_layout import Comparison, column_widths
from console.screens.base import DeskScreen, bindings_for
from console.screens.scrolling import Scrolling
from console.screens.taking import Taken, TakingAlone
from console.screens.text_keys import TextKeys
from console.visible import Shown, visible
from console.widgets import detail_lines, shown
from console.widgets.detail import changed
from console.widgets.detail_beside import HINT, Beside, Like
from console.widgets.detail_lines import Setting, joined, labelled
from console.widgets.diff_view import DiffView, compared
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part, own, said
from console.widgets.text_pane import Lines
from store.facts import Detail, Memory, Proposal

if TYPE_CHECKING:
    from store.engine import Store
    from store.sides import Side

COLUMNS: Final = 72
"""From so many cells on the two sides stand beside each other; below, one under the other."""
BORE: Final = {"session": ("session", "sessions"), "commit": ("commit", "commits"), "test": ("test run", "test runs")}
"""What bears a memory out, one and many."""
LEAST: Final = 4
"""Rows that the texts get whatever else there is to say."""


class Answers(Protocol):
    """What carries an answer out, once this screen has gone: the queue."""

    def doubt(self, proposal: Proposal, unseen: str | None) -> str | None:
        """Why an approval needs a second press, or None."""

    def sides_answered(self, answer: str, detail: Detail) -> None:
        """``answer`` is take, keep, edit or both; ``detail`` is what was painted."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A side as it was read, and both texts compared."""

    side: Side
    what: Comparison


class SidesScreen(TakingAlone, TextKeys, DeskScreen, Scrolling):
    """Live on the left, proposed on the right."""

    NAME = "sides"
    CSS_PATH = "sides.tcss"
    BINDINGS = bindings_for("sides")

    def __init__(self, detail: Detail, beside: Beside | None, answers: Answers) -> None:
        super().__init__()
        self._detail = detail
        self._answers = answers
        self._hints = {like.memory.id: like for like in beside.likes} if beside else {}
        target = detail.proposal.target
        replaced = [target.id] if target is not None else []
        self._ids = [*replaced, *(id_ for id_ in self._hints if id_ not in replaced)]
        self._at = 0
        self._found: _Shown | None = None
        self._painted: float | None = None
        self._warned = False

    def compose_body(self) -> ComposeResult:
        """What it is about, the facts of both sides, the texts, what each answer does."""
        yield Lines(id="sides-head")
        yield Lines(id="sides-facts")
        yield DiffView(id="sides-text")
        yield Lines(id="sides-foot")
        yield Prompt()

    @property
    def difference(self) -> DiffView:
        """The text that the keys about texts mean."""
        return self.query_one(DiffView)

    def scrolled(self) -> DiffView:
        """The difference."""
        return self.difference

    # ---- what is possible

    @property
    def replaces(self) -> bool:
        """Whether what stands on the left is what the proposal would replace."""
        target = self._detail.proposal.target
        return target is not None and self._ids[self._at] == target.id

    def situation(self) -> Situation:
        """What is possible now."""
        proposal = self._detail.proposal
        return Situation(
            locked=self.desk.locked,
            item=True,
            history=proposal.target is not None,
            removal=proposal.op == "remove",
            beside=len(self._ids),
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def painted_at(self) -> float | None:
        """When both sides were painted; None before."""
        return self._painted

    def subject(self) -> object:
        """What a key would decide on."""
        return self._detail.seen(), self._at

    # ---- the store

    def store_opened(self) -> None:
        """Read the live side."""
        self.difference.can_focus = False
        self._read()

    def _read(self) -> None:
        memory_id, proposal, replaces = self._ids[self._at], self._detail.proposal, self.replaces

        def job(store: Store) -> _Shown:
            from store import sides

            side = sides.live(store, memory_id)
            old = side.memory.entry.content
            return _Shown(side, changed(proposal) if replaces else compared(old, words.content_of(proposal)))

        self._painted = None
        self.ask("side", job, self._got)

    def _got(self, found: _Shown) -> None:
        self._found = found
        self.difference.show_comparison(found.what)
        self._lay_out()
        self.call_after_refresh(self.call_after_refresh, self._stamp)

    def _stamp(self) -> None:
        self._painted = self.desk.pace.clock()
        self.refresh_footer()

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Lay out anew."""
        if self.ready:
            self._lay_out()

    # ---- what is painted

    def _lay_out(self) -> None:
        if self._found is None:
            return
        room = max(20, self.size.width - 4)
        like = self._hints.get(self._ids[self._at])
        head = [[], *detail_lines.wrapped(self._head(like), room, least=0), []]
        facts = sides(self._found.side, self._detail, self.setting(), room)
        foot = [[], *detail_lines.wrapped(self._foot(), room, least=0)]
        spare = self.size.height - 2 - LEAST
        if len(head) + len(facts) + len(foot) > spare:
            head, foot = head[1:], []
        facts = detail_lines.fits(facts, max(1, spare - len(head) - len(foot)))
        for name, lines in (("head", head), ("facts", [*facts, []]), ("foot", foot)):
            part = self.query_one(f"#sides-{name}", Lines)
            part.styles.height = len(lines)
            part.show(lines)
        self.difference.split = room >= COLUMNS

    def _head(self, like: Like | None) -> list[Line]:
        proposal = self._detail.proposal
        title = [
            own(f"{words.SIGN[proposal.op]} {proposal.op} ", words.OP_STYLE[proposal.op]),
            said(words.title(proposal), "bold $key"),
            own(shown.DOT, "$quiet"),
            own(words.KIND.get(proposal.entry.kind, ("", proposal.entry.kind))[1], "$quiet"),
        ]
        if len(self._ids) > 1:
            title += [own(shown.DOT, "$quiet"), own(f"beside {self._at + 1} of {len(self._ids)}", "$accent")]
        lines: list[Line] = [title]
        lines += detail_lines.flag_lines(proposal)
        if like is not None and like.hints:
            hints = [
                said(visible(reason, multiline=False), f"bold {HINT.get(kind, '$warn')}") for kind, reason in like.hints
            ]
            lines.append([own("differs  ", "$quiet"), *joined(hints)])
        return lines

    def _foot(self) -> list[Line]:
        """What each answer does here: a value that is replaced is another matter than one that stands beside."""
        take = "takes the new value; the live one stays in the history" if self.replaces else "lets it hold beside it"
        if self._detail.proposal.op == "remove":
            take = "removes it; it stays in the history"
        return [[own(keys.shown("sides.take"), "bold $accent"), own(f" {take}", "$quiet")]]

    # ---- keys

    def do_diff_split(self) -> None:
        """Side by side, or one under the other."""
        self.difference.toggle_split()

    def do_sides_next(self) -> None:
        """The next memory."""
        self._at = (self._at + 1) % len(self._ids)
        self._warned = False
        self._read()

    def do_sides_open(self) -> None:
        """The key that opened it closes it."""
        self.desk.do_leave()

    def do_back(self) -> None:
        """Leave the line of input, else back to the queue."""
        if not self.leave_prompt():
            self.desk.do_leave()

    def taken(self) -> Taken | None:
        """The proposed text; of a removal, the text that would go."""
        proposal = self._detail.proposal
        return Taken(words.content_of(proposal), f"memory-{proposal.id[-6:]}.txt")

    def do_sides_take(self) -> None:
        """The new value; text not seen, or hidden characters, need a second press."""
        left = self.difference.rows_unseen()
        unseen = f"{words.count(left, 'more line', 'more lines')} not seen yet" if left else None
        doubt = self._answers.doubt(self._detail.proposal, unseen)
        if doubt is not None and not self._warned:
            self._warned = True
            self.say(visible(f"{doubt}: once more approves it all the same", multiline=False), bad=True)
            return
        self._answer("take")

    def do_sides_keep(self) -> None:
        """The live value: the proposal is rejected."""
        self._answer("keep")

    def do_sides_edit(self) -> None:
        """A wording of one's own."""
        self._answer("edit")

    def do_sides_both(self) -> None:
        """Both, under two keys."""
        self._answer("both")

    def _answer(self, answer: str) -> None:
        if self._painted is None:
            self.say(Shown("still being painted: nothing done, press it again"), bad=True)
            return
        self.desk.do_leave()
        self._answers.sides_answered(answer, self._detail)


def sides(side: Side, detail: Detail, setting: Setting, room: int) -> list[Line]:
    """The facts of both sides in ``room`` cells: beside each other, or one under the other where that has no room."""
    left, right = _live(side, setting), _proposed(detail, setting)
    if room < COLUMNS:
        return [*detail_lines.wrapped(left, room), [], *detail_lines.wrapped(right, room)]
    widths = column_widths(room)
    columns = [detail_lines.wrapped(lines, width - 1) for lines, width in zip((left, right), widths, strict=True)]
    lines: list[Line] = []
    for at in range(max(map(len, columns))):
        one, two = (column[at] if at < len(column) else [] for column in columns)
        lines.append([*shown.pad(one, widths[0]), own("│", "$rule"), own(" "), *shown.fit(two, widths[1] - 1)])
    return lines


def _live(side: Side, setting: Setting) -> list[Line]:
    memory, entry = side.memory, side.memory.entry
    state = "live" if memory.status == "active" else {"retired": "turned down"}.get(memory.status, memory.status)
    name = [own("  "), said(visible(entry.key, multiline=False), "$key")] if entry.key else []
    newest = side.versions[0] if side.versions else None
    decided: list[Part] = [own(words.day(memory.updated_at, setting.now))]
    if newest is not None:
        did = visible(detail_lines.ACTION.get(newest.action, newest.action), multiline=False)
        decided.append(said(Shown(f"{did} by {words.who(newest.actor, setting.me)}")))
    decided.append(own(f"revision {memory.revision}", "$quiet"))
    lines: list[Line] = [
        [own(state, "bold"), *name],
        labelled("said by", _said_by(memory)),
        labelled("since", joined(decided)),
        labelled("support", _support(side)),
    ]
    return [*lines, *_evidence(memory)]


def _proposed(detail: Detail, setting: Setting) -> list[Line]:
    proposal = detail.proposal
    said_: list[Part] = [own(words.day(proposal.created_at, setting.now))]
    if checkout := words.checkout(proposal):
        said_.append(said(Shown("on " + checkout)))
    times = [own(words.count(proposal.mentions, "time", "times"))]
    if detail.sessions:
        times.append(own(f"in {words.count(detail.sessions, 'session', 'sessions')}"))
    lines: list[Line] = [
        [own("removal" if proposal.op == "remove" else "proposed", "bold")],
        labelled("said by", _said_by(proposal)),
        labelled("when", joined(said_)),
        labelled("said", joined(times)),
    ]
    if proposal.entry.confidence is not None:
        lines.append(labelled("sure", [own(f"{proposal.entry.confidence:.2f}", "bold"), own(" it says", "$quiet")]))
    return [*lines, *_evidence(proposal)]


def _said_by(fact: Memory | Proposal) -> list[Part]:
    entry = fact.entry
    agent = entry.source_agent
    parts = [said(visible(agent, multiline=False), "bold") if agent else own("not said", "$quiet")]
    if entry.source != "unknown":
        parts.append(own(words.SOURCE.get(entry.source, entry.source)))
    if entry.session_id:
        parts.append(said(Shown("session " + words.session(entry.session_id)), "$quiet"))
    return joined(parts)


def _support(side: Side) -> list[Part]:
    """What was seen to bear it out; what agents only claim stands apart."""
    parts = [own(told) for told in _counted(side.support)] or [own("none seen", "$quiet")]
    return joined([*parts, *(own(f"{told} claimed", "$quiet") for told in _counted(side.claimed))])


def _counted(numbers: Mapping[str, int]) -> list[str]:
    return [words.count(number, *BORE.get(kind, (kind, kind))) for kind, number in numbers.items()]


def _evidence(fact: Memory | Proposal) -> Sequence[Line]:
    evidence = fact.entry.evidence
    return [labelled("evidence", [said(words.quoted(evidence[:200]), "italic")])] if evidence else []
