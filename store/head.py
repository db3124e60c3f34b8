"""The head file: the newest seq and digest of each tenant, kept apart from the store.

A store that stands behind its head file has lost operations, which its own chain alone could not tell.
"""

from __future__ import annotations

import json
from pathlib import Path

from store import files
from store.location import Location

_WAIT = 5.0
_MOST = 2**63 - 1
"""The highest number that an operation could have in any store."""


def read(location: Location) -> dict[str, tuple[int, str]]:
    """Seq and digest by tenant; empty where there is no file. Raises ValueError where it is not ours, OSError."""
    return _read(location.head)


def advance(location: Location, tenant: str, seq: int, digest: str) -> None:
    """Record that ``tenant`` has reached ``seq``. Only ever forward; a later writer's number stays.

    Raises StoreTrouble where the file cannot be written; the operation itself is committed all the same.
    """
    files.make_folder(location.folder)
    with files.locked(location.lock, _WAIT, "recording its newest operation"):
        with files.told(location.head):
            heads = _readable(location.head)
        if heads.get(tenant, (0, ""))[0] >= seq:
            return
        heads[tenant] = (seq, digest)
        spelled = {name: {"seq": at, "digest": said} for name, (at, said) in sorted(heads.items())}
        files.write_whole(location.head, (json.dumps(spelled, ensure_ascii=False) + "\n").encode("utf-8"))


def put_back(location: Location, heads: dict[str, tuple[int, str]]) -> None:
    """Record what a restored store has reached, be it less than before. Raises StoreTrouble where that fails."""
    with files.locked(location.lock, _WAIT, "recording its newest operation"):
        spelled = {name: {"seq": at, "digest": said} for name, (at, said) in sorted(heads.items())}
        files.write_whole(location.head, (json.dumps(spelled, ensure_ascii=False) + "\n").encode("utf-8"))


def _readable(path: Path) -> dict[str, tuple[int, str]]:
    try:
        return _read(path)
    except ValueError:
        return {}  # torn by a power cut, or not ours: verify has had its chance to tell, the next one is whole


def _read(path: Path) -> dict[str, tuple[int, str]]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    try:
        loaded = json.loads(data.decode("utf-8"))
        heads = {str(name): (int(head["seq"]), str(head["digest"])) for name, head in loaded.items()}
    except (AttributeError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path} is not a head file") from error
    if any(not 0 <= seq <= _MOST for seq, _ in heads.values()):
        raise ValueError(f"{path} is not a head file")
    return heads
