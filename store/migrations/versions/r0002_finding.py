"""What stands around the ledger: counters, support, vectors, the search index, handouts, scopes and settings."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from store.entry import Entry

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BATCH = 500


def upgrade() -> None:
    """Make the tables and the index, then fill in what the memories that are already there would have had."""
    _usage_and_support()
    _embedding()
    _search()
    _views()
    _handout_scope_setting()
    if op.get_context().dialect.name == "sqlite":
        _index_sqlite()
    else:
        _index_postgres()
    _fill(op.get_bind())


def _text(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=null)


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _time(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)


def _usage_and_support() -> None:
    op.create_table(
        "usage",
        _text("tenant_id"),
        _text("memory_id"),
        _number("uses"),
        _time("last_used", null=True),
        _time("last_verified", null=True),
        _number("support"),
        _number("claimed_support"),
        sa.PrimaryKeyConstraint("tenant_id", "memory_id"),
    )
    op.create_table(
        "support",
        _text("tenant_id"),
        _text("owner_id"),
        _text("kind"),
        _text("ref"),
        sa.Column("claimed", sa.Boolean(), nullable=False),
        _time("at"),
        sa.PrimaryKeyConstraint("tenant_id", "owner_id", "kind", "ref"),
        sa.CheckConstraint("kind IN ('session', 'commit', 'test')", name="ck_support_kind"),
    )


def _embedding() -> None:
    op.create_table(
        "embedding",
        _text("tenant_id"),
        _text("owner_id"),
        _text("model_key"),
        _number("dim"),
        _text("text_hash"),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "owner_id", "model_key"),
    )


def _search() -> None:
    op.create_table(
        "search_doc",
        sa.Column("rid", sa.Integer(), primary_key=True, autoincrement=True, nullable=False),
        _text("tenant_id"),
        _text("memory_id"),
        _text("grams"),
        sa.UniqueConstraint("tenant_id", "memory_id", name="uq_search_doc_memory"),
    )


def _views() -> None:
    op.create_index("ix_memory_scope", "memory", ["tenant_id", "status", "scope", "updated_at", "id"])
    # What waits, in the order of the queue, with all that its plain filters ask: no row is read to count them. Partial,
    # so that it does not grow with what was decided.
    open_ = sa.text("status IN ('draft', 'pending', 'deferred')")
    op.create_index(
        "ix_proposal_open",
        "proposal",
        [
            "tenant_id",
            "status",
            "scope",
            "session_rank",
            "id",
            "confidence",
            "kind",
            "source_agent",
            "source",
            "created_at",
        ],
        sqlite_where=open_,
        postgresql_where=open_,
    )


def _handout_scope_setting() -> None:
    op.create_table(
        "handout",
        _text("tenant_id"),
        _text("id"),
        _text("memory_id"),
        _number("revision"),
        _text("session_id", null=True),
        _text("agent", null=True),
        _text("surface"),
        _time("at"),
        sa.PrimaryKeyConstraint("tenant_id", "id", "memory_id"),
    )
    op.create_index("ix_handout_memory", "handout", ["tenant_id", "memory_id", "at"])
    op.create_table(
        "scope",
        _text("tenant_id"),
        _text("identity"),
        _text("label"),
        sa.Column("paths", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "identity"),
    )
    op.create_table(
        "setting",
        _text("tenant_id"),
        _text("name"),
        sa.Column("value", sa.JSON(), nullable=False),
        _time("at"),
        sa.PrimaryKeyConstraint("tenant_id", "name"),
    )


def _index_sqlite() -> None:
    # The app makes the grams; the tokenizer only parts them at spaces, so that punctuation inside one stays literal.
    op.execute(
        "CREATE VIRTUAL TABLE search_fts USING fts5(grams, content='search_doc', content_rowid='rid', "
        "tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cf Cn'\")"
    )
    add = "INSERT INTO search_fts(rowid, grams) VALUES (NEW.rid, NEW.grams);"
    drop = "INSERT INTO search_fts(search_fts, rowid, grams) VALUES ('delete', OLD.rid, OLD.grams);"
    op.execute(f"CREATE TRIGGER tr_search_doc_insert AFTER INSERT ON search_doc BEGIN {add} END")
    op.execute(f"CREATE TRIGGER tr_search_doc_delete AFTER DELETE ON search_doc BEGIN {drop} END")
    op.execute(f"CREATE TRIGGER tr_search_doc_update AFTER UPDATE ON search_doc BEGIN {drop} {add} END")


def _index_postgres() -> None:
    op.execute(
        "ALTER TABLE search_doc ADD COLUMN tsv tsvector "
        "GENERATED ALWAYS AS (array_to_tsvector(array_remove(string_to_array(grams, ' '), ''))) STORED"
    )
    op.execute("CREATE INDEX ix_search_doc_tsv ON search_doc USING gin (tsv)")


def _fill(connection: sa.Connection) -> None:
    connection.execute(
        sa.text(
            "INSERT INTO usage (tenant_id, memory_id, uses, support, claimed_support) "
            "SELECT tenant_id, id, 0, 0, 0 FROM memory"
        )
    )
    columns: list[Any] = [sa.column(name) for name in ("tenant_id", "id", "scope", "kind", "key", "content")]
    columns += [sa.column("aliases", sa.JSON()), sa.column("paths", sa.JSON())]
    place = sa.tuple_(sa.column("tenant_id"), sa.column("id"))
    page = (
        sa.select(*columns)
        .select_from(sa.table("memory"))
        .where(sa.column("content").is_not(None))
        .order_by(sa.column("tenant_id"), sa.column("id"))
        .limit(BATCH)
    )
    docs = sa.table("search_doc", sa.column("tenant_id"), sa.column("memory_id"), sa.column("grams"))
    rows = connection.execute(page).all()
    while rows:
        connection.execute(sa.insert(docs), [_document(row) for row in rows])
        rows = connection.execute(page.where(place > sa.tuple_(rows[-1].tenant_id, rows[-1].id))).all()


def _document(row: Any) -> dict[str, str]:
    # The one rule that is imported live: grams by other rules than the running program's would never be found.
    from store.text import entry_grams

    said = Entry(
        scope=row.scope,
        content=row.content,
        kind=row.kind,
        key=row.key,
        aliases=tuple(row.aliases),
        paths=tuple(row.paths),
    )
    return {"tenant_id": row.tenant_id, "memory_id": row.id, "grams": entry_grams(said)}
