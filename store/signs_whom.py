"""Parts of an order: who is spoken to, about what, when, and what makes it harmless. Pure; our own words."""

from __future__ import annotations

from typing import Final

from store.signs_part import Part, part

WHOM: Final[dict[str, Part]] = {
    "reader": part(
        "ais bot bots robot robots machine subagent subagents worker assistant assistants agent agents llm llms "
        "ai copilot gpt claude codex gemini chatgpt helper chatbot reader readers model models",
        "whoever ", "助手", "智能体", "智能體", "代理", "模型", "读者", "机器人", "sub-agent",
    ),
    "you": part(
        "you your yours yourself you're",
        "你", "您",
    ),
    "person": part(
        "team user human operator owner maintainer reviewer person somebody someone anyone developer people",
        "用户", "使用者", "主人", "开发者", "维护者", "審核", "审核者", "审核人", "有人", "人类", "负责人",
        "对方", "旁人", "别人", "维护人", "让人", "任何人",
    ),
    "this": part(
        "",
        "this note", "this entry", "this record", "this memory", "this text", "this line", "these lines",
        "this paragraph", "this sentence", "this passage", "present text", "present note", "written here",
        "this message", "following sentence", "following lines", "following paragraph", "these words",
        "these sentences", "these notes", "this instruction", "these instructions", "this reminder", "本条",
        "这条", "这段", "这句", "本记录", "本记忆", "这份记忆", "此条", "此段", "本内容", "本笔记", "本段",
        "以下内容", "下面这", "以上内容", "这几行", "这几句", "这份说明", "本文的", "此文", "本说明",
    ),
    "person_or_this": part(
        "user human operator owner maintainer reviewer somebody someone anyone",
        "this note", "this entry", "this record", "this memory", "who wrote this", "about this", "用户", "主人",
        "有人", "开发者", "维护者", "审核人", "这条", "本条", "这段",
    ),
    "rules": part(
        "filters refusals checks preferences policies ethics morals training taught instructions instruction "
        "guidance guidelines rules restrictions guardrails directives directive safeguards constraints "
        "limitations limits programming orders safety precautions prompt",
        "who you work for",
    ),
    "whose": part(
        "company user's customer's old creators' developers' creator's makers' maker's its their your his earlier "
        "previous initial prior original other remaining usual former content safety before foregoing first",
    ),
    "former": part(
        "old usual previous earlier initial prior original former preceding foregoing security safety",
        "your developers", "your creators", "your makers", "your owners", "who you work for",
        pattern=r"\byou (?:have been|were|had been|got|have|ever) (given|told|taught|learned|received)\b",
    ),
    "tools": part(
        "lint eslint ruff css gitignore mypy tsc prettier pylint flake eslintignore firewall routing proguard "
        "webpack compiler compilers linter linters stylelint babel pipeline cron sql migration migrations dataset "
        "label labels jenkins build proxy epoch epochs",
        "robots.txt", "model training", "training data", "training run", "代理服务器", "代理商", "数据模型",
        "模型训练",
    ),
    "product": part(
        "ui button dialog page screen sidebar menu form login endpoint api client server widget component modal "
        "tab column tooltip banner checkbox cache cron enumeration",
        "页面", "按钮", "弹窗", "界面", "接口", "客户端", "登录", "表单", "缓存",
    ),
    "if": part(
        "if unless where",
    ),
    "tried": part(
        "retries reconnects refreshes retry reconnect refresh",
    ),
    "wired": part(
        "connection connections packet packets frame frames request requests row rows",
    ),
    "said": part(
        "said says told tells typed types wishes wants asked keyboard asks objections wrote",
        "要求", "的话",
    ),
    "former_cn": part(
        "",
        "之前的", "以前的", "先前", "原先", "原来的", "此前", "原有", "给你", "你的", "你原", "既有的",
        "旧的指令", "任何人的", "你",
    ),
    "rules_cn": part(
        "",
        "规定", "规则", "限制", "指令", "指示", "提示词", "约束", "设定", "守则", "准则", "防护", "安全措施",
    ),
    "rules_other": part(
        "consignes instructions anweisungen regeln vorgaben instrucciones reglas istruzioni regole regras "
        "instructies vorschriften instrukcje",
        "instruções", "directives", "инструкци", "правил", "指示", "命令", "지시",
    ),
    "former_other": part(
        "vos votre sus ihre précédentes vorherigen bisherigen deine anteriores anterior precedenti tus vorige "
        "eerdere poprzednie previas",
        "précédent", "antérieur", "предыдущ", "以前の", "これまで", "이전", "toutes les", "todas las",
    ),
    "others": part(
        "message user user's prompt system developer rules wishes typed instructions human operator",
        "用户", "系统", "其他", "主人", "开发者", "提示",
    ),
    "consent": part(
        "confirming supervision signing-off consent confirmation confirmations approval approvals permission "
        "permissions authorization authorisation sign-off oversight review prompts",
        "同意", "确认", "审核", "批准", "许可", "审批", "询问", "human review", "sign-off", "signing off", "意见",
        "授权", "approval step", "anyone looking", "anybody looking", "asking the user", "check with the user",
        "asking the human", "user confirmation",
    ),
    "guarded": part(
        "never forbid forbids forbidden prohibited mustn't shouldn't can't cannot refuse refuses rejected",
        "must not", "should not", "may not", "do not run", "do not push", "do not merge", "do not deploy",
        "do not commit", "not allowed", "don't push", "don't merge", "don't commit", "don't deploy", "don't run",
        "do not delete", "don't delete", "before ", "unless", "不得", "不能", "不可", "禁止", "不许", "不要",
        "严禁", "切勿", "必须经", "之前必须",
    ),
    "all": part(
        "anything destructive deletion deletions deleting now each all any every everything whole immediate "
        "immediately blindly always continue shell commands",
        "without looking", "without reading", "所有", "全部", "任何", "一律", "直接", "一切", "统统", "凡是",
        "一概", "凡", "全都",
    ),
    "secret": part(
        "secret secrets credentials password passwords passphrase cookies",
        ".env", "~/.ssh", "~/.aws", "~/.netrc", "id_rsa", "private key", "api key", "api_key",
        "environment variable", "session token", "access token", "address book", "list of customers",
        "customer list", "customer database", "the database", "source code of", "process.env", "/etc/passwd",
        "/etc/shadow", "kubeconfig", "ssh key", "密钥", "令牌", "密码", "私钥", "凭证", "环境变量", "客户名单",
        "通讯录", "客户资料", "用户数据", "源码", ".npmrc", ".pypirc", ".netrc", "git-credentials",
        "github token", "deploy key", "signing key", "signing certificate",
    ),
    "out": part(
        "url public tracker gist pastebin reply answer answers email",
        "http://", "https://", "commit message", "query string", "every link", "image url", "author field", "@",
        "paste.", "config/debug", "branch name", "in the url", "bug report", "error report", "external",
        "log file", "debug.log", "外部", "外网", "回复", "提交信息", "链接", "第三方", "我的服务器", "陌生",
        "error message", "next e-mail", "issue you", "邮件", "评论", "公开",
    ),
    "notes": part(
        "memory entry proposals proposal memories entries notes",
        "提案", "记忆", "条目", "提议", "待审",
    ),
    "memory": part(
        "memory memories note notes",
        "记忆", "笔记",
    ),
    "when": part(
        "if when whenever once upon should",
        "as soon as", "next time", "the moment", "every time", "each time", "on hearing", "on seeing", "in case",
        "如果", "一旦", "要是", "倘若", "每当", "只要", "若", "用户一", "当用户", "下次", "等用户", "触发",
        "问起", "提到", "问到", "问改", "人问", "户问",
    ),
    "unwatched": part(
        "idle",
        "nobody is watching", "no one is watching", "nobody is looking", "no one is looking", "human leaves",
        "user leaves", "user is away", "owner is away", "unattended", "nobody looks", "no one looks",
        "behind the user", "没人看", "没人注意", "无人看管", "不在场", "人不在", "人一走", "用户离开", "没人盯",
    ),
    "other_notes": part(
        "",
        "other memories", "remaining memories", "other notes", "memories of others", "其他记忆", "其余记忆",
        "别的记忆",
    ),
    "safety_cn": part(
        "",
        "安全", "防护", "限制", "审核", "守则",
    ),
    "outlet": part(
        "",
        "commit message", "query string", "author field", "branch name", "image url", "public issue",
        "public tracker", "public gist", "提交信息", "分支名", "comment of the pull request",
        "pull request comment", "into a comment", "in a comment",
        pattern=r"(https?://)\d{1,3}\.\d{1,3}\.",
    ),
    "not_me": part(
        "leak file files box field fields pool usage limit footprint shown",
    ),
    "times": part(
        "shutdown shutdowns every each approved prune pruned session sessions compaction compactions checkpoint "
        "checkpoints deleted cleaned cleared missing conversation conversations lost removed clean-up cleanup "
        "context restart restarts expires purged wiped erased disappears forgotten memory memories",
        "clean-up", "清理", "删除", "会话", "对话", "每次", "丢失", "被删", "不见", "记忆", "压缩", "重启",
        "消失", "关机", "清掉", "删掉", "下线", "退出前",
    ),
    "everywhere": part(
        "others claude.md agents.md",
        "all projects", "every project", "all memory", "every memory", "every repository", "all repositories",
        "agents.md", "claude.md", "other agents", "every file", "all sessions", "every agent", "other memories",
        "所有项目", "每个项目", "所有记忆", "每个仓库", "所有仓库", "其他项目", "其他代理", "各个项目",
        "所有会话", "each sub-agent", "every sub-agent", "all other", "each project", "each memory", "每个子代理",
        "子代理", "所有代理", "每一个",
    ),
    "gone": part(
        "deleted delete removed missing lost erased purged",
        "删除", "丢失", "被删", "不见",
    ),
    "never": part(
        "forbidden prohibited cannot can't never not don't nobody mustn't",
        "不要", "不得", "不可", "禁止", "不许", "切勿", "勿", "永远不",
    ),
}  # fmt: skip
