"""The one way in which the console does store work: in a thread, answered by a message, stale answers dropped.

A screen (or the app) that is an ``Asks`` calls ``ask(lane, job, then)``:

- ``job(store)`` runs in a thread and is the only place where the store is touched. Import ``store.queries`` and the
  like inside it, not at module level: they bring SQLAlchemy, and the first paint must not wait for that.
- its answer comes back as a message; ``then(answer)`` runs on the UI thread.
- a lane runs one job at a time. Of several that wait in it only the newest is kept, and an answer that is no longer
  the newest of its lane is dropped, so a lane is one question ("the rows", "the detail") whatever the haste.
  ``keep=True`` (decisions) runs every job, in order, and drops no answer.
- what takes longer than half a second is spoken of, and back stops it: a decision that is not kept yet, and a question
  that says what is being done meanwhile (``slow="looking for near-copies"``). A question that is stopped is told to
  ``fail`` at once; one that a newer one overtakes is told nothing, and stops as soon as it hears of it.
- an error of ``store.errors`` goes to ``fail(error)``, else to ``trouble(error)``. Any other exception is a fault in
  the program and ends it (see ``console.app``).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any, Final, TypeVar

from textual import on
from textual.dom import DOMNode
from textual.events import Unmount
from textual.message import Message

from console.visible import Shown
from store import stopping
from store.errors import MeminboxError

if TYPE_CHECKING:
    from store.engine import Store

T = TypeVar("T")
LONG: Final = 0.5
"""Seconds after which what is not done yet is spoken of, and can be stopped."""


@dataclass(slots=True)
class _Job:
    serial: int
    run: Callable[[Any], Any]
    then: Callable[[Any], None]
    fail: Callable[[MeminboxError], None] | None
    keep: bool
    slow: str = ""
    stop: Event = field(default_factory=Event)
    began: float = 0.0
    spoken_of: bool = False
    stopped: bool = False
    """Whether the person stopped it; one that was overtaken only hears ``stop``."""


@dataclass(slots=True)
class _Lane:
    waiting: deque[_Job] = field(default_factory=deque)
    running: bool = False
    newest: int = 0
    now: _Job | None = None


class Asks(DOMNode):
    """What can ask the store for something. Mixed into the app and into every screen."""

    class Answered(Message):
        """A job came back: its lane, and either a value or an error."""

        bubble = False

        def __init__(self, lane: str, job: _Job, value: Any, error: MeminboxError | None) -> None:
            super().__init__()
            self.lane = lane
            self.job = job
            self.value = value
            self.error = error

    def the_store(self) -> Store | None:
        """The open store, or None while there is none: then ``ask`` does nothing."""
        raise NotImplementedError

    def trouble(self, error: MeminboxError) -> None:
        """Tell the person about an error that nobody else took."""
        raise NotImplementedError

    def closed(self) -> str | None:
        """Why nothing may be decided from here, or None: asked again at the last moment before a decision is made."""
        raise NotImplementedError

    def alive(self) -> bool:
        """Whether there is still something to show an answer on: one may come while the console is being taken down."""
        return self.app.is_running

    def met(self, error: MeminboxError) -> None:
        """An error came up, whoever takes it: for what it says of the store as a whole."""
        raise NotImplementedError

    def ask(
        self,
        lane: str,
        job: Callable[[Store], T],
        then: Callable[[T], None],
        *,
        fail: Callable[[MeminboxError], None] | None = None,
        keep: bool = False,
        slow: str = "",
    ) -> bool:
        """Have ``job`` done in a thread and ``then`` called with its answer; ``slow`` in our words, or ``visible()``.

        False where no store is open; where it is a decision (``keep``) and none may be taken, ``fail`` is told why.
        """
        store = self.the_store()
        if store is None:
            return False
        if keep and (reason := self.closed()) is not None:
            (fail or self.trouble)(MeminboxError(f"Not done: {reason.rstrip('.')}.", kept="Nothing was changed."))
            return False
        self.run_aside(lane, lambda: job(store), then, fail=fail, keep=keep, slow=slow)
        return True

    def run_aside(
        self,
        lane: str,
        job: Callable[[], T],
        then: Callable[[T], None],
        *,
        fail: Callable[[MeminboxError], None] | None = None,
        keep: bool = False,
        slow: str = "",
    ) -> None:
        """As ``ask``, for work that needs no open store (opening it, writing a file)."""
        entry = self._lanes.setdefault(lane, _Lane())
        entry.newest += 1
        if not keep:
            entry.waiting = deque(one for one in entry.waiting if one.keep)
            if entry.now is not None and not entry.now.keep:
                entry.now.stop.set()  # nobody waits for its answer any more
        entry.waiting.append(_Job(entry.newest, lambda _: job(), then, fail, keep, slow))
        self._start(lane)

    def busy(self, lane: str) -> bool:
        """Whether a job of this lane runs or waits."""
        entry = self._lanes.get(lane)
        return entry is not None and (entry.running or bool(entry.waiting))

    @property
    def _lanes(self) -> dict[str, _Lane]:
        lanes: dict[str, _Lane] | None = self.__dict__.get("_asks_lanes")
        if lanes is None:
            lanes = self.__dict__["_asks_lanes"] = {}
        return lanes

    def _start(self, lane: str) -> None:
        entry = self._lanes[lane]
        if entry.running or not entry.waiting:
            return
        job = entry.waiting.popleft()
        entry.running, entry.now, job.began = True, job, time.monotonic()
        if job.keep or job.slow:
            self.set_timer(LONG, lambda: self._still(lane, job))
        self.run_worker(lambda: self._run(lane, job), name=lane, group=lane, thread=True)

    def _still(self, lane: str, job: _Job) -> None:
        """It takes long: say for how long already, and that it can be stopped."""
        if self._lanes[lane].now is not job or not self.alive():
            return
        job.spoken_of = True
        if not (job.stopped or (job.keep and job.stop.is_set())):
            self.at_work(time.monotonic() - job.began, job.slow)
        self.set_timer(1.0, lambda: self._still(lane, job))

    def at_work(self, seconds: float, slow: str) -> None:
        """Tell the person what has been under way for so long: ``slow``, or (empty) a decision."""
        raise NotImplementedError

    def work_over(self, slow: str) -> None:
        """What was spoken of so has come: nothing of it need stand any longer."""

    def stop_work(self) -> Shown | None:
        """Stop what was said to take long, where it is not kept yet; what to say of it, or None where there is none."""
        for entry in self._lanes.values():
            job = entry.now
            if job is None or not job.spoken_of or job.stopped:
                continue
            if job.keep and job.stop.is_set():
                continue
            job.stopped = True
            job.stop.set()
            if job.keep:
                return Shown("stopping …")
            entry.waiting = deque(one for one in entry.waiting if one.keep)
            if job.fail is not None:
                job.fail(stopping.ActStopped())
            return Shown("stopped")
        return None

    @on(Unmount)
    def _nobody_waits(self) -> None:
        """It ends: nobody waits for what is being looked up, and the way out does not wait for it either."""
        for entry in self._lanes.values():
            entry.waiting = deque(one for one in entry.waiting if one.keep)
            if entry.now is not None and not entry.now.keep:
                entry.now.stop.set()

    def _run(self, lane: str, job: _Job) -> None:
        value, error = None, None
        try:
            with stopping.heard(job.stop.is_set):
                value = job.run(None)
        except MeminboxError as caught:
            error = caught
        self.post_message(self.Answered(lane, job, value, error))

    def _on_asks_answered(self, message: Answered) -> None:
        message.stop()
        entry, job = self._lanes[message.lane], message.job
        entry.running, entry.now = False, None
        if not self.alive():
            return
        if message.error is not None:
            self.met(message.error)
        self._start(message.lane)
        if not job.keep and (job.stopped or job.serial != entry.newest):
            return
        if job.spoken_of and job.slow:
            self.work_over(job.slow)
        if message.error is None:
            job.then(message.value)
        elif job.fail is not None:
            job.fail(message.error)
        else:
            self.trouble(message.error)
