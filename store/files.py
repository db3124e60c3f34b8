"""Files beside the store: private whatever the umask, locked between processes, whole after a power cut."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from store.errors import StoreBusy, StoreFull, StoreReadOnly, StoreTrouble

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
_POLL = 0.02
_NETWORK = (
    *("nfs", "cifs", "smb", "afs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs", "orangefs", "davfs"),
    *("9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "fakeowner", "grpcfuse", "osxfs"),
    *("sshfs", "rclone", "s3fs", "gcsfuse"),
)
"""How the kinds of file systems begin that other machines may write to as well: of networks, between a machine and its
guests or containers, and of programs that stand for one (there after ``fuse.``)."""


def make_folder(folder: Path) -> None:
    """As ``make_private``, with our errors: StoreReadOnly, StoreFull where the disk is full, else StoreTrouble."""
    with told(folder):
        make_private(folder)


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents, all 0700 whatever the umask. One that is there already keeps its mode.

    ``Path.mkdir`` gives its mode to the last folder only: the parents would be open to others. Raises OSError.
    """
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        if folder.parent == folder:
            break
        folder = folder.parent
    for one in reversed(missing):
        try:
            one.mkdir(mode=PRIVATE_FOLDER)
        except FileExistsError:
            if not one.is_dir():
                raise
            continue
        one.chmod(PRIVATE_FOLDER)


def make_file(path: Path) -> int:
    """Create a file that must not be there yet, 0600, and return its descriptor for reading and writing."""
    with told(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
        os.fchmod(descriptor, PRIVATE_FILE)
        return descriptor


def sync_file(path: Path) -> None:
    """Bring a file's bytes to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace(made: Path, path: Path) -> None:
    """Put a whole file in the place of ``path`` in one step that survives a power cut."""
    with told(path):
        sync_file(made)
        made.replace(path)
        sync_file(path.parent)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside and rename it in, 0600: a reader sees the old bytes or the new ones, never a part."""
    made = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}.new")
    descriptor = make_file(made)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        replace(made, path)
    except BaseException:
        with suppress(FileNotFoundError):
            made.unlink()
        raise


@contextmanager
def locked(path: Path, wait: float, what: str) -> Iterator[None]:
    """Hold the lock file ``path`` alone, across processes and threads, waiting ``wait`` seconds at most.

    ``what`` is being done under the lock, in words for the StoreBusy that tells of another process doing it.
    """
    with told(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            os.fchmod(descriptor, PRIVATE_FILE)
        _acquire(descriptor, time.monotonic() + wait, path, what)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, deadline: float, path: Path, what: str) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    f"Another process is {what} (it holds {path}).", kept="Nothing was changed.", todo="Try again."
                ) from None
            time.sleep(_POLL)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Tell an operating system's refusal at ``path`` by our names."""
    try:
        yield
    except OSError as error:
        said = f"{path}: {error.strerror or error}."
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise StoreReadOnly(said, todo="Choose a folder that you may write.") from error
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise StoreFull(f"Not saved: {said}", todo="Free some space.") from error
        raise StoreTrouble(said) from error


def there(path: Path) -> bool:
    """Whether something is at ``path``. Raises as ``told`` does where that cannot be told, as with a name too long."""
    with told(path):
        return path.exists()


def may_write(path: Path) -> bool:
    """Whether this process may write a file, or make files in a folder."""
    wanted = os.W_OK | os.X_OK if path.is_dir() else os.W_OK
    return os.access(path, wanted, effective_ids=os.access in os.supports_effective_ids)


def may_read(folder: Path) -> bool:
    """Whether this process may look into a folder."""
    return os.access(folder, os.R_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def open_to_others(path: Path) -> bool:
    """Whether the group or the world may read or write ``path``."""
    return bool(path.stat().st_mode & 0o077)


def network_kind(path: Path, mounts: str | None = None) -> str | None:
    """The kind of network or shared file system that ``path`` stands on, or None for a local or unknown one.

    ``mounts`` is the text of /proc/self/mountinfo, read where it is not given.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return None
    best, kind = "", None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields, rest = before.split(), after.split()
        if len(fields) < 5 or not rest:
            continue
        point = fields[4].replace("\\040", " ")
        if len(point) >= len(best) and path.is_relative_to(point):
            best, kind = point, rest[0]
    return kind if kind is not None and kind.removeprefix("fuse.").startswith(_NETWORK) else None
