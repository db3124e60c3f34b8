"""I8 for search: whatever people and agents do, what is found is what is served, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from store import retrieval
from store.engine import Store, open_store
from store.location import Location
from tests.contract.machine import KEYS, TEXTS, Machine


class Searching(Machine):
    """The machine, searched after every step."""

    searched: tuple[Any, ...] = ()

    @invariant()
    def what_is_found_is_what_is_served(self) -> None:
        state_of_things = (self.desk.clock.now, len(self.model.steps), len(self.model.asks))
        if state_of_things == self.searched:
            return
        self.searched = state_of_things
        store, served = self.desk.store, self.model.served(self.desk.clock.now)
        told = retrieval.everything(store, None)
        assert {one.memory.id: one.memory.entry.content for one in told.items} == served
        assert told.total == len(served)
        for text in TEXTS:
            found = {one.memory.id: one.memory.entry.content for one in self._found(text)}
            assert found.items() <= served.items()
            assert {one for one, content in served.items() if content == text} <= found.keys()
        active = self.model.active()
        for key in filter(None, KEYS):
            held = {one for one in served if active[one].key == key}
            assert {one.memory.id for one in self._found(key) if one.why == "key"} == held
        for one, state in active.items():
            for scope in ("shop", "global"):
                got = retrieval.get(store, one, scopes=(scope,))
                assert (got.entry.content if got else None) == (served.get(one) if state.scope == scope else None)

    def _found(self, query: str) -> tuple[retrieval.Hit, ...]:
        return retrieval.search(self.desk.store, query, scopes=None, limit=100).hits


def run(location: Location, **how: Any) -> None:
    """Run the machine at ``location``; every run is a tenant of its own."""
    shared = open_store(location)
    tenants: list[str] = []

    def fresh() -> Store:
        tenants.append(f"t{len(tenants)}")
        return Store(shared.location, shared.backend, tenant=tenants[-1])

    def again() -> Store:
        return open_store(location, tenant=tenants[-1])

    made = type("RunOf", (Searching,), {"fresh": staticmethod(fresh), "again": staticmethod(again)})
    chosen = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None, **how)
    run_state_machine_as_test(made, settings=chosen)


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_I8_what_search_finds_is_what_is_served(location: Location) -> None:
    run(location, max_examples=2, stateful_step_count=25)


@pytest.mark.long
def test_I8_what_search_finds_is_what_is_served_for_longer(location: Location) -> None:
    run(location, max_examples=15, stateful_step_count=40)
