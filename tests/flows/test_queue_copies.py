"""Near-copies in the queue: one row, opened by `c`; `a` keeps one and closes the rest."""

from __future__ import annotations

import pytest
from rich.style import Style

from tests.contract.like_kit import FALSE, FIFTY
from tests.flows.conftest import Console, Desk, Opener

COPIES = (
    "Use uv, never pip, in this repository",
    "Use uv and never pip in this repository",
    "In this repository use uv, never pip",
    "Always use uv, never pip, in this repository",
    "Use uv, never pip, within this repository",
)


async def folded(c: Console, rows: int) -> None:
    """Wait until the near-copies are known and so many rows stand in the list."""
    await c.until(lambda: len(c.queue.model.copies) > 0 and not c.queue.busy("copies"), "near-copies")
    await c.until(lambda: len(c.queue.model) == rows and not c.queue.busy("ids"), f"{rows} rows")
    await c.ready()


def painted(c: Console) -> list[tuple[str, Style]]:
    """What stands on the screen, piece by piece, and how."""
    return [(one.text, one.style) for strip in c.app.screen._compositor.render_strips() for one in strip if one.style]


def marked(c: Console, word: str) -> bool:
    """Whether ``word`` is painted somewhere as something that another text does not say."""
    return any(word in text and (style.strike or style.underline) for text, style in painted(c))


def waiting(desk: Desk) -> list[str]:
    return [desk.propose(text, session_id=f"s-{n}", kind="procedure") for n, text in enumerate(COPIES)]


