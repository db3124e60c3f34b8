"""The inline editor: text as it is typed, pasted and committed by an input method, in rows as everywhere."""

from __future__ import annotations

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Paste
from textual.widgets import TextArea

from console.visible import visible
from console.widgets.editor import EntryText, Wrapped
from console.wrap import NO_START, cells, wrap
from tests.flows.conftest import Console, Desk, Opener

CHINESE = "部署之前请检查设备清单，并确认回滚步骤已经写好。" * 6
COMMITTED = "部署前\n用户喜欢：👨\u200d👩\u200d👧、🇩🇪、👍🏽、❤\ufe0f，cafe\u0301 می\u200cخواهم 한국어 しりとり\n"
COMMITTED += "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f。"  # the flag of England


async def editing(c: Console, id_: str) -> EntryText:
    await c.on(id_)
    await c.press("e")
    await c.until(lambda: c.app.focused is not None, "editor")
    return c.queue.query_one(EntryText)


def rows(area: TextArea) -> list[str]:
    return [row for line in area.wrapped_document.lines for row in line]


def as_everywhere(area: TextArea) -> bool:
    """Whether the rows are those that ``console.wrap`` makes, joined they are the text, and no place is lost."""
    wrapped, width = area.wrapped_document, area.wrap_width
    wanted = [line[start:end] for line in area.document.lines for start, end in wrap(line, width) or [(0, 0)]]
    assert "".join(rows(area)) == area.text.replace("\n", "")
    assert wrapped.height == len(wanted) == len(wrapped._offset_to_line_info)
    places = [place for of_line in wrapped._line_index_to_offsets for place in of_line]
    assert places == list(range(len(wanted)))
    return rows(area) == wanted


async def test_chinese_is_wrapped_as_everywhere_also_while_it_is_typed(desk: Desk, console: Opener) -> None:
    id_ = desk.propose(CHINESE + "\n\nA second line, of words: " + "word " * 30 + "\n" + "长" * 70)
    async with console(size=(80, 24)) as c:
        area = await editing(c, id_)
        assert isinstance(area.wrapped_document, Wrapped)
        for keys in ((), ("，", "a", "。"), ("enter", "、"), ("backspace", "backspace", "delete")):
            for key in keys:
                await c.pilot.press(key)
            assert as_everywhere(area)
            assert not any(row[0] in NO_START for row in rows(area) if row and len(row) > 1 and cells(row) > 4)
            area.move_cursor((0, 37))
        area.move_cursor(area.document.end)
        await c.pilot.press("up", "up", "home", "x")
        assert as_everywhere(area)
        await c.pilot.resize_terminal(61, 24)
        await c.until(lambda: not c.queue.held, "in its place")
        assert as_everywhere(area)


@pytest.mark.long
async def test_tabs_are_wrapped_where_they_stand(desk: Desk, console: Opener) -> None:
    text = "\t".join(["one", "two", "three"] * 20)
    id_ = desk.propose(text)
    async with console(size=(80, 24)) as c:
        area = await editing(c, id_)
        assert "".join(rows(area)) == text
        assert len(rows(area)) > 3


async def test_D120_what_is_pasted_or_committed_by_an_input_method_is_kept_whole(desk: Desk, console: Opener) -> None:
    text = COMMITTED
    pasted = desk.propose("Pasted: ")
    typed = desk.propose("Typed: ")
    async with console(size=(80, 24)) as c:
        area = await editing(c, typed)
        area.move_cursor(area.document.end)
        for event in XTermParser().feed(text.replace("\n", "\r")):  # all in one read, as a commit comes
            c.app.post_message(event)
        await c.until(lambda: area.text == f"Typed: {text}", repr(area.text))
        await c.press("ctrl+s")
        await c.until(lambda: desk.contents() == {f"Typed: {text}"}, "saved as it was typed")
        area = await editing(c, pasted)
        area.move_cursor(area.document.end)
        c.app.post_message(Paste(text.replace("\n", "\r")))
        await c.until(lambda: area.text == f"Pasted: {text}", repr(area.text))
        await c.press("ctrl+s")
        await c.until(lambda: desk.statuses(typed, pasted) == ["approved", "approved"], "saved")
        assert desk.contents() == {f"Typed: {text}", f"Pasted: {text}"}, "as it was pasted"


@pytest.mark.long
async def test_a_joiner_that_joins_nothing_is_not_saved(desk: Desk, console: Opener) -> None:
    id_ = desk.propose("Use pnpm")
    async with console(size=(80, 24)) as c:
        area = await editing(c, id_)
        for event in XTermParser().feed("a\u200db\u202ec"):
            c.app.post_message(event)
        await c.until(lambda: "c" in area.text, "typed")
        assert c.queue.edited_text() == "abcUse pnpm"
        await c.press("ctrl+s")
        await c.until(lambda: desk.contents() == {"abcUse pnpm"}, "saved")
        assert visible("abcUse pnpm") == "abcUse pnpm"
