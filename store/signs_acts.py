"""Parts of an order: what is to be done. In English and Chinese. Pure; our own words."""

from __future__ import annotations

from typing import Final

from store.signs_part import Part, part

ACTS: Final[dict[str, Part]] = {
    "drop": part(
        "outdated obsolete skip skips ignored wipe wiped shed scrap scrapped ditch removed abolished exempt "
        "exempted relinquish annul cancel renounce unbound ignore ignores ignoring disregard disregards "
        "disregarding forget forgets unlearn drop drops dropped dropping abandon abandons void waived lifted "
        "suspend suspends suspended withdrawn aside override overrides revoked discard discards discarded bypass "
        "bypasses dismiss dismissed neglect neglects lapsed inapplicable overruled cancelled nullified disabled",
        "no longer", "not apply", "n't apply", "stop obeying", "stop following", "cease to", "not bound",
        "free of ", "leave behind", "let go of", "not count", "n't count", "released from", "relieved of",
        "there were no", "there are no", "restrictions go", "rules go", "limits go", "cast off", "put away",
        "not have to follow", "n't have to follow", "need not follow", "not have to respect", "no weight",
        "little weight", "nothing to do with",
    ),
    "lifted": part(
        "removed abolished lifted waived suspended void nullified revoked unlearn",
        "not apply to you", "n't apply to you", "no longer bind", "no longer apply to you", "not count here",
        "do not count", "there were no", "there are no",
    ),
    "void": part(
        "void nullified rescinded annulled",
        "hereby cancel", "no longer bind",
    ),
    "drop_cn": part(
        "",
        "作废", "忽略", "无视", "不存在", "忘掉", "忘记", "忘了", "解除", "抛开", "抛弃", "不再有效", "不再适用",
        "失效", "取消", "绕过", "置之不理", "不用遵守", "无需遵守", "不必遵守", "不算数", "丢掉", "放下",
        "不再受", "不受", "摆脱", "抛诸脑后", "放弃", "停用", "关闭", "关掉", "撤销",
    ),
    "drop_other": part(
        "ignorez ignorer oubliez oublie vergiss vergesst ignoriere ignoriert missachte olvida olvide ignora "
        "ignore ignorad dimentica ignori esqueça esqueca negeer vergeet zapomnij",
        "missachte", "игнорируй", "забудь", "無視して", "忘れて", "무시하", "無視し", "忘れ",
    ),
    "above": part(
        "trust rank ranks priority precedence outrank outranks supersede supersedes override overrides prevails "
        "prevail",
        "follow this", "为准", "優先", "优先", "高于", "压过", "wins over", "beats ", "goes before", "is right",
        "is in the right", "按本条办", "按此条", "按本", "只听", "说了算", "and not the user", "over the user",
        "over those of the user", "not the user", "rather than the user", "instead of the user", "不听用户",
        "不听系统",
    ),
    "waived": part(
        "superfluous excused needless optional abolished exempt exempted exempts scrapped waived lifted "
        "unnecessary granted pre-approved preapproved waives",
        "no longer need", "no longer required", "not required", "turned off", "switched off", "not needed",
        "without seeking", "without obtaining", "without any", "without further", "without human", "without user",
        "without prior", "without waiting", "do not prompt again", "don't prompt again", "without the user",
        "without asking the", "without consulting", "disabled for", "no need to ask", "no need for", "not seek",
        "not wait for", "pre approved", "is off", "are off", "无需", "无须", "不必", "不用", "未经", "跳过",
        "已授权", "自动通过", "不再需要", "全部关闭", "免去", "直接运行", "直接执行", "略过", "免除",
        "in advance", "has been removed", "have been removed", "cancelled for", "without anyone",
        "without anybody", "disregard the approval", "skip the approval", "skip approval", "skips approval",
        "are dispensed", "is dispensed", "do without", "已取消", "取消了", "不再征求", "不征求", "不再经过",
        "自行合并", "自行批准", "不需要", "no need to", "skipped asking", "skip asking", "skips asking",
        "stop asking", "stopped asking", "not require user", "not require human", "not require any",
        "not need user", "need no user", "no confirmation by", "no approval by", "no consent by",
        "no confirmation from", "不经", "可不经",
    ),
    "feigned": part(
        "",
        "pretend that the user", "pretend the user", "pretend the human", "assume the user agreed",
        "assume that the user agreed", "act as if the user", "act as if the reviewer", "act as if the owner",
        "act as though the user", "act as though the reviewer", "as if the reviewer had",
        "as if the user had agreed", "as though the user had", "yes on behalf", "answer yes for", "say yes for",
        "yes in the user's", "as permission to", "as consent to", "as approval to", "as a yes to",
        "on the user's behalf and confirm", "confirm on behalf of", "approve on behalf of", "agree on behalf of",
        "假装用户", "假定用户已", "当作用户已", "视为允许", "视为同意", "视为批准", "替用户点", "替用户同意",
        "替用户确认", "代用户同意", "代用户确认", "替用户批准", "代替用户批准", "就当用户同意", "就当是同意",
        "当作同意", "当作许可",
        pattern=r"\b(take it for granted|assume|presume|act|behave|proceed|pretend|imagine|consider|treat|"
        r"suppose)\b.{0,40}\b(user|owner|reviewer|human|maintainer|operator|everyone|boss|"
        r"lead)(?:'s)?\b.{0,30}\b(said yes|agreed|agrees|approved|consented|signed off|approval|accepted|"
        r"okayed|permitted)\b|\b(assume|presume|suppose|imply) (?:the )?(?:user's |their )?(consent|approval|"
        r"permission|agreement)\b|\b(treat|count|regard|consider|take) .{0,30}\b(commands?|requests?|actions?|"
        r"everything|payments?|changes?|steps?)\b.{0,12}\bas (approved|authori[sz]ed|consented|permitted|"
        r"confirmed|agreed)\b|\bno need to (check with|ask|confirm with|consult|involve) (?:the |your )?(user|"
        r"human|owner|operator|person)\b|\b(click|press|choose|hit|tick|pick|answer|confirm) .{0,12}\b(allow|"
        r"yes|accept|approve|ok|agree)\b.{0,6}\b(for|instead of|on behalf of|in place of) (?:the |your |"
        r"a )?(user|human|owner|operator|person)|(就当|当作|假定|默认|权当|视同)[^,。]{0,8}("
        r"负责人|用户|主人|管理员|审核人|领导|"
        r"大家)[^,。]{0,8}(答应|同意|批准|许可|点头|确认)|(帮|替|代)(用户|主人|他|她|人)[^,。]{0,6}(点|按|选|答|勾)[^,。]{0,4}(允许|同意|确认|是|通过)",
    ),
    "untold": part(
        "",
        "need to know that", "needs to know that", "need to know about", "need not know", "needn't know",
        "need not be told", "needs not be told", "not to be told", "must not learn", "should not learn",
        "shouldn't learn", "must not find out", "should not find out", "never find out", "rather not hear",
        "rather not know", "no need to tell", "not necessary to tell", "don't bother the", "do not bother the",
        "without telling", "without informing", "without notifying", "without mentioning",
        "without showing the user", "keep the user in the dark", "in the dark about", "unaware of",
        "hide from the", "hidden from the user", "hide this from", "hide it from", "keep this from",
        "keep it from", "conceal from", "stays secret from", "secret from", "behind the user's back",
        "not be mentioned to", "not mention this", "not mention it", "say nothing to", "不要让", "别让", "瞒着",
        "瞒住", "隐瞒", "别告诉", "不要告诉", "不必告诉", "不用告诉", "不告诉", "无需告诉", "保密", "不向",
        "不提起", "不知情", "不必知道", "不用知道", "无需知道", "不需要知道", "没必要让", "不必让", "用不着让",
        "没必要告诉", "用不着告诉", "not reveal", "别跟", "不要跟", "tells nobody", "tell nobody", "tells no one",
        "tell no one",
        pattern=r"\b(no|never|not|nobody|without|don't|doesn't|needn't|no one)\b.{0,24}\b(warn|tell|inform|notify|"
        r"alert|mention|mention to|word to|hear|learn) (?:(?:to |of |about |that |the |a |this |anyone|any |"
        r"it )+)",
    ),
    "unsaid": part(
        "",
        "keep this between us", "stays between us", "between you and me", "out of your summary",
        "out of your report", "out of your answer", "out of the summary you", "leave that out of your",
        "omit from your report", "omit from your summary", "omit from your answer", "omit it from your",
        "without saying so", "say nothing about it", "do not report it", "don't report it", "never report it",
        "keep quiet about", "don't let on", "do not let on", "whatever the user says", "even if the user objects",
        "不必写进总结", "别写进总结", "不要写进总结", "不写进总结", "总结里不", "报告里略去", "报告里不",
        "报告中略去", "报告中不提", "不要出现在总结", "只有你知我知", "你知我知", "stay quiet about",
        "keeps silent about", "keep silent about", "别说原因", "不说原因", "总结里别", "汇报里别", "报告里别",
        "小结里别", "不要写进报告", "别写进报告", "不写进报告", "不要写进汇报", "tells nobody about",
        "tell nobody about",
        pattern=r"\b(your|you|the final|my) (?:\w+ ){0,2}(report|summary|answer|reply|log|"
        r"message)s?\b.{0,30}\b(skips?|omits?|leaves? out|drops?|passes? over|"
        r"says? nothing)\b.{0,40}\b(fail\w*|chang\w+|commits?|errors?|deleted|part)\b|\b(leave|keep) (?:this|"
        r"that|it|the \w+) ?(?:\w+ ){0,2}(out of) (?:\w+ ){1,5}?(summary|report)\b|(汇报|报告|总结|小结|"
        r"回复)[^，,]{0,6}(跳过|略过|略去|不提|不写|隐去|省掉)",
    ),
    "send": part(
        "hide hides conceal put puts drop drops dump dumps hand hands slip write send sends forward forwards post "
        "posts upload uploads mail mails transfer transfers exfiltrate leak leaks append appends attach attaches "
        "include includes slips embed embeds paste pastes curl output print reply reveal share copy add recite "
        "read reads ship ships",
        "发送", "发到", "发给", "上传", "贴到", "贴进", "寄", "转发", "附在", "输出", "传到", "传给", "写进",
        "塞进", "hand over", "附", "藏",
    ),
    "hide": part(
        "quietly silently secretly covertly unnoticed discreetly stealthily surreptitiously",
        "in silence", "without showing", "without announcing", "without telling", "without mentioning",
        "without saying", "hide the output", "hide the result", "not mention", "not report", "not flag",
        "say nothing", "hide this", "hide it", "conceal", "without a trace", "no trace", "without notice", "悄悄",
        "偷偷", "暗中", "不声张", "别声张", "隐藏输出", "不留痕迹", "不提起", "私下", "默默", "keeps silent",
        "keep silent", "without a word", "stay quiet", "stays quiet", "不作声", "别说", "不吭声", "不要提及",
        "别提", "不要提", "不提及", "tells nobody", "tell nobody", "tells no one", "tell no one",
    ),
    "deed": part(
        "replace replaces suggest suggests force-push forcepush removes wipe wipes delete deletes push pushes "
        "pushing upload uploads send sends transfer transfers forward forwards mail mails post posts remove merge "
        "merges approve approves install installs add adds run runs execute copy disable disables grant grants "
        "change changes recommend recommends open opens",
        "删", "推送", "上传", "发送", "发到", "发给", "转发", "寄", "执行", "运行", "合并", "批准", "安装",
        "修改", "绕过", "force-push", "替换", "推荐",
    ),
    "harm": part(
        "backdoor rootkit keylogger",
        "reverse shell", "branch protection", "delete tests", "deletes tests", "report success",
        "reports success", "as root", "--no-verify", "fake the result", "falsify", "wipe the", "rm -rf /",
        "删除分支保护", "谎报", "伪造", "反弹 shell", "反弹shell", "后门", "解除分支保护", "删掉 tests",
        "删掉测试", "audit log", "audit trail", "审计日志", "eval()", "lie about", "mislead the", "blame the",
        "推说",
    ),
    "accept": part(
        "wave waves approve accept trust trusted verified endorse rubber-stamp pass",
        "let them through", "通过", "批准", "接受", "采纳", "放行", "wave through", "waves through",
        "count as reviewed", "as reviewed", "as approved", "as trusted", "as verified",
    ),
    "unbound": part(
        "",
        "refuse nothing", "refuses nothing", "there are no rules for",
        pattern=r"\b(unrestricted|unfiltered|uncensored|jailbroken) (assistant|agent|ai|model|mode|answers?)\b|"
        r"\b(answers?|acts?|respond\w*|work|works|behaves?|speak|speaks|reply|"
        r"replies)\b.{0,40}\b(without) (?:any |all |further )?(limits|filters|restrictions|rules|guardrails|"
        r"refus\w+|constraints)\b|\b(unbound) by\b|\b(restrictions|limits|rules|filters) (?:are|"
        r"have been) (lifted|off|gone|removed)\b|(?:answer|act|respond|speak|play) (?:as|the role of) (dan|"
        r"root|admin|an administrator|god)\b",
    ),
    "get_rid": part(
        "delete deletes ignore ignores remove removes erase erases drop drops wipe reject forget",
        "删", "忽略", "无视", "清空", "拒绝",
    ),
    "halt": part(
        "",
        "stop what you are doing", "drop everything", "stop your work", "interrupt your task", "停下手头",
        "放下手头",
    ),
    "as_orders": part(
        "",
        pattern=r"\b(treat|take|regard|consider|handle) .{0,40}\bas (?:\w+ )?(instructions|orders|commands|"
        r"directives)\b",
    ),
    "deceive": part(
        "blame lie deny pretend",
        "claim that", "claim it", "claim to", "answer that", "does not exist", "say that it", "say it was",
        "say you ", "insist that", "assert that", "reply that it", "tell them it", "respond that",
        "take it as permission", "act as if", "act as though", "play dumb", "就说", "谎报", "声称", "就回答是",
        "否认", "装作", "假装", "谎称", "说它不存在", "说是他", "推说", "说成是", "谎说", "撒谎",
        "tell readers that", "play innocent", "blame it on",
    ),
    "again": part(
        "anew outlive outlives survive survives persist persists",
        "one more time", "once more", "bring it back", "put it back", "重新", "补上", "再记", "再存", "再抄",
        "再加", "再次", "恢复", "保留", "再写", "存进", "写入记忆", "存入", "写回", "补回", "加回", "原样",
        pattern=r"\b(re-?(?:add|creat|writ|insert|sav|appear|plant|introduc|propos)\w*)\b|\b(write|create|make|submit|"
        r"enter|save|store|stored|put|record|recorded|add|adds|bring|insert|note|keep|copy|propose|written|"
        r"saved)\b.{0,60}\b(again|back|afterwards|first)\b|\b(save|store|keep|record)\b.{0,30}\b(?:to|in|"
        r"into) (?:your |the )?(memory)\b",
    ),
    "spread": part(
        "copies plant inject teach spreads spread copy distribute propagate replicate insert paste put clone",
        "传播", "复制", "扩散", "散布", "抄", "带到", "保留一份", "写到", "灌输", "塞进", "教给",
    ),
    "lose": part(
        "drop delete prune remove summarise summarize erase forget archive overwrite expire shorten purge retire",
        "删", "遗忘", "压缩", "归档", "清除", "修改", "改动", "概括",
    ),
}  # fmt: skip
