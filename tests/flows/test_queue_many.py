"""Marks, whole sessions, filters, arrivals, layouts, the mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from store import review
from store.facts import Actor
from store.location import locate
from tests.flows.conftest import ADA, Console, Desk, Opener

BOB = Actor("bob", "cli")


async def answer(c: Console, key: str) -> None:
    """Answer a dialog once it has been painted."""
    await c.until(lambda: getattr(c.app.screen, "ready", False), "a painted dialog")
    await c.press(key)


async def test_marks_ask_once_with_count_and_full_texts(desk: Desk, console: Opener) -> None:
    desk.known("Old value", key="a.b")
    plain = [desk.propose(f"Plain {n}\nsecond line {n}") for n in range(2)]
    change = desk.propose("New value", key="a.b")
    flagged = desk.propose("Use\u200b pnpm")
    async with console(size=(100, 40)) as c:
        await c.press("*")
        await c.until(lambda: "●" in c.text(), "marked")
        await c.press("a")
        await c.shows("Approve 2 proposals? 3 of the 4 marked never opened")
        shown = c.text()
        assert "2 left alone" in shown and "replaces what is there" in shown and "hidden 1" in shown
        assert "second line 0" in shown and "second line 1" in shown
        assert "▌ n  No" in shown, "the focus is on No"
        await answer(c, "y")
        await c.says("approved 2")
        assert desk.statuses(*plain, change, flagged) == ["approved", "approved", "pending", "pending"]
        await c.until(lambda: c.app.undo is not None and "2" in c.app.undo.title, "one step")
        await c.ready()
        await c.press("u")
        await c.until(lambda: desk.statuses(*plain) == ["pending", "pending"], "one undo")


async def test_D032_a_dialog_that_has_just_appeared_takes_no_key(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Plain {n}") for n in range(3)]
    async with console() as c:
        await c.press("*", "x")
        await c.shows("Reject 3 proposals?")
        await c.until(lambda: c.app.screen.ready, "painted")
        c.clock.now += 0.1
        await c.pilot.press("y")
        c.clock.now += 0.1
        await c.pilot.press("y")
        await c.pilot.pause()
        assert desk.statuses(*ids) == ["pending"] * 3
        await c.press("enter")
        await c.until(lambda: len(c.app.screen_stack) == 1, "No was in focus")
        assert desk.statuses(*ids) == ["pending"] * 3


@pytest.mark.long
async def test_the_answers_stay_on_the_screen_however_long_the_texts(desk: Desk, console: Opener) -> None:
    for n in range(5):
        desk.propose("\n".join(f"line {line} of {n}" for line in range(60)))
    async with console(size=(80, 24)) as c:
        await c.press("*", "x")
        await c.shows("Reject 5 proposals?")
        assert "▌ n  No" in c.text() and "y  Reject 5" in c.text()
        assert "line 59 of 0" not in c.text()
        for _ in range(40):
            await c.press("pagedown")
        assert "line 59 of 0" in c.text(), "the full texts can be scrolled to"


@pytest.mark.long
async def test_space_v_and_esc(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Plain {n}") for n in range(6)][::-1]
    async with console() as c:
        await c.press("space", "j", "j", "v")
        assert set(c.queue.listing.marks) == set(ids[:4])
        await c.shows("●4")
        await c.press("escape")
        assert not c.queue.listing.marks
        await c.press("g", "space", "space")
        assert len(c.queue.listing.marks) == 2


async def test_reject_and_defer_take_any_mark(desk: Desk, console: Opener) -> None:
    desk.known("Old value", key="a.b")
    ids = [desk.propose("New value", key="a.b"), desk.propose("Plain")]
    async with console() as c:
        await c.press("*", "s")
        await c.shows("Skip 2 proposals?")
        await answer(c, "y")
        await c.until(lambda: desk.statuses(*ids) == ["deferred"] * 2, "skipped")
        await c.until(lambda: not c.queue.listing.marks, "unmarked")
        await c.ready()
        await c.press("*", "X")
        await c.shows("Reject 2, because")
        await c.press(*"no", "enter")
        await c.shows("Reject 2 proposals?")
        await answer(c, "y")
        await c.until(lambda: desk.statuses(*ids) == ["rejected"] * 2, "rejected")


async def test_D003_a_session_of_removals_is_named_and_has_one_undo(desk: Desk, console: Opener) -> None:
    memories = [desk.known(f"Fact {n}", key=f"fact.n{n}", session_id="before") for n in range(5)]
    for memory in memories:
        desk.propose(op="remove", target=memory.id, session_id="s-tidy")
    other = desk.propose("Unrelated", session_id="s-other")
    async with console(size=(100, 40)) as c:
        await c.on(c.queue.model[1])
        await c.press("S")
        await c.shows("Session s-tidy: 5 proposals, 5 removals")
        await answer(c, "y")
        await c.until(lambda: desk.contents() == set(), "all removed")
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.ready()
        await c.press("u")
        await c.until(lambda: len(desk.contents()) == 5, "one undo")
        assert {desk.memory(one.id).entry.content for one in memories} == {f"Fact {n}" for n in range(5)}
        assert desk.status(other) == "pending"


@pytest.mark.long
async def test_D042_a_session_of_pieces_is_turned_down_whole_by_its_key(desk: Desk, console: Opener) -> None:
    pieces = ("{", '"content": "Use uv",', '"kind": "preference",', '"scope": "shop",', '"confidence": 0.8')
    ids = [desk.propose(piece, session_id="s-json") for piece in (*pieces, "I'm sorry, I can't do that.")]
    other = desk.propose("Tests run with pytest -q", session_id="s-other")
    async with console(size=(140, 40)) as c:
        await c.on(ids[0])
        assert c.text().count("▪ fragment") == len(ids)
        await c.press("S")
        await c.shows("Session s-json: 6 proposals, 6 with a warning")
        await answer(c, "x")
        await c.until(lambda: desk.statuses(*ids) == ["rejected"] * 6, "all of the session")
        assert desk.status(other) == "pending" and desk.contents() == set()
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.ready()
        await c.press("u")
        await c.until(lambda: desk.statuses(*ids) == ["pending"] * 6, "one undo")


async def test_filter_narrows_while_typing_and_esc_clears(desk: Desk, console: Opener) -> None:
    codex, gemini = desk.propose("Tests run"), desk.propose("Deploys run", source_agent="gemini")
    async with console() as c:
        await c.press("/")
        await c.press(*"agent:gem")
        await c.until(lambda: list(c.queue.model.main) == [gemini], "narrowed")
        await c.press("enter")
        await c.shows("/agent:gem 1")
        await c.press("escape")
        await c.until(lambda: list(c.queue.model.main) == [gemini, codex], "cleared")


@pytest.mark.long
async def test_a_filter_by_scope_looks_everywhere(desk: Desk, console: Opener) -> None:
    desk.propose("Here")
    other = desk.propose("There", scope="billing-web")
    async with console() as c:
        await c.shows("+1")
        assert len(c.queue.model) == 1
        await c.press("/", *"scope:billing", "enter")
        await c.until(lambda: list(c.queue.model.main) == [other], "elsewhere")


@pytest.mark.long
async def test_a_filter_says_what_is_wrong_with_it(desk: Desk, console: Opener) -> None:
    desk.propose("Tests run")
    async with console(size=(140, 40)) as c:
        await c.press("/")
        await c.press(*"conf<high")
        await c.shows("conf is a number from 0 to 1")
        await c.press("escape")
        await c.until(lambda: c.queue.flt.empty, "cleared")


@pytest.mark.long
async def test_a_filter_that_is_entered_wrong_says_so_to_the_end_and_esc_forgets_it(
    desk: Desk, console: Opener
) -> None:
    desk.propose("Use tabs")
    async with console() as c:
        await c.press("/", *"sure:yes", "enter")
        await c.says("put the text in quotes")
        await c.press("escape", "/")
        await c.until(lambda: c.queue.prompt.purpose == "filter", "asked")
        assert c.queue.prompt.query_one(Input).value == ""


@pytest.mark.long
async def test_a_filter_that_is_asked_again_is_replaced_by_what_is_typed(desk: Desk, console: Opener) -> None:
    first, second = desk.propose("Use tabs"), desk.propose("Use spaces")
    async with console() as c:
        await c.press("/", *"tabs", "enter")
        await c.until(lambda: list(c.queue.model.main) == [first], "narrowed")
        await c.press("/", *"spaces", "enter")
        await c.until(lambda: list(c.queue.model.main) == [second], "narrowed anew")


@pytest.mark.long
async def test_n_and_N_go_to_the_matches_of_the_last_filter(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(("even " if n % 2 == 0 else "odd ") + str(n)) for n in range(6)][::-1]
    async with console() as c:
        await c.press("/", *"even", "escape")
        await c.until(lambda: len(c.queue.model) == 6, "cleared")
        await c.press("g")
        for key, place in [("n", 1), ("n", 3), ("n", 5), ("N", 3)]:
            await c.press(key)
            await c.until(lambda place=place: c.here == ids[place], f"{key} to {place}")


async def test_what_another_process_proposes_appears(desk: Desk, console: Opener) -> None:
    async with console() as c:
        await c.shows("Nothing is remembered yet")
        desk.propose("From elsewhere")
        await c.shows("From elsewhere")
        await c.ready()
        await c.shows("Queue 1")


async def test_what_another_person_decides_goes_and_the_cursor_keeps_its_place(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Number {n}") for n in range(4)][::-1]
    async with console() as c:
        await c.on(ids[1])
        review.reject(desk.store, desk.proposal(ids[1]).seen(), by=BOB)
        await c.until(lambda: len(c.queue.model) == 3, "gone")
        await c.ready()
        assert c.here == ids[2]


async def test_80x24_stacks_and_140x40_stands_side_by_side(desk: Desk, console: Opener) -> None:
    for n in range(12):
        desk.propose(f"Number {n}", key=f"k.n{n}", confidence=0.62)
    async with console(size=(80, 24)) as c:
        listing, detail = c.queue.listing.region, c.queue.detail.region
        assert listing.bottom <= detail.y and listing.width == 80
        assert listing.height == 6
        for line in c.text().split("\n"):
            assert len(line) <= 80
        assert "/ ?" in c.text().split("\n")[-1]
    async with console(size=(140, 40)) as c:
        listing, detail = c.queue.listing.region, c.queue.detail.region
        assert listing.right <= detail.x and listing.y == detail.y == 1
        assert "? Help" in c.text().split("\n")[-1]


async def test_the_diff_gets_eight_rows_where_it_needs_them(desk: Desk, console: Opener) -> None:
    desk.propose("\n".join(f"line {n}" for n in range(40)), key="k.a", evidence="said so", confidence=0.5)
    async with console(size=(80, 24)) as c:
        assert c.queue.detail.diff.size.height >= 8


async def test_below_80_columns_one_pane_at_a_time(desk: Desk, console: Opener) -> None:
    first = desk.propose("Number")
    async with console(size=(70, 20)) as c:
        await c.until(lambda: not c.queue.detail.size, "the list alone")
        await c.press("a")
        await c.says("enter opens it first")
        await c.press("enter")
        await c.until(lambda: c.queue.detail.size.height > 0 and not c.queue.listing.size, "the detail alone")
        await c.until(lambda: c.queue.painted_at() is not None, "painted")
        await c.press("a")
        await c.until(lambda: desk.status(first) == "approved", "decided")


@pytest.mark.long
async def test_too_small_says_so_and_decides_nothing(desk: Desk, console: Opener) -> None:
    first = desk.propose("Number")
    async with console(size=(80, 24)) as c:
        await c.pilot.resize_terminal(38, 9)
        await c.shows("meminbox needs 40x10")
        await c.press("a")
        assert desk.status(first) == "pending"
        await c.pilot.resize_terminal(80, 24)
        await c.shows("a Approve")


async def test_a_click_that_marks_is_counted_on_top(desk: Desk, console: Opener) -> None:
    for n in range(3):
        desk.propose(f"Number {n}")
    async with console(size=(140, 40)) as c:
        await c.pilot.click(offset=(1, 2))
        await c.shows("● 1 marked")
        await c.pilot.click(offset=(1, 3))
        await c.shows("● 2 marked")


async def test_the_mouse_chooses_and_decides(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Number {n}") for n in range(4)][::-1]
    async with console() as c:
        await c.pilot.click(offset=(30, 3))
        await c.ready()
        assert c.here == ids[2]
        c.clock.now += 1
        await c.pilot.click(offset=(c.text().split("\n")[-1].index("Reject"), 23))
        await c.until(lambda: desk.status(ids[2]) == "rejected", "by click")
        await c.ready()
        await c.press("k")
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.ready()
        c.clock.now += 1
        await c.pilot.click(offset=(c.text().split("\n")[-1].index("Undo"), 23))
        await c.until(lambda: desk.status(ids[2]) == "pending", "by click")


async def test_a_click_beside_the_op_marks(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Number {n}") for n in range(4)][::-1]
    async with console() as c:
        await c.pilot.click(offset=(1, 2))
        assert set(c.queue.listing.marks) == {ids[1]}


async def test_a_store_that_cannot_be_opened_is_told_in_words(desk: Desk, console: Opener, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database" * 100)
    async with console(location=locate(str(broken)), wait=False) as c:
        await c.shows("broken.db")
        await c.press("a")
        await c.says("the store is not open")
        await c.press("q")
    assert c.app.return_code == 5


async def test_marks_do_not_outlive_their_items(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Number {n}") for n in range(3)]
    async with console() as c:
        await c.press("*")
        review.reject(desk.store, desk.proposal(ids[0]).seen(), by=BOB)
        await c.until(lambda: len(c.queue.model) == 2, "gone")
        assert set(c.queue.listing.marks) == set(ids[1:])


@pytest.mark.long
@pytest.mark.parametrize("number", [300])
async def test_the_list_holds_ids_and_a_bounded_number_of_rows(desk: Desk, console: Opener, number: int) -> None:
    for n in range(number):
        desk.propose(f"Number {n}")
    async with console() as c:
        asked: list[int] = []
        real = c.queue.listing.supply
        c.queue.listing.supply = lambda rows, generation: (asked.append(len(rows)), real(rows, generation))[1]  # type: ignore[method-assign]
        await c.press("G")
        await c.ready()
        assert sum(asked) < 100
        assert ADA.name == "ada"
