"""SQL that every engine spells in its own way, as SQLAlchemy constructs: statements are built once, for both engines.

Nothing outside ``store/dialects`` needs to ask which engine it is talking to.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Boolean, ColumnElement, FromClause, Integer, String, and_, bindparam, func, or_, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from store.errors import ValueDamaged


class _Test(FunctionElement[bool]):
    """A yes-or-no expression over a column and bound values."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: Any = None) -> Any:  # noqa: ARG002
        """As it is: SQLAlchemy would write ``(...) = 1`` for SQLite, which then works out both sides of an AND."""
        return self


class _Aside(FunctionElement[Any]):
    """``(column)``: the column as an expression that no index serves."""

    name = "meminbox_aside"
    inherit_cache = True


class _Like(_Test):
    """``(column, pattern)``: LIKE, whatever the case of ASCII letters (and of all letters on PostgreSQL)."""

    name = "meminbox_like"
    inherit_cache = True


class _Plain(_Like):
    """The same for a pattern without a character that would have to be escaped: SQLite runs it a fifth faster."""

    name = "meminbox_plain_like"
    inherit_cache = True


class _Shape(_Test):
    """``(column, glob, regex)``: a pattern in which every character stands with its other cases."""

    name = "meminbox_shape"
    inherit_cache = True


class _Flagged(_Test):
    """``(column, hint, as written, code, document)``: a JSON list of flags holds one with this code."""

    name = "meminbox_flagged"
    inherit_cache = True


class _Grams(_Test):
    """``(row id, full-text query, tsquery)``: a row of ``search_doc`` holds the grams asked for."""

    name = "meminbox_grams"
    inherit_cache = True


class _Newest(FunctionElement[int]):
    """``(full-text query, tsquery, tenant, limit)``: the row ids of ``search_doc`` that match, the newest first."""

    name = "meminbox_newest"
    type = Integer()
    inherit_cache = True


class _Any(_Newest):
    """The same in any order, which costs less where all that is wanted is how many there are."""

    name = "meminbox_any"
    inherit_cache = True


