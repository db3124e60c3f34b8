"""The spool: there whole or not at all, read strictly, and nothing in it ever deleted because it is damaged."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from store import spool
from store.admit import Raw, admit, canonical
from store.context import Context
from store.errors import StoreFull, StoreReadOnly, StoreTrouble
from store.ids import new_id
from store.redact import redact
from store.spool import Line, SpoolDamaged, SpoolFile, SpoolGone

AT = datetime(2026, 10, 2, 12, 0, 0, 123456, tzinfo=UTC)


def raw(**fields: Any) -> Raw:
    return redact(admit(json.dumps({"content": "x"} | fields).encode()).proposals[0])


def line(said: Raw | None = None, **changes: Any) -> Line:
    context = Context(scope="shop", branch="main", surface="cli")
    made = Line(id=new_id(), raw=said or raw(), context=context, at=AT)
    return replace(made, **changes)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rewrite(file: SpoolFile, old: bytes, new: bytes, *, vouch: bool = False) -> None:
    body = file.path.read_bytes().replace(old, new)
    if vouch:
        import hashlib

        rows = body.splitlines(keepends=True)[1:-1]
        tail = {"lines": len(rows), "sha256": hashlib.sha256(b"".join(rows)).hexdigest()}
        body = body[: body.rstrip(b"\n").rindex(b"\n") + 1] + json.dumps(tail).encode() + b"\n"
    file.path.write_bytes(body)


def test_what_is_put_is_read_again(tmp_path: Path) -> None:
    said = raw(
        content="用pnpm\n\u200b\ttab \"quote\" \u2028 ❤\ufe0f", key="a.b", aliases=["k8s"], paths=["src/a b.py"],
        scope="shop", confidence="0.5", valid_until="2027-03-01T18:00:00+01:00", evidence="ja", session_id="s1",
        op="update", kind="case", source="manual", source_agent="codex", source_ref="m1", target="t",
        idempotency_key="i",
    )  # fmt: skip
    removal = redact(admit(b'{"op":"remove","key":"a"}').proposals[0])
    lines = [line(said), line(removal, context=Context(scope="项目", person=True, name="ann", go_on=True))]
    file = spool.put(tmp_path / "new" / "s", iter(lines))
    assert file.count == 2
    (listed,) = spool.files(tmp_path / "new" / "s")
    assert (listed.path, listed.id) == (file.path, file.id)
    assert list(spool.read(listed)) == lines
    assert list(spool.read(listed, skip=1)) == lines[1:]
    assert said.flags


def test_the_words_of_a_transcript_and_the_commit_are_read_again(tmp_path: Path) -> None:
    said = replace(raw(content="Use uv"), excerpt="用 uv\n请 ❤\ufe0f")
    put = line(said, context=Context(scope="shop", branch="main", commit="1a2b" * 10))
    assert list(spool.read(spool.put(tmp_path, [put]))) == [put]


@pytest.mark.parametrize("value", [7, ["a"], {"a": 1}, "a\\u0007b", "x" * 20_000])
def test_an_excerpt_that_no_transcript_gave_is_set_aside(tmp_path: Path, value: object) -> None:
    file = spool.put(tmp_path, [line(replace(raw(content="Use uv"), excerpt="here"))])
    said = json.dumps(value) if not isinstance(value, str) else f'"{value}"'
    rewrite(file, b'"excerpt":"here"', f'"excerpt":{said}'.encode(), vouch=True)
    with pytest.raises(spool.SpoolDamaged):
        list(spool.read(file))


def test_V40_files_and_folders_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        file = spool.put(tmp_path / "a" / "s", [line()])
    finally:
        os.umask(before)
    assert file.path.stat().st_mode & 0o777 == 0o600
    for folder in (tmp_path / "a" / "s", tmp_path / "a"):
        assert folder.stat().st_mode & 0o777 == 0o700, "the first proposal makes the folder of the store, too"


def test_the_names_sort_by_age_and_the_ids_are_uuid7(tmp_path: Path) -> None:
    put = [spool.put(tmp_path, [line()]) for _ in range(50)]
    assert [file.id for file in spool.files(tmp_path)] == [file.id for file in put]
    ids = [new_id() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    assert all(one[14] == "7" and one[19] in "89ab" and len(one) == 36 for one in ids)


def test_a_branch_that_is_no_text_hinders_nothing(tmp_path: Path) -> None:
    (again,) = spool.read(spool.put(tmp_path, [line(context=Context(scope="shop", branch="fix-\udcff"))]))
    assert again.context.branch == "fix-?"


def test_no_lines_make_no_file(tmp_path: Path) -> None:
    assert spool.put(tmp_path / "s", []).count == 0
    assert names(tmp_path / "s") == []
    assert spool.files(tmp_path / "never") == []


def test_an_error_of_the_lines_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Line]:
        yield line()
        raise RuntimeError("agent went away")

    with pytest.raises(RuntimeError):
        spool.put(tmp_path, broken())
    assert names(tmp_path) == []


def test_nothing_is_written_before_redaction(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="redaction"):
        spool.put(tmp_path, [line(replace(raw(), redaction_version=None))])
    assert names(tmp_path) == []


def test_a_file_is_taken_once(tmp_path: Path) -> None:
    file = spool.put(tmp_path, [line()])
    spool.discard(file)
    spool.discard(file)
    with pytest.raises(SpoolGone):
        list(spool.read(file))
    assert names(tmp_path) == []


@pytest.mark.parametrize("keep", [0, 1, 10, 100, -1, -60])
def test_a_cut_file_is_set_aside_with_its_reason(tmp_path: Path, keep: int) -> None:
    bad, good = spool.put(tmp_path, [line(), line()]), spool.put(tmp_path, [line()])
    body = bad.path.read_bytes()
    bad.path.write_bytes(body[:keep])
    with pytest.raises(SpoolDamaged, match="bad"):
        list(spool.read(bad))
    assert names(tmp_path / "bad") == [f"{bad.id}.jsonl", f"{bad.id}.reason"]
    assert (tmp_path / "bad" / f"{bad.id}.jsonl").read_bytes() == body[:keep]
    assert (tmp_path / "bad" / f"{bad.id}.reason").read_text("utf-8").strip()
    assert [file.id for file in spool.files(tmp_path)] == [good.id]
    assert len(list(spool.read(good))) == 1


def test_a_flipped_byte_gives_no_line_at_all(tmp_path: Path) -> None:
    file = spool.put(tmp_path, [line(), line(raw(content="pay alice"))])
    rewrite(file, b"pay alice", b"pay mally")
    with pytest.raises(SpoolDamaged, match="vouches"):
        next(spool.read(file))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"content":"x"', b'"content":""'),
        (b'"content":"x"', b'"content":"\\u001b"'),
        (b'"content":"x"', b'"content":"x","status":"approved"'),
        (b'"line":1', b'"line":"1"'),
        (b'"line":1', b'"line":true'),
        (b'"person":false', b'"person":0'),
        (b'"branch":"main"', b'"branch":5'),
        (b'"flags":[]', b'"flags":[{"code":"x","evil":1}]'),
        (b'"flags":[]', b'"flags":[7]'),
        (b'"at":"2026', b'"at":"x'),
        (b'"id":"', b'"id":"x'),
        (b'"surface":"cli"', b'"surface":"cli","more":1'),
        (b'"line":1,', b""),
        (b'"redaction_version":1', b'"redaction_version":null'),
        (b'"branch":"main"', b'"branch":"main","branch":"b"'),
        (b'"scope":"shop"', b'"scope":""'),
        (b'"flags":[]', b'"flags":[{"code":"x","detail":5}]'),
    ],
)
def test_a_line_of_another_shape_is_named_even_when_vouched_for(tmp_path: Path, old: bytes, new: bytes) -> None:
    file = spool.put(tmp_path, [line()])
    assert old in file.path.read_bytes()
    rewrite(file, old, new, vouch=True)
    with pytest.raises(SpoolDamaged, match="line 1"):
        list(spool.read(file))
    assert names(tmp_path) == ["bad"]


def test_a_newer_format_is_set_aside_not_guessed(tmp_path: Path) -> None:
    file = spool.put(tmp_path, [line()])
    rewrite(file, b'"meminbox_spool":1', b'"meminbox_spool":2')
    with pytest.raises(SpoolDamaged, match="format"):
        list(spool.read(file))


def test_what_else_lies_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "x.jsonl").write_text("mine")
    (tmp_path / "sub").mkdir()
    assert spool.files(tmp_path) == []
    assert names(tmp_path) == ["notes.txt", "sub", "x.jsonl"]


def test_leftovers_of_a_killed_writer_go_after_a_day(tmp_path: Path) -> None:
    fresh, old = tmp_path / f"{new_id()}.part", tmp_path / f"{new_id()}.part"
    for part in (fresh, old):
        part.write_bytes(b"{")
    past = fresh.stat().st_mtime - spool.PART_AGE - 60
    os.utime(old, (past, past))
    assert spool.files(tmp_path) == []
    assert names(tmp_path) == [fresh.name]


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.ENOSPC, StoreFull), (errno.EROFS, StoreReadOnly), (errno.EIO, StoreTrouble)]
)
def test_a_disk_that_fails_is_named_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    def fails(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(kind, match="Nothing was proposed"):
        spool.put(tmp_path / "s", [line()])
    assert names(tmp_path / "s") == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a file")
    with pytest.raises(StoreTrouble):
        spool.put(tmp_path / "s", [line()])


def test_the_order_of_the_disk_is_write_sync_rename_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, Path.rename
    monkeypatch.setattr(os, "fsync", lambda handle: (steps.append("sync"), sync(handle))[1])
    monkeypatch.setattr(Path, "rename", lambda self, to: (steps.append("rename"), rename(self, to))[1])
    spool.put(tmp_path, [line()])
    assert steps == ["sync", "rename", "sync"]


@pytest.mark.long
def test_F28_many_lines_go_through_in_flat_memory(tmp_path: Path) -> None:
    said, count = raw(content="fact " * 100), 3_000
    tracemalloc.start()
    try:
        file = spool.put(tmp_path, (line(said) for _ in range(count)))
        taken = sum(1 for _ in spool.read(file))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (file.count, taken) == (count, count)
    assert file.path.stat().st_size > 2_000_000
    assert peak < 500_000


def test_what_was_spooled_is_what_was_admitted(tmp_path: Path) -> None:
    said = raw(content="a\u202eb", aliases=["ö"])
    (again,) = spool.read(spool.put(tmp_path, [line(said)]))
    assert canonical(again.raw) == canonical(said)
    assert again.raw == said


_WRITER = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from store import spool
from store.admit import admit
from store.context import Context
from store.ids import new_id
from store.redact import redact

folder = Path(sys.argv[1])
said = redact(admit(b'{"content": "' + b"fact " * 200 + b'"}').proposals[0])
context = Context(scope="shop")
print("ready", flush=True)
while True:
    lines = (spool.Line(id=new_id(), raw=said, context=context, at=datetime.now(UTC)) for _ in range(40))
    print(spool.put(folder, lines).id, flush=True)
"""


def _size(path: Path) -> int:
    """Bytes of a file that its writer may rename at any moment; then none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.long
def test_D105_a_kill_leaves_whole_files_and_every_acknowledged_one(tmp_path: Path) -> None:
    chance = random.Random(105)
    for round_number in range(20):
        folder = tmp_path / str(round_number)
        folder.mkdir()
        child = subprocess.Popen([sys.executable, "-c", _WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        told = [child.stdout.readline().strip() for _ in range(chance.randrange(3))]
        # A different moment each round: after a random number of bytes of the file that is being written.
        until = chance.randrange(0, 40_000)
        for _ in range(100_000):
            if sum(map(_size, folder.glob("*.part"))) >= until or child.poll():
                break
        child.send_signal(signal.SIGKILL)
        told += [row.strip() for row in child.stdout.read().splitlines() if row.strip()]
        child.wait()
        child.stdout.close()
        there = spool.files(folder)
        assert set(told) <= {file.id for file in there}
        assert len(there) <= len(told) + 1
        for file in there:
            assert len(list(spool.read(file))) == 40
        assert not (folder / "bad").exists()
