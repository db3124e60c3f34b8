"""Key formats that their vendors have published: one line a family, written from the vendors' own pages.

A family is (what it is called on screen, the literals of which one must stand in the text, its pattern). The literals
are a prefilter: a pattern is compiled when one of them is first met, which for most texts is never. Every pattern is
bounded, so that a search is linear; most begin where no ASCII letter or digit stands before (a CJK character may).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

Family = tuple[str, tuple[str, ...], str]


class Hit(NamedTuple):
    """A find in a folded text: its span, and what it is in words."""

    start: int
    end: int
    what: str


_UUID: Final = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_DIGIT: Final = r"(?=[A-Za-z_-]{0,60}[0-9])"
"""For prefixes that words begin with, too: a digit must follow."""

CLOUDS: Final[tuple[Family, ...]] = (
    ("aws access key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,64}"),
    ("aws bedrock key", ("ABSK",), r"ABSK[A-Za-z0-9+/]{60,400}={0,2}"),
    ("aws mws token", ("amzn.mws.",), rf"amzn\.mws\.{_UUID}"),
    ("google api key", ("AIza",), r"AIza[A-Za-z0-9_-]{30,60}"),
    ("google oauth secret", ("GOCSPX-",), r"GOCSPX-[A-Za-z0-9_-]{20,60}"),
    ("google access token", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{20,1024}"),
    ("google refresh token", ("1//0",), r"1//0[A-Za-z0-9_-]{30,200}"),
    ("gemini key", ("AQ.",), r"AQ\.Ab[A-Za-z0-9_-]{30,120}"),
    ("azure client secret", ("Q~",), r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40}"),
    ("azure devops token", ("AZDO",), r"[A-Za-z0-9]{60,80}AZDO[A-Za-z0-9]{4}"),
    ("azure key", ("JQQJ99", "+ASt", "AzSe", "AzCa"), r"[A-Za-z0-9+/]{33,76}(?:JQQJ99[A-Za-z0-9]{10,40}|\+ASt|AzSe|AzCa)[A-Za-z0-9+/]{0,12}={0,2}"),
    ("alibaba cloud key", ("LTAI",), r"LTAI[A-Za-z0-9]{12,30}"),
    ("tencent cloud key", ("AKID",), r"AKID[A-Za-z0-9_-]{13,72}"),
    ("baidu cloud key", ("bce-v3/",), r"bce-v3/ALTAK-[A-Za-z0-9]{8,40}/[a-f0-9]{30,64}"),
    ("volcengine key", ("AKLT",), r"AKLT[A-Za-z0-9_-]{20,80}={0,2}"),
    ("yandex cloud key", ("AQVN", "YCAJ", "YCPE", "YCME"), r"(?:AQVN[A-Za-z0-9_-]{30,50}|YC(?:AJ|PE|ME)[A-Za-z0-9_-]{20,50})"),
    ("digitalocean token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{40,80}"),
    ("cloudflare token", ("v1.0-", "cfut_", "cfat_", "cfk_"), r"(?:v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}|cf(?:ut|at|k)_[A-Za-z0-9_-]{30,80})"),
    ("heroku key", ("HRKU-",), r"HRKU-[A-Za-z0-9_-]{30,80}"),
    ("fly.io token", ("fm1_", "fm1r_", "fm1a_", "fm2_", "fo1_"), r"(?:fm[12][ar]?_[A-Za-z0-9+/=]{40,1024}|fo1_[A-Za-z0-9_-]{40,60})"),
    ("render key", ("rnd_",), r"rnd_[A-Za-z0-9]{24,60}"),
    ("netlify token", ("nfp_", "nfc_", "nfo_", "nfu_"), r"nf[pcou]_[A-Za-z0-9]{30,60}"),
    ("vercel token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), r"vc[piark]_[A-Za-z0-9]{24,80}"),
    ("scaleway key", ("SCW",), r"SCW[A-Z0-9]{17}(?![A-Z0-9])"),
    ("pulumi token", ("pul-",), r"pul-[a-f0-9]{40}"),
    ("terraform token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}"),
    ("vault token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    ("doppler token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,50}"),
    ("1password token", ("ops_eyJ", "A3-"), r"(?:ops_eyJ[A-Za-z0-9+/_-]{60,2000}={0,2}|A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,5})"),
    ("infisical token", ("st.",), r"st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}"),
    ("tailscale key", ("tskey-",), r"tskey-[a-z]{2,12}-[A-Za-z0-9]{6,30}(?:-[A-Za-z0-9]{20,60})?"),
    ("wallet private key", ("xprv", "yprv", "zprv", "tprv"), r"[xyzt]prv[A-Za-z0-9]{100,112}(?![A-Za-z0-9])"),
    ("age key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{40,70}"),
    ("supabase key", ("sbp_", "sb_secret_"), r"(?:sbp_[a-z0-9_]{0,10}[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})"),
    ("planetscale key", ("pscale_",), r"pscale_(?:tkn|pw|oauth|api)_[A-Za-z0-9=._-]{30,70}"),
    ("neon key", ("napi_",), r"napi_[a-z0-9]{40,80}"),
    ("mongodb atlas secret", ("mdb_sa_sk_",), r"mdb_sa_sk_[A-Za-z0-9_-]{30,60}"),
    ("databricks token", ("dapi", "dose", "dkea"), r"d(?:api|ose|kea)[a-f0-9]{32}(?:-[0-9])?"),
    ("confluent key", ("cflt",), r"cflt[A-Za-z0-9+/]{50,70}"),
    ("prefect key", ("pnu_", "pnb_"), r"pn[ub]_[A-Za-z0-9]{36}"),
    ("dbt token", ("dbtc_", "dbtu_", "dbts_"), r"dbt[cus]_[A-Za-z0-9_=-]{30,60}"),
    ("yandex passport token", ("y0_",), r"y0_[A-Za-z0-9_-]{40,80}"),
)  # fmt: skip

MODELS: Final[tuple[Family, ...]] = (
    ("anthropic key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{16,200}"),
    ("openrouter key", ("sk-or-",), r"sk-or-(?:v[0-9]-)?[A-Za-z0-9]{32,80}"),
    ("langfuse key", ("sk-lf-",), rf"sk-lf-{_UUID}"),
    ("openai key", ("sk-",), rf"sk-(?:(?:proj|svcacct|admin|None|service|test|live)-)?{_DIGIT}[A-Za-z0-9_-]{{20,250}}"),
    ("groq key", ("gsk_",), r"gsk_[A-Za-z0-9]{30,70}"),
    ("xai key", ("xai-",), r"xai-[A-Za-z0-9]{40,100}"),
    ("perplexity key", ("pplx-",), r"pplx-[A-Za-z0-9]{32,70}"),
    ("hugging face token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,60}"),
    ("replicate token", ("r8_",), r"r8_[A-Za-z0-9]{30,60}"),
    ("fireworks key", ("fw_",), rf"fw_{_DIGIT}[A-Za-z0-9]{{22,40}}"),
    ("together key", ("tgp_v1_",), r"tgp_v1_[A-Za-z0-9_-]{30,80}"),
    ("nvidia key", ("nvapi-",), r"nvapi-[A-Za-z0-9_-]{40,100}"),
    ("cerebras key", ("csk-",), r"csk-[a-z0-9]{32,80}"),
    ("voyage key", ("pa-",), rf"pa-{_DIGIT}[A-Za-z0-9_-]{{40,60}}"),
    ("jina key", ("jina_",), r"jina_[A-Za-z0-9_-]{40,90}"),
    ("pinecone key", ("pcsk_",), r"pcsk_[A-Za-z0-9_-]{40,100}"),
    ("langsmith key", ("lsv2_",), r"lsv2_(?:pt|sk|sc)_[a-f0-9]{32}_[a-f0-9]{10}"),
    ("tavily key", ("tvly-",), r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,60}"),
    ("firecrawl key", ("fc-",), r"fc-[a-f0-9]{32}"),
    ("e2b key", ("e2b_",), r"e2b_[a-f0-9]{30,60}"),
    ("runpod key", ("rpa_",), r"rpa_[A-Z0-9]{30,50}[a-z0-9]{0,12}"),
    ("apify token", ("apify_api_",), r"apify_api_[A-Za-z0-9]{30,50}"),
    ("wandb key", ("wandb_v1_",), r"wandb_v1_[A-Za-z0-9_-]{30,100}"),
    ("modal token", ("ak-", "as-"), rf"a[ks]-{_DIGIT}(?=[a-z0-9_-]{{0,40}}[A-Z])[A-Za-z0-9]{{22}}(?![A-Za-z0-9])"),
)  # fmt: skip

CODE: Final[tuple[Family, ...]] = (
    ("github token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), r"(?:gh[pousr]_[A-Za-z0-9_.-]{16,520}|github_pat_[A-Za-z0-9_]{22,255})"),
    ("gitlab token", ("glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glagent-", "glimt-", "glsoat-", "gloas-", "glffct-", "glrtr-", "glwt-", "GR1348941"), r"(?:gl(?:pat|ptt|dt|rt|cbt|ft|agent|imt|soat|oas|ffct|rtr|wt)-[A-Za-z0-9_.-]{18,320}|GR1348941[A-Za-z0-9_-]{20,50})"),
    ("atlassian token", ("ATATT3", "ATCTT3", "ATBB", "ATSTT", "ATTA"), r"(?:AT(?:ATT3|CTT3|STT)[A-Za-z0-9_=-]{60,300}|ATBB[A-Za-z0-9]{28,36}|ATTA[a-f0-9]{64,72})"),
    ("npm token", ("npm_",), r"npm_[A-Za-z0-9]{30,60}"),
    ("pypi token", ("pypi-",), r"pypi-A[A-Za-z0-9_-]{40,400}"),
    ("rubygems key", ("rubygems_",), r"rubygems_[a-f0-9]{40,60}"),
    ("crates.io token", ("cio",), r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("nuget key", ("oy2",), r"oy2[a-z0-9]{43}"),
    ("docker token", ("dckr_pat_", "dckr_oat_"), r"dckr_[po]at_[A-Za-z0-9_-]{24,60}"),
    ("clojars token", ("CLOJARS_",), r"CLOJARS_[A-Za-z0-9]{50,70}"),
    ("packagist token", ("packagist_",), r"packagist_[a-z]{2,4}_[a-f0-9]{40,80}"),
    ("artifactory token", ("AKCp", "cmVmdGtu"), r"(?:AKCp[0-9A-Za-z]{60,80}|cmVmdGtu[A-Za-z0-9]{40,80})"),
    ("circleci token", ("CCIPAT_", "CCIPRJ_"), r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,30}_[A-Za-z0-9]{30,60}"),
    ("buildkite token", ("bkua_", "bkaj_", "bkpt_"), r"bk(?:ua|aj|pt)_[A-Za-z0-9]{36,60}"),
    ("sonarqube token", ("squ_", "sqp_", "sqa_"), r"sq[upa]_[a-f0-9]{40}"),
    ("sourcegraph token", ("sgp_", "slk_"), r"(?:sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|slk_[a-f0-9]{64})"),
    ("snyk token", ("snyk_",), r"snyk_(?:uat|sat)\.[a-z0-9]{6,12}\.[A-Za-z0-9_.-]{40,2000}"),
    ("postman key", ("PMAK-", "PMAT-"), r"PMA[KT]-[A-Za-z0-9]{24,26}(?:-[a-f0-9]{30,40})?"),
    ("readme key", ("rdme_",), r"rdme_[a-z0-9]{60,80}"),
    ("octopus key", ("API-",), r"API-[A-Z0-9]{26,40}(?![A-Za-z0-9])"),
    ("harness token", ("pat.", "sat."), r"[ps]at\.[A-Za-z0-9_-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}"),
    ("figma token", ("figd_", "figo_", "figu_", "figor_"), r"fig(?:d|o|u|or|ur)_[A-Za-z0-9_-]{36,80}"),
    ("linear key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,80}"),
    ("notion token", ("ntn_", "secret_"), r"(?:ntn_[0-9]{8,12}[A-Za-z0-9]{30,40}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9]))"),
    ("airtable token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("asana token", ("/",), r"[12]/[0-9]{13,20}(?:/[0-9]{13,20})?:[a-f0-9]{32}"),
    ("clickup token", ("pk_",), r"pk_[0-9]{5,12}_[A-Z0-9]{32}"),
    ("contentful token", ("CFPAT-",), r"CFPAT-[A-Za-z0-9_-]{40,60}"),
    ("typeform token", ("tfp_",), r"tfp_[A-Za-z0-9_.-]{40,70}"),
    ("frame.io token", ("fio-u-",), r"fio-u-[A-Za-z0-9_=-]{50,70}"),
    ("dropbox token", ("sl.",), r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,2000}"),
    ("okta token", ("SSWS ",), r"SSWS 00[A-Za-z0-9_-]{38,44}"),
    ("ngrok token", ("_",), r"[12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,24}(?![A-Za-z0-9])"),
    ("mapbox secret token", ("sk.eyJ",), r"sk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{16,40}"),
)  # fmt: skip

MESSAGES: Final[tuple[Family, ...]] = (
    ("slack token", ("xox", "xapp-"), r"(?:xox[a-z]{1,2}(?:\.xox[bp])?-[A-Za-z0-9-]{10,400}|xapp-[0-9]-[A-Za-z0-9]{1,20}-[0-9]{1,20}-[a-zA-Z0-9]{16,80})"),
    ("slack webhook", ("hooks.slack",), r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{16,160}"),
    ("teams webhook", (".office.com/webhook", ".logic.azure.com", ".powerplatform.com"), r"[a-z0-9.-]{1,80}\.(?:office\.com/webhookb?2?/[A-Za-z0-9@/_-]{36,300}|(?:logic\.azure|powerplatform)\.com[!-~]{10,300}sig=[A-Za-z0-9_%-]{20,80})"),
    ("discord webhook", ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/[0-9]{15,21}/[A-Za-z0-9_-]{40,100}"),
    ("discord token", ("M", "N", "O"), r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9])"),
    ("telegram token", (":A",), r"(?:(?:api\.telegram\.org/(?:file/)?|/)bot)?[0-9]{8,11}:A[A-Za-z0-9_-]{32,36}"),
    ("feishu webhook", ("/open-apis/bot/",), rf"open\.(?:feishu|larksuite)\.c(?:n|om)/open-apis/bot/v?[0-9]?/?hook/{_UUID}"),
    ("dingtalk webhook", ("oapi.dingtalk.com",), r"oapi\.dingtalk\.com/robot/send\?access_token=[a-f0-9]{40,80}"),
    ("wecom webhook", ("qyapi.weixin.qq.com",), rf"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key={_UUID}"),
    ("webhook address", ("hooks.zapier.com/", "maker.ifttt.com/", "hook.", "chat.googleapis.com/", "hc-ping.com/", "api.day.app/", "ftqq.com/", "outlook.office.com/webhook", "events.pagerduty.com/integration/", "/api/push/"), rf"(?:hooks\.zapier\.com/hooks/catch/[0-9]{{4,12}}/[a-z0-9]{{5,12}}|maker\.ifttt\.com/(?:trigger|use)/[!-~]{{1,80}}?/?key/[A-Za-z0-9_-]{{20,60}}|hook\.[a-z0-9.]{{0,12}}make\.com/[a-z0-9]{{20,40}}|chat\.googleapis\.com/v1/spaces/[!-~]{{10,300}}|hc-ping\.com/(?:{_UUID}|[A-Za-z0-9_-]{{22}}/)|api\.day\.app/[A-Za-z0-9]{{20,24}}|(?:sctapi\.|sc\.)?ftqq\.com/SC[TU][A-Za-z0-9]{{20,60}}|outlook\.office\.com/webhook/[A-Za-z0-9@/_-]{{36,300}}|events\.pagerduty\.com/integration/[a-z0-9]{{30,34}}|[a-z0-9.-]{{3,80}}/api/push/[A-Za-z0-9]{{10,32}})"),
    ("sendgrid key", ("SG.",), r"SG\.[A-Za-z0-9_-]{14,30}\.[A-Za-z0-9_-]{30,60}"),
    ("mailgun key", ("key-",), r"key-[a-f0-9]{32}"),
    ("mailchimp key", ("-us",), r"[a-f0-9]{32}-us[0-9]{1,2}(?![0-9])"),
    ("brevo key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[a-f0-9]{60,70}-[A-Za-z0-9]{10,24}"),
    ("resend key", ("re_",), rf"re_{_DIGIT}[A-Za-z0-9]{{6,12}}_[A-Za-z0-9]{{20,30}}"),
    ("twilio key", ("SK",), r"SK[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("klaviyo key", ("pk_",), r"pk_[a-f0-9]{34}(?![A-Za-z0-9])"),
    ("pubnub secret", ("sec-c-",), r"sec-c-[A-Za-z0-9-]{30,60}"),
    ("hubspot token", ("pat-",), rf"pat-[a-z]{{2}}[0-9]-{_UUID}"),
    ("facebook token", ("EAA", "IGQ"), r"(?:EAA[A-Za-z0-9]{60,400}|IGQ[A-Za-z0-9_-]{60,300})"),
    ("twitter bearer token", ("AAAAAAAAAAAAAAAAAAAA",), r"A{20,24}[A-Za-z0-9%+/]{30,120}"),
)  # fmt: skip

PAYMENTS: Final[tuple[Family, ...]] = (
    ("stripe key", ("_live_", "_test_", "_prod_"), r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}"),
    ("stripe webhook secret", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{20,100}"),
    ("square token", ("sq0atp-", "sq0csp-", "sq0idp-", "EAAAE"), r"(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}|EAAAE[A-Za-z0-9_-]{55,65})"),
    ("paypal token", ("access_token$",), r"access_token\$(?:production|sandbox)\$[a-z0-9]{10,30}\$[a-f0-9]{32}"),
    ("shopify token", ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shpit_"), r"shp(?:at|ca|pa|ss|ua|it)_[A-Fa-f0-9]{32}"),
    ("razorpay key", ("rzp_",), r"rzp_(?:live|test)_[A-Za-z0-9]{12,24}"),
    ("flutterwave key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    ("plaid token", ("access-",), rf"access-(?:production|sandbox|development)-{_UUID}"),
    ("mercado pago token", ("APP_USR-",), r"APP_USR-[0-9]{10,20}-[0-9]{6}-[a-f0-9]{32}-[0-9]{5,12}"),
    ("mollie key", ("live_", "test_"), r"(?:live|test)_(?=[A-Za-z]{0,28}[0-9])(?=[a-z0-9]{0,28}[A-Z])[A-Za-z0-9]{30}(?![A-Za-z0-9])"),
    ("easypost key", ("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{50,60}"),
    ("shippo token", ("shippo_",), r"shippo_(?:live|test)_[a-f0-9]{40}"),
    ("duffel token", ("duffel_",), r"duffel_(?:live|test)_[A-Za-z0-9_=-]{40,50}"),
    ("polar token", ("polar_",), r"polar_[a-z]{2,5}_[A-Za-z0-9]{30,60}"),
)  # fmt: skip

WATCH: Final[tuple[Family, ...]] = (
    ("grafana token", ("glsa_", "glc_", "eyJrIjoi"), r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400}|eyJrIjoi[A-Za-z0-9_=-]{40,200})"),
    ("sentry token", ("sntrys_", "sntryu_", "sntrya_", "sntryi_"), r"sntry[suai]_[A-Za-z0-9+/=_-]{40,400}"),
    ("new relic key", ("NRAK-", "NRII-", "NRAL", "NRJS-", "NRRA-", "NRIQ-"), r"NR(?:AK|II|JS|RA|IQ)-[A-Za-z0-9_-]{19,60}"),
    ("dynatrace token", ("dt0",), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{50,70}"),
    ("honeycomb key", ("hcaik_", "hcxik_", "hcalk_", "hcamk_"), r"hc[ax][ilm]k_[a-z0-9]{40,70}"),
    ("posthog key", ("phx_", "phs_"), r"ph[xs]_[A-Za-z0-9]{30,60}"),
    ("launchdarkly key", ("sdk-", "api-", "mob-"), rf"(?:sdk|api|mob)-{_UUID}"),
)  # fmt: skip

FAMILIES: Final = CLOUDS + MODELS + CODE + MESSAGES + PAYMENTS + WATCH
_WORDS: Final = tuple((word, family) for family in FAMILIES for word in family[1])
BEGINNINGS: Final = tuple(
    word for word, _ in _WORDS if len(word) >= 4 and word[0] not in "./_:" and not (word.isalpha() and word.islower())
)
"""The literals that are long enough to tell a key by its beginning alone."""

_ORDINARY: Final = (
    "key-",
    "pat-",
    "api-",
    "sdk-",
    "mob-",
    "access-",
    "test_",
    "live_",
    "secret_",
    "API-",
    "pat.",
    "sat.",
)
_TELLING: Final = frozenset(
    word for word, _ in _WORDS if len(word) >= 4 and word[-1] in "_-." and word[0].isalnum() and word not in _ORDINARY
)
"""Beginnings that no other word ends with: such a key is one wherever it stands, glued to a word as well."""
_LONG: Final = r"[A-Za-z0-9_-]{14}|hooks\.zapier"
"""Every key has such a run; a text without one needs no look at the table."""
# Samples that vendors print for people to replace.
_SAMPLE: Final = r"(?i:example|placeholder|your[_-]|redacted|changeme|x{6}|\.{3}|\*{4})"


def find(text: str) -> Iterator[Hit]:
    """Every key of a known family in a folded text. The samples of the vendors' own pages are left alone."""
    if _long().search(text) is None:
        return
    met = None
    for word, family in _WORDS:
        if word not in text or family is met:
            continue
        met = family
        done = 0
        for found in _pattern(family[2], family[1][0] in _TELLING).finditer(text):
            if found.start() >= done and not is_sample(found[0]):
                done = _whole(text, found)
                yield Hit(found.start(), done, family[0])


def _whole(text: str, found: re.Match[str]) -> int:
    """Where the key ends: with what is glued to it, so that no rest of it is left, and without a sentence's full stop."""
    if found[0].endswith("."):
        return found.start() + len(found[0].rstrip("."))
    glued = _rest().match(text, found.end())
    return glued.end() if glued else found.end()


def is_sample(key: str) -> bool:
    """Whether a key is one that documentation prints in the place of a real one."""
    return _sample().search(key) is not None


@lru_cache(maxsize=len(FAMILIES) + 1)
def _pattern(said: str, telling: bool) -> re.Pattern[str]:
    return re.compile(said if telling else f"(?<![A-Za-z0-9]){said}")


@lru_cache(maxsize=1)
def _rest() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9]+")


@lru_cache(maxsize=1)
def _long() -> re.Pattern[str]:
    return re.compile(_LONG)


@lru_cache(maxsize=1)
def _sample() -> re.Pattern[str]:
    return re.compile(_SAMPLE)
