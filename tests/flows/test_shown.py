"""Lines on several rows: nothing lost, no row too wide, facts kept whole, no row beginning with what closes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.shown import DOT, Part, own, said

WORDS = st.sampled_from(
    ["session 7f3a", "用户喜欢深烘焙咖啡，", "on main @ 1a2b3c4", "。", "👨\u200d👩\u200d👧", "x" * 30, DOT]
)
LINES = st.lists(WORDS.map(lambda text: Part(visible(text))), max_size=12)


def text_of(line: shown.Line) -> str:
    return "".join(part.text for part in line)


@given(LINES, st.integers(8, 40), st.booleans())
def test_a_line_flows_over_rows_and_nothing_is_lost(line: list[Part], room: int, indented: bool) -> None:
    begin = [own("  ")] if indented and line and line[0].text.strip() else []
    rows = shown.flow([*begin, *line], room)
    texts = [text_of(row)[len(begin) * 2 :] for row in rows]
    assert "".join(texts) == text_of(line)
    assert all(text_of(row).startswith("  ") for row in rows if begin)
    assert all(shown.width(row) <= max(room, 10) for row in rows)


def test_short_facts_stay_whole_and_no_row_begins_with_a_dot() -> None:
    facts = ["user feedback", "claude-code", "session 7f3a-reports", "16:26", "on main @ b28b7af"]
    line: list[Part] = []
    for fact in facts:
        line += [*([own(DOT)] if line else []), said(Shown(fact))]
    for room in range(34, 80):
        rows = [text_of(row) for row in shown.flow(line, room)]
        assert not any(row.lstrip().startswith("·") for row in rows)
        assert all(any(fact in row for row in rows) for fact in facts), room
