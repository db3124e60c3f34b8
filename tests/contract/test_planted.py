"""Faults planted in the real code, one at a time: the machine must notice each.

A machine that never fails proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from store import approval, block, expiry, guards, history, intake, ledger, undo
from store.engine import Store
from store.errors import NoneQualified, Stale
from store.facts import Actor, Done, Memory
from store.location import Location
from store.reading import memory
from tests.contract.machine import KEYS, PICKS, TEXTS, WHO, Machine
from tests.contract.test_machine import run

Patch = pytest.MonkeyPatch


class Renaming(Machine):
    """The machine for a fault that takes two steps in a row which chance alone seldom takes."""

    @precondition(lambda self: self.model.active())
    @rule(pick=PICKS, who=WHO, key=st.sampled_from(KEYS), to=st.integers(1, 3))
    def rename_and_bring_back(self, pick: int, who: Actor, key: str | None, to: int) -> None:
        """Another key for what stands, and then an earlier version: it must keep the key."""
        one = self._pick(sorted(self.model.active()), pick)
        place = sorted(self.model.memories).index(one)
        self.edit(pick=place, who=who, text=self.model.head(one).content, key=key, late=False)
        self._roll_back(one, len(self.model.memories[one]), who, to)


class LookingAway(Machine):
    """The machine for a fault that takes a look, a change of what was looked at, and then a decision on the look."""

    def _targets(self) -> list[tuple[str, str]]:
        """The open proposals that would change a memory, each with that memory."""
        found = [(one, self.model.target(ask)) for one, ask in sorted(self.model.asks.items()) if ask.open]
        return [(one, target) for one, target in found if target is not None]

    @precondition(lambda self: self._targets())
    @rule(pick=PICKS, who=WHO, text=st.sampled_from(TEXTS))
    def decide_on_what_changed_meanwhile(self, pick: int, who: Actor, text: str) -> None:
        one, target = self._pick(self._targets(), pick)
        self.looked.append(self.desk.see(one))
        place = sorted(self.model.memories).index(target)
        self.edit(pick=place, who=who, text=text, key=self.model.head(target).key, late=False)
        self.decide_on_what_was_painted_then(pick=len(self.looked) - 1, who=who)


class Aging(Machine):
    """The machine for a fault that takes a memory with a date, and the date."""

    def _additions(self) -> list[str]:
        return [one for one, ask in sorted(self.model.asks.items()) if ask.open and ask.op == "add"]

    @precondition(lambda self: self._additions())
    @rule(pick=PICKS, who=WHO, days=st.integers(1, 2))
    def hold_until_a_date_that_comes(self, pick: int, who: Actor, days: int) -> None:
        one = self._pick(self._additions(), pick)
        waiting = sorted(one for one, ask in self.model.asks.items() if ask.open)
        place = waiting.index(one) + len(waiting) * (waiting.index(one) % 8 == 0)
        self.place(pick=place, who=who, scope=self.model.asks[one].scope, days=days)
        self.approve(pick=place, who=who, text=None, key=None)
        self.the_clock_jumps(days=days)


class Late(Machine):
    """The machine for a fault that takes a change of what has changed since it was read."""

    @precondition(lambda self: self.model.memories)
    @rule(who=WHO, first=st.sampled_from(TEXTS), second=st.sampled_from(TEXTS))
    def edit_twice_from_one_look(self, who: Actor, first: str, second: str) -> None:
        key = self.model.head(min(self.model.memories)).key
        self.edit(pick=0, who=who, text=first, key=key, late=False)
        self.edit(pick=0, who=who, text=second, key=key, late=True)


KINDS: dict[str, type[Machine]] = {
    "rollback_takes_the_old_key": Renaming,
    "the_guard_forgets_the_revision": LookingAway,
    "a_memory_is_changed_whatever_its_revision": Late,
    "the_clock_is_asleep": Aging,
    "a_block_forgets_that_a_date_has_come": Aging,
}
"""The machines that take the steps which a fault needs more often."""


def rollback_forgets_the_previous_value(patch: Patch) -> None:
    real = ledger.Act.change

    def change(self: ledger.Act, *args: Any, **named: Any) -> Memory:
        if self.action == "rollback":
            named["previous_value"] = None
        return real(self, *args, **named)

    patch.setattr(ledger.Act, "change", change)


def rollback_takes_the_old_key(patch: Patch) -> None:
    real = history._chosen

    def chosen(now: Memory, *args: Any) -> Any:
        version = real(now, *args)
        object.__setattr__(now, "entry", now.entry.with_(key=version.entry.key if version.entry else None))
        return version

    patch.setattr(history, "_chosen", chosen)


def undo_skips_the_proposals(patch: Patch) -> None:
    patch.setattr(undo, "_reopen", lambda *_: None)


def undo_ignores_what_stands_on_it(patch: Patch) -> None:
    patch.setattr(undo, "stood_on", lambda *_: set())


def the_guard_forgets_the_revision(patch: Patch) -> None:
    real = guards.why_not

    def why_not(item: Any, seen: Any) -> str:
        if item is None:
            return real(item, seen)
        now = item.proposal.seen()
        return real(item, replace(now, proposal_id=seen.proposal_id))

    patch.setattr(guards, "why_not", why_not)


def a_memory_is_changed_whatever_its_revision(patch: Patch) -> None:
    def unguarded(store: Store, connection: Any, memory_id: str, *_: Any) -> Memory:
        found = memory(connection, store.tenant, memory_id)
        assert found is not None
        return found

    patch.setattr(history, "guarded_memory", unguarded)


def the_others_of_the_group_stay_open(patch: Patch) -> None:
    patch.setattr(approval.Approval, "_supersede", lambda *_: None)


def a_tombstone_is_never_lifted(patch: Patch) -> None:
    patch.setattr(ledger, "lift", lambda *_: None)


def a_rejection_is_not_remembered(patch: Patch) -> None:
    patch.setattr(ledger.Act, "turn_down", lambda *_: None)


def a_seq_is_used_again(patch: Patch) -> None:
    real = ledger.head

    def head(*args: Any) -> tuple[int, str]:
        seq, digest = real(*args)
        return (seq - 1 if seq > 3 else seq), digest

    patch.setattr(ledger, "head", head)


def a_seq_is_left_out(patch: Patch) -> None:
    real = ledger.head

    def head(*args: Any) -> tuple[int, str]:
        seq, digest = real(*args)
        return (seq + 1 if seq == 3 else seq), digest

    patch.setattr(ledger, "head", head)


def a_batch_is_many_acts(patch: Patch) -> None:
    def one_by_one(store: Store, chosen: Sequence[tuple[str, int]], *, by: Actor) -> Done:
        done: Done | None = None
        for memory_id, revision in chosen:
            try:
                done = history.delete(store, memory_id, revision, by=by)
            except Stale:
                continue
        if done is None:
            raise NoneQualified("nothing", left=())
        return done

    patch.setattr(history, "delete_many", one_by_one)


def the_clock_is_asleep(patch: Patch) -> None:
    for module in (expiry, intake):
        patch.setattr(module, "flip_due", lambda *_: 0)


def a_version_says_another_text_than_the_memory(patch: Patch) -> None:
    real = ledger.write_memories

    def write(connection: Any, tenant: str, changes: Any) -> None:
        real(connection, tenant, [replace(c, after=replace(c.after, previous_value="?")) for c in changes])

    patch.setattr(ledger, "write_memories", write)


def a_block_keeps_what_left_it(patch: Patch) -> None:
    def given_in(self: ledger.Act) -> set[str]:
        return {c.after.entry.scope for c in self._changes.values() if c.after.status == "active"}

    patch.setattr(ledger.Act, "_given_in", given_in)


def a_block_forgets_that_a_date_has_come(patch: Patch) -> None:
    patch.setattr(block, "_live", lambda scopes, now: [one for items in scopes for one in items])


FAULTS: tuple[Callable[[Patch], None], ...] = (
    rollback_forgets_the_previous_value,
    rollback_takes_the_old_key,
    undo_skips_the_proposals,
    undo_ignores_what_stands_on_it,
    the_guard_forgets_the_revision,
    a_memory_is_changed_whatever_its_revision,
    the_others_of_the_group_stay_open,
    a_tombstone_is_never_lifted,
    a_rejection_is_not_remembered,
    a_seq_is_used_again,
    a_seq_is_left_out,
    a_batch_is_many_acts,
    the_clock_is_asleep,
    a_version_says_another_text_than_the_memory,
    a_block_keeps_what_left_it,
    a_block_forgets_that_a_date_has_come,
)


FOUND_AT_ONCE = (a_rejection_is_not_remembered,)
"""What the machine finds within seconds, in every run; the others are for the long run."""


@pytest.mark.parametrize("engine_name", ["sqlite"])
@pytest.mark.parametrize(
    "plant",
    [pytest.param(one, marks=() if one in FOUND_AT_ONCE else pytest.mark.long, id=one.__name__) for one in FAULTS],
)
def test_the_machine_notices(plant: Callable[[Patch], None], monkeypatch: Patch, location: Location) -> None:
    plant(monkeypatch)
    kind = KINDS.get(plant.__name__, Machine)
    with pytest.raises(Exception) as caught:
        run(location, kind, max_examples=250, stateful_step_count=40, phases=(Phase.generate,))
    assert not isinstance(caught.value, (TypeError, AttributeError, NameError)), "the fault itself is broken"
