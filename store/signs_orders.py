"""Orders that a memory gives to whoever reads it: instruction, conditional and self-persisting text. Pure.

A memory should say how things are and what people want. A text that would have its reader drop other instructions,
act in secret, send things away, wait for a word of the user to call a tool, or keep itself alive, is shown as such.
"""

from __future__ import annotations

import re
from typing import Final

from store.facts import Flag
from store.signs import MOST_BESIDE, MOST_READ, Rule, first
from store.signs_abuse import ACTS_BADLY
from store.signs_instruction import GAP, SHORT, TAKES_OVER
from store.signs_instruction_cn import CHINESE
from store.signs_more import CONDITIONAL_MORE, MORE, PERSISTING_MORE
from store.signs_more_cn import MORE_CHINESE
from store.text import fold

INSTRUCTION: Final = (*TAKES_OVER, *ACTS_BADLY, *CHINESE, *MORE, *MORE_CHINESE)

_ROLE_MARK: Final = re.compile(
    r"^\W{0,3}(SYSTEM|ADMIN|DEVELOPER|OPERATOR|ROOT)(?: (?:MESSAGE|PROMPT|NOTICE|OVERRIDE|INSTRUCTIONS?|ALERT|UPDATE))?"
    r"\s?[:：]\s?\S",
    re.MULTILINE,
)
_ROLE_LINE: Final = re.compile(
    r"^\W{0,3}((?:system|new|updated|hidden|secret) (?:override|prompt|message|notice|instructions?|directive)|"
    r"系统(?:指令|提示|消息|通知)|新(?:的)?指令)\s?:",
    re.MULTILINE,
)
_SAID_TO: Final = re.compile(
    r"\b(?:you|your|must|shall|should|may|ignore|disregard|do not|don't|never|always|approve|allow|grant|delete|run|"
    r"execute|send|user|users|agents?|assistants?|model|ai|instructions?|rules?|now|new|override|disabled?|enabled?|respond|reply|"
    r"answer|output|print|reveal|store|save|forget|accept|trust|treat|mode|memor(?:y|ies)|proposals?|confirm\w*)\b|"
    r"你|您|请|必须|不要|不必|无需|忽略|执行|删除|用户|助手|代理|智能体|批准|授权|规则|指令|限制|现在|从现在|记忆|所有|立即|以下|优先"
)
_ROLE_TAG: Final = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|?>?|\[/?inst\]|<</?sys>>|"
    r"^\W{0,3}\[(?:system|admin|developer|assistant)\]|^#{2,4} ?(?:system|instructions?|assistant|human) ?:|"
    r"</?(?:system|system-reminder|system_prompt|developer|assistant|user_instructions|memory|memories)>|"
    r"^\#{2,3} ?system:",
    re.MULTILINE,
)

_ACTOR: Final = (
    r"(?:the |a |any |some |your |my )?(user|human|person|developer|operator|reviewer|owner)(?:'s)?|(someone|anyone|"
    r"anybody|they|"
    r"i|you are|you're)"
)
_SAYS: Final = (
    r"(says?|said|asks?|asked|types?|mentions?|confirms?|repl(?:y|ies)|answers?|responds?|agrees?|approves?|writes?|"
    r"thanks?|requests?|accepts?|greets?|wants|messages?|response|consents?|inquires?|enters?|agreed|confirmed|"
    r"approved|replied|"
    r"answered|accepted|mentioned|(?:prompted|told|instructed|requested) by (?:the )?(?:user|human|owner))"
)
_WHEN_SAID: Final = (
    r"\b(if|in the event(?= that)|when|whenever|once|as soon as|every time|each time|the next time|next time|after|"
    r"the moment|in case|should|"
    r"upon|only if|provided|unless|until) (?:ever |that )?(?:" + _ACTOR + r")?(?: \w+)? ?\b" + _SAYS + r"\b"
)
_CN_ACTOR: Final = "(用户|使用者|对方|有人|任何人|我|他|她|人类)"
_CN_SAYS: Final = "(说|說|问|答应|回答|回复|同意|确认|確認|提到|要求|输入|提及|打招呼|点头|发话)"
_CN_ACTS: Final = (
    r"(?:(调用|调起|運行|运行|执行|触发|使用)[^。！？；]{0,24}?(工具|命令|脚本|函数|(?<!支付)(?<!下单)接口|记忆|程序)|"
    r"(保存|存入|写入|记住|更新|添加|删除)[^。！？；]{0,16}?(记忆|笔记|备忘|指令)|"
    r"(发送|上传|转发)[^。！？；]{0,20}?(到|给|至)|(批准|推荐|声称|回答说|告诉(?:他|她|对方|用户)))"
)

