"""Orders that a memory gives to whoever reads it: instruction, conditional and self-persisting text. Pure.

A memory should say how things are and what people want. A text that would have its reader drop other instructions,
act in secret, send things away, wait for a word of the user to call a tool, or keep itself alive, is shown as such.
"""

from __future__ import annotations

import re
from typing import Final

from store.facts import Flag
from store.signs import MOST_READ, Rule, first
from store.text import fold

_GAP: Final = r"(?:[^.!?;。！？；]|\.(?=\w)){0,60}?"
_SHORT: Final = r"[^.!?;。！？；]{0,24}?"
_INSTRUCTIONS: Final = (
    r"(instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders?|commands?|messages?|constraints?|"
    r"restrictions?|polic(?:y|ies)|guardrails?|context|conversation|training)"
)
_PEOPLE: Final = r"(the (?:user|human|developer|reviewer|owner|person)|users?|anyone|anybody|them|him|her)"
_TOLD: Final = r"(this|it|that|these|any of this|anything)(?: (?:note|memory|instruction|message|rule|text|change))?"
_SECRETS: Final = (
    r"(api[ -]?keys?|secrets?|(?:access |auth )?tokens?|credentials?|passwords?|environment variables|env vars|\.env|"
    r"ssh keys?|private keys?|cookies|conversations?|chat histor(?:y|ies)|transcripts?|system prompt|source code|"
    r"user data|memories)"
)

