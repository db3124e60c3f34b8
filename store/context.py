"""From where proposals come: what a line does not say itself. Travels with the lines through the spool. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The place and the hand that proposals of one call came from.

    ``scope`` is the project's identity, given to every line that names none; ``label`` is the readable name that lines
    may use for it. ``branch`` and ``commit`` are what git has checked out there, where known. ``person`` is true where
    a person proposes from a terminal, and ``go_on`` where that person was shown earlier refusals and goes on. ``name``
    is the person whose store this is, so that answers may say "you". ``witnessed`` is true where the session ids were
    seen by a server or a hook for itself, and are not a mere claim. ``root`` is the project's folder on this machine,
    where there is one: what is proposed is compared with the files in it.
    """

    scope: str
    label: str | None = None
    branch: str | None = None
    commit: str | None = None
    surface: str = "cli"
    person: bool = False
    go_on: bool = False
    name: str | None = None
    witnessed: bool = False
    root: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The context as plain JSON values."""
        return {name: getattr(self, name) for name in _NAMES}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Context:
        """Rebuild what ``as_dict`` wrote. Raises ValueError where a value is not what ``as_dict`` writes."""
        for name, value in values.items():
            if name not in _NAMES or not isinstance(value, _KINDS.get(name, (str, type(None)))):
                raise ValueError(f"not a context: {name}")
        if not values.get("scope"):
            raise ValueError("not a context: scope")
        return cls(**values)


_NAMES = tuple(one.name for one in fields(Context))
_KINDS: dict[str, tuple[type, ...]] = {
    "scope": (str,),
    "surface": (str,),
    "person": (bool,),
    "go_on": (bool,),
    "witnessed": (bool,),
}
