"""The list alone, in a tiny app: what a key costs, what is asked for, where the cursor stays."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from textual.app import App, ComposeResult

from console import theme
from console.visible import Shown
from console.widgets.paged_list import KEPT, PagedList
from console.widgets.shown import Part, own, said
from store.packed import PackedIds


def ids_of(number: int, start: int = 0) -> PackedIds:
    return PackedIds(b"".join((start + n).to_bytes(16, "big") for n in range(number)))


class Tiny(App[None]):
    def __init__(self, *, answers: bool = True) -> None:
        super().__init__()
        self.painted = 0
        self.asked: list[tuple[str, ...]] = []
        self.generations: list[int] = []
        self.answers = answers
        self.register_theme(theme.DESK)
        self.theme = theme.DESK.name

    def compose(self) -> ComposeResult:
        yield PagedList(self.paint)

    @property
    def listing(self) -> PagedList:
        return self.query_one(PagedList)

    def paint(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        self.painted += 1
        return [own(" "), said(Shown("…" if row is None else str(row))), own(" marked" if marked else "")]

    def on_paged_list_wanted(self, message: PagedList.Wanted) -> None:
        self.asked.append(message.ids)
        self.generations.append(message.generation)
        if self.answers:
            self.listing.supply({id_: f"row {id_[-4:]}" for id_ in message.ids}, message.generation)

    def text(self) -> list[str]:
        return [strip.text.rstrip() for strip in self.screen._compositor.render_strips()]


@pytest.mark.parametrize("number", [1_000, 100_000])
async def test_a_key_paints_two_lines_whatever_the_length(number: int) -> None:
    app = Tiny()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.show(ids_of(number))
        await pilot.pause()
        for place in (0, number // 2):
            app.listing._go(place)
            await pilot.pause()
            await pilot.pause()
            app.painted = 0
            app.listing.move(-1 if place else 1)
            await pilot.pause()
            assert app.painted <= 24
            app.painted = 0
            app.listing.move(1 if place else -1)
            await pilot.pause()
            assert app.painted == 2


async def test_rows_are_asked_for_by_page_and_kept_within_bounds() -> None:
    app = Tiny()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.show(ids_of(100_000))
        await pilot.pause()
        for page in range(60):
            app.listing._go(page * 1_500)
            await pilot.pause()
        assert max(len(asked) for asked in app.asked) <= 24 + 64
        assert len(app.listing._rows) <= KEPT


async def test_100_000_ids_take_less_than_15_megabytes_marks_and_all() -> None:
    app = Tiny()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        tracemalloc.start()
        ids = ids_of(100_000)
        before = tracemalloc.get_traced_memory()[0] - len(ids) * 16
        app.listing.show(ids)
        app.listing.mark_all(ids)
        app.listing.move_end(last=True)
        await pilot.pause()
        used = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert used < 15 * 2**20
        assert len(app.listing.marks) == 100_000


async def test_placeholders_until_the_rows_come() -> None:
    app = Tiny(answers=False)
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.show(ids_of(3))
        await pilot.pause()
        assert app.text()[:4] == ["▌…", " …", " …", ""]
        app.listing.supply(dict.fromkeys(app.asked[0], "here"), app.generations[0])
        await pilot.pause()
        assert app.text()[:3] == ["▌here", " here", " here"]


async def test_stale_rows_stay_painted_and_are_asked_for_again() -> None:
    app = Tiny()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.show(ids_of(3))
        await pilot.pause()
        app.answers = False
        app.listing.stale()
        await pilot.pause()
        assert app.text()[0].startswith("▌row")
        assert len(app.asked) == 2
        app.listing.supply({app.asked[0][0]: "old answer"}, app.generations[0])
        await pilot.pause()
        assert len(app.asked) == 3, "an answer from before the change does not count as fresh"


async def test_the_cursor_is_an_id() -> None:
    app = Tiny()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.show(ids_of(10, start=100))
        app.listing._go(5)
        here = app.listing.cursor_id
        app.listing.show(ids_of(13, start=97))
        assert (app.listing.cursor, app.listing.cursor_id) == (8, here)
        app.listing.show(ids_of(4, start=97))
        assert app.listing.cursor == 3, "its item is gone: the place stays, as far as there are rows"
        app.listing.show(PackedIds())
        assert app.listing.cursor_id is None
        await pilot.pause()


async def test_after_names_the_next_that_stays() -> None:
    app = Tiny()
    async with app.run_test() as pilot:
        ids = ids_of(5)
        app.listing.show(ids)
        app.listing._go(2)
        assert app.listing.after({ids[2]}) == ids[3]
        assert app.listing.after({ids[2], ids[3]}) == ids[4]
        assert app.listing.after({ids[2], ids[3], ids[4]}) == ids[1]
        assert app.listing.after(set(ids)) is None
        await pilot.pause()
