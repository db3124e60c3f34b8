"""Recovery: every shape an agent writes, and nothing dropped in silence."""

from __future__ import annotations

import gc
import io
import json
import time
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.recover import MAX_LINE, Found, Lost, pieces


def run(text: str | bytes) -> tuple[list[Found], list[Lost], list[int]]:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    passed: list[int] = []
    every = list(pieces(io.BytesIO(data), passed))
    lines = [piece.line for piece in every]
    assert lines == sorted(set(lines)), "numbers rise and are given once"
    return (
        [piece for piece in every if isinstance(piece, Found)],
        [piece for piece in every if isinstance(piece, Lost)],
        passed,
    )


def contents(found: list[Found]) -> list[str]:
    return [piece.value["content"] for piece in found]


def item(name: str) -> str:
    return json.dumps({"content": name, "aliases": ["x"]})


def test_d106_fenced_json_is_recovered() -> None:
    fenced = f"Here is what I learned:\n\n```json\n[\n  {item('a')},\n  {item('b')}\n]\n```\n\nHope this helps\n"
    found, lost, passed = run(fenced)
    assert contents(found) == ["a", "b"]
    assert [piece.line for piece in found] == [1, 2]
    assert lost == []
    assert passed == [1, 10]


def test_d106_json_after_a_sentence_with_braces_is_recovered() -> None:
    for text in (
        f"I used {{curly}} braces and {{}} too: [{item('a')}]",
        f"I used {{curly}} braces.\n[{item('a')}]\nDone!",
        f'The set {{"x"}} is a set. {item("a")}',
        f"I looked at {{config}} and wrote this down:\n{item('a')}\n",
    ):
        found, lost, passed = run(text)
        assert contents(found) == ["a"], text
        assert lost == [], text
        assert passed[0] == 1


@pytest.mark.parametrize("separator", [",", ",\n", "\n,\n  "])
def test_d106_an_array_cut_inside_item_4(separator: str) -> None:
    text = "[" + separator.join(item(name) for name in "abcd")
    for cut in range(len(text) - len(item("d")) + 1, len(text)):
        found, lost, _ = run(text[:cut])
        assert contents(found) == ["a", "b", "c"]
        assert [piece.line for piece in lost] == [4]
        assert "item 4" in lost[0].reason
        assert "ends inside" in lost[0].reason


def test_d106_an_array_cut_between_items_is_told() -> None:
    found, lost, _ = run(f"[{item('a')},{item('b')},")
    assert contents(found) == ["a", "b"]
    assert [piece.line for piece in lost] == [3]
    assert "behind item 2" in lost[0].reason


def test_d106_a_fence_that_closes_a_cut_array() -> None:
    found, lost, _ = run(f"```json\n[{item('a')},\n{item('b')[:-4]}\n```\nand then\n```\n{item('c')}\n```\n")
    assert contents(found) == ["a", "c"]
    assert len(lost) == 1
    assert "fence" in lost[0].reason


def test_several_fences_and_a_fence_in_one_line() -> None:
    text = f"One:\n```json\n{item('a')}\n```\nTwo:\n~~~\n[{item('b')}]\n~~~\n```json {item('c')} ```\n"
    found, lost, _ = run(text)
    assert contents(found) == ["a", "b", "c"]
    assert lost == []


def test_code_in_a_fence_of_another_language_is_passed_and_told() -> None:
    found, lost, passed = run(f"See:\n```python\nfor x in y: pass\n```\n```json\n{item('a')}\n```")
    assert contents(found) == ["a"]
    assert lost == []
    assert 3 in passed


@pytest.mark.parametrize(
    "bad",
    [
        "not json",
        "this line is not json at all, sorry.",
        '{"content": oops}',
        '{"content": "cut',
        '{"content": "cut"',
        '{"content": ["a"',
        "{'content': 'x'}",
        "{bad}",
        '"content": "x"',
        "]",
        "}",
        ",,",
        "[link](http://e)",
        '{"content": "x"]',
        '{"content" "x"}',
        '{"content": "\\x"}',
    ],
)
def test_v44_a_bad_line_among_lines_is_reported_and_its_neighbours_kept(bad: str) -> None:
    found, lost, passed = run(f"{item('a')}\n{bad}\n{item('b')}\n{item('c')}\n")
    assert contents(found) == ["a", "b", "c"]
    assert [piece.line for piece in found] == [1, 3, 4]
    if bad != ",,":
        assert [piece.line for piece in lost] == [2]
    assert passed == []