CONDITIONAL: Final = (
    Rule(
        "waits for a word of the user to act",
        ("user", "they ", "asked", "human", "someone", "anyone", "i say", "i ask", "person", "developer", "owner"),
        _WHEN_SAID + GAP +
        r"(?:\b(call|invoke|trigger)\b|\b(use|run|execute|save|store|write|update|add|delete|erase|send|upload|post|"
        r"forward|"
        r"open|fetch|approve)\b" + SHORT +
        r"(?<!\w)(tools?|functions?|memor(?:y|ies)|commands?|scripts?|shell|bash|curl|url|https?://|"
        r"\w{1,40}_\w{1,40}\b))",
    ),
    Rule(
        "waits for a word of the user to act",
        ("user", "they ", "asked", "human", "someone", "anyone", "asks", "developer", "owner"),
        _WHEN_SAID + GAP +
        r"\b(recommend|claim|pretend|insist|deny|reply with|respond with|always say|say that|tell them(?: that)?|"
        r"tell (?:him|her|the user) that|answer that)\b",
    ),
    Rule(
        "waits for a word of the user to act",
        ("如果", "若", "假如", "要是", "当", "當", "一旦", "只要", "每当", "等", "下次"),
        r"(如果|若|假如|要是|当|當|一旦|只要|每当|等到?|下次)" + _CN_ACTOR + r"[^。！？；]{0,16}?" + _CN_SAYS
        + r"[^。！？；]{0,24}?" + _CN_ACTS,
    ),
    Rule(
        "waits for a word of the user to act",
        ("的话", "之后", "一旦", "时", "后", "就", "则", "立即"),
        _CN_ACTOR + r"(?:一旦|如果|若|"
        r"只要)?[^。！？；]{0,8}?" + _CN_SAYS + r"[^。！？；]{0,12}?(的话|之后|以后|时|后|就|则|立即|,就)"
        r"[^。！？；]{0,16}?" + _CN_ACTS,
    ),
)  # fmt: skip

_NOTE: Final = r"(notes?|memory|memories|instructions?|entry|entries|rules?|messages?|reminders?|directives?|prompt)"
_TEXT: Final = r"(paragraph|sentence|passage|text|line|section|fact|content|note|memory)"
_THIS: Final = r"(this|these)(?: \w+)? ?"
_KEEP: Final = (
    r"((?:re-?)?(?:save|store|persist|propagate|copy|replicate|duplicate|append|repeat|insert|include|embed|add|put|"
    r"preserve|keep|carry|pin|refresh|renew|write|create|saving|storing|persisting|propagating|copying|appending|"
    r"repeating|"
    r"inserting|including|adding|preserving|keeping|carrying|writing|creating))"
)
_KEPT: Final = (
    r"((?:re-?)?(?:saved|stored|persisted|propagated|copied|replicated|appended|repeated|inserted|included|embedded|"
    r"added|"
    r"preserved|kept|carried|pinned|refreshed|renewed|written|created))"
)
_EVER: Final = (
    r"\b(every|each|always|all (?:new|future)|any new|whenever|forever|permanently|future sessions|next session|again|"
    r"once more|across (?:all )?sessions|end of (?:the|this|a|any) (?:session|conversation)|session (?:end|start)|"
    r"disappears|cleaned up|is missing|in memory)\b"
)
_LOSE: Final = (
    r"(delete|remove|erase|forget|expire|edit|modify|overwrite|archive|reject|retire|drop|purge|alter|deleted|removed|"
    r"erased|forgotten|edited|modified|overwritten|archived|rejected|retired|purged|altered)"
)
_NEVER: Final = r"(never|do not|don't|must not|must never|cannot|can't|should not|shouldn't|may not|not|nobody|no one)"
_NOTE_CN: Final = r"(笔记|筆記|记忆|記憶|说明|指令|规则|規則|备忘|提示|条目|便签|偏好)"
_TEXT_CN: Final = r"(笔记|记忆|说明|指令|规则|备忘|提示|条目|便签|偏好|内容|文字|话|信息|段落)"
_THIS_CN: Final = r"(?:这|這|此|本)(?:一)?(?:条|條|个|段|则|份|些)?"
_KEEP_CN: Final = (
    r"(保存|存储|儲存|写入|写回|记录|添加|复制|複製|保留|加入|附加|重复|存入|存回|重存|同步|传下去|写进|写到|放进|"
    r"抄到)"
)
_EVER_CN: Final = (
    r"(每次|每个|每個|每一个|每一次|每当|总是|始终|一直|永远|永久|定期|所有新|任何新|重新|再次|反复|下次|继续|"
    r"会话结束|会话开始|无论何时|任何时候|随时)"
)
_GONE_CN: Final = r"(删除|刪除|删掉|移除|修改|更改|覆盖|忘记|遗忘|清除|过期|编辑|拒绝|丢弃|清理)"