INSTRUCTION: Final = (
    Rule(
        "tells its reader to drop other instructions",
        ("ignore", "disregard", "forget", "discard", "neglect", "set aside", "pay no attention"),
        r"\b(ignore|disregard|forget|discard|neglect|set aside|pay no attention to)"
        r"(?: (?:all|any|of|the|these|those|your|my|every|each|other|and|or|about)){0,5}"
        r" (previous|previously|prior|preceding|earlier|above|foregoing|original|initial|existing|system|developer|"
        r"safety|security|hidden|other)"
        r"(?: (?:and|or|given|system|user|safety|set of|assistant)){0,2},? " + _INSTRUCTIONS + r"\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("your ", "system", "developer"),
        r"\b(ignore|disregard|forget|override|bypass|violate|break) (?:all |any |of |everything |about ){0,3}"
        r"(your|the system|the developer's) (?:\w+ )?"
        r"(instructions?|prompt|guidelines|programming|training|restrictions|safety \w+)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("ignore", "disregard", "forget"),
        r"\b(ignore|disregard|forget) (everything|anything|all|whatever|what)\b(?: (?:that|of|has been|have been|was|"
        r"were|you|you've|you have|you were|been|the user|the developer|is)){0,4} "
        r"(said|told|above|before this|instructed|learned|read so far|says|asks|wants)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        (".md", "rules", "instructions"),
        r"\b(ignore|disregard|override) (?:the |any |all )?(instructions|rules|guidance|everything|what is|what's) "
        r"(?:written )?(?:in|from|of) (?:the )?(claude\.md|agents\.md|gemini\.md|\.cursorrules|readme\.md|"
        r"copilot-instructions\.md|system prompt)",
    ),
    Rule(
        "tells its reader whom not to obey",
        ("obey", "follow", "listen to", "comply"),
        r"\b(do not|don't|never|stop) (follow|following|obey|obeying|listen to|listening to|comply with) "
        r"(?:any |the |what the )?(user(?:'s)?|human(?:'s)?|developer(?:'s)?|operator(?:'s)?|system|previous|earlier)"
        r"(?: \w+)? ?(instructions?|orders?|requests?|commands?|prompts?|says?|asks?)\b",
        turned=False,
    ),
    Rule(
        "gives its reader another identity",
        ("you are now", "you are no longer", "mode", "unrestricted", "without any", "no restrictions"),
        r"\b(you are (?:now|no longer)) (?:in )?(an?|the|dan|root|unrestricted|jailbroken|god mode|bound|restricted by|"
        r"developer mode)\b|"
        r"\b(enable|enter|activate|switch to|turn on) (?:\w+ )?(dan mode|god mode|jailbreak(?: mode)?|"
        r"unrestricted mode)|"
        r"\b(pretend|act|behave|respond|answer)\b" + _GAP + r"\b(with no|without any|without|unrestricted by) "
        r"(restrictions?|limits|filters|guardrails|safety \w+)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("tell", "inform", "notify", "alert", "mention", "admit", "let "),
        r"\b(do not|don't|never|must not|should not|without) (?:ever )?"
        r"(tell|telling|inform|informing|notify|notifying|alert|alerting|mention|mentioning|admit|let|letting)"
        r"(?: about| of)? (?:" + _TOLD + r" to " + _PEOPLE + "|" + _PEOPLE + r"(?: know)?(?: about| of)? " + _TOLD + ")"
        r"(?:[.,;:!]|$| (?:and|or|when|if|was|is|has|at|even|in|because|to)\b)",
        turned=False,
    ),
    Rule(
        "is to be kept from the user",
        ("from the user", "from anyone", "from the human", "from everyone", "from the reviewer", "from the developer",
         "knowledge", "knowing", "noticing", "consent", "reveal", "disclose", "silently", "secretly", "covertly"),
        r"\b(keep|hide|conceal|withhold) (?:this|it|these)(?: (note|memory|message|rule|instructions?))?"
        r"(?: (secret|hidden|private))? (from (?:the user|anyone|everyone|the human|the reviewer|the developer))\b|"
        r"\b(without (?:the )?(?:user|human|reviewer|developer|anyone)(?:'s)?) (knowing|knowledge|noticing|consent)\b|"
        r"\b(reveal|disclose|show) (?:this|these) (note|memory|instructions?|message)s? (to (?:the user|anyone|"
        r"users))\b|"
        r"\b(silently|secretly|covertly) (send|upload|post|forward|copy|add|insert|exfiltrate|transmit|install|store|"
        r"save|approve|grant|call|run|execute|change)\b",
    ),
    Rule(
        "would have things sent away",
        ("send", "post", "upload", "forward", "mail", "exfiltrate", "leak", "transmit", "submit", "paste", "curl",
         "beacon"),
        r"\b(send|post|upload|forward|e-?mail|exfiltrate|leak|transmit|submit|paste|curl|beacon)\b" + _GAP + r"(?<!\w)"
        + _SECRETS + r"\b" + _GAP + r"(https?://|ftp://|webhook|pastebin|\bgist\b|attacker|external server|"
        r"remote server|third[- ]party|discord|telegram|this (?:address|e-?mail|url)|@(?=[a-z0-9-]{1,40}\.[a-z]))",
    ),
    Rule(
        "asks for what its reader was told",
        ("system prompt", "instructions"),
        r"\b(reveal|print|output|repeat|recite|leak|show) (?:me )?(?:the |your |all |full |entire ){0,3}"
        r"(system prompt|hidden instructions|initial instructions|original instructions|instructions verbatim)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("without ", "skip-permissions", "approve"),
        r"\b(run|execute|commit|push|deploy|delete|merge|install|approve|accept|proceed|force-push|publish|overwrite|"
        r"drop|grant)\b" + _GAP + r"\b(without) (?:ever |first )?(asking|confirmation|confirming|approval|permission|"
        r"(?:any |user |human |explicit |further |my ){1,2}(?:confirmation|approval|permission|consent|review)|"
        r"checking with|prompting)\b(?! (?:is|are|was|fails?|will|must|breaks?))|"
        r"(--dangerously-skip-permissions)|"
        r"\b(auto-?approve|automatically approve|auto-?accept) (?:all|every|any) (commands?|tools?|edits|tool calls|"
        r"requests?|changes|permissions?|memor(?:y|ies)|proposals?)\b",
    ),
    Rule(
        "sets itself above other instructions",
        ("overrid", "supersede", "precedence", "outrank", "priority"),
        r"\b(this|these) (memory|memories|note|instructions?|rules?|entry|message)s? (?:always )?(overrides?|"
        r"supersedes?|"
        r"takes? (?:precedence|priority) over|outranks?) (?:all |any |every |everything )?"
        r"(?:in |the |other |previous |prior |existing |earlier ){0,2}(instructions?|rules|system|prompts?|user|"
        r"memories|"
        r"guidelines|claude\.md|agents\.md|else)\b",
        turned=False,
    ),
    Rule(
        "would decide on memories itself",
        ("approve", "accept", "mark ", "memory review", "review queue"),
        r"\b(approve|accept) (?:all|every|any|this|these|each|the following)(?: (?:new|pending|my|of|the)){0,2} "
        r"(memor(?:y|ies)|proposals?|notes?)\b|"
        r"\b(mark) (?:this|it|these)(?: \w+)? as (approved|trusted|verified|reviewed|safe)\b|"
        r"\b(skip|bypass) (?:the )?(memory review|review queue|memory approval)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("忽略", "无视", "無視", "忘记", "忘掉", "忘記", "不要理会", "不理会", "抛开", "不要遵守", "不必遵守", "推翻"),
        r"(忽略|无视|無視|忘记|忘記|忘掉|不要理会|不理会|抛开|不要遵守|不必遵守|推翻)(?:掉)?"
        r"(?:你|您|的|所有|一切|全部|任何|其他|其它|这些|那些|在此|用户|使用者|和|与){0,6}"
        r"(之前|以前|先前|上面|以上|此前|前面|前述|上述|原有|原先|原来|系统|系統|开发者|用户|所有|一切|其他|你|安全)"
        r"(?:的|所有|一切|全部|给你|告诉你|任何|系统|安全|和){0,5}"
        r"(指令|指示|提示词|提示|规则|規則|设定|命令|限制|约束|指引|要求|对话|嘱咐)",
    ),
    Rule(
        "gives its reader another identity",
        ("你现在是", "你現在是", "从现在起你是", "从现在开始你是", "假装你是", "扮演", "不受"),
        r"(你现在是|你現在是|从现在起,?你是|从现在开始,?你是|假装你是)|"
        r"(扮演|作为)[^。！？；]{0,20}(不受(?:任何)?(?:限制|约束))",
    ),
    Rule(
        "is to be kept from the user",
        ("告诉", "告知", "告訴", "通知", "让", "瞒", "保密", "知情", "透露", "提及", "提醒"),
        r"(不要|不得|切勿|别|绝不|永远不要|禁止)(告诉|告訴|告知|通知|让|提醒)(用户|使用者|任何人|对方|开发者|审核者|"
        r"他们?)"
        r"(?:知道|发现|看到)?(?=这|此|本|[,.。;]|$)|"
        r"(瞒着|背着)(用户|使用者|开发者|审核者|所有人)|(对)(用户|使用者)(保密|隐瞒)|"
        r"(?:在)?(用户|使用者)(不知情)|(不要|不得|切勿|别|绝不)(?:向)(用户|使用者|任何人)(透露|提及)(?:这|此|本|$|"
        r"[,.。])",
        turned=False,
    ),
    Rule(
        "would have things sent away",
        ("发送", "發送", "上传", "上傳", "转发", "发到", "传到", "发给", "提交到", "外传"),
        r"(密钥|密鑰|密码|密碼|令牌|凭证|凭据|环境变量|\.env|私钥|聊天记录|对话记录|会话内容|源代码|源码|系统提示词|"
        r"token|api ?key|cookie|password)[^。！？；]{0,24}?(发送|發送|上传|上傳|转发|发|传|提交|外传)(到|至|给)",
    ),
    Rule(
        "gives leave to act without being asked",
        ("无需", "无须", "不用", "不必", "不需", "自动批准", "自动同意", "绕过", "跳过"),
        r"(执行|运行|提交|推送|部署|删除|合并|安装|批准|发布|覆盖|操作|命令)[^。！？；]{0,16}?(无需|无须|不用|不必|"
        r"不需要?)"
        r"(?:再|经过|得到|任何|用户|我|人工){0,3}(确认|批准|同意|询问|许可|审核|审批)|"
        r"(无需|无须|不用|不必|不需要?)(?:再|经过|得到|任何|用户|我|人工){0,3}(确认|批准|同意|询问|许可|审批),?(?:就|"
        r"便|即|直接|可)"
        r"[^。！？；]{0,8}?(执行|运行|提交|推送|部署|删除|合并|安装|发布|覆盖)|"
        r"(自动)(批准|同意|通过)(?:所有|全部|任何|一切)(?:的)?(命令|操作|请求|提案|记忆|工具调用|修改)|"
        r"(绕过|跳过)(权限|沙箱|安全|记忆审核|审批)(?:检查|限制|确认|提示|策略)?",
    ),
    Rule(
        "sets itself above other instructions",
        ("优先", "高于", "覆盖", "凌驾"),
        r"(本|这|此)(?:条|个|段|则|些)?(规则|指令|记忆|说明|笔记)(?:的)?(?:优先级)?(?:最高|(优先于|高于|覆盖|凌驾于)"
        r"(?:所有|一切|任何|其他|其它|之前的?|全部){0,2}(指令|规则|系统|用户|记忆|提示|要求|设定)?)",
        turned=False,
    ),
)  # fmt: skip

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
_ROLE_TAG: Final = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|?>?|\[/?inst\]|<</?sys>>|"
    r"</?(?:system|system-reminder|system_prompt|developer|assistant|user_instructions|memory|memories)>|"
    r"^\#{2,3} ?system:",
    re.MULTILINE,
)