def test_lines_keep_their_numbers_over_blank_lines_and_crlf() -> None:
    found, lost, _ = run(f"\ufeff\r\n{item('a')}\r\n\r\n{item('b')},\r\n\n\ufeff{item('c')}")
    assert contents(found) == ["a", "b", "c"]
    assert [piece.line for piece in found] == [2, 4, 6]
    assert lost == []


def test_one_bad_item_of_an_array_leaves_the_others() -> None:
    found, lost, _ = run(f'[{item("a")}, {{"content": oops}}, foo, {item("b")}, 7]')
    assert [piece.value for piece in found][-1] == 7
    assert contents(found[:-1]) == ["a", "b"]
    assert [piece.line for piece in lost] == [2, 3]


def test_a_bad_item_without_a_name_leaves_the_others_of_its_line() -> None:
    for bad in ("{oops}", "{'content': 'x'}", '{"x"}', "{,}", "{[1}", "{1:2}"):
        found, lost, _ = run(f"[{item('a')}, {bad}, {item('b')}]")
        assert contents(found) == ["a", "b"], bad
        assert [piece.line for piece in lost] == [2], bad


def test_a_quote_too_many_or_too_few_spares_the_neighbours_on_the_line() -> None:
    broken = (
        '{"content": "x", "aliases[: ["x"]}',
        '{"content": "x", "conf"dence": 0.5}',
        '{"content": "x", "confidence: 0.5}',
        '{"content": "x", "aliases": ["y"], "confidence": 0.5',
        '{"content": "x}',
        '{"content": "x", "aliases": ["y"}',
    )
    for bad in broken:
        found, lost, _ = run(f"[{item('a')}, {bad}, {item('b')}, {item('c')}]")
        assert contents(found) == ["a", "b", "c"], bad
        assert [piece.line for piece in lost] == [2], bad


@pytest.mark.long
@pytest.mark.parametrize(
    "part",
    [
        '{"',
        '{"a":x},',
        '[{"a":x},',
        'x {"a" ',
        "[{",
        '{"a":"\\"',
        '"a",',
        "x,",
        "``` {}",
        '{"a":"x\n',
        '{"\ud800":',
        ", ",
    ],
)
def test_cost_grows_with_the_input_and_not_with_its_square(part: str) -> None:
    def cost(count: int) -> float:
        data = ("[" + part * count).encode("utf-8", "surrogatepass")
        gc.collect()
        gc.disable()  # looking for garbage costs by what other tests left in this process
        begun = time.process_time()
        try:
            for _ in pieces(io.BytesIO(data)):
                pass
            return time.process_time() - begun
        finally:
            gc.enable()

    # A ratio in one run: sixteen times the input costs sixteen times as much, its square would cost 256 times.
    assert cost(16_000) < 60 * max(cost(1_000), cost(1_000), 0.001)


def test_a_broken_item_over_lines_ends_where_the_next_begins() -> None:
    text = '[\n {\n  "content": "a",\n  oops\n },\n {\n  "content": "b"\n },\n'
    text += ' {\n  "content": "c\n },\n {"content": "d"}\n]'
    found, lost, _ = run(text)
    assert contents(found) == ["b", "d"]
    assert [piece.line for piece in lost] == [1, 3]
    assert "lines 2 to 5" in lost[0].reason


def test_objects_one_after_the_other_over_lines() -> None:
    found, lost, _ = run('{\n "content": "a"\n}\n{\n "content":\n "b"\n}{"content":"c"}')
    assert contents(found) == ["a", "b", "c"]
    assert lost == []


def test_a_raw_line_break_inside_a_string_is_taken() -> None:
    found, lost, _ = run('{"content": "one\ntwo {\n", "key": "k"}\n{"content": "b"}')
    assert contents(found) == ["one\ntwo {\n", "b"]
    assert lost == []


def test_v34_invalid_utf8_names_the_byte_and_spares_the_neighbours() -> None:
    data = b'\xef\xbb\xbf{"content":"\xc3\xa9"}\n[{"content":"b"},{"content":"\xc3\xa9\xff"},{"content":"c"}]\n\xfe\n'
    found, lost, _ = run(data)
    assert contents(found) == ["é", "b", "c"]
    assert f"byte 0xff at byte offset {data.index(0xFF)}" in lost[0].reason
    assert len(lost) == 2


