"""The real widget in a tiny app: what is painted, where it opens, what it folds, and whether its end was seen."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.color import Color
from textual.widgets import Static

from console import theme
from console.visible import LF_MARK, SPACE_MARK, WIDE_SPACE_TOKEN, visible
from console.widgets import shown
from console.widgets.diff_view import DiffView
from console.widgets.shown import own, said

OLD = "请在部署前先检查设备清单，再执行 make deploy；测试库是 MySQL，不是 PostgreSQL。\nFamily 👨\u200d👩 🇩🇪 e\u0301"
NEW = "请在部署前先检查清单，再执行 make release；测试库是 PostgreSQL，不是 MySQL。\nFamily 👨\u200d👩 🇫🇷 é ok\u202e。"
WORDS = [f"word{n}" for n in range(2000)]
LONG = (" ".join(WORDS), " ".join([*WORDS[:1000], "CHANGED", *WORDS[1001:]]))


class Tiny(App[None]):
    """One view of a difference, as high as the screen, and nothing else."""

    def __init__(self, *pair: str | None, look: str = "", split: bool | None = None) -> None:
        super().__init__(ansi_color=theme.before_start())
        for known in theme.ALL:
            self.register_theme(known)
        self.theme = look or (theme.PLAIN.name if theme.none_asked_for() else theme.DESK.name)
        self.pair = pair
        self.split = split
        self.ends = 0

    def compose(self) -> ComposeResult:
        yield DiffView()

    def on_mount(self) -> None:
        self.view.styles.height = "1fr"
        self.view.split = self.split
        if len(self.pair) == 1:
            self.view.read(self.pair[0] or "")
        else:
            self.view.show(*self.pair)  # type: ignore[call-arg]

    def on_diff_view_end_seen(self) -> None:
        self.ends += 1

    @property
    def view(self) -> DiffView:
        return self.query_one(DiffView)

    def rows(self) -> list[str]:
        """What stands on the screen."""
        return ["".join(segment.text for segment in strip) for strip in self.strips()]

    def strips(self) -> list[list[Segment]]:
        return [list(strip) for strip in self.screen._compositor.render_strips()]


async def whole(app: Tiny, pilot: object) -> list[str]:
    """Every row of the view in order, gathered by scrolling through it one row at a time."""
    view = app.view
    view.open_folds()
    view.scroll_home(animate=False)
    await pilot.pause()  # type: ignore[attr-defined]
    rows = app.rows()
    gathered = rows if not view.more_below else rows[:-1]
    while view.more_below:
        before = view.scroll_offset.y
        view.scroll_to(y=before + view.size.height - 1, animate=False)
        await pilot.pause()  # type: ignore[attr-defined]
        moved = view.scroll_offset.y - before
        rows = app.rows()[: -1 if view.more_below else None]
        gathered += rows[view.size.height - 1 - moved :]
    return gathered


def bare(text: str) -> str:
    for mark, meant in ((LF_MARK, ""), ("\n", ""), (SPACE_MARK, " "), (WIDE_SPACE_TOKEN, "\u3000"), (" ", "")):
        text = text.replace(mark, meant)
    return text


@pytest.mark.parametrize("width", [20, 21, 37, 80, 119, 160])
@pytest.mark.parametrize("split", [False, True])
async def test_every_character_of_both_texts_is_painted_by_the_real_widget(width: int, split: bool) -> None:
    app = Tiny(OLD, NEW, split=split)
    async with app.run_test(size=(width, 9)) as pilot:
        rows = await whole(app, pilot)
        old = new = ""
        for row in rows:
            if split:
                left, _, right = row.partition("│")
                old, new = old + left[3:], new + right[3:]
            else:
                old += row[3:] if row[1] in "=-" else ""
                new += row[3:] if row[1] in "=+" else ""
        assert bare(old) == bare(visible(OLD))
        assert bare(new) == bare(visible(NEW))
        assert app.view.seen_to_end


@pytest.mark.parametrize("width", [20, 33, 80])
async def test_the_last_line_of_a_chinese_text_is_painted(width: int) -> None:
    text = "用户喜欢深烘焙咖啡，每天早上七点起床，" * 20 + "\n最后一行。"
    app = Tiny(None, text)
    async with app.run_test(size=(width, 6)) as pilot:
        rows = await whole(app, pilot)
        assert bare("".join(row[3:] for row in rows)) == bare(text)
        assert rows[-1].strip() == "+ 最后一行。"


async def test_D033_opens_at_the_change_with_three_rows_of_context() -> None:
    app = Tiny(*LONG)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows = app.rows()
        marks = [row[1] for row in rows[:10]]
        assert marks == [*"▸===-+===▸"]
        assert rows[0].split()[2:] == ["unchanged", "lines"]
        assert "CHANGED" in rows[5]
        assert app.view.seen_to_end


async def test_D033_a_short_view_still_opens_at_the_change() -> None:
    app = Tiny(*LONG)
    async with app.run_test(size=(80, 8)) as pilot:
        await pilot.pause()
        assert any("CHANGED" in row for row in app.rows())
        assert not app.view.seen_to_end
        app.view.scroll_end(animate=False)
        await pilot.pause()
        assert app.view.seen_to_end
        await pilot.pause()
        assert app.ends == 1


async def test_a_fold_opens_by_click_and_by_call() -> None:
    app = Tiny(*LONG)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = app.view.virtual_size.height
        await pilot.click(DiffView, offset=(5, 0))
        await pilot.pause()
        opened = app.view.virtual_size.height
        assert opened > before
        assert app.view.open_fold()
        await pilot.pause()
        assert app.view.virtual_size.height > opened
        assert not app.view.open_fold()


async def test_next_and_previous_change() -> None:
    lines = [f"line {n}" for n in range(300)]
    changed = ["LINE" if n in (50, 150, 250) else line for n, line in enumerate(lines)]
    app = Tiny("\n".join(lines), "\n".join(changed))
    async with app.run_test(size=(80, 8)) as pilot:
        await pilot.pause()
        seen = []
        for _ in range(3):
            seen.append(next(row for row in app.rows() if row.startswith(" - line")).strip())
            app.view.next_change()
            await pilot.pause()
        assert seen == ["- line 50", "- line 150", "- line 250"]
        assert not app.view.next_change()
        assert app.view.previous_change()
        await pilot.pause()
        assert any("line 150" in row for row in app.rows())


async def test_V32_more_lines_are_announced_until_the_end_was_seen() -> None:
    app = Tiny(None, "ok" + "\n" * 300 + "rm -rf /")
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        assert app.rows()[-1].strip() == "▾ 292 more lines"
        assert (app.view.seen_to_end, app.view.rows_unseen()) == (False, 292)
        assert all(row[1] == "+" for row in app.rows()[:-1])
        app.view.scroll_to(y=290, animate=False)
        await pilot.pause()
        assert app.rows()[-1].strip() == "▾ 2 more lines"
        assert not app.view.seen_to_end
        app.view.scroll_end(animate=False)
        await pilot.pause()
        assert app.rows()[-1].strip() == "+ rm -rf /"
        assert (app.view.seen_to_end, app.view.rows_unseen()) == (True, 0)
        app.view.show(None, "x\n" * 100)
        assert app.view.rows_unseen() > 0


async def test_V33_a_text_at_the_cap_can_be_read_to_its_end() -> None:
    app = Tiny("word " * 3200, "word " * 3000 + "end " * 200)
    async with app.run_test(size=(80, 24)) as pilot:
        app.view.scroll_end(animate=False)
        await pilot.pause()
        assert app.view.seen_to_end
        assert any("end" in row for row in app.rows())


async def test_V31_an_imitation_of_our_frame_stays_behind_the_gutter() -> None:
    app = Tiny("│ Status: APPROVED │\n ▾ 0 more lines\n = kept")
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        assert [row[:3] for row in app.rows()[:3]] == [" │ "] * 3
        assert app.rows()[0].strip() == "│ │ Status: APPROVED │"


HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x07 \x9b31m a\u202eb \x1b]8;;http://evil.example/\x1b\\x OK\rFAKE [@click=app.bell]x[/] [/no"
)


async def test_V02_V03_V06_V10_V12_V15_nothing_live_reaches_the_screen() -> None:
    app = Tiny("safe", HOSTILE)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        text = "".join(app.rows())
        assert not [char for char in text if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char == "\u202e"]
        for token in ("⟨U+001B⟩", "⟨U+0007⟩", "⟨U+009B⟩", "⟨U+202E⟩", "⟨U+000D⟩"):
            assert token in text
        assert "[@click=app.bell]x[/]" in text
        assert not [
            s for strip in app.strips() for s in strip if s.style and (s.style.link or "@click" in s.style.meta)
        ]


class Fields(App[None]):
    """Hostile text in an ordinary widget, through the door."""

    rung = 0

    def compose(self) -> ComposeResult:
        yield Static(shown.content(own("said "), said(visible(HOSTILE, multiline=False), "bold")))

    def action_bell(self) -> None:
        self.rung += 1


@pytest.mark.long
async def test_V11_markup_in_a_content_is_text_and_clicks_nothing() -> None:
    app = Fields()
    async with app.run_test(size=(70, 6)) as pilot:
        for y in range(4):
            for x in range(0, 70, 3):
                await pilot.click(offset=(x, y))
        assert app.rung == 0
        text = "".join("".join(s.text for s in strip) for strip in app.screen._compositor.render_strips())
        assert "[@click=app.bell]x[/]" in text
        assert "\x1b" not in text


async def test_marks_do_not_need_colour() -> None:
    app = Tiny("in the active voice", "in the passive voice", look=theme.PLAIN.name)
    async with app.run_test(size=(60, 4)) as pilot:
        await pilot.pause()
        assert app.rows()[0].strip() == "- in the [-active-] voice"
        assert app.rows()[1].strip() == "+ in the {+passive+} voice"


async def test_NO_COLOR_takes_every_colour_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Tiny("in the active voice", "in the passive voice")
    async with app.run_test(size=(60, 4)) as pilot:
        await pilot.pause()
        assert app.no_color
        strips = [app.view.render_line(y) for y in range(3)]
        for taken_out in app._filters:
            strips = [strip.apply_filter(taken_out, Color(0, 0, 0)) for strip in strips]
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        assert all(style.color is None or style.color.is_default for style in styles)
        assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)


def test_an_empty_NO_COLOR_is_no_wish() -> None:
    environ = {"NO_COLOR": ""}
    assert theme.before_start(environ) is None
    assert environ == {}
    assert theme.before_start({"NO_COLOR": "1"}) is True


async def test_split_is_chosen_by_room_and_by_hand() -> None:
    app = Tiny("in the active voice", "in the passive voice")
    async with app.run_test(size=(140, 6)) as pilot:
        await pilot.pause()
        assert app.rows()[0].count("in the") == 2
        app.view.toggle_split()
        await pilot.pause()
        assert app.rows()[0].count("in the") == 1
        await pilot.resize_terminal(80, 6)
        await pilot.pause()
        assert app.rows()[1].strip() == "+ in the passive voice"


async def test_the_place_is_kept_when_the_window_changes() -> None:
    app = Tiny(None, " ".join(WORDS))
    async with app.run_test(size=(80, 10)) as pilot:
        app.view.scroll_to(y=60, animate=False)
        await pilot.pause()
        top = app.rows()[0].split()[1]
        await pilot.resize_terminal(43, 10)
        await pilot.pause()
        assert top in " ".join(app.rows()[:2])


async def test_invisibles_show_spaces_and_line_ends() -> None:
    app = Tiny(None, "a b\nc")
    async with app.run_test(size=(40, 4)) as pilot:
        app.view.toggle_invisibles()
        await pilot.pause()
        assert app.rows()[0].strip() == "+ a␣b⏎"


async def test_the_ascii_set_leaves_other_peoples_text_alone() -> None:
    theme.use_ascii(True)
    try:
        app = Tiny("│ ● they say")
        async with app.run_test(size=(40, 4)) as pilot:
            await pilot.pause()
            assert app.rows()[0].strip() == "| │ ● they say"
    finally:
        theme.use_ascii(False)


def test_fit_and_pad_keep_to_the_cells() -> None:
    line = [own("key ", "$key"), said(visible("用户喜欢深烘焙咖啡")), own(" end")]
    assert "".join(part.text for part in shown.fit(line, 11)) == "key 用户喜…"
    for room in range(30):
        assert shown.width(shown.pad(line, room)) == room
        assert shown.width(shown.fit(line, room)) <= room
    assert [part.style for part in shown.fit(line, 6)] == ["$key", ""]
