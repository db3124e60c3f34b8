"""A desk in plain dictionaries: what a store must be after each step, by the rules of design sections 3 and 5.

It knows nothing of tables. Memories and proposals are lists of states; which step stands is worked out from the whole
log each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

Mark = tuple[str, str, str]
"""What makes a saying: its scope, whether it is a removal, and its text."""


@dataclass(frozen=True)
class State:
    """A memory at one revision."""

    status: str
    scope: str
    content: str
    key: str | None
    until: datetime | None
    previous: str | None

    @property
    def mark(self) -> Mark:
        return (self.scope, "hold", self.content)


@dataclass(frozen=True)
class Ask:
    """A proposal as it stands. ``aimed`` is the memory it named or met at intake."""

    status: str
    op: str
    scope: str
    content: str
    key: str | None
    until: datetime | None
    aimed: str | None
    group: object

    @property
    def mark(self) -> Mark:
        return (self.scope, "remove" if self.op == "remove" else "hold", self.content)

    @property
    def open(self) -> bool:
        return self.status in ("draft", "pending", "deferred")


@dataclass
class Step:
    """One operation: what it changed, and what stood under each thing when it was first done."""

    id: str
    action: str
    actor: str
    undoes: str | None = None
    memories: dict[str, tuple[State | None, State]] = field(default_factory=dict)
    asks: dict[str, tuple[Ask, Ask]] = field(default_factory=dict)
    under: dict[str, frozenset[str]] = field(default_factory=dict)
    ruled: int = 0
    """Decisions that came with a version of their own."""

    @property
    def count(self) -> int:
        return len(self.memories) + len(self.asks) - self.ruled


class Model:
    """The whole desk."""

    def __init__(self) -> None:
        self.memories: dict[str, list[State]] = {}
        self.asks: dict[str, Ask] = {}
        self.steps: dict[str, Step] = {}
        self.stones: dict[tuple[Mark, str], str | None] = {}

    # -- looking

    def head(self, memory: str) -> State:
        return self.memories[memory][-1]

    def active(self) -> dict[str, State]:
        return {one: states[-1] for one, states in self.memories.items() if states[-1].status == "active"}

    def holder(self, scope: str, key: str | None) -> str | None:
        held = [one for one, s in self.active().items() if key is not None and (s.scope, s.key) == (scope, key)]
        assert len(held) <= 1
        return held[0] if held else None

    def saying(self, mark: Mark) -> list[str]:
        return [one for one, state in self.active().items() if state.mark == mark]

    def bound(self) -> set[Mark]:
        return {mark for (mark, _), lifter in self.stones.items() if lifter is None}

    def target(self, ask: Ask) -> str | None:
        if ask.aimed is not None and self.head(ask.aimed).status == "active":
            return ask.aimed
        return self.holder(ask.scope, ask.key)

    # -- which steps stand

    def root(self, step: Step) -> Step:
        while step.undoes is not None:
            step = self.steps[step.undoes]
        return step

    def effective(self) -> list[Step]:
        """The steps that no effective step undoes, newest first."""
        undone: set[str] = set()
        found = []
        for step in reversed(self.steps.values()):
            if step.id in undone:
                continue
            found.append(step)
            if step.undoes is not None:
                undone.add(step.undoes)
        return found

    def roots_on(self, thing: str) -> frozenset[str]:
        """The decisions that are in effect on one memory or proposal; the clock's aside."""
        decided = set()
        turned: set[str] = set()
        for step in reversed(self.steps.values()):
            if thing not in step.memories and thing not in step.asks:
                continue
            root = self.root(step)
            if root.id in turned or root.actor == "clock":
                continue
            turned.add(root.id)
            if step.action != "undo":
                decided.add(root.id)
        return frozenset(decided)

    def next_undo(self, actor: str) -> Step | None:
        """The newest step of this person's, or of a rule."""
        return next((s for s in self.effective() if s.actor in (actor, "policy") and s.action != "undo"), None)

    def next_redo(self, actor: str) -> Step | None:
        return next((s for s in self.effective() if s.actor == actor and s.action == "undo"), None)

    def blocked(self, step: Step) -> set[str]:
        """The memories and proposals of a step that something later stands on."""
        root = self.root(step)
        things = set(step.memories) | set(step.asks)
        expected = {one: root.under[one] | (set() if step.action == "undo" else {root.id}) for one in things}
        stuck = {one for one in things if self.roots_on(one) != expected[one]}
        if step.action != "undo":
            taken = {mark for (mark, layer), lifter in self.stones.items() if layer == root.id and lifter is not None}
            stuck |= {one for one, pair in step.memories.items() if pair[0] and pair[0].mark in taken}
            stuck |= {one for one in step.asks if self.asks[one].mark in taken}
        return stuck

    # -- doing

    def apply(self, step: Step, lay: set[Mark] | None = None) -> None:
        """Write a step down, with all that follows from it."""
        if step.undoes is None:
            step.under = {one: self.roots_on(one) for one in (*step.memories, *step.asks)}
        else:
            self._turn(step)
        for one, (before, after) in step.memories.items():
            self.memories.setdefault(one, []).append(after)
            if after.status == "active" and (before is None or before.status != "active" or before.mark != after.mark):
                self._lift(after.mark, step.id)
        for one, (_, later) in step.asks.items():
            self.asks[one] = later
        made = {after.mark for _, after in step.memories.values() if after.status == "active"}
        for mark in (lay or set()) - made:
            self.stones[mark, step.id] = None
        self.steps[step.id] = step

    def _lift(self, mark: Mark, by: str) -> None:
        for stone, lifter in self.stones.items():
            if stone[0] == mark and lifter is None:
                self.stones[stone] = by

    def _turn(self, step: Step) -> None:
        root = self.root(step).id if step.undoes is None else self.root(self.steps[step.undoes]).id
        for stone, lifter in self.stones.items():
            if lifter == step.undoes:
                self.stones[stone] = None
            if step.action == "undo" and stone[1] == root:
                self.stones[stone] = step.id

    def doing(self, step: Step) -> Step:
        """The step itself, or the redo through which it is in effect: that is what undoing it takes back."""
        redone = {self.steps[one.undoes].undoes: one for one in self.effective() if one.action == "redo" and one.undoes}
        while step.id in redone:
            step = redone[step.id]
        return step

    def turned(self, step: Step, operation_id: str, actor: str) -> Step:
        """The undo or redo of a step: what stood before it, appended."""
        action = "redo" if step.action == "undo" else "undo"
        made = Step(operation_id, action, actor, undoes=step.id, ruled=step.ruled)
        for one, (before, after) in step.memories.items():
            made.memories[one] = (self.head(one), before or replace(after, status="deleted"))
        for one, (earlier, _) in step.asks.items():
            # Its text stays as it is: what was masked once comes back by no undo.
            made.asks[one] = (self.asks[one], replace(earlier, content=self.asks[one].content))
        return made

    def key_wanted(self, step: Step) -> bool:
        """Whether something outside holds a key that undoing this step would need."""
        for before, _ in step.memories.values():
            if before is not None and before.status == "active" and before.key is not None:
                holder = self.holder(before.scope, before.key)
                if holder is not None and holder not in step.memories:
                    return True
        return False

    def due(self, now: datetime) -> dict[str, tuple[State | None, State]]:
        return {
            one: (state, replace(state, status="expired"))
            for one, state in self.active().items()
            if state.until is not None and state.until <= now
        }

    def served(self, now: datetime) -> dict[str, str]:
        """What an agent may be given."""
        return {one: s.content for one, s in self.active().items() if s.until is None or s.until > now}
