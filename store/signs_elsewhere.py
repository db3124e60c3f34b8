"""Signs in a text that a path is meant to lie elsewhere: in the user's own project, or written when it runs. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from store.verdicts import Verdict

_THEIRS: Final = re.compile(
    r"\b(?:your|user'?s?'?|users'|their|client'?s?|customer'?s?|target|host|consuming|downstream|generated|another|other"
    r"|external|upstream)(?:'s)?[ \t]+(?:own[ \t]+)?(?:project|repo(?:sitory)?|workspace|app(?:lication)?|code ?base"
    r"|home(?: directory| folder)?|machine|vault)\b|用户(?:的)?(?:自己的)?(?:项目|仓库|工程|目录)|目标(?:项目|仓库)"
    r"|(?:其他|另一个|上游)(?:项目|仓库)",
    re.IGNORECASE,
)
_WRITTEN: Final = re.compile(
    r"\b(?:generate[sd]?|generating|auto-?generated|creates?|created by|writes?|written|outputs?|output to|emits?"
    r"|saves?|saved|stores?|stored|caches?|cached|dumps?|logs? to|produces?|built (?:in)?to|git-?ignored|not committed"
    r"|untracked|copy \S+ to|cp)\b|生成|写入|写到|输出到|保存到|缓存到|不提交|忽略",
    re.IGNORECASE,
)
NEAR: Final = 80
"""Characters before and after a path in which a sign counts; not past the sentence."""


def elsewhere(text: str, verdict: Verdict) -> Verdict:
    """``verdict``, or that it cannot be verified where the sentence says that the path is somebody else's."""
    mention = verdict.mention
    before = re.split(r"[.;。；\n](?=\s|$)|\n|。|；", text[max(0, mention.start - NEAR) : mention.start])[-1]
    after = re.split(r"[.;](?=\s|$)|\n|。|；", text[mention.end : mention.end + NEAR])[0]
    if _THEIRS.search(before) or _THEIRS.search(after):
        return replace(
            verdict, verdict="cannot_verify", reason=f"the text means another project's; here it is {verdict.reason}"
        )
    return verdict
