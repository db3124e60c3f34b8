"""The options that several commands share, so that each is spelled and explained once."""

from __future__ import annotations

from typing import Annotated

import typer

Db = Annotated[
    str | None,
    typer.Option("--db", metavar="PLACE", help="The store: a path or a postgresql:// URL (else MEMINBOX_DB)."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Jsonl = Annotated[bool, typer.Option("--jsonl", help="Answer in JSON, one item a line.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Say what would be done, and do nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Go on without being asked.")]
Reason = Annotated[str | None, typer.Option("--reason", "-r", metavar="TEXT", help="Why; kept in the log.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The last characters of an id (four or more), or a key.")]
Mask = Annotated[bool, typer.Option("--mask", help="Mask what in it may be a secret.")]
NotSecret = Annotated[
    bool, typer.Option("--not-secret", help="What in it may be a secret is none; remembered for the same text.")
]
