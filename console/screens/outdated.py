"""After a refactor: what became false, and what is to be done about it: expire, re-point or keep, in one undoable step.

Choosing (``t``, ``m``, ``.``) changes nothing; settling asks, names the numbers, and only ever touches what was listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.screens.base import bindings_for
from console.screens.outdated_model import HEADING
from console.screens.outdated_row import many, summary
from console.screens.outdated_view import RULE, OutdatedView
from console.screens.taking import FILE
from console.visible import Shown, visible
from console.widgets.prompt import Prompt
from store.rule_line import read_rule

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Actor, Done
    from store.outdated import Choice

NUMBER: Final = "number"
"""What the line of input is for while it asks for the number of what expires."""
_WORD: Final[dict[Choice | None, str]] = {"expire": "to expire", "repoint": "to be re-pointed", None: "kept"}


class OutdatedScreen(OutdatedView):
    """List, detail, and what is chosen for each."""

    CSS_PATH = "outdated.tcss"
    BINDINGS = bindings_for("outdated")

    # ---- choosing

    def do_outdated_expire(self) -> None:
        """To be expired: the row, the marks, or all under a heading."""
        self._choose("expire")

    def do_outdated_repoint(self) -> None:
        """To get the new path."""
        self._choose("repoint")

    def do_outdated_keep(self) -> None:
        """To stay as it is, until something else happens to what it names; on what is kept already: no longer."""
        ids = self._meant()
        if not ids:
            return
        back = all(one in self.found.kept for one in ids)
        done, _ = self.found.choose(ids, None)
        causes = {one: self.found.rows[one].cause for one in ids}

        def job(store: Store) -> None:
            from store import kept

            if back:
                kept.unkeep(store, ids)
            else:
                kept.keep(store, causes)

        def then(_: None) -> None:
            words = f"{many(done)} no longer kept" if back else f"{many(done)} kept until something else changes"
            self.say(visible(words, multiline=False))
            self.look()

        self.ask("keep", job, then, keep=True)
        self._chosen()

    def _choose(self, choice: Choice) -> None:
        ids = self._meant()
        if not ids:
            return
        done, left = self.found.choose(ids, choice)
        self._chosen()
        if done:
            rest = f"; {many(left)} without a new path left as it was" if left else ""
            self.say(visible(f"{many(done)} {_WORD[choice]}{rest}", multiline=False))
        else:
            self.say(Shown("git knows no new path for it"), bad=True)

    def _meant(self) -> list[str]:
        """The marks, all under the heading, or the row under the cursor."""
        id_ = self.listing.cursor_id
        if self.listing.marks:
            return [one for one in self.listing.marks if one in self.found.rows]
        if id_ is None:
            return []
        return self.found.under(id_) if id_.startswith(HEADING) else [id_]

    def _chosen(self) -> None:
        self.listing.refresh()
        self.load_detail()
        self._paint_rule()

    # ---- settling

    def do_outdated_settle(self) -> None:
        """Ask for each kind, then do it all in one step."""
        if self.looking:
            self.say(Shown("still looking: nothing done, press it again"), bad=True)
        elif not self.found.choices:
            self.say(Shown("nothing is chosen"), bad=True)
        else:
            self.asked = self.found
            (self._ask_repoint if self.asked.number("repoint") else self._ask_expire)()

    def _ask_repoint(self) -> None:
        number = self.asked.number("repoint")
        title = Shown(summary(self.asked) + ": one step, one undo.")
        more = f", then ask for the {expired:,} to expire" if (expired := self.asked.number("expire")) else ""
        question = visible(f"Write the new paths into {many(number)}{more}", multiline=False)

        def then() -> None:
            if self.asked.number("expire"):
                self._ask_expire()
            else:
                self._settle()

        self.confirm(title, question, then)

    def _ask_expire(self) -> None:
        number = self.asked.number("expire")
        self.prompt.ask(NUMBER, visible(f"Type {number} to expire {many(number)}:", multiline=False))
        self.refresh_footer()

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """A rule, a number, or the name of a file."""
        message.stop()
        purpose, text = message.purpose, message.text
        if purpose == RULE:
            self._entered_rule(text)
            return
        self.close_prompt()
        if purpose == FILE:
            self.write_to(text)
        elif purpose == NUMBER and text.strip().replace(",", "") == str(self.asked.number("expire")):
            self._settle()
        elif purpose == NUMBER:
            self.say(Shown(f"{self.asked.number('expire'):,} was not what was typed: nothing done"), bad=True)

    def _entered_rule(self, text: str) -> None:
        project = self.desk.project
        _, errors = read_rule(text, (project.identity if project else "",))
        if errors:
            self.prompt.remark(visible(" ".join(errors), multiline=False))
            return
        self.close_prompt()
        self._take_rule(text.strip())

    def _take_rule(self, line: str) -> None:
        self.line = line
        self.listing.unmark()
        self.look()
        self.facts_changed()

    def _settle(self) -> None:
        found, project = self.asked, self.desk.project
        preview, choices = found.preview, dict(found.choices)
        if preview is None or project is None or self.saving:
            return
        self.say(Shown(f"{summary(found)} …"))

        def act(store: Store, by: Actor) -> Done:
            from store.settling import settle

            return settle(store, preview, choices, project, by=by)

        self.decide(set(choices), act, then=self.listing.unmark)

    # ---- marks and ways back

    def do_mark_toggle(self) -> None:
        """Mark the row and go on to the next."""
        if not str(self.listing.cursor_id).startswith(HEADING):
            self.listing.toggle_mark()
        self.listing.move(1)
        self.facts_changed()

    def do_mark_range(self) -> None:
        """Mark from the last mark to here."""
        self.listing.mark_range()
        self.listing.unmark({one for one in self.listing.marks if one.startswith(HEADING)})
        self.facts_changed()

    def do_mark_all(self) -> None:
        """Mark everything that was found."""
        from store.packed import PackedIds

        self.listing.mark_all(PackedIds.of(self.found.rows))
        self.facts_changed()

    def do_history_open(self) -> None:
        """Every version."""
        thing = self.detail.thing
        if thing is not None:
            self.desk.show("history.open", thing.row.id)

    def do_told_open(self) -> None:
        """Who was told it."""
        thing = self.detail.thing
        if thing is not None:
            self.desk.show("told.open", thing.row.id)

    def do_evidence_open(self) -> None:
        """What was quoted for it."""
        thing = self.detail.thing
        if thing is not None:
            self.desk.show("evidence.open", thing.judged.memory)

    def do_filter_open(self) -> None:
        """Type a rule; enter looks."""
        self.prompt.ask(RULE, Shown("rule"), self.line)
        self.refresh_footer()

    def do_back(self) -> None:
        """One thing back: the line of input, a long look, the zoom, the detail, the marks, the rule, the screen."""
        if self.prompt.purpose:
            asked = self.prompt.purpose
            self.close_prompt()
            if asked == NUMBER:
                self.say(Shown("left as it was"))
        elif self.looking:
            self._stop.set()
            self._so_far = ""
            self.say(Shown("stopped looking"))
            self._paint_rule()
        elif self.zoomed:
            self.do_pane_zoom()
        elif not self.in_list:
            self.do_pane_next()
        elif self.listing.marks:
            self.listing.unmark()
            self.facts_changed()
        elif self.line:
            self._take_rule("")
        else:
            self.desk.do_leave()
