"""The pipe to the process that holds a model: frames whole or none, whatever comes through it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from store.encoders import frames
from store.encoders.frames import Ended


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    source, to = os.pipe()
    yield source, to
    for end in (source, to):
        try:
            os.close(end)
        except OSError:
            continue


def test_a_frame_comes_as_it_was_sent(pipe: tuple[int, int]) -> None:
    source, to = pipe
    body = os.urandom(3_000_000)
    sent = threading.Thread(target=frames.write, args=(to, {"texts": ["用 pnpm", "\x00"], "n": 3}, body))
    sent.start()
    assert frames.read(source, within=10) == ({"texts": ["用 pnpm", "\x00"], "n": 3}, body)
    sent.join()


def test_frames_follow_one_another(pipe: tuple[int, int]) -> None:
    source, to = pipe
    frames.write(to, {"n": 1})
    frames.write(to, {"n": 2}, b"x")
    assert frames.read(source) == ({"n": 1}, b"")
    assert frames.read(source) == ({"n": 2}, b"x")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x00\x00",
        b"\x00\x00\x00\x05\x00\x00\x00\x00{",
        b"\x00\x00\x00\x02\x00\x00\x00\x00[]",
        b"\x00\x00\x00\x02\x00\x00\x00\x00{,",
        b"\xff\xff\xff\xff\x00\x00\x00\x00",
        b"Loading weights: 100%",
        b"\x00\x00\x00\x02\x00\x00\x00\x09{}half",
    ],
)
def test_what_is_no_whole_frame_is_the_end(pipe: tuple[int, int], sent: bytes) -> None:
    source, to = pipe
    os.write(to, sent)
    os.close(to)
    with pytest.raises(Ended):
        frames.read(source, within=1)


def test_silence_is_the_end_too(pipe: tuple[int, int]) -> None:
    with pytest.raises(Ended):
        frames.read(pipe[0], within=0.01)


def test_nobody_at_the_other_end_is_the_end(pipe: tuple[int, int]) -> None:
    source, to = pipe
    os.close(source)
    with pytest.raises(Ended):
        frames.write(to, {"n": 1})
