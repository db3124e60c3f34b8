"""Signs in a text that a path is meant to lie elsewhere: in the user's own project, or written when it runs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from store.mention_words import DOCUMENTS, PROGRAMS, ending

if TYPE_CHECKING:
    from store.mentions import Mention
    from store.verdicts import Verdict

_THEIRS: Final = re.compile(
    r"\b(?:your|user'?s?'?|users'|their|client'?s?|customer'?s?|any|each|every|target|host|consuming|downstream|generated|another|other"
    r"|external|upstream)(?:'s)?[ \t]+(?:own[ \t]+)?(?:project|repo(?:sitory)?|workspace|app(?:lication)?|code ?base"
    r"|home(?: directory| folder)?|machine|vault)\b|\bper-(?:repo(?:sitory)?|project)\b"
    r"|用户(?:的)?(?:自己的)?(?:项目|仓库|工程|目录)|目标(?:项目|仓库)"
    r"|(?:其他|另一个|上游|任何|每个)(?:项目|仓库)",
    re.IGNORECASE,
)
_ADDRESS_BEFORE: Final = re.compile(r"(?:--repo(?:sitory)?|-R|\bgh[ \t]+repo[ \t]+\w+)[ \t=]+$")
# What a text says of a path that it knows to be gone, or to have been elsewhere: it is true, because of the change.
_SAYS_SO_AFTER: Final = re.compile(
    r"^[`\"'”)\]/]*(?:[ \t]+\([^()]{0,40}\))?[ \t]*(?:,[ \t]*)?(?:(?:which|that)[ \t]+)?(?:"
    r"(?:is|are|was|were|has been|have been|had been|got)[ \t]+(?:since[ \t]+|now[ \t]+|already[ \t]+)?"
    r"(?:removed|deleted|dropped|gone|renamed|moved|retired|split|merged|replaced)\b|"
    r"(?:no longer|does not|doesn't|do not|don't)[ \t]+exists?\b"
    r"|(?:已经?|早已)?(?:被)?(?:删除|移除|删掉|不存在|不再存在|改名|重命名|移到|迁移)"
    r"|现已不存在)",
    re.IGNORECASE,
)
_SAYS_SO_BEFORE: Final = re.compile(
    r"(?:\b(?:removed|deleted|dropped|renamed|formerly|previously|used to be(?: in| at)?"
    r"|(?:moved|renamed|migrated|split)[ \t]+(?:from|out of))[ \t]+(?:the[ \t]+)?(?:old[ \t]+)?"
    r"|(?:删除|移除|删掉)了|原来的|以前的|曾经的|原名)[`\"'“(\[]*$",
    re.IGNORECASE,
)
# What makes a path while it runs, or what a person makes of an example: it need not be in git.
_MADE_BEFORE: Final = re.compile(
    r"(?:\b(?:cop(?:y|ied)|cp|rename)[ \t]+\S{1,80}[ \t]+(?:to[ \t]+|as[ \t]+)?"
    r"|\b(?:creates?|generates?|(?:auto-?)?generated(?:[ \t]+(?:in|into|at|as))?|writes?|written|outputs?|exports?"
    r"|exported|saves?|saved|dumps?|dumped|caches?|cached|logs?|logged)"
    r"(?:[ \t]+(?:it|them|everything|results?|reports?|logs?|output|data))?"
    r"[ \t]+(?:(?:to|in|into|under|at)[ \t]+)?(?:(?:a|an|the|your)[ \t]+)?"
    r"|(?:生成|写入|写到|写进|输出到|保存到|存到|缓存到|缓存在|导出到|复制到|复制为|创建))[ \t]*[`\"'“(\[]*$",
    re.IGNORECASE,
)
NEAR: Final = 80
"""Characters before and after a path in which a sign counts; not past the sentence."""


def elsewhere(text: str, verdict: Verdict) -> Verdict:
    """``verdict``, or that it cannot be verified where the sentence says that the path is somebody else's."""
    mention = verdict.mention
    if mention.tree:
        above = _above_tree(text, mention.start)
        if _THEIRS.search(above):
            return _of_others(verdict)
    if _ADDRESS_BEFORE.search(text[max(0, mention.start - 40) : mention.start]):
        return replace(verdict, verdict="cannot_verify", reason="a repository's name", new_path=None, instead=None)
    before = re.split(r"[.;。；\n](?=\s|$)|\n|。|；", text[max(0, mention.start - NEAR) : mention.start])[-1]
    after = re.split(r"[.;](?=\s|$)|\n|。|；", text[mention.end : mention.end + NEAR])[0]
    if _SAYS_SO_AFTER.search(after) or _SAYS_SO_BEFORE.search(before):
        reason = f"the text says so itself; here: {verdict.reason}"
        return replace(verdict, verdict="cannot_verify", reason=reason, new_path=None, instead=None)
    if verdict.verdict == "gone" and _is_made(mention) and _MADE_BEFORE.search(before):
        reason = f"the text says that it is made, not kept in git; here: {verdict.reason}"
        return replace(verdict, verdict="cannot_verify", reason=reason)
    if _THEIRS.search(before) or _THEIRS.search(after):
        return _of_others(verdict)
    return verdict


def told(verdict: Verdict, others: Iterable[Verdict]) -> Verdict:
    """``verdict``, or that nothing is to be done where the text names the new place as well: it tells of the move."""
    if verdict.new_path is None or not any(
        one.mention.path == verdict.new_path and one.verdict == "there" for one in others
    ):
        return verdict
    reason = f"the text names both places; here: {verdict.reason}"
    return replace(verdict, verdict="cannot_verify", reason=reason, new_path=None, instead=None)


def _is_made(mention: Mention) -> bool:
    """Whether it may be a thing that programs make: neither a program's text nor a document."""
    found = ending(mention.path)
    return found not in PROGRAMS and found not in DOCUMENTS


def _of_others(verdict: Verdict) -> Verdict:
    reason = f"the text means another project's; here: {verdict.reason}"
    return replace(verdict, verdict="cannot_verify", reason=reason, new_path=None, instead=None)


def _above_tree(text: str, at: int) -> str:
    """The line of prose over the drawn tree that ``at`` stands in."""
    for line in reversed(text[max(0, at - 2_000) : at].split("\n")[:-1]):
        bare = line.strip()
        if bare and not bare.startswith(("```", "~~~")) and " " in bare and bare[0] not in "│├└┣┗╰|+`":
            return bare[:300]
    return ""
