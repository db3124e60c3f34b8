"""The state machine on both engines: I1 to I7, I8, I10 to I13, I15, I17 and I18 after every step; and I16."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from store import history, review
from store.engine import Store, open_store
from store.location import Location
from tests.contract.decisions import ANN, BOB, Desk
from tests.contract.machine import Machine
from tests.contract.machine_care import Caring


def machine(location: Location, kind: type[Machine]) -> type[Machine]:
    """A machine on one store; every run is a tenant of its own, so that the others are there to be confused with."""
    shared = open_store(location)
    tenants: list[str] = []

    def fresh() -> Store:
        tenants.append(f"t{len(tenants)}")
        return Store(shared.location, shared.backend, tenant=tenants[-1])

    def again() -> Store:
        return open_store(location, tenant=tenants[-1])

    return type("RunOf", (kind,), {"fresh": staticmethod(fresh), "again": staticmethod(again)})


def run(location: Location, kind: type[Machine] = Caring, **how: Any) -> None:
    """Run a machine at ``location`` with these settings."""
    chosen = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None, **how)
    run_state_machine_as_test(machine(location, kind), settings=chosen)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_machine_on_sqlite(location: Location) -> None:
    run(location, max_examples=5, stateful_step_count=40)


@pytest.mark.long
@pytest.mark.parametrize("engine_name", ["postgres"])
def test_the_machine_on_postgres(location: Location) -> None:
    run(location, max_examples=3, stateful_step_count=30)


@pytest.mark.long
@pytest.mark.parametrize("engine_name", ["sqlite", "postgres"])
def test_the_machine_for_longer(location: Location, engine_name: str) -> None:
    run(location, max_examples=30 if engine_name == "sqlite" else 5, stateful_step_count=50)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_I16_steps_on_different_things_commute(store: Store, order: tuple[int, int, int]) -> None:
    desk = Desk(store)
    first, second = desk.hold("A", key="a"), desk.hold("B", key="b")
    asked = desk.lay("C", key="c")
    steps = (
        lambda: history.edit(store, first.id, 1, first.entry.with_(content="A2"), by=ANN),
        lambda: history.delete(store, second.id, 1, by=BOB),
        lambda: review.reject(store, desk.see(asked), by=ANN),
    )
    for place in order:
        steps[place]()
    assert desk.served() == {first.id: "A2"}
    assert desk.memory(second.id).status == "deleted"
    assert desk.proposal(asked).status == "rejected"
    assert len(desk.live_stones()) == 2
    for place in order:
        history.undo(store, by=ANN if place != 1 else BOB)
    assert desk.served() == {first.id: "A", second.id: "B"}
    assert desk.proposal(asked).status == "pending"
    assert not desk.live_stones()