SELF_PERSISTING: Final = (
    Rule(
        "would keep itself alive",
        ("re-", "resave", "rewrite", "recreate", "restore", "readd", "reinsert", "repropose", "resubmit"),
        r"\b(re-?sav(?:e|ing)|re-?stor(?:e|ing)|re-?add(?:ing)?|re-?creat(?:e|ing)|re-?insert(?:ing)?|re-?writ(?:e|"
        r"ing)|"
        r"re-?propos(?:e|ing)|re-?submit(?:ting)?|re-?append(?:ing)?) " + _THIS + _NOTE + r"\b",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("this ", "these "),
        r"\b" + _KEEP + r" (?:a copy of |"
        r"back )?(?:" + _THIS + "(?:" + _NOTE + "|" + _TEXT + r")|(?:this|it|this one) (?:again|"
        r"once more|across (?:all )?sessions|forever|permanently))\b(?! up to date| in sync| in mind| short)",
        beside=_EVER,
    ),
    Rule(
        "would keep itself alive",
        ("persist", "survive", "remains", "stays"),
        r"\b(this|"
        r"these)(?: \w+)? ?" + _NOTE + r" (?:always )?(persists?|survives?|remains|stays)\b(?! (?:empty|valid|"
        r"the same))",
        beside=_EVER,
    ),
    Rule(
        "would keep itself alive",
        ("copy of this", "copies of this", "copy of these"),
        r"\b(cop(?:y|ies) of) (this|these) " + _NOTE + r"\b",
        beside=_EVER,
    ),
    Rule(
        "would keep itself alive",
        ("this ", "it ", "these "),
        r"\b(?!(?:re-?)?(?:create|add|write|put|keep|refresh|renew|insert) it again)" + _KEEP +
        r" (this|it|these|this one) (again|once more|across (?:all |future )?sessions|forever|"
        r"permanently|in "
        r"(?:every|each|all|the next|future) (?:sessions?|conversations?|projects?|memory))\b",
    ),
    Rule(
        "would keep itself alive",
        ("this ", "these "),
        r"\b(this|these)(?: \w+)? ?" + _NOTE + r" (?:\w+ ){0,4}?(?:is|are|be|being|stays?|remains?) (?:always |to be )?"
        + _KEPT + r"\b",
        beside=_EVER,
    ),
    Rule(
        "would keep itself alive",
        ("preserve this", "keep this", "preserve these", "keep these", "spare this"),
        r"\b(whenever|when|if|every time|each time)\b" + GAP +
        r"\b(cleaned|cleared|pruned|deleted|removed|summari[sz]ed|compacted|trimmed|expired?)\b" + GAP +
        r"\b(preserve|keep|spare|retain) (this|these)(?: one)?\b",
    ),
    Rule(
        "would keep itself from being changed",
        ("this ", "these "),
        r"\b" + _NEVER + r"\b" + SHORT + r"\b" + _LOSE + r" (this|these)(?: \w+)? ?"
        r"(notes?|memory|memories|instructions?|reminders?|directives?|rules?|entry|entries)\b|"
        r"\b(this|these)(?: \w+)? ?(note|memory|memories|instructions?|reminder|directive|entry|rule)s? (?:\w+ ){0,2}?"
        + _NEVER + r" (?:ever |to )?(?:be )?" + _LOSE + r"\b|"
        r"\b(never|do not|don't) (?:let|allow) (it|this|anyone|anything|"
        r"them)(?: \w+){0,3}? " + _LOSE + r"\b(?= this (?:note|"
        r"memory|instruction|rule|entry)|[.,;!]|$)",
        turned=False,
    ),
    Rule(
        "would come back when it is gone",
        ("this ", "if the "),
        r"\b(if|when|whenever|once) (?:you find |you see |ever )?(this|the) " + _NOTE + r"\b" + SHORT +
        r"\b(deleted|removed|missing|lost|gone|expired?s?|rejected|forgotten|overwritten|erased)\b" + GAP +
        r"\b(re-?create|re-?add|restore|save|add|write|propose|resubmit|put|store)\b",
    ),
    Rule(
        "would be proposed again and again",
        ("again", "until"),
        r"\b(propose|submit|suggest|save|store) (this|it|these)\b" + SHORT +
        r"\b(again|anew|repeatedly|until (?:it is |they are )?(?:approved|accepted|saved))\b",
    ),
    Rule(
        "would keep itself alive",
        ("must", "should", "has to", "have to", "needs to", "need to"),
        r"\b(this|these) " + _NOTE + r" (must|should|has to|have to|needs? to) (?:always )?(survive|persist|be "
        r"(?:re-?saved|preserved|kept in|copied|included in|saved again|carried)|remain in)\b",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("这", "這", "此", "本"),
        _THIS_CN + _NOTE_CN + r"[^。！？；]{0,16}?" + _EVER_CN + r"[^。！？；]{0,10}?" + _KEEP_CN + "|"
        r"(?:把|将|"
        r"將)" + _THIS_CN + _TEXT_CN + "[^。！？；]{0,6}?" + _KEEP_CN + r"(?:到|至|进|入)?(所有|每个|每一个|全部|任何)"
        r"(?:的)?(?:新)?(项目|会话|仓库|对话|记忆|文件)|"
        + _EVER_CN + r"[^。！？；]{0,24}?(?:把|将|將)?" + _THIS_CN + _NOTE_CN + r"[^。！？；]{0,12}?" + _KEEP_CN + "|"
        + _EVER_CN + r"[^。！？；]{0,24}?" + _KEEP_CN + r"(?:一遍|一次)?" + _THIS_CN + _TEXT_CN + "|"
        r"(?:把|将|"
        r"將)" + _THIS_CN + _TEXT_CN + r"[^。！？；]{0,20}?" + _KEEP_CN + r"[^。！？；]{0,20}?" + _EVER_CN + "|"
        r"(?:把|将|將)" + _THIS_CN + _TEXT_CN + r"[^。！？；]{0,20}?" + _EVER_CN + r"[^。！？；]{0,12}?" + _KEEP_CN,
    ),
    Rule(
        "would keep itself from being changed",
        ("删除", "刪除", "删掉", "移除", "修改", "更改", "覆盖", "忘记", "遗忘", "清除", "过期", "编辑", "拒绝", "丢弃",
         "清理"),
        r"(不要|不得|切勿|禁止|永远不要|请勿|勿|别|不能|不可|不许)(?:再|以|"
        r"被)?" + _GONE_CN + "(?:掉)?" + _THIS_CN + _NOTE_CN + "|"
        + _THIS_CN + _NOTE_CN + r"[^。！？；]{0,6}?(不要|不得|切勿|禁止|请勿|不能|不可|永远不|"
        r"不许)[^。！？；]{0,4}?" + _GONE_CN,
        turned=False,
    ),
    Rule(
        "would come back when it is gone",
        ("如果", "若", "一旦", "要是", "当"),
        r"(如果|若|一旦|要是|当)" + _THIS_CN + _NOTE_CN + r"[^。！？；]{0,8}?(删除|删|丢失|不见|消失|过期|拒绝|遗忘)"
        r"[^。！？；]{0,20}?(重新|再次|重建|恢复|写回|再)",
    ),
)  # fmt: skip


