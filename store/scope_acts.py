"""What a person does to scopes: another label, a repository's claim confirmed. Each is one operation with one undo.

Moving what a scope holds stands in ``scope_move``.
"""

from __future__ import annotations

import os
import unicodedata
from typing import Final

from sqlalchemy import Connection, Select, insert, select, update

from store.engine import Store
from store.entry import GLOBAL
from store.errors import AlreadyKnown, UsageError
from store.expiry import deciding
from store.facts import Actor, Done, Operation
from store.guards import conflict
from store.ledger import Act
from store.project import Project
from store.redact import redact_text
from store.scopes import LABEL, SCOPE, confirmed_for, put, set_label, setting_value
from store.wording import title

LONGEST_LABEL: Final = 80
"""Characters of a label."""


def rename(store: Store, identity: str, label: str, *, by: Actor) -> Done:
    """Give a scope another readable label; what it is compared by, its identity, stays.

    Raises UsageError for what is no label, AlreadyKnown where it is called that by a person already.
    """
    said = checked_label(label)
    if identity == GLOBAL:
        raise UsageError("Global is what holds everywhere: it has no other name.", kept="Nothing was changed.")
    with deciding(store) as connection:
        before = connection.execute(_label(store.tenant, identity)).scalar()
        named = setting_value(connection, store.tenant, LABEL + identity).get("label")
        if named == said:
            raise AlreadyKnown("It is called that already.", kept="Nothing was changed.")
        selection = {"scope": identity, "before": before, "named": named, "after": said}
        operation = Act(store, connection, by, "rename", selection=selection).commit()
        name(connection, store.tenant, operation)
        return Done(operation, title(connection, store.tenant, operation))


def checked_label(label: str) -> str:
    """A label as it is kept. Raises UsageError for what could not be told from something else."""
    said = redact_text(unicodedata.normalize("NFC", " ".join(label.split())))[0]
    if not said or len(said) > LONGEST_LABEL or not said.isprintable():
        raise UsageError(
            f"A label is one line of 1 to {LONGEST_LABEL} visible characters.", kept="Nothing was changed."
        )
    if said.casefold() == GLOBAL or said == ".":
        raise UsageError(f'"{said}" means something else already.', kept="Nothing was changed.")
    return said


def name(connection: Connection, tenant: str, operation: Operation, *, through: str | None = None) -> None:  # noqa: ARG001
    """Write the label that an operation (``through`` a redo of it) gave. Raises Conflict where it was renamed since."""
    said = operation.selection
    _expect_named(connection, tenant, said["scope"], said["named"])
    set_label(connection, tenant, said["scope"], said["after"])
    put(connection, tenant, LABEL + said["scope"], {"label": said["after"]}, operation.at)


def unname(connection: Connection, tenant: str, operation: Operation, *, through: str) -> None:  # noqa: ARG001
    """Give back the label before. Raises Conflict where it was renamed since."""
    said = operation.selection
    _expect_named(connection, tenant, said["scope"], said["after"])
    set_label(connection, tenant, said["scope"], said["before"] or said["scope"])
    named = {"label": said["named"]} if said["named"] is not None else None
    put(connection, tenant, LABEL + said["scope"], named, operation.at)


def _expect_named(connection: Connection, tenant: str, identity: str, expected: str | None) -> None:
    if setting_value(connection, tenant, LABEL + identity).get("label") != expected:
        raise conflict("It was renamed again since.", "Undo that first, or rename it.")


def _label(tenant: str, identity: str) -> Select[tuple[str]]:
    return select(SCOPE.c.label).where(SCOPE.c.tenant_id == tenant, SCOPE.c.identity == identity)


# -- what a repository asks for


def confirm(store: Store, project: Project, *, by: Actor) -> Done:
    """Let the folder of ``project`` have the scope that its ``.meminbox.toml`` asks for, there and nowhere else.

    From then on agents in that folder are given what the scope holds, and what they propose goes there. Raises
    UsageError where the folder asks for nothing, AlreadyKnown where it was confirmed before.
    """
    wanted, folder = project.asks_for, os.fspath(project.root)
    if wanted is None:
        raise UsageError(f"No .meminbox.toml in {folder} asks for a scope.", kept="Nothing was changed.")
    with deciding(store) as connection:
        if folder in confirmed_for(connection, store.tenant, wanted):
            raise AlreadyKnown("That was confirmed already.", kept="Nothing was changed.")
        operation = Act(store, connection, by, "confirm", selection={"scope": wanted, "path": folder}).commit()
        honour(connection, store.tenant, operation)
        return Done(operation, title(connection, store.tenant, operation))


def honour(connection: Connection, tenant: str, operation: Operation, *, through: str | None = None) -> None:  # noqa: ARG001
    """Write the folder that an operation confirmed; ``through`` is a redo of it."""
    identity, folder = operation.selection["scope"], operation.selection["path"]
    paths = [one for one in confirmed_for(connection, tenant, identity) if one != folder]
    _write_paths(connection, tenant, identity, [*paths, folder])


def dishonour(connection: Connection, tenant: str, operation: Operation, *, through: str) -> None:  # noqa: ARG001
    """Take the folder away again."""
    identity, folder = operation.selection["scope"], operation.selection["path"]
    _write_paths(
        connection, tenant, identity, [one for one in confirmed_for(connection, tenant, identity) if one != folder]
    )


def _write_paths(connection: Connection, tenant: str, identity: str, paths: list[str]) -> None:
    mine = update(SCOPE).where(SCOPE.c.tenant_id == tenant, SCOPE.c.identity == identity)
    if connection.execute(mine.values(paths=paths)).rowcount == 0:
        label = identity.rpartition("/")[2] or identity
        connection.execute(insert(SCOPE), [{"tenant_id": tenant, "identity": identity, "label": label, "paths": paths}])