def contains(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Whether a column holds ``text`` literally, whatever the case, also of non-ASCII letters.

    ASCII, and scripts without cases such as Chinese, go through LIKE, which both engines run fast. SQLite's LIKE knows
    no case outside ASCII, so a text with such letters becomes a pattern of character classes (``[ée]`` is not one:
    diacritics stay), asked only of what holds a part of the text that LIKE does find: classes alone are slow. Letters
    whose other case is longer (``ß``) match themselves. Composed, decomposed and full-width spellings of the *text*
    are all looked for.
    """
    return or_(*(_contains(column, form) for form in _forms(text)))


def aside(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A text column as an expression that no index serves."""
    return _Aside(column)


def flagged(column: ColumnElement[Any], code: str) -> ColumnElement[bool]:
    """Whether a JSON list of ``{"code", "detail"}`` holds a flag with this code."""
    return _Flagged(
        column,
        bindparam(None, json.dumps(code), type_=String),
        bindparam(None, json.dumps({"code": code})[1:-1], type_=String),
        bindparam(None, code, type_=String),
        bindparam(None, json.dumps([{"code": code}]), type_=String),
    )


def has_grams(document: Any, asked: Sequence[str], one_of: Sequence[str]) -> ColumnElement[bool]:
    """Whether a row of ``search_doc`` holds all the grams ``asked`` and, where any are given, one of ``one_of``.

    Grams are as ``store.text.terms`` gives them: letters, digits and ``_``, with a ``*`` behind a beginning.
    """
    return _Grams(
        document.c.rid,
        bindparam(None, _asked(asked, one_of, '"{}"', " OR ", " AND ", "*"), type_=String),
        bindparam(None, _asked(asked, one_of, "'{}'", " | ", " & ", ":*"), type_=String),
    )


def newest_with_grams(tenant: str, asked: Sequence[str], one_of: Sequence[str], limit: int) -> FromClause:
    """A table of ``rid``: the newest rows of ``search_doc`` that hold what ``has_grams`` means, at most ``limit``.

    The engine stops at the limit: what a gram of a hundred thousand documents costs is bounded by it. On SQLite, whose
    files have one tenant, the tenant is left to the caller.
    """
    return _Newest(*_bound(tenant, asked, one_of, limit)).table_valued("rid")


def number_with_grams(tenant: str, asked: Sequence[str], one_of: Sequence[str], limit: int) -> ColumnElement[int]:
    """How many rows of ``search_doc`` hold what ``has_grams`` means; ``limit`` counts on no further."""
    rows = _Any(*_bound(tenant, asked, one_of, limit)).table_valued("rid")
    return select(func.count()).select_from(rows).scalar_subquery()


def _bound(tenant: str, asked: Sequence[str], one_of: Sequence[str], limit: int) -> tuple[Any, ...]:
    return (
        bindparam(None, _asked(asked, one_of, '"{}"', " OR ", " AND ", "*"), type_=String),
        bindparam(None, _asked(asked, one_of, "'{}'", " | ", " & ", ":*"), type_=String),
        bindparam(None, tenant, type_=String),
        bindparam(None, limit, type_=Integer),
    )


def _asked(asked: Sequence[str], one_of: Sequence[str], quoted: str, either: str, both: str, beginning: str) -> str:
    spelled = [quoted.format(gram.rstrip("*")) + (beginning if gram.endswith("*") else "") for gram in asked]
    if one_of:
        spelled.insert(0, f"({either.join(quoted.format(gram) for gram in one_of)})")
    return both.join(spelled)


def json_text(value: Any) -> str:
    """JSON as it is stored: letters as themselves, not ``\\u`` escapes, so that a LIKE finds them in any script."""
    return json.dumps(value, ensure_ascii=False)


def json_value(said: str) -> Any:
    """What stored JSON says; the empty list, which nearly every row holds several of, without a parser.

    Raises ValueDamaged where it is no JSON.
    """
    if said == "[]":
        return []
    try:
        return json.loads(said)
    except (ValueError, TypeError) as error:
        raise unreadable("a list or an object", error) from error


def unreadable(wanted: str, error: BaseException) -> ValueDamaged:
    """What to tell of a stored value that cannot be read as what it was written as."""
    what = f"The store holds a value that cannot be read as {wanted}: {error}."
    return ValueDamaged(what, kept="Nothing was changed.", todo="See what meminbox verify says, or restore a backup.")


def _forms(text: str) -> list[str]:
    return list(dict.fromkeys([text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC"))]))


def _contains(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    if all(map(_liked, text)):
        return _like(column, text)
    cases = [_cases(char) for char in text]
    glob = "".join(f"[{one}]" if one in ("*", "?", "[") or len(one) > 1 else one for one in cases)
    regex = "".join(f"[{one}]" if len(one) > 1 else _plain_in_regex(one) for one in cases)
    shape = _Shape(column, bindparam(None, f"*{glob}*", type_=String), bindparam(None, regex, type_=String))
    part = max(("".join(run) for liked, run in groupby(text, _liked) if liked), key=len, default="")
    parts = [part] if part else _spellings(text[0])
    return and_(or_(*(_like(column, one) for one in parts)), shape)


def _liked(char: str) -> bool:
    """Whether LIKE finds a character in all its cases on every engine."""
    return char < "\x80" or char.lower() == char.upper()


def _like(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    escaped = _escaped(text)
    like = _Plain if escaped == text else _Like
    return like(column, bindparam(None, f"%{escaped}%", type_=String))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _cases(char: str) -> str:
    return "".join(_spellings(char))


def _spellings(char: str) -> Sequence[str]:
    """A character and its other cases of one character."""
    return list(dict.fromkeys(one for one in (char, char.lower(), char.upper(), char.casefold()) if len(one) == 1))


def _plain_in_regex(char: str) -> str:
    return f"\\{char}" if char < "\x80" and not char.isalnum() else char


def _parts(element: FunctionElement[Any], compiler: Any, options: dict[str, Any]) -> list[Any]:
    return [lambda one=one: compiler.process(one, **options) for one in element.clauses]


@compiles(_Aside, "sqlite")
def _aside_sqlite(element: _Aside, compiler: Any, **options: Any) -> str:
    (column,) = _parts(element, compiler, options)
    return f"(+{column()})"


@compiles(_Aside, "postgresql")
def _aside_postgres(element: _Aside, compiler: Any, **options: Any) -> str:
    (column,) = _parts(element, compiler, options)
    return f"({column()} || '')"


@compiles(_Like, "sqlite")
def _like_sqlite(element: _Like, compiler: Any, **options: Any) -> str:
    column, pattern = _parts(element, compiler, options)
    return f"({column()} LIKE {pattern()} ESCAPE '\\')"


@compiles(_Plain, "sqlite")
def _plain_sqlite(element: _Plain, compiler: Any, **options: Any) -> str:
    column, pattern = _parts(element, compiler, options)
    return f"({column()} LIKE {pattern()})"


@compiles(_Like, "postgresql")
def _like_postgres(element: _Like, compiler: Any, **options: Any) -> str:
    column, pattern = _parts(element, compiler, options)
    return f"({column()} ILIKE {pattern()} ESCAPE '\\')"


@compiles(_Shape, "sqlite")
def _shape_sqlite(element: _Shape, compiler: Any, **options: Any) -> str:
    column, glob, _regex = _parts(element, compiler, options)
    return f"({column()} GLOB {glob()})"


@compiles(_Shape, "postgresql")
def _shape_postgres(element: _Shape, compiler: Any, **options: Any) -> str:
    column, _glob, regex = _parts(element, compiler, options)
    return f"({column()} ~ {regex()})"


@compiles(_Flagged, "sqlite")
def _flagged_sqlite(element: _Flagged, compiler: Any, **options: Any) -> str:
    column, hint, written, code, _document = _parts(element, compiler, options)
    # One search rejects nearly every row, the next finds what we have written (in a string its quotes would be
    # escaped); JSON is read for what somebody else wrote.
    return (
        f"(instr({column()}, {hint()}) AND (instr({column()}, {written()}) OR EXISTS (SELECT 1 FROM"
        f" json_each({column()}) AS flag WHERE json_extract(flag.value, '$.code') = {code()})))"
    )


@compiles(_Flagged, "postgresql")
def _flagged_postgres(element: _Flagged, compiler: Any, **options: Any) -> str:
    column, _hint, _written, _code, document = _parts(element, compiler, options)
    return f"(CAST({column()} AS JSONB) @> CAST({document()} AS JSONB))"


@compiles(_Grams, "sqlite")
def _grams_sqlite(element: _Grams, compiler: Any, **options: Any) -> str:
    row, query, _tsquery = _parts(element, compiler, options)
    return f"({row()} IN (SELECT rowid FROM search_fts WHERE search_fts MATCH {query()}))"


@compiles(_Grams, "postgresql")
def _grams_postgres(element: _Grams, compiler: Any, **options: Any) -> str:
    _row, _query, tsquery = _parts(element, compiler, options)
    return f"(search_doc.tsv @@ CAST({tsquery()} AS tsquery))"


@compiles(_Newest, "sqlite")
def _newest_sqlite(element: _Newest, compiler: Any, **options: Any) -> str:
    query, _tsquery, _tenant, limit = _parts(element, compiler, options)
    matching = f"SELECT rowid AS rid FROM search_fts WHERE search_fts MATCH {query()}"
    return f"({matching} ORDER BY rowid DESC LIMIT {limit()})"


@compiles(_Newest, "postgresql")
def _newest_postgres(element: _Newest, compiler: Any, **options: Any) -> str:
    _query, tsquery, tenant, limit = _parts(element, compiler, options)
    matching = f"SELECT rid FROM search_doc WHERE tsv @@ CAST({tsquery()} AS tsquery) AND tenant_id = {tenant()}"
    # The sum keeps the planner from walking the primary key backwards in the hope of an early match.
    order = "" if isinstance(element, _Any) else "ORDER BY rid + 0 DESC "
    return f"({matching} {order}LIMIT {limit()})"
