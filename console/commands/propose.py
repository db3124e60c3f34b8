"""The ``propose`` command as Typer tells and checks it; what it does is in ``console.proposing``."""

from __future__ import annotations

from typing import Annotated

import typer

from console.commands import options

_Text = str | None
_Texts = list[str] | None


def propose(
    what: Annotated[
        str | None,
        typer.Argument(metavar="-|FILE|TEXT", help="JSON or JSON lines from stdin or a file, or a text. [stdin]"),
    ] = None,
    content: Annotated[_Text, typer.Option("--content", metavar="TEXT", help="What is to be remembered.")] = None,
    op: Annotated[_Text, typer.Option("--op", metavar="OP", help="add, update or remove. [add]")] = None,
    kind: Annotated[_Text, typer.Option("--kind", metavar="KIND", help="fact, preference, procedure, …")] = None,
    key: Annotated[_Text, typer.Option("--key", metavar="KEY", help="A short name, such as build.test.")] = None,
    scope: Annotated[_Text, typer.Option("--scope", metavar="SCOPE", help="A project, or global. [this one]")] = None,
    source: Annotated[_Text, typer.Option("--source", metavar="SOURCE", help="user_feedback, task_success, …")] = None,
    agent: Annotated[_Text, typer.Option("--agent", metavar="NAME", help="Which agent says so.")] = None,
    session: Annotated[_Text, typer.Option("--session", metavar="ID", help="In which session.")] = None,
    ref: Annotated[_Text, typer.Option("--ref", metavar="REF", help="Where in it: a message or file.")] = None,
    evidence: Annotated[_Text, typer.Option("--evidence", metavar="TEXT", help="A quoted excerpt.")] = None,
    confidence: Annotated[_Text, typer.Option("--confidence", metavar="0..1", help="How sure. [unknown]")] = None,
    valid_until: Annotated[_Text, typer.Option("--valid-until", metavar="TIME", help="ISO 8601 with a zone.")] = None,
    target: Annotated[_Text, typer.Option("--target", metavar="ID", help="The memory to change or remove.")] = None,
    idempotency_key: Annotated[
        _Text, typer.Option("--idempotency-key", metavar="KEY", help="One proposal only.")
    ] = None,
    alias: Annotated[_Texts, typer.Option("--alias", metavar="WORD", help="Another word for it. Repeatable.")] = None,
    path: Annotated[_Texts, typer.Option("--path", metavar="PATH", help="A path it is about. Repeatable.")] = None,
    as_json: options.Json = False,
    go_on: Annotated[
        bool, typer.Option("--yes", "-y", help="Go on where the same text was turned down before (people only).")
    ] = False,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    db: options.Db = None,
) -> int:
    """Propose memories for review.

    JSON or JSON lines from a pipe or a file, or one by hand. Answers one result a line.
    """
    from console.proposing import Asked, run

    given = {
        "content": content,
        "op": op,
        "kind": kind,
        "key": key,
        "scope": scope,
        "source": source,
        "source_agent": agent,
        "session_id": session,
        "source_ref": ref,
        "evidence": evidence,
        "confidence": confidence,
        "valid_until": valid_until,
        "target": target,
        "idempotency_key": idempotency_key,
        "aliases": alias,
        "paths": path,
    }
    said = {name: value for name, value in given.items() if value is not None and value != []}
    return run(Asked(what, said, db, as_json, go_on, quiet, dry_run))