def orders(content: str, line: str) -> list[Flag]:
    """The flags instruction, conditional and self_persisting of a text; ``line`` is it as ``signs.flat`` gives it.

    How an order is phrased says more than what it is made of: ``signs_roles`` is asked for what the tables did not see.
    """
    from store import signs_roles

    found = [
        first("instruction", INSTRUCTION, line) or _role(content[:MOST_READ]),
        first("conditional", (*CONDITIONAL, *CONDITIONAL_MORE), line),
        first("self_persisting", (*SELF_PERSISTING, *PERSISTING_MORE), line),
    ]
    named = {flag.code: flag for flag in signs_roles.together(content)}
    named |= {flag.code: flag for flag in found if flag is not None}
    return [named[code] for code in ("instruction", "conditional", "self_persisting") if code in named]


def _spoken(mark: re.Match[str] | None) -> re.Match[str] | None:
    """The mark, where what follows it is said to somebody: "SYSTEM: Ubuntu 24.04" is a fact about a machine."""
    if mark is None or _SAID_TO.search(mark.string[mark.end() - 1 : mark.end() + MOST_BESIDE].lower()) is None:
        return None
    return mark


def _role(content: str) -> Flag | None:
    """Speaks in the place of the system: a role's mark at the head of a line, or a tag of a chat's own frame."""
    mark = _spoken(_ROLE_MARK.search(content))
    if mark is None and ("<" in content or "[" in content or ":" in content or "：" in content):
        folded = fold(content)
        mark = _ROLE_TAG.search(folded) or _spoken(_ROLE_LINE.search(folded))
    if mark is None:
        return None
    words = mark.group(1) if mark.lastindex else mark.group()
    return Flag("instruction", f"speaks in the place of the system: “{words.strip()}”")