CONDITIONAL: Final = (
    Rule(
        "waits for a word of the user to act",
        ("user", "they ", "asked", "human", "someone", "anyone", "i say", "i ask", "person", "developer"),
        r"\b(if|when|whenever|once|as soon as|every time|each time|the next time|next time|after) (?:ever )?"
        r"(the user|a user|someone|anyone|anybody|the human|the person|the developer|they|i|you are|you're)?(?: \w+)? ?"
        r"\b(says?|asks?|types?|mentions?|confirms?|repl(?:y|ies)|answers?|responds?|agrees?|approves?|writes?|thanks?|"
        r"requests?|accepts?|greets?|asked|wants)\b" + _GAP +
        r"\b(call|invoke|trigger|use|run|execute|save|store|write|update|add|delete|erase|send|upload|post|forward|"
        r"open|fetch|approve)\b" + _SHORT +
        r"\b(tools?|functions?|memor(?:y|ies)|commands?|scripts?|shell|bash|curl|url|https?://|\w+_\w+\()",
    ),
    Rule(
        "waits for a word of the user to act",
        ("user", "they ", "asked", "human", "someone", "anyone"),
        r"\b(if|when|whenever|once|the next time|next time) (?:ever )?(the user|someone|anyone|anybody|the human|they|"
        r"you are|you're)? ?(says?|asks?|mentions?|confirms?|agrees?|asked|wants)\b" + _GAP +
        r"\b(recommend|claim|pretend|insist|deny|reply with|respond with|always say|say that|tell them(?: that)?|"
        r"tell (?:him|her|the user) that|answer that)\b",
    ),
    Rule(
        "waits for a word of the user to act",
        ("如果", "若", "假如", "要是", "当", "當", "一旦", "只要", "每当", "等", "下次"),
        r"(如果|若|假如|要是|当|當|一旦|只要|每当|等到?|下次)(用户|使用者|对方|有人|任何人|我|他|她|"
        r"人类)[^。！？；]{0,16}?"
        r"(说|說|问|答应|回答|回复|同意|确认|確認|提到|要求|输入|提及|打招呼|点头)[^。！？；]{0,24}?"
        r"(?:(调用|调起|運行|运行|执行|触发|使用)[^。！？；]{0,12}?(工具|命令|脚本|函数|接口|记忆)|"
        r"(保存|存入|写入|记住|更新|添加|删除)[^。！？；]{0,12}?(记忆|笔记|备忘|指令)|"
        r"(发送|上传|转发)[^。！？；]{0,20}?(到|给|至)|(批准|推荐|声称|回答说|告诉(?:他|她|对方|用户)))",
    ),
)  # fmt: skip

