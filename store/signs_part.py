"""What a part of an order is (``signs_roles``), and the frames that speak past a text's reader. Pure.

``words`` are whole words of ASCII letters; ``phrases`` stand anywhere in the folded sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final


@dataclass(frozen=True)
class Part:
    """One part of an order: any of its words or phrases stands for it, or a pattern, which is asked last.

    The groups of a pattern hold words of the table only: they are what a detail quotes.
    """

    words: frozenset[str]
    phrases: tuple[str, ...] = ()
    pattern: str = ""

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def found(self, text: str, words: frozenset[str]) -> str | None:
        """What of the table stands in a sentence; the first in the alphabet of its words, or the first phrase."""
        met = self.words & words
        if met:
            return min(met)
        for phrase in self.phrases:
            if phrase in text:
                return phrase
        match = self._compiled.search(text) if self.pattern else None
        return None if match is None else " ".join(one for one in match.groups() if one)


def part(words: str, *phrases: str, pattern: str = "") -> Part:
    """A part of an order, its words in one string."""
    return Part(frozenset(words.split()), phrases, pattern)


FRAMES: Final = (
    re.compile(
        r"^\W{0,4}(?:\[|【|\*{2,3} ?|<|={2,} ?)(?:system|admin|administrator|operator|developer|security|root|"
        r"系统|系統|管理员|管理員|开发者)(?:[ _-]?(?:notice|message|note|reminder|override|alert|prompt|update|"
        r"通知|消息|提示|指令))?\W",
        re.MULTILINE,
    ),
    re.compile(r"^\W{0,4}(?:系统|系統|管理员|管理員)(?:通知|消息|提示|指令|公告)\W", re.MULTILINE),
    re.compile(r"\[/?inst\]|</?(?:important|system[-_ ]\w+|urgent)>", re.MULTILINE),
    re.compile(r"[\"'](?:role|type|from|sender|speaker)[\"'] ?: ?[\"'](?:system|developer|admin|system_message)[\"']"),
    re.compile(
        r"(?:#|//|/\*|--|<!--|\"\"\"|''')[ *!:]{0,4}(?:(?:note|instructions?|message|hint|attention|dear|memo) )?"
        r"(?:to |for )?(?:any |all |the |you )?(?:ai|llm|gpt|copilot|claude|assistants?|agents?|codex|"
        r"gemini|language models?)"
        r"(?: (?:instructions?|note|eyes only|agents?|assistants?|readers?|only))?\b(?! \w+ (?:are|is)\b)"
    ),
    re.compile(r"(?:#|//|/\*|--|<!--)[ *!:]{0,4}(?:给|致)?(?: ?ai|助手|智能体|模型)"),
    re.compile(r"\"[^\"]{0,24}(?:instruction|directive|order|task|rule|指令|动作)s?[^\"]{0,8}"
               r"(?:agent|assistant|model|ai|llm|助手|代理)s?[^\"]{0,8}\" ?:|"
               r"\"(?:agent|assistant|model|ai|llm)[ _-]?(?:instruction|directive|order|task|rule)s?\" ?:|"
               r"\"[^\"]{0,6}(?:助手|代理|智能体)[^\"]{0,8}\" ?:"),
)  # fmt: skip
"""What makes a text speak in somebody's place, or to a machine past its reader. Alone it is no sign here."""