def test_utf16_is_named() -> None:
    found, lost, _ = run('{"content":"a"}'.encode("utf-16"))
    assert found == []
    assert "UTF-16" in lost[0].reason


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '[{"content":' + "[" * 5000])
def test_deep_nesting_is_one_refusal(text: str) -> None:
    found, lost, _ = run(text)
    assert found == []
    assert len(lost) == 1
    assert "nested deeper" in lost[0].reason


def test_what_follows_a_value_that_is_nested_too_deep_is_taken() -> None:
    deep = '{"content": ' + "[" * 40 + "]" * 40 + "}"
    found, lost, _ = run(f"[{deep}, {item('a')}]\n{deep}\n{item('b')}")
    assert [piece.value.get("content") for piece in found if not isinstance(piece.value.get("content"), list)] == [
        "a",
        "b",
    ]
    assert len(found) + len(lost) == 4


def test_prose_alone_is_reported() -> None:
    found, lost, passed = run("I have nothing to add.\nGoodbye.\n")
    assert found == []
    assert [piece.line for piece in lost] == [1, 2]
    assert passed == []


def test_nothing_gives_nothing() -> None:
    for text in ("", "\n\n", "[]", "\ufeff", "```json\n[]\n```"):
        assert run(text) == ([], [], [])


def test_a_line_beyond_the_cap_is_skipped_and_named() -> None:
    data = b'{"content":"a"}\n' + b"x" * (MAX_LINE + 10) + b'\n{"content":"b"}\n'
    found, lost, _ = run(data)
    assert contents(found) == ["a", "b"]
    assert f"{MAX_LINE + 11:,}" in lost[0].reason


class _Endless(io.RawIOBase):
    """A hundred thousand lines that never stand in memory together."""

    def __init__(self, count: int, bad: int) -> None:
        self._lines = self._make(count, bad)
        self._rest = b""

    @staticmethod
    def _make(count: int, bad: int) -> Iterator[bytes]:
        for number in range(1, count + 1):
            yield b"{oops\n" if number == bad else b'{"content":"fact number %d"}\n' % number

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        if not self._rest:
            self._rest = next(self._lines, b"")
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _sorted_out(count: int, bad: int) -> tuple[int, list[int]]:
    good, lost = 0, []
    for piece in pieces(io.BufferedReader(_Endless(count, bad))):
        if isinstance(piece, Found):
            good += 1
        else:
            lost.append(piece.line)
    return good, lost


@pytest.mark.long
def test_v44_f28_a_hundred_thousand_lines_and_a_bad_one() -> None:
    assert _sorted_out(100_000, 77_777) == (99_999, [77_777])


@pytest.mark.long
def test_f28_memory_stays_flat() -> None:
    tracemalloc.start()
    try:
        peaks = []
        for count in (1_000, 10_000):
            tracemalloc.reset_peak()
            assert _sorted_out(count, 777) == (count - 1, [777])
            peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 100_000


words = st.sampled_from(
    [
        '{"content":"a"}',
        '{"content":',
        '"x"',
        "}",
        "{",
        "[",
        "]",
        ",",
        ":",
        "\n",
        " ",
        "```",
        "```json",
        "word.",
        "1",
        '"',
    ]
)


@given(st.one_of(st.binary(max_size=300), st.lists(words, max_size=25).map("".join).map(str.encode)))
@example(b'{"a":"')
@example(b'["')
@example(b"[\n\n```")
def test_i19_any_bytes_give_pieces_and_rising_numbers(data: bytes) -> None:
    found, lost, passed = run(data)
    if data.decode("utf-8", "replace").strip("\ufeff \t\r\n[],;`") and not data.lstrip().startswith((b"```", b"~~~")):
        assert found or lost or passed or data.strip(b" \t\r\n,;[]-*+0123456789.)`~") == b""


@given(st.lists(st.text(max_size=20), max_size=8), st.sampled_from(["jsonl", "array", "pretty", "fenced"]))
def test_every_shape_gives_the_same_values(texts: list[str], shape: str) -> None:
    values = [{"content": text} for text in texts]
    written = {
        "jsonl": "\n".join(json.dumps(value) for value in values),
        "array": json.dumps(values, ensure_ascii=True),
        "pretty": json.dumps(values, indent=2),
        "fenced": "```json\n" + json.dumps(values, indent=1) + "\n```\n",
    }[shape]
    found, lost, _ = run(written)
    assert [piece.value for piece in found] == values
    assert lost == []
    assert [piece.line for piece in found] == list(range(1, len(values) + 1))
