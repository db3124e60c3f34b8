"""A plan carried out: each file whole or not at all, a copy of what was kept, and nothing written over a change of
somebody else's since the plan was shown.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from store import files
from store.agents.roster import Ground
from store.agents.setup_plan import Call, Edit
from store.errors import Conflict, MeminboxError, StoreTrouble
from store.location import home

_ABANDONED = 600.0
"""Seconds after which nobody is still writing a file."""
CALL_SECONDS = 60.0
"""The longest that an agent's own command is waited for."""


class CallFailed(MeminboxError):
    """An agent's own command did not do what it was called for."""


class NotWritten(MeminboxError):
    """The system refused to write a settings file."""


def backup_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the files of one run of setup are kept as they were; the folder is not made yet."""
    return home(environ) / "settings-before" / datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")


def write(edit: Edit, backups: Path) -> Path | None:
    """Carry out one edit and return its backup, None for a file that was not there.

    The mode of a file stays; a new one is private to the person, or in a project as the umask has it. Raises Conflict
    where the file is no longer what the plan was made from, NotWritten where the system refuses.
    """
    try:
        with files.told(edit.real):
            return _write(edit, backups)
    except StoreTrouble as error:
        raise NotWritten(error.what, kept=f"{edit.path} was left as it is.") from error


def _write(edit: Edit, backups: Path) -> Path | None:
    _expect_unchanged(edit)
    if edit.before is not None and not files.may_write(edit.real):
        raise PermissionError(errno.EACCES, "it is not to be written")  # a rename would not even ask
    kept = _keep(edit, backups) if edit.before is not None else None
    if edit.after is None:
        _expect_unchanged(edit)
        edit.real.unlink()
    else:
        _make_folder(edit)
        _replace(edit, edit.after)
    return kept


def call(one: Call, ground: Ground, cwd: Path) -> None:
    """Run an agent's own command. Raises CallFailed with what it said."""
    program = ground.program(one.argv[0])
    if program is None:
        raise CallFailed(f"{one.argv[0]} is not on the path any more.")
    try:
        ran = subprocess.run(
            [program, *one.argv[1:]],
            cwd=cwd,
            env=dict(ground.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=CALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CallFailed(f"`{' '.join(one.argv)}` did not end within {CALL_SECONDS:.0f} seconds.") from error
    except OSError as error:
        raise CallFailed(f"`{' '.join(one.argv)}` could not be started: {error.strerror or error}.") from error
    if ran.returncode != 0:
        said = (ran.stderr or ran.stdout).decode("utf-8", "replace").strip()[-500:]
        raise CallFailed(f"`{' '.join(one.argv)}` failed: {said or f'exit code {ran.returncode}'}")


def _expect_unchanged(edit: Edit) -> None:
    try:
        now = edit.real.read_bytes()
    except FileNotFoundError:
        now = None
    if now != edit.before:
        raise Conflict(
            f"{edit.path} was changed by somebody else meanwhile.",
            kept="It was left as it is.",
            todo="Run setup again.",
        )


def _keep(edit: Edit, backups: Path) -> Path:
    files.make_private(backups)
    copy = backups / f"{edit.agent}-{edit.path.name.lstrip('.')}"
    files.write_whole(copy, edit.before or b"")
    return copy


def _make_folder(edit: Edit) -> None:
    folder = edit.real.parent
    if folder.is_dir():
        return
    if edit.path.is_symlink():
        raise FileNotFoundError(errno.ENOENT, "the link leads to a folder that is not there", str(folder))
    if edit.shared:
        folder.mkdir(parents=True, exist_ok=True)
    else:
        files.make_private(folder)


def _clean(real: Path) -> None:
    """Take away what a setup that was killed left beside a file."""
    ours = re.compile(rf"\.{re.escape(real.name)}\.\d+\.\d+\.new")
    for path in real.parent.iterdir():
        if ours.fullmatch(path.name) and time.time() - path.lstat().st_mtime > _ABANDONED:
            path.unlink(missing_ok=True)


def _replace(edit: Edit, data: bytes) -> None:
    with suppress(OSError):
        _clean(edit.real)
    made = edit.real.with_name(f".{edit.real.name}.{os.getpid()}.{time.monotonic_ns()}.new")
    descriptor = files.make_file(made)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            _as_before(edit, stream.fileno())
        _expect_unchanged(edit)
        files.replace(made, edit.real)
    except BaseException:
        with suppress(FileNotFoundError):
            made.unlink()
        raise


def _as_before(edit: Edit, descriptor: int) -> None:
    """Give the new file the mode and the owner of the old one."""
    if edit.before is None:
        if edit.shared:
            os.fchmod(descriptor, 0o666 & ~_umask())
        return
    was = edit.real.stat()
    os.fchmod(descriptor, was.st_mode & 0o7777)
    if (was.st_uid, was.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.fchown(descriptor, was.st_uid, was.st_gid)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
