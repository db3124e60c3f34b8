"""Kinds of secrets and of personal data that an outside look found missing; and what was masked and is nothing."""

from __future__ import annotations

import time

import pytest

from store.redact import redact_text
from store.rules import prose

PASSWORD = "C0goE5xADK7" + "qvX"
HEX = "d6512ad4d367515bf311" + "9f38e197a9fd3d159214"
SECRETS = (
    ("https://api.telegram.org/bot{}/getMe", "9366857811" + ":AA_GEtj5xLi2Wv8D_HfcJfeUgqJfxXpn9wZ"),
    ("DD-APPLICATION-KEY: {}", HEX),
    ("METRICS_KEY={}", HEX[:32]),
    ("AZURE_DEVOPS_EXT_PAT={}", "96wjrd8lpwvknahzuqln50rtlfx9wftcxe8ftc85jupx6r0r5229"),
    ("travis token: {}", "RveBiRVjJNSmDPYl" + "eMRVMV"),
    ("wandb login {}", HEX),
    ("post to {}", "https://hooks.zapier.com/hooks/" + "catch/4510810/oe5a40s/"),
    ("db.acme.com:5432:shop:app:{}", PASSWORD),
    ("keytool -storepass {} -list", PASSWORD),
    ('ConvertTo-SecureString "{}" -AsPlainText -Force', PASSWORD),
    ("etcdctl --user root:{} get /", PASSWORD),
    ("Cookie: sessionid={}; theme=dark", PASSWORD),
    ("PIN码 {}", "8830"),
    ("钱包助记词：{}", "legal winner thank year wave sausage worth useful legal winner thank yellow"),
    ("backup codes: {}", "8981 2533 7764 8186 8844 4522"),
    ("恢复码：{}", "a1b2c-3d4e5 f6a7b-8c9d0"),
    ("p4ssw0rd: {}", PASSWORD),
    ("psw={}", PASSWORD),
    ("パスワードは{}です", PASSWORD),
    ("пароль: {}", PASSWORD),
    ("Kennwort: {}", PASSWORD),
    ("get in with bob@acme-corp.io:{}", PASSWORD),
    ("Access code for the portal is {} today", "61P5B!5D" + "ys"),
    ("Jenkins creds → jenkins / {}", PASSWORD),
    ('jwt.sign(payload, "{}")', PASSWORD),
    ("  bindpw: {}", PASSWORD),
    ('ssh-keygen -t rsa -N "{}" -f k', PASSWORD),
    ("dsn: u:{}@/dbname", PASSWORD),
    ("TOTP seed {}", "PSBFACMOHD745ZPW" + "A3BIWQX7YJUWMOJL"),
    ('"SecureString": "{}"', PASSWORD),
    ("DB pw → {}", PASSWORD),
    ("FLASK_SECRET={}", "i6_ylRy" + "csC"),
    ("连接用 app:{}@db", PASSWORD),
    ("Passwort ist {}", PASSWORD),
    ("net user bob {} /add", PASSWORD),
    ("vault write secret/app value={}", PASSWORD),
    ("PHPSESSID={}; path=/", PASSWORD),
    ("heroku api key {}", HEX),
    ("QQ {}", "318273645"),
    ("身份证 {}", "110105 1949 1231 002X"),
    ("card {}", "6222.0212.3456.7894"),
    ("家庭住址：{}", "北京市朝阳区建国路88号2单元1503室"),
    ("出生日期：{}", "1987年3月12日"),
    ("HKID {}", "A123456(3)"),
    ("NI number {}", "AB 12 34 56 C"),
    ("password = os.environ['X'] or '{}'", PASSWORD),
    ("os.getenv('DB_PASSWORD', '{}')", PASSWORD),
    ("const pw = process.env.DB_PASSWORD || '{}'", PASSWORD),
    ("ships to {}", "221B Baker Street, London"),
)
INNOCENT = (
    "password: z.string().min(8)",
    "密码存放在 1Password 里",
    "0x981a31c2f09464b1f8ecd333773894205ab779191c9b7c0914161f348bde44e2 is the genesis block hash",
    "PEM files start with -----BEGIN RSA PRIVATE KEY----- and end with the same words",
    "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p is the recipient",
    "pw: playwright",
    "os.getenv('TOKEN_URL', 'https://example.com/t1')",
    "password = os.environ.get('DB_PASSWORD', 'changeme')",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "password: same as last year",
    "cache-key: linux-a634d33d5aeecd60",
    '"node_id": "MDQ6VXNlcjU4MzIzMQ=="',
    "cuid cm3xv0q5p0000356m8x4k2j1h",
    "cache_key=9e107d9d372bb6826bd81d3542a419d6",
    "src/app.py:120:4:error: no such name",
    "HKID Z123456(5) has a wrong check digit",
)


@pytest.mark.parametrize(("said", "value"), SECRETS)
def test_V52_V53_further_kinds_are_masked(said: str, value: str) -> None:
    masked, flags = redact_text(said.format(value))
    assert value not in masked
    assert [flag.code for flag in flags] == ["masked"]
    assert redact_text(masked)[0] == masked


@pytest.mark.parametrize("said", INNOCENT)
def test_V58_further_texts_are_left_alone(said: str) -> None:
    assert redact_text(said) == (said, ())


@pytest.mark.parametrize("part", ["密码是abc123X ", "Password=a;", "the password is Abc123xyz9 ", "api_key: ", "密码"])
def test_a_text_of_nothing_but_words_for_secrets_goes_whole_from_there(part: str) -> None:
    """Its cost is bounded by the number of words that are looked at, not by its length."""
    text = part * (100_000 // len(part))
    begun = time.process_time()
    masked, _ = redact_text(text)
    print(f"\n{part!r}: {time.process_time() - begun:.2f} s")
    assert len(masked) < 80_000
    assert masked.endswith("[password]")
    assert redact_text(masked)[0] == masked


def test_the_letters_that_lead_to_a_word_lead_to_every_word() -> None:
    words = (
        *(
            "2fa seed",
            "mfa setup key",
            "authenticator seed",
            "paswrd",
            "p@ssw0rd",
            "sess-id =",
            "phpsessid=",
            "psk",
            "pwd",
        ),
        *(
            "client.secret key",
            "verification code",
            "x_pat = ",
            "api keys",
            "access key id",
            "cvv2",
            "senha",
            "contraseña",
        ),
        *(
            "secret_access_key_base",
            "mot de passe",
            "ps=",
            "one-time code",
            "db_pw",
            "lösenord",
            "hasło",
            "şifre",
            "암호",
        ),
        *("暗証番号", "storage key file", "credentials", "pin code", "kennwort"),
    )
    far = " " * 90
    for text in (*words, far.join(words), " ".join(words), "".join(words), far.join((*words, ""))):
        assert list(prose._places(text)) == [word.span() for word in prose._any_word().finditer(text)], text
    assert len(list(prose._places(far.join(words)))) >= len(words) - 1
