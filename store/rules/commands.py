"""Secrets on a command line and in the languages of servers: ``mysql -pX``, ``curl -u a:x``, ``IDENTIFIED BY 'x'``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from store.rules.placeholders import is_placeholder
from store.rules.vendors import Hit

_VALUE: Final = (
    r"(?:\"(?P<double>[^\"\n]{1,200})\"|'(?P<single>[^'\n]{1,200})'|(?P<bare>[^\s\"'`|;&<>，。；）]{1,200}))"
)
_ARGUMENTS: Final = r"(?:[ \t]{1,3}(?!-{1,2}p)[^\s|;&]{1,80}){0,12}?"
_RULES: Final[tuple[tuple[tuple[str, ...], str, str], ...]] = (
    (("mysql", "mariadb"), rf"(?:mysql|mariadb)[\w.-]{{0,20}}{_ARGUMENTS}[ \t]{{1,3}}-p(?![ \t])={{0,1}}{_VALUE}", "password"),
    (("sshpass", "7z", "7za"), rf"(?:sshpass|7za?[ \t]{{1,3}}\w)\b{_ARGUMENTS}[ \t]{{1,3}}-p[ \t]{{0,2}}{_VALUE}", "password"),
    (("login", "mongo"), rf"(?:login|mongo(?:sh|dump|restore|import|export)?)\b{_ARGUMENTS}[ \t]{{1,3}}-p[ \t]{{0,2}}{_VALUE}", "password"),
    (("redis-cli",), rf"redis-cli{_ARGUMENTS}[ \t]{{1,3}}-a[ \t]{{1,3}}{_VALUE}", "password"),
    (("sqlcmd", "bcp", "zip"), rf"(?:sqlcmd|bcp|(?:un)?zip)\b{_ARGUMENTS}[ \t]{{1,3}}-P[ \t]{{0,2}}{_VALUE}", "password"),
    (("ldap",), rf"ldap[a-z]{{3,10}}\b{_ARGUMENTS}[ \t]{{1,3}}-w[ \t]{{1,3}}{_VALUE}", "password"),
    (("curl", "wget", "http", "lftp", "smbclient", "xh"), r"(?:curl|https?|xh|lftp|smbclient|wget)\b(?:[ \t]{1,3}(?!-{1,2}(?:u|user|a)\b)[^\s|;&]{1,200}){0,12}?[ \t]{1,3}(?:-u|--user|-a|-U|--proxy-user|--auth)(?:[ \t]{0,3}|=)[\"']?[^\s:,%\"']{0,80}[:,%](?P<bare>[^\s\"']{1,200})", "password"),
    (("identified", "password"), r"(?i:identified[ \t]{1,3}(?:with[ \t]{1,3}\w{1,40}[ \t]{1,3})?(?:by|as)|(?:with|encrypted|set)[ \t]{1,3}password(?:[ \t]{0,2}=|[ \t]{1,2}to)?|password\(|set[ \t]{1,3}password[ \t]{1,3}for[ \t]{1,3}\S{1,60}[ \t]{0,3}=)[ \t]{0,3}(?:'(?P<single>[^'\n]{1,200})'|\"(?P<double>[^\"\n]{1,200})\")", "password"),
    (("requirepass", "masterauth", "pgpassword", "mysql_pwd", "sshpass", "rediscli_auth"), rf"(?i:requirepass|masterauth|(?:PGPASSWORD|MYSQL_PWD|SSHPASS|REDISCLI_AUTH)=)[ \t]{{0,3}}{_VALUE}", "password"),
    (("machine", "login"), rf"machine[ \t\n]{{1,4}}\S{{1,100}}[ \t\n]{{1,4}}login[ \t\n]{{1,4}}\S{{1,100}}[ \t\n]{{1,4}}password[ \t\n]{{1,4}}{_VALUE}", "password"),
    (("openssl",), rf"openssl\b[^\n|]{{1,80}}?[ \t]-k[ \t]{{1,3}}{_VALUE}", "password"),
    (("codes",), r"(?i:backup|recovery|scratch|2fa|mfa)[ -]codes?(?: are)?[: \t\n]{1,4}(?P<bare>(?=[a-z]{0,11}[0-9])[a-z0-9]{8,12}(?:[, \n]{1,3}[a-z0-9]{8,12}){2,20}(?![A-Za-z0-9])|[0-9]{4} ?[0-9]{4}(?:[, \n]{1,3}[0-9]{4} ?[0-9]{4}){1,20}|[A-Za-z0-9]{4,8}-[A-Za-z0-9]{4,8}(?:[, \n]{1,3}[A-Za-z0-9]{4,8}-[A-Za-z0-9]{4,8}){0,20})", "code"),
    (("恢复码", "备用码", "备份码", "恢复代码"), r"(?:恢复码|备用码|备份码|恢复代码)(?:是|为|有|如下)?[: \t\n]{0,4}(?P<bare>[A-Za-z0-9]{4,12}(?:[ -][A-Za-z0-9]{4,8})?(?:[, 、\n]{1,3}[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,8})?){1,20})", "code"),
    (("phrase", "mnemonic", "助记词"), r"(?i:(?:seed|recovery|backup|wallet)[ -]phrase|mnemonic|助记词)(?:[ \t]is|是|为)?[:= \t\n\"'`]{1,5}(?P<bare>(?:[a-z]{3,8}[ \t]){11,23}[a-z]{3,8})", "seed phrase"),
    (("pass:",), rf"-(?:passin|passout|pass|k)[ \t]{{1,3}}pass:{_VALUE}", "password"),
    (("chpasswd", "sudo", "passwd", "stdin"), r"(?:echo|printf)[ \t]{1,3}(?:-[a-z]{1,3}[ \t]{1,3})?[\"']?(?:[\w.-]{1,40}:)?(?P<bare>[^\s\"'|]{1,200})[\"']?[ \t]{0,3}\|[ \t]{0,3}(?:(?:sudo[ \t]{1,3})?chpasswd|sudo[ \t]{1,3}-S|(?:sudo[ \t]{1,3})?passwd|[^\n]{1,80}--[\w-]{0,20}stdin)", "password"),
    (("net use", "htpasswd", "add_user", "change_password", "useradd"), rf"(?:net use[ \t]{{1,3}}(?:[A-Za-z*]:?[ \t]{{1,3}})?\\\\\S{{1,100}}(?:[ \t]{{1,3}}/user:\S{{1,60}})?|htpasswd[ \t]{{1,3}}-\w{{0,6}}b\w{{0,6}}[ \t]{{1,3}}\S{{1,100}}[ \t]{{1,3}}\S{{1,60}}|(?:add_user|change_password)[ \t]{{1,3}}\S{{1,60}}|useradd\b[^\n]{{0,80}}?[ \t]-p)[ \t]{{1,3}}{_VALUE}", "password"),
    (("storepass", "keypass"), rf"-(?:src|dest)?(?:store|key)pass[ \t]{{1,3}}{_VALUE}", "password"),
    (("securestring",), rf"(?i:ConvertTo-SecureString)(?:[ \t]{{1,3}}-(?:String|AsPlainText|Force)){{0,3}}[ \t]{{1,3}}(?!-){_VALUE}", "password"),
    (("@",), r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}:(?P<bare>(?=[!-~]{0,60}[0-9])(?=[!-~]{0,60}[A-Za-z])(?![0-9]{1,5}(?:/|$))[^\s\"'`<>/@]{7,128})(?!\S*@)", "password"),
    (("admin:", "root:", "administrator:"), r"(?:admin|root|administrator):(?P<bare>(?=[!-~]{0,60}[0-9])(?=[!-~]{0,60}[A-Z])(?=[!-~]{0,60}[a-z])[A-Za-z0-9_-]{8,80})(?![\w./@:])", "password"),
    (("@/",), r"[\w.-]{1,64}:(?P<bare>(?=[!-~]{0,60}[0-9!#$%^&*])[^\s\"'`<>/@]{4,128})@/\w", "password"),
    (("@",), r"(?<![/@:.])[\w.-]{1,64}:(?P<bare>(?=[!-~]{0,60}[0-9])(?=[!-~]{0,60}[A-Z])(?=[!-~]{0,60}[a-z])[^\s\"'`<>/@:]{8,128})@[A-Za-z][\w-]{0,62}(?![\w.@])", "password"),
    (("net user",), rf"net user[ \t]{{1,3}}[\w.-]{{1,60}}[ \t]{{1,3}}(?!/){_VALUE}", "password"),
    (("vault write", "vault kv put"), rf"vault (?:write|kv put)[ \t]{{1,3}}[\w./-]{{1,100}}[ \t]{{1,3}}\w{{1,40}}=(?![@$]){_VALUE}", "secret"),
    (("ssh-keygen",), rf"ssh-keygen\b{_ARGUMENTS}[ \t]{{1,3}}-[NP][ \t]{{1,3}}{_VALUE}", "password"),
    (("jwt.", "createhm", "fernet(", "hmac.new(", "bot.run(", ".login(", "basicauth(", "auth=("), r"(?:jwt\.(?:sign|verify|encode|decode)\([^,\n]{1,80},|createHmac\([^,\n]{1,40},|Fernet\(|hmac\.new\(|(?:bot|client)\.(?:run|login)\(|BasicAuth\([^,\n]{1,60},|auth=\([^,\n]{1,60},)[ \t]{0,3}b?[\"'](?P<bare>(?=[^\s\"']{0,60}[0-9])[^\s\"']{8,200})[\"']", "secret"),
    (("--user",), r"--user(?:name)?(?:=|[ \t]{1,3})[\"']?[\w.@-]{1,60}:(?P<bare>(?=[!-~]{0,60}[0-9A-Z!#%^&*])[^\s\"']{5,200})", "password"),
    (("login",), r"[a-z][\w-]{1,20}[ \t]{1,3}login[ \t]{1,3}(?:--relogin[ \t]{1,3})?(?P<bare>[0-9a-f]{32,128})(?![\w-])", "key"),
    ((":",), r"(?:(?<=\n)|(?<![!-~\s]))(?:localhost|\*|[\w-]{1,40}(?:\.[\w-]{1,40}){0,4}):(?:[0-9]{4,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:(?P<bare>(?=[!-~]{0,60}[0-9!#%^&*])(?=[!-~]{0,60}[A-Za-z])[^\s:\"'`]{6,128})(?![!-~])", "password"),
    (("--",), rf"--(?:[a-z0-9]{{1,20}}-){{0,3}}(?:pass(?:word|wd|phrase)?|pwd|token|secret|(?:api|secret|access|account|auth|private|license)-?key|credentials?)(?:[ \t]{{1,3}}(?!-)|=){_VALUE}", "password"),
    (("@tcp", "@unix"), r"[\w.-]{1,64}:(?P<bare>[^\s\"'`<>]{1,256})@(?:tcp6?|unix)\(", "password"),
    (("token",), rf"(?i:_auth(?:token)?)[ \t]{{0,2}}=[ \t]{{0,2}}{_VALUE}", "token"),
)  # fmt: skip
_USER_AT: Final = r"(?<![\w.@/:-])(?!(?:e-?mail|mail(?:to)?|to|from|cc|contact|author|owner|https?|ssh|git):)([\w.-]{1,64}):(?=[^\s@]{0,60}[0-9!#$%^&*])(?P<bare>[^\s@\"'`<>/，。]{4,128})@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})"
# An account and its password in one breath; the password must have all kinds of characters.
_ACCOUNT_PAIR: Final = r"(?<![\w./@:-])(?:admin|administrator|root|user|guest|test|deploy|sa|postgres|[\w.+-]{2,40}@[\w.-]{3,60})(?:[ \t]{1,2}/[ \t]{1,2}|/|:)(?P<bare>(?![\w.-]{1,60}#[0-9]{1,9}(?![0-9A-Za-z]))(?=[!-~]{0,60}[0-9])(?=[!-~]{0,60}[A-Za-z])(?=[!-~]{0,60}[!#$%^&*+=?~])[!#-&(-_a-~]{8,80})"
_LOGIN_PAIR: Final = r"(?i:log(?:ged|s)?[ -]?(?:in|on) (?:with|as|using)|credentials?(?: are| is)?:?|creds? ?(?::|->|→)|账号密码(?:是|为|:)?|用户名密码(?:是|为|:)?|sign in (?:with|as))[ \t]{0,3}[\"'`]?[\w.@-]{2,60}[\"'`]?[ \t]{0,2}(?:/|:|,|\band\b|和)[ \t]{0,2}[\"'`]?(?P<bare>(?=[!-~]{0,60}[0-9!#$%^&*@])[!-~]{5,100})"


def find(text: str, lowered: str) -> Iterator[Hit]:
    """Every secret on a command line or in a server's language in a folded text."""
    for words, said, what in _RULES:
        for word in words:
            if word in lowered:
                break
        else:
            continue
        for found in _compiled(said).finditer(text):
            yield from _hit(found, what)
    if "@" in text and ":" in text:
        for found in _compiled(_USER_AT).finditer(text):
            yield from _hit(found, "password")
    if "/" in text:
        for found in _compiled(_ACCOUNT_PAIR).finditer(text):
            yield from _hit(found, "password")
    if "log" in lowered or "cred" in lowered or "sign in" in lowered or "密码" in text:
        for found in _compiled(_LOGIN_PAIR).finditer(text):
            yield from _hit(found, "password")


def _hit(found: re.Match[str], what: str) -> Iterator[Hit]:
    group = found.lastgroup or "bare"
    start, said = found.start(group), found[group]
    if group == "bare":
        if said.endswith("..."):
            return
        said = said.rstrip(".,;:?)]}\"'`")
    path = said.startswith(("/", "./", "~/")) or (said.isdigit() and len(said) < 6)
    if len(said) >= 3 and not is_placeholder(said) and not path:
        yield Hit(start, start + len(said), what)


@lru_cache(maxsize=32)
def _compiled(said: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z]){said}" if said[0] not in "(-" else said, re.ASCII)
