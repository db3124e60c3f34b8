"""Commands that decide. They need a person at a terminal, act at once, and say in words what they did and its undo."""

from __future__ import annotations

from typing import Annotated

import typer

from console.commands import options


def approve(
    identity: options.Id,
    mask: options.Mask = False,
    not_secret: options.NotSecret = False,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Approve a proposal.

    What it says becomes a memory, or changes or removes one. Where hidden characters stand in it, you are asked; where
    it may hold a secret, say --mask or --not-secret, or edit it.
    """
    from console.commands import decided, opening
    from store import review

    word = decided.word(mask=mask, not_secret=not_secret)
    with opening.deciding(db) as (store, by):
        proposal = decided.proposal(store, identity).proposal
        effect = decided.effect(proposal)
        if dry_run:
            return decided.would(f"approve this {decided.op_word(proposal)}", effect)
        if not yes:
            decided.acknowledge_hidden(proposal, effect)
        done = review.approve(store, proposal.seen(), by=by, secret=word)
        return decided.tell(done, decided.as_kept(store, done, proposal.entry, effect), quiet=quiet)


def edit(
    identity: options.Id,
    content: Annotated[
        str | None, typer.Option("--content", "-c", metavar="TEXT", help="The new text. [opens $EDITOR]")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help='The new key; "" takes it away.')] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="The new kind.")] = None,
    mask: options.Mask = False,
    not_secret: options.NotSecret = False,
    reason: options.Reason = None,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Edit and approve a proposal, or edit a memory."""
    from console.commands import choices, decided, edited, opening
    from store import history, review

    choices.kind(kind)
    word = decided.word(mask=mask, not_secret=not_secret)
    with opening.deciding(db) as (store, by):
        found = decided.editable(store, identity)
        after = edited.entry(found.entry, content=content, key=key, kind=kind)
        effect = decided.difference(found.base, after.content)
        if dry_run:
            return decided.would("approve it as edited" if found.proposal else "change this memory", effect)
        if found.proposal is not None:
            done = review.approve(store, found.proposal.seen(), by=by, edited=after, secret=word)
        else:
            done = history.edit(store, found.memory_id, found.revision, after, by=by, reason=reason, secret=word)
        return decided.tell(done, decided.as_kept(store, done, after, effect, base=found.base), quiet=quiet)


def reject(
    identity: options.Id,
    reason: options.Reason = None,
    group: Annotated[bool, typer.Option("--group", "-g", help="With every other proposal for the same key.")] = False,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Reject a proposal.

    The same text proposed again is answered with this decision, and not queued.
    """
    from console import tables
    from console.commands import decided, opening
    from store import review

    with opening.deciding(db) as (store, by):
        found = decided.proposal(store, identity)
        taken = found.group if group and found.group else (found.proposal,)
        texts = [line for one in taken for line in tables.text_lines(one.entry.content)]
        if dry_run:
            return decided.would(f"reject {len(taken)}", texts)
        done = review.reject(store, found.proposal.seen(), by=by, reason=reason, group=group)
        return decided.tell(done, texts, quiet=quiet)


def rollback(
    identity: options.Id,
    to: Annotated[int | None, typer.Option("--to", min=1, metavar="N", help="This version. [the value before]")] = None,
    reason: options.Reason = None,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Bring back what a memory said before.

    Or any earlier version, with --to. A second rollback undoes the first.
    """
    from console.commands import decided, opening
    from store import history

    with opening.deciding(db) as (store, by):
        memory = decided.memory(store, identity)
        if dry_run:
            earlier = decided.earlier_content(store, memory, to)
            return decided.would("bring back", decided.difference(memory.entry.content, earlier))
        done = history.rollback(store, memory.id, memory.revision, by=by, to=to, reason=reason)
        now = decided.memory(store, memory.id)
        return decided.tell(done, decided.difference(memory.entry.content, now.entry.content), quiet=quiet)


def delete(
    identity: options.Id,
    reason: options.Reason = None,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Delete a memory.

    Its history stays, and undo brings it back.
    """
    from console import tables
    from console.commands import decided, opening
    from store import history

    with opening.deciding(db) as (store, by):
        memory = decided.memory(store, identity)
        text = list(tables.text_lines(memory.entry.content))
        if dry_run:
            return decided.would("delete", text)
        done = history.delete(store, memory.id, memory.revision, by=by, reason=reason)
        return decided.tell(done, text, quiet=quiet)


def undo(
    operation: Annotated[str | None, typer.Argument(metavar="OPERATION", help="Its id. [your last step]")] = None,
    others: Annotated[
        bool, typer.Option("--others", help="Where something later stands on part of it, undo the rest.")
    ] = False,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Take back your last step, or any other."""
    from console.at_work import at_work
    from console.commands import decided, opening
    from store import history
    from store.errors import LaterOperation

    with opening.deciding(db) as (store, by):
        wanted = decided.operation(store, operation)
        if dry_run:
            return decided.would("undo", decided.step(store, wanted, history.next_undo(store, by)))
        try:
            with at_work("taking it back"):
                done = history.undo(store, by=by, operation_id=wanted, free_only=others)
        except LaterOperation as error:
            if error.free:
                again = " ".join(filter(None, ("meminbox undo", operation, "--others")))
                error.todo = f"`{again}` undoes the other {len(error.free):,}."
            raise
        return decided.tell(done, (), quiet=quiet, back="redo")


def redo(
    operation: Annotated[str | None, typer.Argument(metavar="OPERATION", help="The undo's id. [your last]")] = None,
    dry_run: options.DryRun = False,
    db: options.Db = None,
    quiet: options.Quiet = False,
) -> int:
    """Do again what was undone last."""
    from console.at_work import at_work
    from console.commands import decided, opening
    from store import history

    with opening.deciding(db) as (store, by):
        wanted = decided.operation(store, operation)
        if dry_run:
            return decided.would("redo", decided.step(store, wanted, history.next_redo(store, by)))
        with at_work("doing it again"):
            done = history.redo(store, by=by, operation_id=wanted)
        return decided.tell(done, (), quiet=quiet)
