"""Two views of the library: what is due for another look, and what says nearly the same.

Each narrows the list to what it is about and says of each row why it is there; back leaves it. In the re-check one key
says that a memory still holds; among near-copies one key keeps one and expires the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from console import keys, words
from console.screens.library_many import Batch, LibraryMany, gather
from console.screens.library_view import ORDER, Looked
from console.visible import Shown, visible
from console.widgets.meeting import block
from console.widgets.shown import Line, Part, own, said
from store.facts import Actor, Done
from store.filters import EVERYTHING, Filter
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store
    from store.queries import MemoryOrder
    from store.rechecking import Due

RECHECK: Final = "re-check"
COPIES: Final = "near-copies"
LOOKING: Final = {RECHECK: "looking for what may no longer hold", COPIES: "comparing memories"}
REASON: Final = {
    "path_gone": ("path gone", "$alarm"),
    "against": ("against", "$alarm"),
    "ends": ("ends soon", "$warn"),
    "unsure": ("unsure", "$warn"),
    "unverified": ("long unseen", "$quiet"),
    "unused": ("never used", "$quiet"),
}
"""Why a memory is due for another look, in words, with the colour."""


class LibraryViews(LibraryMany):
    """The library, whole or in one of its views."""

    def __init__(self) -> None:
        super().__init__()
        self.showing = ""
        """The view that the list is narrowed to, or empty."""
        self._opening = False
        """Whether the view has just been asked for."""
        self._copies: tuple[tuple[str, ...], ...] = ()
        """The groups of near-copies as they are listed, each with its head first."""

    def narrowed(self) -> Shown | None:
        """The view and how much it holds, or the filter; the order, where it is another than usual."""
        if not self.showing and self.order != "updated":
            return Shown(", ".join(part for part in (ORDER[self.order], super().narrowed()) if part))
        if not self.showing or not self.flt.empty:
            return super().narrowed()
        left = f", {self._looked.left_out:,} not compared" if self._looked.left_out else ""
        return visible(f"{self.showing} {len(self.listing.ids):,}{left}", multiline=False)

    @property
    def nothing_here(self) -> tuple[str, str] | None:
        """What an empty view says, and what it is for."""
        if not self.showing:
            return super().nothing_here
        if self.showing == RECHECK:
            return "Nothing is due for another look.", "leaves the re-check; it fills as memories age"
        left, compared = self._looked.left_out, self._looked.of - self._looked.left_out
        if left:
            narrows = f"leaves this view; {left:,} were not compared"
            return f"Among {compared:,} memories no two say nearly the same.", narrows
        return "No two memories here say nearly the same.", "leaves this view"

    def look_for(self) -> Callable[[Store], Looked]:
        """What the present view lists."""
        if not self.showing:
            return super().look_for()
        flt, scopes, project = self.flt, self.view, self.desk.project
        if self.showing == COPIES:
            return lambda store: _copies(store, flt, scopes)
        gone = self.desk.outlook.gone
        scope = project.identity if project and self.desk.locked is None else ""
        return lambda store: _recheck(store, flt, scopes, gone, scope)

    @property
    def looking(self) -> str:
        """What is being done while the view is looked for."""
        return LOOKING.get(self.showing) or super().looking

    def asked_for(self) -> tuple[Filter, MemoryOrder, str]:
        """What the list is to hold, and which view of it."""
        return self.flt, self.order, self.showing

    def ask_for(self, flt: Filter, order: MemoryOrder, view: str) -> None:
        """The list is to hold this."""
        super().ask_for(flt, order, view)
        self.showing, self._opening = view, False

    def show_view(self, view: str) -> None:
        """Narrow the list to a view, or (the same again, or empty) widen it."""
        self.showing = "" if self.showing == view else view
        self.flt = EVERYTHING
        self._opening = True
        self.listing.unmark()
        self.say(Shown("looking …") if self.showing else Shown("all memories"))
        self.reload()
        self.facts_changed()

    def do_library_recheck(self) -> None:
        """What may no longer be true."""
        self.show_view(RECHECK)

    def do_library_copies(self) -> None:
        """What says nearly the same, group by group."""
        self.show_view(COPIES)

    def do_library_order(self) -> None:
        """The next order; a view has its own, which says why a memory stands in it."""
        if self.showing:
            own_order = {RECHECK: "what is most pressing stands first", COPIES: "near-copies stand by group"}
            all_of_it = f"{own_order[self.showing]}; {keys.shown('back')} shows all memories, in any order"
            self.say(visible(all_of_it, multiline=False), bad=True)
            return
        super().do_library_order()

    def leave_view(self) -> bool:
        """Back from a view; False where none is open."""
        if not self.showing:
            return False
        self.show_view("")
        return True

    def looked(self, looked: Looked) -> None:
        """The list has come: a view that was just opened begins at its top and says what its keys do."""
        self._copies = looked.groups
        if self.showing == RECHECK:
            self.desk.recheck.seen()
        if not self._opening:
            return
        self._opening = False
        self.listing.move_end(last=False)
        if self.showing == RECHECK and len(looked.ids):
            true, edit, untrue = (keys.shown(f"library.{one}") for one in ("true", "edit", "outdated"))
            self.say(visible(f"{true} still true, {edit} edits, {untrue} no longer true", multiline=False))
        elif self.showing == COPIES and looked.groups:
            number = words.count(len(looked.groups), "group", "groups")
            one = keys.shown("library.keep_one")
            left = f"; {looked.left_out:,} were not compared, a filter narrows them" if looked.left_out else ""
            self.say(visible(f"{number}: {one} keeps the one under the cursor{left}", multiline=False))
        else:
            self.say(Shown(""))

    def noted(self, store: Store, id_: str) -> Sequence[Line]:
        """In the re-check, every reason in words, and what it is against with its text."""
        row = self._looked.due.get(id_) if self.showing == RECHECK else None
        if row is None:
            return ()
        lines: list[Line] = [_reasons(row)]
        if row.other is not None:
            from store import queries

            for other in queries.memory_rows(store, [row.other.other]):
                text = visible(other.entry.content[:400], multiline=False)
                lines.append([own(f"…{other.id[-6:]} says  ", "$quiet"), said(text)])
        return [*lines, []]

    # ---- still true

    def do_library_true(self) -> None:
        """A person has looked at it: it holds."""
        if self.listing.marks:
            self.say(visible(f"one at a time: {keys.shown('back')} leaves the marks", multiline=False), bad=True)
            return
        memory = self.painted_memory()
        if memory is None:
            return
        following = self.listing.after({memory.id}) if self.showing == RECHECK else None

        def act(store: Store, by: Actor) -> Done:
            from store import rechecking

            return rechecking.still_true(store, memory.id, memory.revision, by=by)

        def then() -> None:
            if following is not None:
                self.listing.go_to(following)

        self.decide({memory.id}, act, then=then)

    # ---- one of the near-copies

    def do_library_keep_one(self) -> None:
        """Keep the row under the cursor, or of the marks one of each group; the others expire."""
        if self.showing != COPIES:
            self.say(visible(f"{keys.shown('library.copies')} shows the near-copies first", multiline=False), bad=True)
            return
        here = self.listing.cursor_id
        if self.listing.marks:
            plans = [plan for group in self._copies if (plan := _among(group, self.listing.marks))]
        else:
            plans = [(here, tuple(one for one in group if one != here)) for group in self._copies if here in group]
        if not plans or (not self.listing.marks and self.painted_memory() is None):
            self.say(Shown("fewer than two of a group are marked: nothing to expire"), bad=True)
            return
        kept = [str(survivor) for survivor, _ in plans]
        rest = [one for _, others in plans for one in others]

        def job(store: Store) -> tuple[Batch, Batch]:
            return gather(store, kept), gather(store, rest)

        self.ask("batch", job, lambda both: self._ask_keep(*both), slow="reading what is marked")

    def _ask_keep(self, kept: Batch, rest: Batch) -> None:
        if not len(kept) or not len(rest):
            self.say(Shown("they are not in use any more"), bad=True)
            return

        def act(store: Store, by: Actor) -> Done:
            from store import memory_copies

            return memory_copies.keep_one(store, kept.pairs, rest.pairs, by=by)

        number = len(rest)
        title = Shown(f"Keep {len(kept):,}, expire {words.count(number, 'near-copy', 'near-copies')}?")
        question = Shown(f"Keep {len(kept):,}, expire {number:,}")
        self.confirm(title, question, lambda: self.decide(rest.ids, act), _plan(kept, rest, self._copies))


def _among(group: Sequence[str], marks: object) -> tuple[str, tuple[str, ...]] | None:
    """Of the marked ones of a group the one that stays, and those that go; None where fewer than two are marked."""
    marked = [one for one in group if one in marks]  # type: ignore[operator]
    if len(marked) < 2:
        return None
    return marked[0], tuple(marked[1:])


def _plan(kept: Batch, rest: Batch, groups: Iterable[Sequence[str]]) -> list[Line]:
    """Group by group: the survivor first, then what expires."""
    stays, goes = ({one.id: one for one in batch.first} for batch in (kept, rest))
    lines: list[Line] = []
    for group in groups:
        survivor = next((stays[one] for one in group if one in stays), None)
        if survivor is None:
            continue
        lines.append([own("stays", "bold $added")])
        lines += block(survivor.entry.key or f"…{survivor.id[-6:]}", survivor.entry.content)
        for one in group:
            if one in goes:
                lines.append([own("expires", "bold $removed")])
                lines += block(goes[one].entry.key or f"…{one[-6:]}", goes[one].entry.content)
    more = len(rest) - len(rest.first)
    return [*lines, [own(f"and {more:,} more", "bold $warn")]] if more else lines


def _within(store: Store, flt: Filter, scopes: tuple[str, ...] | None) -> PackedIds:
    from store import queries

    return queries.memory_ids(store, flt, scopes=scopes)


def _recheck(
    store: Store,
    flt: Filter,
    scopes: tuple[str, ...] | None,
    gone: Mapping[str, object],
    scope: str,
) -> Looked:
    from store import rechecking, stopping

    rows = rechecking.due(store, scopes, gone=gone, wanted=stopping.wanted)
    stopping.check()
    if not flt.empty:
        wanted = set(_within(store, flt, scopes))
        rows = tuple(row for row in rows if row.id in wanted)
    if scope:
        rechecking.looked(store, scope)
    remarks = {row.id: _why(row) for row in rows}
    return Looked(PackedIds.of(row.id for row in rows), remarks, due={row.id: row for row in rows})


def _why(row: Due) -> list[Part]:
    """The gravest reason, and how many more there are."""
    word, style = REASON[row.reasons[0]]
    name = f"{word} …{row.other.other[-6:]}" if row.reasons[0] == "against" and row.other else word
    more = f" +{len(row.reasons) - 1}" if len(row.reasons) > 1 else ""
    return [own(f"  {name}", style), own(more, "$quiet")]


def _reasons(row: Due) -> list[Part]:
    """All reasons of one memory."""
    line: list[Part] = []
    for reason in row.reasons:
        word, style = REASON[reason]
        line += [own(word, style), own("   ")]
    if row.other is not None:
        line.append(said(visible(row.other.reason, multiline=False), "$quiet"))
    return line


def _copies(store: Store, flt: Filter, scopes: tuple[str, ...] | None) -> Looked:
    from store import encoders, stopping
    from store.memory_copies import memory_clusters

    within = _within(store, flt, scopes)
    found = memory_clusters(store, within, encoder=encoders.at_hand(), wanted=stopping.wanted)
    stopping.check()
    groups = tuple(cluster.ids for cluster in found.items)
    remarks: dict[str, list[Part]] = {}
    for number, group in enumerate(groups, 1):
        remarks[group[0]] = [own(f"  {number:,} of {len(group)}", "bold $accent")]
        remarks |= {one: [own(f"  {number:,} copy", "$quiet")] for one in group[1:]}
    ids = PackedIds.of(one for group in groups for one in group)
    return Looked(ids, remarks, groups=groups, left_out=found.left_out, of=len(within))
