"""Commands that judge what is held: a way turned down with its reason, evidence that a memory is true."""

from __future__ import annotations

from typing import Annotated

import typer

from console.commands import options


def retire(
    identity: options.Id,
    reason: Annotated[
        str | None, typer.Option("--reason", "-r", metavar="TEXT", help="Why; shown beside what resembles it. [asked]")
    ] = None,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Turn a memory or a proposal down, and keep why.

    It is shown to reviewers beside what resembles it, and never given to an agent. A key means the memory first.
    """
    from console import output, tables
    from console.commands import decided, opening
    from store import history, review

    with opening.deciding(db) as (store, by):
        found = decided.editable(store, identity)
        text = list(tables.text_lines(found.entry.content))
        if dry_run:
            return decided.would("turn down", text)
        if reason is None:
            for one in text:
                print(one, flush=True)
            reason = output.ask_for("Why is it turned down?")
        if found.proposal is not None:
            done = review.turn_down(store, found.proposal.seen(), reason, by)
        else:
            done = history.retire(store, found.memory_id, found.revision, reason, by)
        return decided.tell(done, text, quiet=quiet)


def support(
    identity: options.Id,
    commit: Annotated[
        str | None, typer.Option("--commit", metavar="SHA", help="A commit that bears it out; HEAD is today's.")
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="NAME", help="A test that passed because of it.")
    ] = None,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Say that a commit or a test bears a memory out.

    It counts as seen, unlike what an agent claims, and the memory as true today.
    """
    from console import tables
    from console.commands import decided, opening
    from store.borne_out import bear_out
    from store.errors import UsageError
    from store.redact import redact_text

    if (commit is None) == (test is None):
        raise UsageError("Give one of --commit and --test.")
    with opening.deciding(db) as (store, by):
        memory = decided.memory(store, identity)
        kind, ref = ("commit", _whole(commit)) if commit is not None else ("test", str(test))
        line = [f"  {tables.line(redact_text(f'{kind} {ref}')[0])}"]
        if dry_run:
            return decided.would("note as evidence", line)
        return decided.tell(bear_out(store, memory.id, kind, ref, by), line, quiet=quiet)


def _whole(commit: str) -> str:
    """The whole hash of a commit of the present repository; outside of one, what was typed."""
    from pathlib import Path

    from console.commands import choices
    from store import git
    from store.errors import NotFound

    project = choices.here()
    if not (Path(project.root) / ".git").exists():
        return commit
    named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    found = git.words(Path(project.root), *named) if "\0" not in commit else None
    if found is None:
        raise NotFound("There is no such commit in this repository.", kept="Nothing was changed.")
    return found