@pytest.mark.parametrize("size", [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_D040_near_copies_are_one_row_and_a_keeps_one_and_closes_the_rest(
    desk: Desk, console: Opener, size: tuple[int, int]
) -> None:
    other = desk.propose("Tests run with pytest -q")
    ids = waiting(desk)
    async with console(size=size) as c:
        await folded(c, 2)
        await c.shows("x5 near-copies   a keeps this one, closes 4 · c opens them")
        await c.until(lambda: c.here in ids, "on the head")
        head = c.here
        assert head is not None
        await c.press("a")
        await c.says("approved")
        await c.until(lambda: sorted(desk.statuses(*ids)) == ["approved"] + ["superseded"] * 4, "closed")
        assert desk.status(head) == "approved"
        assert desk.contents() == {desk.proposal(head).entry.content}
        await c.until(lambda: list(c.queue.model.main) == [other] and c.app.undo is not None, "the list follows")
        await c.ready()
        await c.press("u")
        await c.until(lambda: desk.statuses(*ids) == ["pending"] * 5, "one undo")


@pytest.mark.long
async def test_D040_of_fifty_one_right_one_is_kept_and_the_fifteen_wrong_ones_are_not(
    desk: Desk, console: Opener
) -> None:
    ids = [desk.propose(text, kind="procedure") for text in FIFTY]
    right, wrong = ids[:35], ids[35:]
    async with console(size=(140, 40)) as c:
        await c.until(lambda: c.queue.model.copies.head_of and not c.queue.busy("copies"), "near-copies")
        await c.shows("50 wait. What first?")
        await c.press("1")
        await c.until(lambda: c.here in right, "the near-copies alone")
        together = c.queue.model.copies.whole(str(c.here))
        assert set(right) <= set(together)
        await c.press("c")
        await c.until(lambda: len(c.queue.model) >= len(together), "opened")
        one = next(own for own in wrong if own in together)
        await c.on(one)
        assert marked(c, FALSE[wrong.index(one)].split()[-1]), "its false end is painted as a difference"
        await c.on(together[0])
        await c.press("a")
        await c.says(f"{len(together) - 1} others set aside")
        await c.ready()
        await c.press("escape")
        rest = [own for own in ids if own not in together]
        await c.until(lambda: c.queue.model.main and not c.queue.busy("ids"), "those that stand apart")
        await c.ready()
        await c.press("*", "x")
        await c.until(lambda: getattr(c.app.screen, "ready", False) and c.app.screen is not c.queue, "asked")
        assert f"Reject {len(rest)} proposals?" in c.text() and c.text().count("▌ n  No") == 1
        await c.press("y")
        await c.until(lambda: set(desk.statuses(*rest)) == {"rejected"}, "turned down")
        assert [desk.statuses(*ids).count(one) for one in ("approved", "superseded", "rejected")] == [
            1, len(together) - 1, 50 - len(together),
        ]  # fmt: skip
        assert desk.contents() == {desk.proposal(together[0]).entry.content}
        assert together[0] in right
        for left in (rest, ids):
            await c.ready()
            await c.until(lambda: c.app.undo is not None, "undo")
            await c.press("u")
            await c.until(lambda left=left: set(desk.statuses(*left)) == {"pending"}, "one undo each")


@pytest.mark.long
async def test_c_opens_them_with_what_each_says_otherwise_and_any_may_be_kept(desk: Desk, console: Opener) -> None:
    ids = waiting(desk)
    async with console(size=(140, 40)) as c:
        await folded(c, 1)
        await c.press("c")
        await c.until(lambda: len(c.queue.model) == 5, "opened")
        await c.until(lambda: c.text().count("╰") == 4, "each behind its head")
        assert c.here == c.queue.model[0]
        await c.press("j", "j")
        await c.ready()
        kept = c.here
        assert kept in ids and kept != c.queue.model[0]
        await c.press("x")
        await c.until(lambda: desk.status(kept) == "rejected", "one alone may be rejected")
        await c.until(lambda: len(c.queue.model) == 4, "the list follows")
        await c.ready()
        kept = c.here
        assert kept is not None
        await c.press("a")
        await c.until(lambda: desk.status(kept) == "approved", "kept")
        assert sorted(desk.statuses(*ids)) == ["approved", "rejected", "superseded", "superseded", "superseded"]


@pytest.mark.long
async def test_x_on_a_folded_row_asks_whether_all_of_them_are_meant(desk: Desk, console: Opener) -> None:
    ids = waiting(desk)
    async with console(size=(140, 40)) as c:
        await folded(c, 1)
        head = c.here
        await c.press("x")
        await c.shows("Reject all 5")
        assert all(text in c.text() for text in COPIES), "the full texts"
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("x")
        await c.until(lambda: desk.statuses(*ids) == ["rejected"] * 5, "all")
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.ready()
        await c.press("u")
        await c.until(lambda: desk.statuses(*ids) == ["pending"] * 5, "one undo")
        await folded(c, 1)
        await c.press("x")
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("o")
        await c.until(lambda: sorted(desk.statuses(*ids)) == ["pending"] * 4 + ["rejected"], "this one only")
        del head


async def test_D016_what_differs_by_a_number_or_a_negation_is_no_near_copy(desk: Desk, console: Opener) -> None:
    desk.propose("The staging database listens on port 5433", session_id="s-1")
    desk.propose("The staging database listens on port 5440", session_id="s-2")
    desk.propose("Commit the lock file with every change", session_id="s-1")
    desk.propose("Never commit the lock file with every change", session_id="s-2")
    async with console() as c:
        await c.until(lambda: c.queue._compared is not None, "compared")
        assert len(c.queue.model.copies) == 0 and len(c.queue.model) == 4


async def test_D016_the_changed_number_is_painted_as_the_change(desk: Desk, console: Opener) -> None:
    """Under the same key the digits stand out in the difference; without one, the hint beside the memory names them."""
    desk.known("freeze starts 15 Oct", key="freeze.start")
    desk.known("port 8080")
    keyless = desk.propose("port 8081")
    keyed = desk.propose("freeze starts 16 Oct", key="freeze.start")
    async with console(size=(140, 40)) as c:
        await c.on(keyed)
        pieces = {
            op: "".join(text for text, style in painted(c) if getattr(style, op)) for op in ("strike", "underline")
        }
        assert pieces == {"strike": "15", "underline": "16"}
        await c.on(keyless)
        await c.shows("port 8080  ▪ 8080 -> 8081")
        (hint,) = {style.color for text, style in painted(c) if text == "8080 -> 8081"}
        (plain,) = {style.color for text, style in painted(c) if text == "port 8080"}
        assert hint != plain and desk.status(keyless) == "pending" and not desk.proposal(keyless).flags


@pytest.mark.long
async def test_a_copy_that_arrives_joins_the_row_and_the_cursor_stays(desk: Desk, console: Opener) -> None:
    ids = waiting(desk)[:1]
    async with console() as c:
        await folded(c, 1)
        here = c.here
        new = desk.propose("Use uv and not ever pip in this repository", session_id="s-9", kind="procedure")
        await c.until(lambda: new in c.queue.model.main, "arrived")
        await c.until(lambda: not c.queue.busy("copies") and not c.queue.busy("ids"), "compared")
        assert c.here == here
        del ids


@pytest.mark.long
async def test_marks_take_the_copies_of_a_folded_row_and_approve_none_of_them(desk: Desk, console: Opener) -> None:
    plain = desk.propose("Tests run with pytest -q")
    ids = waiting(desk)
    async with console(size=(140, 40)) as c:
        await folded(c, 2)
        await c.press("*")
        assert set(c.queue.listing.marks) == {plain, *ids}
        await c.press("a")
        await c.shows("Approve 1 proposal?")
        assert "5 left alone" in c.text() and "near-copy" in c.text()
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("y")
        await c.until(lambda: desk.status(plain) == "approved", "the plain one")
        assert desk.statuses(*ids) == ["pending"] * 5
        await folded(c, 1)
        await c.press("escape", "g", "space")
        assert set(c.queue.listing.marks) == set(ids), "a folded row is marked with all that it stands for"


@pytest.mark.long
async def test_c_says_why_not(desk: Desk, console: Opener) -> None:
    desk.propose("Tests run with pytest -q")
    async with console() as c:
        await c.press("c")
        await c.says("nothing else that waits says nearly the same")
        assert len(c.queue.model) == 1


async def test_S_keeps_one_of_each_near_copies_and_closes_the_rest(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(text, session_id="s-1", kind="procedure") for text in COPIES]
    plain = desk.propose("Tests run with pytest -q", session_id="s-1")
    held = desk.propose("Preview password hint: Z2hpamtsbW5vcHFyc3R1dg", session_id="s-1")
    async with console(size=(140, 40)) as c:
        await folded(c, 3)
        await c.press("S")
        await c.shows("7 proposals, 4 near-copies")
        assert "Approve 2, close 4 near-copies, leave 1 that may hold a secret" in c.text()
        assert c.text().count("near-copy, closed") == 4
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("y")
        await c.until(lambda: sorted(desk.statuses(*ids)) == ["approved"] + ["superseded"] * 4, "one is kept")
        assert (desk.status(plain), desk.status(held)) == ("approved", "pending")
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.ready()
        await c.press("u")
        await c.until(lambda: desk.statuses(*ids, plain) == ["pending"] * 6, "one undo")
