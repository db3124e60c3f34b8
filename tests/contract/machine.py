"""The machine: a real store and the model side by side, compared after every step."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from store import block, blocks, given, history, review, review_cluster, sides
from store.borne_out import bear_out
from store.context import Context
from store.engine import Store
from store.entry import GLOBAL, fingerprint
from store.errors import (
    AlreadyDecided,
    AlreadyKnown,
    Conflict,
    KeyTaken,
    LaterOperation,
    MeminboxError,
    NoneQualified,
    NotFound,
    NothingToUndo,
    Stale,
)
from store.facts import Actor, Done, Seen
from store.intake import take
from store.policy import Rule, Rules
from store.project import Project
from store.raw import Raw
from store.verify import verify
from tests.contract.decisions import ANN, BOB, Desk
from tests.contract.model import Ask, Mark, Model, State, Step
from tests.contract.proposing import unlike

PLACE = Context(scope="shop", surface="mcp")
TEXTS = ("use pnpm", "use npm", "use yarn", "用 pnpm", "I like it short")
DRAFTED = "I like it short"
RULES = Rules((Rule("codex", frozenset({"codex"})),))
KEYS = (None, "a", "b")
PICKS = st.integers(0, 1000)
WHO = st.sampled_from((ANN, BOB))


class Refused(Exception):
    """What the model expects the store to raise."""

    def __init__(self, kind: type[MeminboxError]) -> None:
        super().__init__(kind.__name__)
        self.kind = kind


class Machine(RuleBasedStateMachine):
    """Rules over everything a person and an agent can do. ``fresh`` and ``again`` are set by the tests."""

    fresh: Callable[[], Store]
    again: Callable[[], Store]

    @initialize()
    def open(self) -> None:
        self.desk = Desk(type(self).fresh())
        blocks.ensure(self.desk.store)
        self.reopened = False
        self.checked = (0, 0)
        self.given: Any = None
        self.said = 0
        self.model = Model()
        self.past: dict[str, dict[Any, Any]] = {}
        self.looked: list[Seen] = []
        for text, key in (("use pnpm", "a"), ("use npm", None), ("use yarn", "b"), ("用 pnpm", "a")):
            self._propose(text, key, None, 0)
        for pick in (1, 2):
            self.approve(pick, ANN, None, None)

    def teardown(self) -> None:
        if hasattr(self, "desk") and self.reopened:
            self.desk.store.close()

    # -- proposing

    @rule(
        said=st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(KEYS)), min_size=1, max_size=3),
        pick=PICKS,
        aimed=st.booleans(),
        days=st.integers(0, 3),
    )
    def propose(self, said: list[tuple[str, str | None]], pick: int, aimed: bool, days: int) -> None:
        for text, key in said:
            self._propose(text, key, pick if aimed else None, days)

    def _propose(self, text: str, key: str | None, pick: int | None, days: int) -> None:
        self._flipped()
        target = self._pick(sorted(self.model.active()), pick) if pick is not None else None
        state = self.model.head(target) if target else None
        until = self.desk.clock.now + timedelta(days=days) if days else None
        kind = "preference" if text == DRAFTED else "fact"
        raw = Raw(content=text, key=key, kind=kind, target=target, session_id="s1", valid_until=until)
        scope = state.scope if state else "shop"
        key = key or (state.key if state else None)
        ask = Ask("draft" if text == DRAFTED else "pending", "add", scope, text, key, until, None, None)
        self._take(raw, replace(ask, aimed=target or self.model.holder(scope, key)))

    @precondition(lambda self: self.model.active())
    @rule(pick=PICKS)
    def propose_removal(self, pick: int) -> None:
        self._flipped()
        target = self._pick(sorted(self.model.active()), pick)
        if target is None:
            return
        state = self.model.head(target)
        raw = Raw(op="remove", target=target, session_id="s1")
        self._take(raw, Ask("pending", "remove", state.scope, state.content, state.key, None, target, None))

    def _take(self, raw: Raw, ask: Ask) -> None:
        served = self.desk.served()
        with self.desk.store.write() as connection:
            (outcome,) = take(self.desk.store, connection, [raw], context=PLACE)
        assert self.desk.served() == served
        now = self.desk.clock.now
        waiting = sorted(
            one
            for one, other in self.model.asks.items()
            if other.open and other.mark == ask.mark and (other.until is None or other.until > now)
        )
        known = self.model.saying(ask.mark) if ask.op != "remove" else []
        if known:
            assert (outcome.status, outcome.id in known) == ("known", True)
        elif waiting:
            assert (outcome.status, outcome.id) == (
                "draft" if self.model.asks[waiting[-1]].status == "draft" else "pending",
                waiting[-1],
            )
        elif ask.mark in self.model.bound():
            assert outcome.status == "rejected_before", outcome
        else:
            assert outcome.status == ask.status, outcome
            assert outcome.id is not None
            group = (ask.scope, ask.key) if ask.key else (ask.aimed or outcome.id)
            self.model.asks[outcome.id] = replace(ask, group=group)

    @rule(key=st.sampled_from(KEYS), days=st.integers(0, 2))
    def a_rule_approves(self, key: str | None, days: int) -> None:
        """What a rule of the person's covers and nothing speaks against holds at once: a step that undo offers."""
        self._flipped()
        self.said += 1
        text = unlike(self.said)
        until = self.desk.clock.now + timedelta(days=days) if days else None
        raw = Raw(content=text, key=key, kind="fact", session_id="s1", valid_until=until, source_agent="codex")
        with self.desk.store.write() as connection:
            (outcome,) = take(self.desk.store, connection, [raw], context=PLACE, rules=RULES)
        holder = self.model.holder("shop", key)
        one = max(row["id"] for row in self.desk.rows("proposal") if row["content"] == text)
        group = ("shop", key) if key else one
        ask = Ask("pending", "add", "shop", text, key, until, holder, group)
        met_before = key is not None and any(other.group == group for other in self.model.asks.values())
        self.model.asks[one] = ask
        everywhere = self.model.holder("global", key)  # what it would speak against in this scope
        if holder is not None or met_before or everywhere is not None:
            assert (outcome.status, outcome.id) == ("pending", one)
            return
        assert outcome.status == "known" and outcome.id is not None
        step = Step(self.desk.operations()[-1].id, "approve", "policy", ruled=1)
        step.memories[outcome.id] = (None, State("active", "shop", text, key, until, None))
        step.asks[one] = (ask, replace(ask, status="approved"))
        self.model.apply(step)

    # -- deciding on proposals

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO, text=st.sampled_from((None, *TEXTS)), key=st.sampled_from(KEYS))
    def approve(self, pick: int, who: Actor, text: str | None, key: str | None) -> None:
        one = self._ask(pick)
        seen = self.desk.see(one)
        ask = self.model.asks[one]
        edit = (text, key) if text is not None and ask.op != "remove" else None
        edited = None
        if edit is not None:
            edited = self.desk.proposal(one).entry.with_(content=text, key=key)

        def expected() -> tuple[Step, set[Mark]]:
            self._guard(one, seen)
            step, lay, left = self._batch([one], {one: edit} if edit else {})
            if left:
                raise left[one]
            return step, lay

        self._decide(expected, lambda: review.approve(self.desk.store, seen, by=who, edited=edited), "approve", who)

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO, key=st.sampled_from(("b", "c")))
    def keep_both(self, pick: int, who: Actor, key: str) -> None:
        one = self._ask(pick)
        seen = self.desk.see(one)

        def expected() -> tuple[Step, set[Mark]]:
            self._guard(one, seen)
            ask = self.model.asks[one]
            if ask.op == "remove" or self.model.target(ask) is None:
                raise Refused(Conflict)
            step = Step("", "approve", who.name, asks={one: (ask, replace(ask, status="approved"))}, ruled=1)
            memory, after, lay = self._approved(one, ask, None, (ask.content, key), step)
            before = self.model.head(memory) if memory in self.model.memories else None
            step.memories[memory] = (before, after)
            return step, lay

        self._decide(expected, lambda: sides.keep_both(self.desk.store, seen, key, by=who), "approve", who)

    @precondition(lambda self: self.model.asks)
    @rule(picks=st.lists(PICKS, min_size=1, max_size=4), who=WHO)
    def approve_batch(self, picks: list[int], who: Actor) -> None:
        chosen = sorted({one for pick in picks if (one := self._ask(pick))})
        seens = {one: self.desk.see(one) for one in chosen}
        left: dict[str, Refused] = {}

        def expected() -> tuple[Step, set[Mark]]:
            fit = []
            for one in chosen:
                try:
                    self._guard(one, seens[one])
                    fit.append(one)
                except Refused as refused:
                    left[one] = refused
            step, lay, more = self._batch(fit, {})
            left.update(more)
            if not step.asks:
                raise Refused(NoneQualified)
            return step, lay

        done = self._decide(
            expected,
            lambda: review.approve_many(self.desk.store, list(seens.values()), by=who, plain_only=False),
            "approve",
            who,
        )
        if done is not None:
            assert {one for one, _ in done.left} == set(left)

    @precondition(lambda self: self.model.asks)
    @rule(picks=st.lists(PICKS, min_size=1, max_size=4), who=WHO)
    def keep_one_of_a_cluster(self, picks: list[int], who: Actor) -> None:
        chosen = list(dict.fromkeys(self._ask(pick) for pick in picks))
        head, *others = chosen
        seens = {one: self.desk.see(one) for one in chosen}
        left: set[str] = set()

        def expected() -> tuple[Step, set[Mark]]:
            self._guard(head, seens[head])
            step, lay, refused = self._batch([head], {})
            if refused:
                raise refused[head]
            own = self.model.asks[head]
            for one in others:
                if one in step.asks:
                    continue
                ask = self.model.asks[one]
                try:
                    self._guard(one, seens[one])
                except Refused:
                    left.add(one)
                    continue
                plain = ask.op != "remove" and self.model.target(ask) is None
                if not plain or ask.scope != own.scope or ask.key not in (None, own.key):
                    left.add(one)
                else:
                    step.asks[one] = (ask, replace(ask, status="superseded"))
            return step, lay

        def decide() -> Done:
            return review_cluster.approve(self.desk.store, list(seens.values()), head, by=who)

        done = self._decide(expected, decide, "approve", who)
        if done is not None:
            assert {one for one, _ in done.left} == left

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO, group=st.booleans())
    def reject(self, pick: int, who: Actor, group: bool) -> None:
        self._rule_on(pick, who, "reject", "rejected", group)

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO)
    def defer(self, pick: int, who: Actor) -> None:
        self._rule_on(pick, who, "defer", "deferred", False)

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO)
    def withdraw(self, pick: int, who: Actor) -> None:
        self._rule_on(pick, who, "withdraw", "withdrawn", False)

    def _rule_on(self, pick: int, who: Actor, action: str, status: str, group: bool) -> None:
        one = self._ask(pick)
        seen = self.desk.see(one)

        def expected() -> tuple[Step, set[Mark]]:
            self._guard(one, seen)
            ask = self.model.asks[one]
            alike = [o for o, other in self.model.asks.items() if other.open and other.group == ask.group]
            step, lay = Step("", action, who.name), set()
            for each in alike if group else [one]:
                step.asks[each] = (self.model.asks[each], replace(self.model.asks[each], status=status))
                lay.add(self.model.asks[each].mark)
            return step, lay if action == "reject" else set()

        extra = {"group": True} if group else {}
        self._decide(expected, lambda: getattr(review, action)(self.desk.store, seen, by=who, **extra), action, who)

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO)
    def turn_down(self, pick: int, who: Actor) -> None:
        one = self._ask(pick)
        seen = self.desk.see(one)

        def expected() -> tuple[Step, set[Mark]]:
            self._guard(one, seen)
            ask = self.model.asks[one]
            if ask.op == "remove":
                raise Refused(Conflict)
            if self.model.saying(ask.mark):
                raise Refused(AlreadyKnown)
            kept = self._without_doubt(ask)
            rejected = replace(ask, status="rejected", content=kept)
            step = Step("", "retire", who.name, asks={one: (ask, rejected)}, ruled=1)
            old = self._expired(rejected.mark, step)
            before = self.model.head(old) if old is not None else None
            key = ask.key or (before.key if before is not None else None)
            previous = before.previous if before is not None else None
            after = State("retired", ask.scope, kept, key, ask.until, previous)
            step.memories[old or f"new of {one}"] = (before, after)
            return step, {ask.mark}

        self._decide(expected, lambda: review.turn_down(self.desk.store, seen, "tried", who), "retire", who)

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS, who=WHO, scope=st.sampled_from(("shop", "global")), days=st.integers(0, 2))
    def place(self, pick: int, who: Actor, scope: str, days: int) -> None:
        one = self._ask(pick)
        seen = self.desk.see(one)
        until = self.desk.clock.now + timedelta(days=days) if days else None

        def expected() -> tuple[Step, set[Mark]]:
            self._guard(one, seen)
            ask = self.model.asks[one]
            after = replace(ask, until=until)
            if scope != ask.scope:
                if ask.op == "remove":
                    raise Refused(Conflict)
                aimed = None if ask.key else ask.aimed
                after = replace(after, scope=scope, aimed=aimed, group=(scope, ask.key) if ask.key else (aimed or one))
            if after == ask:
                raise Refused(Conflict)
            return Step("", "place", who.name, asks={one: (ask, after)}), set()

        self._decide(
            expected,
            lambda: review.place(self.desk.store, seen, by=who, scope=scope, valid_until=until),
            "place",
            who,
        )

    @precondition(lambda self: self.model.asks)
    @rule(pick=PICKS)
    def look(self, pick: int) -> None:
        one = self._ask(pick)
        self.looked.append(self.desk.see(one))

    @precondition(lambda self: self.looked)
    @rule(pick=PICKS, who=WHO)
    def decide_on_what_was_painted_then(self, pick: int, who: Actor) -> None:
        self._flipped()
        seen = self.looked[pick % len(self.looked)]
        if self.desk.see(seen.proposal_id) == seen:
            return
        log = len(self.desk.operations())
        for decide in (review.approve, review.reject, review.defer):
            try:
                decide(self.desk.store, seen, by=who)
            except (Stale, AlreadyDecided):
                continue
            raise AssertionError("a decision on what no longer stands was taken")
        assert len(self.desk.operations()) == log

    # -- deciding on memories

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO, text=st.sampled_from(TEXTS), key=st.sampled_from(KEYS), late=st.booleans())
    def edit(self, pick: int, who: Actor, text: str, key: str | None, late: bool) -> None:
        one, revision = self._revision(pick, late)
        entry = self.desk.memory(one).entry.with_(content=text, key=key, valid_until=None)

        def expected() -> tuple[Step, set[Mark]]:
            before = self._at(one, revision)
            if before.status == "deleted":
                raise Refused(Conflict)
            status = "retired" if before.status == "retired" else "active"
            after = self._next(before, content=text, key=key, until=None, status=status)
            if replace(after, previous=before.previous) == before:
                raise Refused(AlreadyKnown)
            if status == "active":
                self._admissible(one, before, after)
            return Step("", "edit", who.name, memories={one: (before, after)}), set()

        self._decide(expected, lambda: history.edit(self.desk.store, one, revision, entry, by=who), "edit", who)

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO, late=st.booleans())
    def delete(self, pick: int, who: Actor, late: bool) -> None:
        one, revision = self._revision(pick, late)

        def expected() -> tuple[Step, set[Mark]]:
            before = self._at(one, revision)
            if before.status == "deleted":
                raise Refused(Conflict)
            after = replace(before, status="deleted")
            return Step("", "delete", who.name, memories={one: (before, after)}), {before.mark}

        self._decide(expected, lambda: history.delete(self.desk.store, one, revision, by=who), "delete", who)

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO, late=st.booleans())
    def retire(self, pick: int, who: Actor, late: bool) -> None:
        one, revision = self._revision(pick, late)

        def expected() -> tuple[Step, set[Mark]]:
            before = self._at(one, revision)
            if before.status in ("deleted", "retired"):
                raise Refused(Conflict)
            after = replace(before, status="retired")
            return Step("", "retire", who.name, memories={one: (before, after)}), {before.mark}

        self._decide(expected, lambda: history.retire(self.desk.store, one, revision, "tried", who), "retire", who)

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO)
    def bear_out(self, pick: int, who: Actor) -> None:
        one, _ = self._revision(pick, late=False)
        test = f"test {len(self.model.steps)}"

        def expected() -> tuple[Step, set[Mark]]:
            if self.model.head(one).status != "active":
                raise Refused(Conflict)
            return Step("", "support", who.name), set()

        self._decide(expected, lambda: bear_out(self.desk.store, one, "test", test, who), "support", who)

    @precondition(lambda self: self.model.memories)
    @rule(picks=st.lists(PICKS, min_size=1, max_size=4), who=WHO)
    def delete_batch(self, picks: list[int], who: Actor) -> None:
        chosen = {
            one: len(self.model.memories[one])
            for pick in picks
            if (one := self._pick(sorted(self.model.memories), pick))
        }

        def expected() -> tuple[Step, set[Mark]]:
            step, lay = Step("", "delete", who.name), set()
            for one, revision in chosen.items():
                before = self.model.head(one)
                if len(self.model.memories[one]) == revision and before.status != "deleted":
                    step.memories[one] = (before, replace(before, status="deleted"))
                    lay.add(before.mark)
            if not step.memories:
                raise Refused(NoneQualified)
            return step, lay

        self._decide(
            expected, lambda: history.delete_many(self.desk.store, list(chosen.items()), by=who), "delete", who
        )

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO, to=st.integers(0, 6), late=st.booleans())
    def rollback(self, pick: int, who: Actor, to: int, late: bool) -> None:
        self._roll_back(*self._revision(pick, late), who, to or None)

    def _overwritten(self) -> list[tuple[str, int]]:
        """Versions of active memories that say something else, or under another key, than what stands: by number."""
        return [
            (one, number)
            for one, now in sorted(self.model.active().items())
            for number, then in enumerate(self.model.memories[one], 1)
            if (then.content, then.key) != (now.content, now.key)
        ]

    @precondition(lambda self: self._overwritten())
    @rule(pick=PICKS, who=WHO)
    def bring_back_what_was_overwritten(self, pick: int, who: Actor) -> None:
        one, to = self._overwritten()[pick % len(self._overwritten())]
        self._roll_back(one, len(self.model.memories[one]), who, to)

    def _roll_back(self, one: str, revision: int, who: Actor, to: int | None) -> None:
        def expected() -> tuple[Step, set[Mark]]:
            before = self._at(one, revision)
            chosen = self._chosen(one, before, to)
            if chosen.until is not None and chosen.until <= self.desk.clock.now:
                raise Refused(Conflict)
            after = self._next(before, content=chosen.content, scope=chosen.scope, until=chosen.until, status="active")
            self._admissible(one, before, after)
            turned = before.status == "active" and before.mark != after.mark
            step = Step("", "rollback", who.name, memories={one: (before, after)})
            return step, {before.mark} if turned else set()

        self._decide(expected, lambda: history.rollback(self.desk.store, one, revision, by=who, to=to), "rollback", who)

    def _chosen(self, one: str, before: State, to: int | None) -> State:
        states = self.model.memories[one]
        if to is not None:
            if to > len(states):
                raise Refused(NotFound)
            if to == len(states) and before.status == "active":
                raise Refused(Conflict)
            return states[to - 1]
        if before.status != "active":
            return before
        older = [state for state in states if state.content == before.previous]
        if not older:
            raise Refused(NotFound)
        return older[-1]

    # -- undo and redo

    @precondition(lambda self: self.model.next_undo("ann") or self.model.next_undo("bob"))
    @rule(who=WHO)
    def undo(self, who: Actor) -> None:
        self._turn(who, self.model.next_undo(who.name), lambda: history.undo(self.desk.store, by=who))

    @precondition(lambda self: self.model.next_redo("ann") or self.model.next_redo("bob"))
    @rule(who=WHO)
    def redo(self, who: Actor) -> None:
        self._turn(who, self.model.next_redo(who.name), lambda: history.redo(self.desk.store, by=who))

    @precondition(lambda self: self.model.steps)
    @rule(who=WHO, pick=PICKS)
    def undo_any(self, who: Actor, pick: int) -> None:
        """Undo whichever decision is in effect, whoever took it and whenever."""
        step = self._pick([s for s in self.model.effective() if s.action != "undo" and s.actor != "clock"], pick)
        if step is None:
            return
        named = step.id
        self._turn(who, self.model.doing(step), lambda: history.undo(self.desk.store, by=who, operation_id=named))

    def _turn(self, who: Actor, step: Step | None, call: Callable[[], Done]) -> None:
        if step is None:
            self._decide(lambda: self._refuse(NothingToUndo), call, "", who)
            return

        def expected() -> tuple[Step, set[Mark]]:
            if self.model.blocked(step):
                raise Refused(LaterOperation)
            if self.model.key_wanted(step):
                raise Refused(KeyTaken)
            self._may_turn(step)
            return self.model.turned(step, "", who.name), set()

        self._decide(expected, call, "redo" if step.action == "undo" else "undo", who)

    def _may_turn(self, step: Step) -> None:
        """What else stands against an undo or a redo of a step: nothing here."""

    # -- the world

    @rule(days=st.integers(-4, 4))
    def the_clock_jumps(self, days: int) -> None:
        self.desk.clock.jump(days=days, hours=1)

    @precondition(lambda self: any(one.until is not None for one in self.model.active().values()))
    @rule(days=st.integers(1, 4))
    def days_pass(self, days: int) -> None:
        """Something holds until a date: mostly that date comes."""
        self.desk.clock.jump(days=days)

    @rule()
    def reopen(self) -> None:
        before = (self.desk.rows("memory"), self.desk.rows("proposal"), self.desk.operations())
        clock = self.desk.clock
        if self.reopened:
            self.desk.store.close()
        self.desk, self.reopened = Desk(type(self).again()), True
        self.desk.clock = clock
        self.desk.store.now = clock  # type: ignore[method-assign, assignment]
        assert (self.desk.rows("memory"), self.desk.rows("proposal"), self.desk.operations()) == before

    # -- what every rule uses

    def _ask(self, pick: int) -> str:
        """Mostly a proposal that is still open."""
        waiting = sorted(one for one, ask in self.model.asks.items() if ask.open)
        chosen: str = self._pick(waiting if waiting and pick % 8 else sorted(self.model.asks), pick)
        return chosen

    @staticmethod
    def _pick(things: list[Any], pick: int) -> Any:
        return things[pick % len(things)] if things else None

    @staticmethod
    def _refuse(kind: type[MeminboxError]) -> tuple[Step, set[Mark]]:
        raise Refused(kind)

    def _revision(self, pick: int, late: bool) -> tuple[str, int]:
        one = self._pick(sorted(self.model.memories), pick)
        return one, max(1, len(self.model.memories[one]) - (1 if late and pick % 5 == 0 else 0))

    def _at(self, one: str, revision: int) -> State:
        if len(self.model.memories[one]) != revision:
            raise Refused(Stale)
        return self.model.head(one)

    def _guard(self, one: str, seen: Seen) -> None:
        ask = self.model.asks[one]
        if not ask.open:
            raise Refused(AlreadyDecided)
        target = self.model.target(ask) if ask.op != "remove" else self._removed(ask)
        revision = len(self.model.memories[target]) if target else None
        if (target, revision) != (seen.target_id, seen.target_revision):
            raise Refused(Stale)

    def _removed(self, ask: Ask) -> str | None:
        return ask.aimed if ask.aimed and self.model.head(ask.aimed).status == "active" else None

    @staticmethod
    def _next(before: State, **changes: Any) -> State:
        after = replace(before, **changes)
        return replace(after, previous=before.content) if after.content != before.content else after

    def _admissible(self, one: str, before: State, after: State) -> None:
        holder = self.model.holder(after.scope, after.key)
        if holder not in (None, one):
            raise Refused(KeyTaken)
        others = [other for other in self.model.saying(after.mark) if other != one]
        if others and (before.status != "active" or before.mark != after.mark):
            raise Refused(AlreadyKnown)

    def _batch(
        self, chosen: list[str], edits: dict[str, tuple[str, str | None]]
    ) -> tuple[Step, set[Mark], dict[str, Refused]]:
        """What approving these would do, the newest first, as one step; and what is left out."""
        real, work = self.model, copy.deepcopy(self.model)
        self.model = work
        step, lay, left = Step("", "approve", ""), set(), {}
        closed: set[str] = set()
        try:
            for one in sorted(chosen, reverse=True):
                ask = real.asks[one]
                try:
                    if one in closed:
                        raise Refused(Conflict)
                    # What each is about was settled before the first of them was approved.
                    target = real.target(ask) if ask.op != "remove" else self._removed(ask)
                    memory, after, down = self._approved(one, ask, target, edits.get(one), step)
                except Refused as refused:
                    left[one] = refused
                    continue
                before = real.head(memory) if memory in real.memories else None
                step.memories[memory] = (before, after)
                work.memories.setdefault(memory, []).append(after)
                lay |= down
                step.asks[one] = (ask, replace(ask, status="approved"))
                closed.add(one)
                for other, alike in real.asks.items():
                    if alike.open and alike.group == ask.group and other not in closed:
                        step.asks[other] = (alike, replace(alike, status="superseded"))
                        closed.add(other)
        finally:
            self.model = real
        step.ruled = len(step.memories)
        return step, lay, left

    def _approved(
        self, one: str, ask: Ask, target: str | None, edit: tuple[str, str | None] | None, step: Step
    ) -> tuple[str, State, set[Mark]]:
        if target in step.memories:
            raise Refused(Conflict)
        if ask.op == "remove":
            if target is None:
                raise Refused(Conflict)
            state = self.model.head(target)
            return target, replace(state, status="deleted"), {state.mark}
        text, key = edit if edit else (ask.content, ask.key)
        if target is not None and key is None and ask.key is None:
            key = self.model.head(target).key
        if ask.until is not None and ask.until <= self.desk.clock.now:
            raise Refused(Conflict)
        mark = (ask.scope, "hold", text)
        if [other for other in self.model.saying(mark) if other != target]:
            raise Refused(AlreadyKnown)
        old = target or self._expired(mark, step)
        if target is None and old is not None and key is None:
            own = self.model.head(old)
            key = own.key if self.model.holder(own.scope, own.key) is None else None
        if self.model.holder(ask.scope, key) not in (None, old):
            raise Refused(KeyTaken)
        fresh = State("active", ask.scope, text, key, ask.until, None)
        if old is None:
            return f"new of {one}", fresh, set()
        before = self.model.head(old)
        previous = before.content if before.content != text else before.previous
        return old, replace(fresh, previous=previous), set()

    def _without_doubt(self, ask: Ask) -> str:
        """What is kept of a text that may hold a secret, where it is turned down: here none does."""
        return ask.content

    def _expired(self, mark: Mark, step: Step) -> str | None:
        found = [
            one
            for one, states in self.model.memories.items()
            if states[-1].status in ("expired", "retired") and states[-1].mark == mark and one not in step.memories
        ]
        order = [one for each in self.model.steps.values() for one in sorted(each.memories)]
        return max(found, key=lambda one: len(order) - order[::-1].index(one)) if found else None

    def _flipped(self) -> None:
        """Let the clock\'s part happen now, in the store and in the model."""
        due = self.model.due(self.desk.clock.now)
        if not due:
            return
        with self.desk.store.write() as connection:
            take(self.desk.store, connection, [Raw(op="remove", key="no.such")], context=PLACE)
        self._note_flip(due)

    def _note_flip(self, due: dict[str, tuple[State | None, State]]) -> None:
        if due:
            operation = self.desk.operations()[len(self.model.steps)]
            self.model.apply(Step(operation.id, "expire", "clock", memories=due))

    def _decide(
        self, expected: Callable[[], tuple[Step, set[Mark]]], call: Callable[[], Done], action: str, who: Actor
    ) -> Done | None:
        """Do it to the store, then to the model, which must have seen it coming: the step, or the refusal."""
        before = len(self.model.steps)
        due = self.model.due(self.desk.clock.now)
        done: Done | None = None
        raised: MeminboxError | None = None
        try:
            done = call()
        except MeminboxError as error:
            raised = error
        self._note_flip(due)
        try:
            step, lay = expected()
        except Refused as refused:
            assert raised is not None, f"expected {refused}, and it was done"
            assert type(raised) is refused.kind, f"expected {refused}, got {raised!r}"
            assert len(self.desk.operations()) == before + bool(due)
            return None
        assert raised is None, f"expected {action}, got {raised!r}"
        assert done is not None
        step.id, step.actor = done.operation.id, who.name
        new = [one for one in done.memory_ids if one not in self.model.memories]
        named = [one for one in step.memories if one.startswith("new of ")]
        assert len(new) == len(named)
        step.memories = {(new[named.index(one)] if one in named else one): pair for one, pair in step.memories.items()}
        assert set(done.memory_ids) == set(step.memories)
        assert set(done.proposal_ids) == set(step.asks)
        self.model.apply(step, lay)
        return done

    # -- what must hold after every step

    @invariant()
    def the_log_is_the_model(self) -> None:
        log = self.desk.operations()
        assert [o.seq for o in log] == list(range(1, len(log) + 1))
        assert [(o.id, o.action, o.actor, o.undoes, o.count) for o in log] == [
            (s.id, s.action, s.actor, s.undoes, s.count) for s in self.model.steps.values()
        ]
        assert self.desk.served() == self.model.served(self.desk.clock.now)
        self.what_is_given_is_the_model()

    def what_is_given_is_the_model(self) -> None:
        """I8 and I22: the block of a project reads back to what the model serves there, and nothing else."""
        now = self.desk.clock.now
        if self.given == (len(self.model.steps), now):
            return
        self.given = (len(self.model.steps), now)
        active = self.model.active()
        for scope in sorted({state.scope for state in active.values()} - {GLOBAL}):
            made = given.profile_of(self.desk.store, Project(scope, scope, Path()), now=now)
            served = {one: text for one, text in self.model.served(now).items() if active[one].scope in (scope, GLOBAL)}
            assert dict(made.given) == {one: len(self.model.memories[one]) for one in served}
            assert sorted(str(one.content) for one in block.parse(made.text)) == sorted(served.values())

    @invariant()
    def all_else_is_the_model(self) -> None:
        """Looked at only where the log or the queue has grown: a step that was refused has written no operation."""
        size = (len(self.model.steps), len(self.model.asks))
        if size == self.checked:
            return
        self.checked = size
        self.memories_and_versions_are_the_model()
        self.the_next_steps_are_the_model()
        self.the_queue_and_the_refusals_are_the_model()
        self.what_was_written_stays_and_all_of_it_verifies()

    def memories_and_versions_are_the_model(self) -> None:
        told: dict[str, list[State]] = {}
        for one in self.model.memories:
            told[one] = [
                State(v.status, v.entry.scope, v.entry.content, v.entry.key, v.entry.valid_until, v.previous_value)
                for v in self.desk.versions(one)
                if v.entry is not None
            ]
        assert told == self.model.memories

    def the_next_steps_are_the_model(self) -> None:
        for who in (ANN, BOB):
            for told, chosen in (
                (history.next_undo(self.desk.store, who), self.model.next_undo(who.name)),
                (history.next_redo(self.desk.store, who), self.model.next_redo(who.name)),
            ):
                assert (told.id if told else None) == (chosen.id if chosen else None)

    def the_queue_and_the_refusals_are_the_model(self) -> None:
        rows = {
            row["id"]: (row["status"], row["scope"], row["content"], row["key"], row["valid_until"])
            for row in self.desk.rows("proposal")
        }
        assert rows == {o: (a.status, a.scope, a.content, a.key, a.until) for o, a in self.model.asks.items()}
        bound = {
            fingerprint(scope, "remove" if stance == "remove" else "add", text)
            for scope, stance, text in self.model.bound()
        }
        assert self.desk.live_stones() == bound

    def what_was_written_stays_and_all_of_it_verifies(self) -> None:
        for name in ("version", "decision", "operation"):
            rows = {tuple(row.values())[:3]: row for row in self.desk.rows(name)}
            for key, row in self.past.get(name, {}).items():
                assert rows.get(key) == row
            self.past[name] = rows
        assert verify(self.desk.store) is None
