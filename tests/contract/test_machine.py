"""The state machine on both engines: I1 to I7, I8, I10 to I13, I15, I17 and I18 after every step; and I16."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from store import history, review
from store.engine import Store, open_store
from store.location import Location
from tests.contract.conftest import Server, located
from tests.contract.decisions import ANN, BOB, Desk
from tests.contract.machine import Machine

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True, "database": None}


def on_sqlite(template: Path, folder: Path) -> Callable[[], Location]:
    """Makes locations of new and empty stores, each a copy of the template."""

    def fresh() -> Location:
        home = folder / uuid4().hex
        home.mkdir(mode=0o700)
        shutil.copy(template, home / "meminbox.db")
        return located(str(home / "meminbox.db"), home)

    return fresh


@contextmanager
def on_postgres(server: Server, folder: Path) -> Iterator[Callable[[], Location]]:
    """The same in databases of their own, dropped at the end."""
    made: list[str] = []

    def fresh() -> Location:
        home = folder / uuid4().hex
        home.mkdir(mode=0o700)
        made.append(server.copy())
        return located(made[-1], home)

    try:
        yield fresh
    finally:
        for url in made:
            server.drop(url)


def machine(fresh: Callable[[], Location]) -> type[Machine]:
    """A machine whose every run starts on a new store."""
    at: list[Location] = []

    def start() -> Store:
        at.append(fresh())
        return open_store(at[-1])

    return type("RunOf", (Machine,), {"fresh": staticmethod(start), "again": staticmethod(lambda: open_store(at[-1]))})


def test_the_machine_on_sqlite(sqlite_template: Path, tmp_path: Path) -> None:
    chosen = settings(max_examples=40, stateful_step_count=25, derandomize=True, **COMMON)
    run_state_machine_as_test(machine(on_sqlite(sqlite_template, tmp_path)), settings=chosen)  # type: ignore[no-untyped-call]


def test_the_machine_on_postgres(postgres_server: Server, tmp_path: Path) -> None:
    chosen = settings(
        max_examples=8, stateful_step_count=20, derandomize=True, phases=(Phase.generate, Phase.shrink), **COMMON
    )
    with on_postgres(postgres_server, tmp_path) as fresh:
        run_state_machine_as_test(machine(fresh), settings=chosen)  # type: ignore[no-untyped-call]


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
