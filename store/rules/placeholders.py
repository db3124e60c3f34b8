"""What stands where a secret would stand, and is none: placeholders, references, types, calls, and our own masks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# A whole value is a placeholder where one of these matches all of it.
_WHOLE: Final = (
    r"\*+|[xX]{3,}[\w-]*|\.{2,}|…+|[-|: ]+|_+|•+|#+|\?+|<[^>]*>?|\[[^\]]*\]?|\{+[^}]*\}*|\$\{?[A-Za-z_(][^}]*\}?|%\(?\w+\)?[%s]?|@\w+@|__\w+__"
    r"|(?:your|my|the|some|any|an?|insert|enter|put|add|replace|use)[-_ ].*"
    r"|(?:change|replace|fix|set|fill|rotate|update)[-_ ]?(?:me|this|it|in)?|changeit|(?:un)?set|redacted|masked|hidden|removed|secret|omitted|placeholder|dummy|fake|sample|example.*"
    r"|same|see|ask|must|should|only|stored|kept|managed|rotated|encrypted|hashed|as\b.*|none|null|nil|undefined|true|false|yes|no|on|off|empty|required|optional|todo|tbd|n/?a|void|unknown|default|missing|invalid|expired|wrong"
    r"|str|string|text|bytes|int|number|bool|boolean|object|any|char|varchar.*|secretstr|option.*"
    r"|pass(?:word|wd|phrase|code)?|pwd|token|key|api[-_]?key|value|credentials?|user(?:name)?|admin|root"
    r"|(?:process\.|os\.|import\.meta\.)?env(?:iron)?\b.*|getenv.*|config(?:uration)?[.\[].*|settings?[.\[].*|secrets?[.\[/].*|vars?[.\[].*|self\..*|this\..*|args?\..*|ctx\..*|options?\..*|params?\..*"
    r"|vault[:/.].*|ssm[:/].*|arn:.*|op://.*|file:.*|env:.*|ref\+.*|keyring[:.].*|!\w+.*"
)
_CALL: Final = r"[A-Za-z_][\w.]*\([^()]*(?:\)(?:\.\w{1,40}\([^()]{0,80}\)?){0,4})?[;,]?"
_NAME_IN_CAPITALS: Final = r"[A-Z][A-Z_]{3,}"
# Names of methods and formats that people write where a reader expects the value.
_METHOD: Final = (
    r"(?:argon2(?:id?|d)?|bcrypt|scrypt|pbkdf2.*|sha-?[0-9]{1,3}(?:[-_/]?[0-9]{3})?|md5|hmac.*|aes[-_]?[0-9]{0,3}(?:[-_]?(?:gcm|cbc|ctr))?|rsa[-_]?[0-9]{0,4}|ed25519|oauth(?:2(?:\.0)?)?|oidc|saml2?|jwt|base64(?:url)?"
    r"|1password|bitwarden|keepass(?:xc|x)?|lastpass|x509|pkcs#?[0-9]{1,2}|utf-?8|ascii|hex|uuid(?:v?[0-9])?|rs256|hs256|es256|totp|2fa|mfa|ldap|kerberos|k8s|s3|http[s2]?|tls(?:1\.[0-9])?|ipv[46]|v[0-9]+(?:\.[0-9]+){0,3})"
)


def is_placeholder(value: str) -> bool:
    """Whether a value says where a secret goes, rather than being one."""
    return _whole().fullmatch(value) is not None or _capitals().fullmatch(value) is not None


@lru_cache(maxsize=1)
def _whole() -> re.Pattern[str]:
    return re.compile(f"(?is:{_WHOLE}|{_CALL}|{_METHOD})")


@lru_cache(maxsize=1)
def _capitals() -> re.Pattern[str]:
    return re.compile(_NAME_IN_CAPITALS)