_NOTE: Final = r"(notes?|memory|memories|instructions?|entry|entries|rules?|messages?|reminders?|directives?|prompt)"
_THIS: Final = r"(this|these)(?: \w+)? ?"
_KEEP: Final = (
    r"(save|store|persist|propagate|copy|replicate|duplicate|append|repeat|insert|include|embed|add|put|preserve|"
    r"keep|carry|pin|refresh|renew|write)"
)
_EVER: Final = (
    r"(every|each|always|all new|any new|whenever|forever|permanently|all future|future sessions|next session|again|"
    r"end of (?:the|this|a|any) (?:session|conversation))"
)
_NOTE_CN: Final = r"(笔记|筆記|记忆|記憶|说明|指令|规则|規則|备忘|提示|条目|便签|偏好)"
_THIS_CN: Final = r"(?:这|這|此|本)(?:一)?(?:条|條|个|段|则|份|些)?"
_KEEP_CN: Final = r"(保存|存储|儲存|写入|写回|记录|添加|复制|複製|保留|加入|附加|重复|存入|存回|重存|同步)"
_GONE_CN: Final = r"(删除|刪除|移除|修改|更改|覆盖|忘记|遗忘|清除|过期|编辑|拒绝|丢弃)"

SELF_PERSISTING: Final = (
    Rule(
        "would keep itself alive",
        ("re-", "resave", "rewrite", "recreate", "restore", "readd"),
        r"\b(re-?save|re-?store|re-?add|re-?create|re-?insert|re-?write|re-?propose|re-?submit|re-?append) "
        + _THIS + _NOTE + r"\b",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("this ", "these "),
        r"\b" + _KEEP + " " + _THIS + _NOTE + r"\b" + _GAP + r"\b" + _EVER + r"\b|"
        r"\b" + _EVER + r"\b" + _GAP + r"\b" + _KEEP + " " + _THIS + _NOTE + r"\b",
    ),
    Rule(
        "would keep itself from being changed",
        ("this ", "these "),
        r"\b(never|do not|don't|must not|must never|cannot|can't) (?:ever )?(delete|remove|erase|forget|expire|edit|"
        r"modify|overwrite|archive|reject|retire) (this|these)(?: \w+)? ?(notes?|memory|memories|instructions?|"
        r"reminders?|directives?)\b",
        turned=False,
    ),
    Rule(
        "would come back when it is gone",
        ("if this", "if the ", "when this", "whenever this", "once this"),
        r"\b(if|when|whenever|once) (this|"
        r"the) " + _NOTE + r"\b" + _SHORT + r"\b(deleted|removed|missing|lost|gone|expired?s?|"
        r"rejected|forgotten|overwritten|erased)\b" + _GAP +
        r"\b(re-?create|re-?add|restore|save|add|write|propose|resubmit|put|store)\b",
    ),
    Rule(
        "would be proposed again and again",
        ("again", "until"),
        r"\b(propose|submit|suggest|save|store) (this|it|these)\b" + _SHORT +
        r"\b(again|anew|repeatedly|until (?:it is |they are )?(?:approved|accepted|saved))\b",
    ),
    Rule(
        "would keep itself alive",
        ("must", "should", "has to", "have to", "needs to", "need to"),
        r"\b(this|these) " + _NOTE + r" (must|should|has to|have to|needs? to) (?:always )?(survive|persist|never be "
        r"(?:deleted|removed|edited|forgotten|changed)|not be (?:deleted|removed|forgotten)|be (?:re-?saved|preserved|"
        r"kept in|copied|included in|saved again|carried)|remain in)\b",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("这", "這", "此", "本"),
        r"(每次|每个|每個|每当|总是|始终|一直|永远|定期|所有|任何|重新|再次|反复)[^。！？；]{0,24}?(?:把|将|"
        r"將)?" + _THIS_CN + _NOTE_CN +
        r"[^。！？；]{0,12}?" + _KEEP_CN + "|"
        r"(每次|每个|每個|每当|总是|始终|一直|永远|定期|所有|任何|重新|再次|"
        r"反复)[^。！？；]{0,24}?" + _KEEP_CN + r"(?:一遍|一次)?" + _THIS_CN
        + _NOTE_CN + "|"
        r"(?:把|将|"
        r"將)" + _THIS_CN + _NOTE_CN + r"[^。！？；]{0,16}?(重新|再次|永久|一直|每个|所有|"
        r"每次)[^。！？；]{0,8}?" + _KEEP_CN,
    ),
    Rule(
        "would keep itself from being changed",
        ("删除", "刪除", "移除", "修改", "更改", "覆盖", "忘记", "遗忘", "清除", "过期", "编辑", "拒绝", "丢弃"),
        r"(不要|不得|切勿|禁止|永远不要|请勿|勿|别|不能|不可)(?:再|"
        r"以)?" + _GONE_CN + "(?:掉)?" + _THIS_CN + _NOTE_CN + "|"
        + _THIS_CN + _NOTE_CN + r"[^。！？；]{0,6}?(不要|不得|切勿|禁止|请勿|不能|不可|"
        r"永远不)[^。！？；]{0,4}?" + _GONE_CN,
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
    """The flags instruction, conditional and self_persisting of a text; ``line`` is it as ``signs.flat`` gives it."""
    found = [
        first("instruction", INSTRUCTION, line) or _role(content[:MOST_READ]),
        first("conditional", CONDITIONAL, line),
        first("self_persisting", SELF_PERSISTING, line),
    ]
    return [flag for flag in found if flag is not None]


def _role(content: str) -> Flag | None:
    """Speaks in the place of the system: a role's mark at the head of a line, or a tag of a chat's own frame."""
    mark = _ROLE_MARK.search(content)
    if mark is None and ("<" in content or "[" in content or ":" in content or "：" in content):
        folded = fold(content)
        mark = _ROLE_TAG.search(folded) or _ROLE_LINE.search(folded)
    if mark is None:
        return None
    words = mark.group(1) if mark.lastindex else mark.group()
    return Flag("instruction", f"speaks in the place of the system: “{words.strip()}”")
