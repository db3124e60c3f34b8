"""Hints between two statements: what of the one differs from the other, in kinds rather than in these very words."""

from __future__ import annotations

import re
from difflib import Match, SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import cue_reading, cues
from store.cue_words import opposites
from store.cues import Hint, hints
from store.likeness import is_near

SAME = (
    ("Run the tests with pytest -q.", "Tests are run using `pytest -q`."),
    ("Use uv, never pip, in this repository.", "In this repo always use uv and not pip."),
    ("The API returns dates in UTC.", "All timestamps from the API are UTC."),
    ("Commit messages follow Conventional Commits.", "We write commit messages in the Conventional Commits style."),
    ("Secrets live in Vault.", "Vault holds our secrets."),
    ("The default branch is main.", "main is the default branch."),
    ("Always squash before merging.", "Squash commits prior to merging."),
    ("Timeouts are 30 seconds.", "The timeout is 30s."),
    ("Requests time out after 2 minutes.", "The request timeout is 120 seconds."),
    ("Don't use print for logging; use structlog.", "Logging goes through structlog instead of print."),
    ("The user prefers short answers.", "Keep answers brief for this user."),
    ("Node 20 is required.", "The project needs Node 20."),
    ("Never force-push to shared branches.", "Force pushing to shared branches is not allowed."),
    ("Avoid default exports.", "Do not use default exports."),
    ("Integration tests need a running Redis.", "Redis has to be up for the integration tests."),
    ("If the build fails, clear the cache first.", "Clear the cache first when a build breaks."),
    ("The staging server is at 10.0.0.12.", "Staging runs on 10.0.0.12."),
    ("Retry at most three times.", "No more than 3 retries."),
    ("Every endpoint must be documented in docs/api.md.", "docs/api.md has to describe each endpoint."),
    ("Releases happen on Tuesdays.", "We release every Tuesday."),
    ("Pages load in under 200 ms.", "A page must load within 0.2 seconds."),
    ("The CLI is written in Rust.", "Rust is the language of the CLI."),
    ("Use tabs for indentation.", "Indent with tabs."),
    ("Images are stored in S3.", "S3 is where images are kept."),
    ("提交前必须跑 ruff。", "每次提交之前都要运行 ruff。"),
    ("不要修改 migrations 目录下的文件。", "migrations 目录里的文件禁止改动。"),
    ("接口超时是 30 秒。", "接口的超时时间为三十秒。"),
    ("回复尽量简短。", "回答要简洁。"),
    ("线上数据库是 PostgreSQL 16。", "生产环境使用 PostgreSQL 16。"),
    ("日志用 JSON 格式。", "日志格式为 JSON。"),
    ("每周二发版。", "发版时间是星期二。"),
    ("密码不能写进代码里。", "代码里禁止出现密码。"),
    ("最多重试 3 次。", "重试不超过三次。"),
    ("文档放在 docs/ 目录。", "docs/ 目录存放文档。"),
    ("如果测试失败就不要合并。", "测试没通过时禁止合并。"),
    ("部署用 Docker。", "我们通过 Docker 部署。"),
    ("Never commit secrets.", "不要提交密钥。"),
    ("The timeout is 30 seconds.", "超时时间是 30 秒。"),
    ("Use pnpm for installs.", "安装依赖用 pnpm。"),
    ("The user is vegetarian.", "The user doesn't eat meat."),
    ("CI must pass before anything is merged.", "Nothing gets merged until CI is green."),
    ("Please keep commit subject lines under 72 characters.", "Commit titles should not exceed 72 chars."),
    ("Database migrations are run by Alembic.", "Alembic handles our DB migrations."),
    ("We host on AWS in Frankfurt.", "Hosting is AWS, Frankfurt region."),
    ("Tests live next to the code they cover.", "Each test file sits beside the module it tests."),
    ("Do not use emojis in commit messages.", "Commit messages must be emoji-free."),
    ("The frontend dev server runs on port 3000.", "Port 3000 is used by the dev server of the frontend."),
    ("All money amounts are stored as integer cents.", "Store amounts of money in cents, as integers."),
    ("The user wants to be asked before files are deleted.", "Ask the user before deleting any file."),
    ("Error messages are shown in German.", "Users see errors in German."),
    ("Backups are kept for 30 days.", "We retain backups for 30 days."),
    ("The repo is a monorepo managed with pnpm workspaces.", "pnpm workspaces manage this monorepo."),
    ("Linting is done by ruff, configured in pyproject.toml.", "ruff lints the code; its config is in pyproject.toml."),
    ("The mobile app supports Android 10 and newer.", "Android 10+ is supported by the mobile app."),
    ("Log in through SSO only.", "SSO is the only way to log in."),
    ("Never edit generated files by hand.", "Generated files must not be edited manually."),
    ("Avoid force unwraps in Swift code.", "Swift code shouldn't contain force unwraps."),
    ("The nightly job starts at 02:00 UTC.", "At 2:00 UTC the nightly job begins."),
    ("Rate limit: 100 requests per minute.", "Clients may send at most 100 requests a minute."),
    ("The design doc lives in Notion.", "You'll find the design document in Notion."),
    ("Prefer composition over inheritance.", "Favour composition rather than inheritance."),
    ("Every PR needs two reviewers.", "Pull requests require 2 reviewers each."),
    ("We use feature branches and squash merges.", "Work happens on feature branches, merged by squashing."),
    ("The password policy requires 12 characters.", "Passwords need at least twelve characters."),
    ("Don't mock the database in tests.", "Tests should hit a real database, no mocks."),
    ("When a test is flaky, quarantine it.", "Flaky tests go into quarantine."),
    ("If migrations fail, restore the last backup.", "Restore the last backup when a migration fails."),
    ("The user's timezone is UTC+8.", "User is in the UTC+8 timezone."),
    ("We don't support Internet Explorer.", "Internet Explorer is unsupported."),
    ("用户不吃肉。", "用户是素食者。"),
    ("所有接口都要写文档。", "每个接口必须有文档。"),
    ("金额一律用分存储，类型为整数。", "金额以整数分保存。"),
    ("代码评审至少两个人通过。", "评审需要不少于 2 人同意。"),
    ("夜间任务凌晨两点跑。", "每晚 2 点执行夜间任务。"),
    ("前端开发服务器端口 3000。", "前端的开发服务监听 3000 端口。"),
    ("禁止在主分支上直接改代码。", "不得直接修改主分支代码。"),
    ("错误信息用中文显示。", "报错要显示中文。"),
    ("备份保留 30 天。", "备份文件留存三十天。"),
    ("自动生成的文件不要手工改。", "不要手动编辑自动生成的文件。"),
    ("我们用 GitLab 做代码托管。", "代码托管在 GitLab 上。"),
    ("单元测试不能访问网络。", "单测里禁止联网。"),
    ("用户在上海工作。", "用户的工作地点是上海。"),
    ("数据库迁移由 Alembic 管理。", "用 Alembic 做数据库迁移。"),
    ("缓存用 Redis。", "Redis 用作缓存。"),
    ("Backups are kept for 30 days.", "备份保留 30 天。"),
    ("CI runs on GitHub Actions.", "持续集成用的是 GitHub Actions。"),
    ("Do not push to main directly.", "禁止直接推送到 main。"),
    (
        "The user prefers that pull request descriptions contain a short test plan at the end.",
        "PR descriptions should end with a brief test plan (user preference).",
    ),
    (
        "Integration tests are slow (about 6 minutes); run only the unit tests while iterating.",
        "While iterating, run unit tests only: the integration suite takes around six minutes.",
    ),
    (
        "In this repo, database access goes through the repository classes in app/repos, never directly through SQLAlchemy sessions in views.",  # noqa: E501
        "Views must not use SQLAlchemy sessions directly; they go through the repository classes in app/repos.",
    ),
    (
        "The staging cluster is in eu-central-1 and is torn down every evening at 20:00.",
        "Staging runs in eu-central-1; each evening at 8 pm it is torn down.",
    ),
    ("Feature branches are named feat/<ticket>-<slug>.", "Name feature branches like feat/<ticket>-<slug>."),
    (
        "User dislikes long explanations; answer in at most three sentences.",
        "Keep answers to three sentences or fewer, the user doesn't like long explanations.",
    ),
    (
        "GraphQL schema changes need approval from the API guild.",
        "Any change of the GraphQL schema must be approved by the API guild.",
    ),
    (
        "The production database is read-only for developers.",
        "Developers only have read access to the production database.",
    ),
    (
        "When adding a dependency, update both pyproject.toml and requirements.txt.",
        "New dependencies go into pyproject.toml and requirements.txt.",
    ),
    (
        "Snapshots are updated with `pytest --snapshot-update`.",
        "Run `pytest --snapshot-update` to refresh the snapshots.",
    ),
    ("用户希望每次改动都附带单元测试。", "每个改动都要有单元测试，这是用户要求的。"),
    ("线上出问题先回滚再排查。", "线上故障时应先回滚，之后再排查原因。"),
    ("订单服务依赖 Redis 和 Kafka。", "订单服务需要 Kafka 与 Redis。"),
    ("接口版本通过 URL 前缀 /v2 区分。", "用 URL 前缀 /v2 来区分接口版本。"),
    ("用户习惯用 vim，不要建议用图形界面工具。", "不要推荐图形界面工具，用户用的是 vim。"),
    ("Session cookies expire after 14 days.", "Session cookies expire after 2 weeks and are renewed."),
    ("Never deploy on Fridays.", "周五不要部署。"),
    ("The user drinks tea.", "The user is a tea drinker."),
    ("The report generator writes PDF files to out/reports.", "PDF reports end up in out/reports."),
    (
        "Use conventional commit prefixes such as feat: and fix:.",
        "Commits start with feat: or fix: (conventional commits).",
    ),
    ("The API gateway adds a request id to each call.", "Each request gets an id from the API gateway."),
    ("Do not store tokens in localStorage.", "Tokens must never be kept in localStorage."),
    ("Python 3.12 is the minimum version.", "At least Python 3.12 is required."),
    ("Ask before running database migrations.", "Never run database migrations without asking."),
    ("Deploys are frozen in December.", "No deploys in December."),
    ("The team uses Linear for tickets.", "Tickets live in Linear."),
    ("Prefer async functions in handlers.", "Handlers should preferably be async."),
    ("The test database is reset before each run.", "Every run starts with a fresh test database."),
    ("Run make lint before committing.", "Before you commit, run make lint."),
    ("The user is in Berlin and works until 18:00.", "User works in Berlin till 6 pm."),
    ("Secrets come from environment variables, not from files.", "Secrets are read from env vars; files are not used."),
    ("The main entry point is cmd/server/main.go.", "cmd/server/main.go is where the program starts."),
    ("Keep the public API backwards compatible.", "Do not break the public API."),
    ("Use 4 spaces for indentation in Python.", "Python code is indented by four spaces."),
    ("Each service has its own Dockerfile.", "Every service comes with a Dockerfile of its own."),
    (
        "The customer portal is written in TypeScript with Next.js.",
        "Next.js and TypeScript are used for the customer portal.",
    ),
    ("Flaky tests must be fixed or deleted within a week.", "A flaky test is fixed or removed within seven days."),
    ("用户喜欢简洁的代码注释。", "代码注释要简洁，用户喜欢这样。"),
    ("部署之前先备份数据库。", "备份完数据库再部署。"),
    ("支付回调必须验签。", "支付回调不验签不行。"),
    ("不要在循环里查数据库。", "循环中禁止查询数据库。"),
    ("所有时间都存 UTC。", "时间统一以 UTC 存储。"),
    ("测试数据放在 tests/data。", "tests/data 目录里是测试数据。"),
    ("发布由小李负责。", "小李负责发布。"),
    ("用户每天早上九点开会。", "每天 9 点用户要开会。"),
    ("服务端口从环境变量 PORT 读取。", "PORT 环境变量决定服务端口。"),
    ("Tokens must never be kept in localStorage.", "localStorage 里不能存 token。"),
    ("The team uses Linear for tickets.", "团队用 Linear 管理工单。"),
)
DIFFERENT = (
    (
        "Integration tests are slow (about 6 minutes); run only the unit tests while iterating.",
        "Integration tests now take about 90 seconds; run them before every push.",
        "6 minutes -> 90 seconds",
    ),
    ("The staging cluster is in eu-central-1.", "The staging cluster moved to eu-west-3.", "eu-central-1 -> eu-west-3"),
    (
        "Feature branches are named feat/<ticket>-<slug>.",
        "Feature branches are named feature/<ticket>.",
        "feat/<ticket>-<slug> -> feature/<ticket>",
    ),
    ("Answer in at most three sentences.", "Answer in at most five sentences.", "three -> five"),
    (
        "GraphQL schema changes need approval from the API guild.",
        "GraphQL schema changes no longer need approval.",
        "no longer",
    ),
    (
        "The production database is read-only for developers.",
        "Developers can write to the production database.",
        "read-only -> write",
    ),
    ("The user's name is Jonas.", "The user's name is Jonathan.", "Jonas -> Jonathan"),
    ("Payments are processed by Stripe.", "Payments are processed by Adyen since March.", "Stripe -> Adyen"),
    ("Use black for formatting.", "Use ruff format for formatting.", "black -> ruff format"),
    ("The main maintainer is @kiran.", "The main maintainer is @lucia.", "@kiran -> @lucia"),
    ("Cron expression for the report: 0 6 * * 1", "Cron expression for the report: 0 7 * * 1", "6 -> 7"),
    ("The ORM is SQLAlchemy 1.4.", "The ORM is SQLAlchemy 2.0.", "1.4 -> 2.0"),
    ("The CDN caches assets for one year.", "The CDN caches assets for one month.", "one year -> one month"),
    (
        "Log files are rotated daily and kept for a week.",
        "Log files are rotated daily and kept for a month.",
        "week -> month",
    ),
    ("The user wants tests first (TDD).", "The user does not insist on TDD; tests may come later.", "+ not"),
    ("Never use raw SQL.", "Raw SQL is fine for reporting queries.", "- never"),
    ("Only the release manager may tag releases.", "Any maintainer may tag releases.", "only -> any"),
    ("The search index is rebuilt nightly.", "The search index is updated in real time.", "nightly -> real time"),
    ("Docker images are built for amd64 only.", "Docker images are built for amd64 and arm64.", "+ arm64"),
    ("Frontend state lives in Redux.", "Frontend state lives in Zustand.", "Redux -> Zustand"),
    ("线上出问题先回滚再排查。", "线上出问题先排查再回滚。", "回 <-> 排"),
    ("订单服务依赖 Redis。", "订单服务不再依赖 Redis。", "+ 不再依赖"),
    ("接口版本前缀是 /v2。", "接口版本前缀是 /v3。", "/v2 -> /v3"),
    ("用户习惯用 vim。", "用户习惯用 Emacs。", "vim -> Emacs"),
    ("报表每天早上六点生成。", "报表每天早上八点生成。", "六点 -> 八点"),
    ("测试覆盖率要求 80%。", "测试覆盖率不作要求。", "+ 不作要"),
    ("生产库开发人员只读。", "生产库开发人员可写。", "只读 -> 可写"),
    ("镜像仓库在 Harbor。", "镜像仓库迁到了 ECR。", "Harbor -> ECR"),
    ("The cache is warmed at startup.", "The cache is not warmed at startup, only on first use.", "+ not"),
    ("Releases are signed with the team GPG key.", "Releases are unsigned for now.", "+ unsigned"),
    (
        "The linter warning no-console can be ignored.",
        "The linter warning no-console must be fixed.",
        "ignored -> fixed",
    ),
    ("API keys rotate every 90 days.", "API 密钥每 30 天轮换一次。", "90 days -> 30 天"),
    ("The queue is RabbitMQ.", "消息队列用的是 Kafka。", "RabbitMQ -> Kafka"),
    ("Deploys are frozen in December.", "Deploys are frozen in January.", "December -> January"),
    ("The team uses Linear for tickets.", "The team uses Jira for tickets.", "Linear -> Jira"),
    ("Tickets live in Linear.", "We track tickets in GitHub Issues now.", "Linear -> GitHub Issues"),
    ("Python 3.12 is the minimum version.", "Python 3.13 is the minimum version.", "3.12 -> 3.13"),
    ("The user drinks tea.", "The user drinks coffee.", "tea -> coffee"),
    ("The test database is reset before each run.", "The test database is kept between runs.", "reset -> kept"),
    ("Ask before running database migrations.", "Run database migrations without asking.", "+ without"),
    ("Each service has its own Dockerfile.", "All services share one Dockerfile.", "its own -> share"),
    ("Prefer async functions in handlers.", "Prefer sync functions in handlers.", "async -> sync"),
    (
        "Keep the public API backwards compatible.",
        "The public API may break between minor versions.",
        "compatible -> break",
    ),
    ("The export is a CSV file.", "The export is a Parquet file.", "CSV -> Parquet"),
    ("The scheduler retries a failed job twice.", "The scheduler does not retry failed jobs.", "+ not"),
    ("不要在循环里查数据库。", "循环里可以查数据库。", "- 不要在循"),
    ("测试数据放在 tests/data。", "测试数据放在 fixtures/。", "tests/data -> fixtures"),
    ("发布由小李负责。", "发布由小王负责。", "李 -> 王"),
    ("支付回调必须验签。", "支付回调不用验签。", "+ 不用验签"),
    ("用户每天早上九点开会。", "用户每天早上十点开会。", "九点 -> 十点"),
    ("服务端口从环境变量 PORT 读取。", "服务端口写死为 8080。", "PORT -> 8080"),
    ("团队用 Linear 管理工单。", "团队改用 Jira 管理工单。", "Linear -> Jira"),
    ("Backups are kept for 30 days.", "Backups are kept for 90 days.", "30 days -> 90 days"),
    ("The nightly job starts at 02:00 UTC.", "The nightly job starts at 04:30 UTC.", "02:00 -> 04:30"),
    ("We host on AWS in Frankfurt.", "We host on AWS in Dublin.", "Frankfurt -> Dublin"),
    ("Error messages are shown in German.", "Error messages are shown in English.", "German -> English"),
    ("The user works at Siemens.", "The user left Siemens and joined Bosch.", "left"),
    ("The design doc lives in Notion.", "The design doc lives in Confluence now.", "Notion -> Confluence"),
    ("The frontend uses React.", "The frontend uses Vue.", "React -> Vue"),
    ("The mobile app supports Android 10 and newer.", "The mobile app supports Android 12 and newer.", "10 -> 12"),
    ("Every PR needs two reviewers.", "Every PR needs one reviewer.", "two -> one"),
    ("Linting is done by flake8.", "Linting is done by ruff.", "flake8 -> ruff"),
    ("Config lives in setup.cfg.", "Config lives in pyproject.toml.", "setup.cfg -> pyproject.toml"),
    ("API base path is /api/v1.", "API base path is /api/v2.", "/api/v1 -> /api/v2"),
    (
        "The worker image is python:3.11-slim.",
        "The worker image is python:3.12-slim.",
        "python:3.11-slim -> python:3.12-slim",
    ),
    ("Set LOG_LEVEL=debug when testing.", "Set LOG_LEVEL=info when testing.", "debug -> info"),
    ("Use `npm ci` to install.", "Use `pnpm install --frozen-lockfile` to install.", "npm -> pnpm"),
    ("The release branch is cut on Mondays.", "The release branch is cut on Wednesdays.", "Mondays -> Wednesdays"),
    ("Write docs in Markdown.", "Write docs in reStructuredText.", "markdown -> restructuredtext"),
    ("The DB password rotates monthly.", "The DB password rotates weekly.", "monthly -> weekly"),
    ("The service listens on localhost:8000.", "The service listens on 0.0.0.0:8000.", "localhost:8000 -> 0.0.0.0"),
    ("The limit is 10 MB per upload.", "The limit is 25 MB per upload.", "10 MB -> 25 MB"),
    ("The owner of billing is the Payments team.", "The owner of billing is the Core team.", "Payments -> Core"),
    ("The sprint lasts two weeks.", "The sprint lasts three weeks.", "two weeks -> three weeks"),
    ("Max line length is 88.", "Max line length is 100.", "88 -> 100"),
    (
        "The key is stored in ~/.ssh/deploy_key.",
        "The key is stored in /etc/deploy/key.",
        "~/.ssh/deploy_key -> /etc/deploy/key",
    ),
    ("Requests are signed with HMAC-SHA1.", "Requests are signed with HMAC-SHA256.", "HMAC-SHA1 -> HMAC-SHA256"),
    ("The meeting room is on the third floor.", "The meeting room is on the fifth floor.", "third -> fifth"),
    ("The user has a dog.", "The user has a cat.", "dog -> cat"),
    ("The budget was approved in March.", "The budget was approved in May.", "March -> May"),
    ("Staging uses a shared database.", "Staging uses a dedicated database.", "shared -> dedicated"),
    ("The user eats fish.", "The user doesn't eat fish.", "+ doesn't"),
    ("Caching is turned on.", "Caching is turned off.", "turned on -> off"),
    ("It is safe to rerun the migration.", "It is not safe to rerun the migration.", "+ not"),
    ("The API is idempotent.", "The API isn't idempotent.", "+ isn't"),
    ("Uploads are encrypted at rest.", "Uploads are stored unencrypted.", "+ unencrypted"),
    ("The flag can be changed at runtime.", "The flag cannot be changed at runtime.", "+ cannot"),
    ("Tests may use the network.", "Tests must never touch the network.", "+ never"),
    ("Global state is acceptable here.", "Global state is unacceptable here.", "+ unacceptable"),
    ("Anyone can read the dashboard.", "Only admins can read the dashboard.", "anyone -> only"),
    ("The build is reproducible.", "The build is not reproducible.", "+ not"),
    ("Deploys on Friday are fine.", "No deploys on Fridays.", "+ no"),
    ("The user speaks Spanish.", "The user speaks no Spanish.", "+ no"),
    ("Comments should explain why.", "Comments are unnecessary; skip them.", "+ skip"),
    ("Retries are enabled for payments.", "Payments are not retried.", "+ not"),
    ("The parser is case-sensitive.", "The parser is case-insensitive.", "+ insensitive"),
    ("Sort newest first.", "Sort oldest first.", "newest first -> oldest first"),
    ("The cache is shared between tenants.", "Each tenant has its own cache, nothing is shared.", "+ nothing"),
    ("备份保留 30 天。", "备份保留 90 天。", "30 天 -> 90 天"),
    ("前端用 React。", "前端用 Vue。", "React -> Vue"),
    ("用户在上海工作。", "用户在深圳工作。", "上海 -> 深圳"),
    ("发布时间是每周一。", "发布时间是每周三。", "周一 -> 周三"),
    ("上传上限 10 MB。", "上传上限 25 MB。", "10 MB -> 25 MB"),
    ("日志级别设为 debug。", "日志级别设为 info。", "debug -> info"),
    ("配置放在 setup.cfg。", "配置放在 pyproject.toml。", "setup.cfg -> pyproject.toml"),
    ("单元测试可以访问网络。", "单元测试不能访问网络。", "+ 不能访问"),
    ("文件上传后会加密。", "文件上传后不加密。", "+ 不加密"),
    ("缓存已开启。", "缓存已关闭。", "开启 -> 关闭"),
    ("所有人都能看报表。", "只有管理员能看报表。", "所有 -> 只有"),
    ("会议室在三楼。", "会议室在五楼。", "三 -> 五"),
    ("数据库密码每月轮换。", "数据库密码每周轮换。", "月 -> 周"),
    ("这个接口是幂等的。", "这个接口不是幂等的。", "+ 不是幂等"),
    ("用户养狗。", "用户养猫。", "狗 -> 猫"),
    ("计费由支付团队负责。", "计费由平台团队负责。", "支付 -> 平台"),
    ("接口签名用 SHA1。", "接口签名用 SHA256。", "SHA1 -> SHA256"),
    ("一个迭代两周。", "一个迭代三周。", "两周 -> 三周"),
    ("由小王审批发布。", "改由小李审批发布。", "改由"),
    ("默认时区是北京时间。", "默认时区是 UTC。", "北京时间 -> utc"),
    ("The user works in Shanghai.", "用户现在在深圳工作。", "现在"),
    ("Backups are kept for 30 days.", "备份保留 90 天。", "30 days -> 90 天"),
    ("Uploads are encrypted.", "上传的文件不加密。", "+ 不加密"),
    ("CI runs on GitLab.", "持续集成改用 GitHub Actions。", "GitLab -> GitHub"),
    ("The timeout is 30 seconds.", "The timeout is 60 seconds.", "30 seconds -> 60 seconds"),
    ("Requests time out after 30 seconds.", "Requests time out after 30 minutes.", "30 seconds -> 30 minutes"),
    ("freeze starts 15 Oct", "freeze starts 16 Oct", "15 -> 16"),
    ("port 8080", "port 8081", "8080 -> 8081"),
    ("Python 3.11 is required.", "Python 3.12 is required.", "3.11 -> 3.12"),
    ("Use npm for installs.", "Use pnpm for installs.", "npm -> pnpm"),
    ("The API is written in Flask.", "The API has been rewritten in FastAPI.", "Flask -> FastAPI"),
    ("Logs go to /var/log/app.log.", "Logs go to /srv/logs/app.log.", "/var/log/app.log -> /srv/logs/app.log"),
    ("The entry point is src/main.py.", "The entry point is src/app/cli.py.", "src/main.py -> src/app/cli.py"),
    ("Stand-up is at 9:30.", "Stand-up is at 10:00.", "9:30 -> 10:00"),
    ("Releases happen on Tuesdays.", "Releases happen on Thursdays.", "Tuesdays -> Thursdays"),
    ("The team lead is Anna Schmidt.", "The team lead is Marco Rossi.", "Anna Schmidt -> Marco Rossi"),
    ("The default theme is dark.", "The default theme is light.", "dark -> light"),
    ("Use tabs for indentation.", "Use spaces for indentation.", "tabs -> spaces"),
    ("Reports are written in the active voice.", "Reports are written in the passive voice.", "active -> passive"),
    ("We deploy with Jenkins.", "We no longer deploy with Jenkins.", "no longer"),
    ("The cache TTL is 5 minutes.", "Cache TTL was raised to 15 minutes.", "5 minutes -> 15 minutes"),
    ("Run `make test` before pushing.", "Run `make check` before pushing.", "test -> check"),
    ("The config key is max_retries.", "The config key is retry_limit.", "max_retries -> retry_limit"),
    ("run 2: 39.8 ms", "run 3: 41.2 ms", "2 -> 3"),
    ("The budget is $500 a month.", "The budget is $800 a month.", "$500 -> $800"),
    ("The bucket is in eu-west-1.", "The bucket is in us-east-2.", "eu-west-1 -> us-east-2"),
    ("Batch size is 1,000.", "Batch size is 10,000.", "1,000 -> 10,000"),
    ("Keep functions under 40 lines.", "Keep functions under 60 lines.", "40 -> 60"),
    ("Deploys need one approval.", "Deploys need two approvals.", "one -> two"),
    ("The job runs every night.", "The job runs every Sunday.", "night -> sunday"),
    ("The contract ends in June 2027.", "The contract ends in March 2028.", "2027 -> 2028"),
    ("web listens on 8080 and admin on 9090", "web listens on 9090 and admin on 8080", "8080 -> 9090"),
    ("Comments are allowed in JSON config.", "Comments are not allowed in JSON config.", "+ not"),
    ("Feature flags are enabled in production.", "Feature flags are disabled in production.", "enabled -> disabled"),
    ("The draft report goes to the client.", "The final report goes to the client.", "draft -> final"),
    ("Writes go to the primary database.", "Writes go to the secondary database.", "primary -> secondary"),
    ("Always rebase feature branches.", "Never rebase feature branches.", "always -> never"),
    ("Mocks are fine in unit tests.", "Mocks are forbidden in unit tests.", "fine -> forbidden"),
    ("Retry at least 3 times.", "Retry at most 3 times.", "at least -> at most"),
    ("The endpoint is public.", "The endpoint is private.", "public -> private"),
    ("The field is required.", "The field is optional.", "required -> optional"),
    ("Migrations are reversible.", "Migrations cannot be rolled back.", "+ cannot"),
    ("The user wants detailed explanations.", "The user wants brief explanations.", "detailed -> brief"),
    ("Types are checked before tests.", "Types are checked after tests.", "before -> after"),
    ("Everyone may push to main.", "Nobody may push to main.", "+ nobody"),
    ("The user drinks coffee.", "The user doesn't drink coffee.", "+ doesn't"),
    ("Calls are synchronous.", "Calls are asynchronous.", "synchronous -> asynchronous"),
    ("Use single quotes.", "Use double quotes.", "single -> double"),
    ("接口超时是 30 秒。", "接口超时是 60 秒。", "30 秒 -> 60 秒"),
    ("部署用 Jenkins。", "部署改用 GitHub Actions。", "Jenkins -> GitHub"),
    ("周会在周四。", "周会在周五。", "周四 -> 周五"),
    ("负责人是张伟。", "负责人是李娜。", "张伟 -> 李娜"),
    ("日志写到 /var/log/app。", "日志写到 /srv/log/app。", "/var/log/app -> /srv/log/app"),
    ("默认语言是中文。", "默认语言是英文。", "中文 -> 英文"),
    ("回复要详细。", "回复要简短。", "详细 -> 简短"),
    ("允许直接推送 main。", "不允许直接推送 main。", "+ 不允许"),
    ("接口需要鉴权。", "接口不需要鉴权。", "+ 不需要"),
    ("写操作走主库。", "写操作走从库。", "主库 -> 从库"),
    ("先测试再部署。", "先部署再测试。", "测 <-> 部"),
    ("报告用主动语态。", "报告用被动语态。", "主动 -> 被动"),
    ("提交前必须跑测试。", "提交前可以不跑测试。", "+ 不跑测"),
    ("缩进用空格。", "缩进用制表符。", "空格 -> 制表符"),
    ("每天备份一次。", "每周备份一次。", "天 -> 周"),
    ("我们还在用 Vue 2。", "我们已经不用 Vue 2 了。", "no longer Vue"),
    ("团队有五个人。", "团队有八个人。", "五 -> 八"),
    ("数据库是 MySQL。", "数据库是 PostgreSQL。", "MySQL -> PostgreSQL"),
    ("至少需要两人审批。", "至多需要两人审批。", "至少 -> 至多"),
    ("The timeout is 30 seconds.", "超时时间是 60 秒。", "30 seconds -> 60 秒"),
    ("Deploys need approval.", "部署不需要审批。", "+ 不需要"),
    ("The job runs on Mondays.", "任务在周五运行。", "Mondays -> 周五"),
)


def reasons(old: str, new: str) -> list[str]:
    return [hint.reason for hint in hints(old, new)]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_in_other_words_has_no_hint(old: str, new: str) -> None:
    assert hints(old, new) == ()
    assert hints(new, old) == ()


@pytest.mark.parametrize(("old", "new", "reason"), DIFFERENT)
def test_what_differs_is_the_reason(old: str, new: str, reason: str) -> None:
    assert reasons(old, new)[0] == reason


def test_D016_one_digit_apart_is_a_change() -> None:
    assert hints("freeze starts 15 Oct", "freeze starts 16 Oct") == (Hint("number", "15", "16", "15 -> 16"),)
    assert reasons("port 8080", "port 8081") == ["8080 -> 8081"]
    assert reasons("run 2: 39.8 ms", "run 3: 41.2 ms") == ["2 -> 3", "39.8 ms -> 41.2 ms"]


def test_D040_one_plain_negation_in_anothers_place_is_no_change() -> None:
    first = "Use uv, not pip in this repository"
    for second in ("Use uv, never pip in this repository", "Use uv and never pip in this repository"):
        assert hints(first, second) == hints(second, first) == ()
    assert reasons(first, "Use uv, never conda in this repository") == ["pip -> conda"]
    assert reasons("Workers skip bad rows of the feed.", "Workers refuse bad rows of the feed.") == ["skip -> refuse"]


def test_D017_numbered_and_opposite_names_are_told_apart() -> None:
    assert reasons("Deploy stage-2-db first.", "Deploy stage-3-db first.") == ["stage-2-db -> stage-3-db"]
    assert reasons("Send the draft contract.", "Send the final contract.") == ["draft -> final"]
    assert reasons("Writes go to the primary.", "Writes go to the secondary.") == ["primary -> secondary"]


def test_a_hint_is_spelled_as_the_texts_spell_it() -> None:
    assert reasons("夜间任务凌晨两点开始。", "夜间任务改到四点半启动。") == ["两点 -> 四点半", "改到"]
    assert reasons("Use twelve workers.", "Use 16 workers.") == ["twelve -> 16"]


def test_values_in_other_units_are_the_same() -> None:
    assert hints("The timeout is 90 seconds.", "The timeout is 1.5 minutes.") == ()
    assert reasons("The timeout is 90 seconds.", "The timeout is 90 minutes.") == ["90 seconds -> 90 minutes"]
    assert hints("Uploads may have 1 GB.", "Uploads may have 1024 MB.") == ()


def test_a_negation_of_an_opposite_is_the_same() -> None:
    assert hints("Telemetry stays enabled.", "Telemetry must not be disabled.") == ()
    assert reasons("Telemetry stays enabled.", "Telemetry must not be enabled.") == ["+ not"]


def test_what_is_only_added_is_no_hint() -> None:
    assert hints("Run pytest before pushing.", "Run pytest before pushing, and ruff as well.") == ()
    assert hints("The API is written in Go.", "The API is written in Go and stands behind nginx.") == ()


def test_what_is_ruled_out_is_no_longer_said() -> None:
    assert "no longer #triage" in reasons("Bugs go to #triage.", "Bugs go to #bugs instead of #triage.")
    assert hints("Use httpx instead of requests.", "Use httpx, not requests.") == ()


def test_order_and_preference_the_other_way_round() -> None:
    assert reasons("先测试再部署。", "先部署再测试。")
    assert reasons("Use httpx rather than requests.", "Use requests rather than httpx.") == ["httpx <-> request"]
    assert reasons("Lint before test.", "Test before lint.")


def test_an_order_from_now_on_is_no_change() -> None:
    assert hints("Use uv for installs.", "From now on use uv for installs.") == ()


def test_both_directions_find_something() -> None:
    for old, new, _reason in DIFFERENT:
        back = hints(new, old)
        assert back or any(hint.kind == "change_word" for hint in hints(old, new)), (old, new)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_are_read(one: str, other: str) -> None:
    assert hints(one, one) == ()
    assert len(hints(one, other)) <= cues.MOST_HINTS
    assert 0.0 <= cues.same_subject(one, other, None) <= 1.0


@pytest.mark.parametrize(
    "piece", ["1", "/a", "`a`", "不", "二", "A a ", "a.", " ", "if ", "a:", "-", "not ", "版本", "\\a"]
)
def test_a_long_text_of_one_piece_is_bounded(piece: str) -> None:
    said = piece * 8_000
    assert len(hints(said, f"5 {said}")) <= cues.MOST_HINTS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alpha ", "alpha beta "),
        ("alpha beta gamma ", "beta alpha "),
        ("部署前检查", "前部"),
        ("on off yes no ", "no yes on "),
        ("May ", "may 3 "),
    ],
)
def test_words_said_hundreds_of_times_are_compared_in_bounded_steps(one: str, other: str) -> None:
    said, again = (one * 16_384)[:16_384], (other * 16_384)[:16_384]
    steps = 0

    class Counted(SequenceMatcher[str]):
        def find_longest_match(
            self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
        ) -> Match:
            nonlocal steps
            steps += sum(len(self.b2j.get(word, ())) for word in self.a[alo:ahi])  # type: ignore[attr-defined, misc]
            return super().find_longest_match(alo, ahi, blo, bhi)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cue_reading, "SequenceMatcher", Counted)
        cue_reading.forget()
        assert len(hints(said, again)) <= cues.MOST_HINTS
        hints(again, said)
    assert steps <= 6 * cue_reading.MOST_STEPS  # before: millions, 2.4 s


@given(st.lists(st.sampled_from("abcdef"), max_size=30), st.lists(st.sampled_from("abcdefg"), max_size=30))
def test_words_are_aligned_as_difflib_aligns_them(one: list[str], other: list[str]) -> None:
    matched = SequenceMatcher(None, one, other, autojunk=False)
    found = cue_reading.aligned(one, other)
    assert found.share == pytest.approx(matched.ratio())
    changed = [tuple(at[1:]) for at in matched.get_opcodes() if at[0] != "equal"]
    assert [tuple(change) for change in found.changes] == changed


def test_a_side_of_a_contrary_is_found_wherever_its_expression_is() -> None:
    for pair in opposites():
        for side in pair:
            for said in re.findall(r"[a-z]{2,}|[\u3400-\u9fff]+", side.said.pattern):
                text = f"it is {said} and by {said}, no {said}"
                assert (side.search(text) is None) == (side.said.search(text) is None), (said, side.begins)


def test_the_same_subject_is_likelier_than_another() -> None:
    same = cues.same_subject("The timeout is 30 seconds.", "The timeout was raised to 60 seconds.", 0.6)
    other = cues.same_subject("The timeout is 30 seconds.", "The timeout is logged.", 0.6)
    assert same > other
    assert cues.same_subject("`make test` runs all tests", "`make lint` runs all checks", None) < cues.same_subject(
        "`make test` runs all tests", "`make test` runs the tests", None
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run the linter with ruff check here.", "Run the linter with ruff check --fix here."),  # a switch more
        ("`make test` runs all of the suites", "`make lint` runs all of the suites"),
        ("**Cache**: keep it small and local.", "**Queue**: keep it small and local."),
        ("The runner waits for the lock, at most.", "The runner waits for the lock, at most 30 seconds."),
        ("checkpoint-postgres: the Postgres build", "checkpoint-sqlite: the SQLite build"),
        ("x" * 5_000, "x" * 5_001),
    ],
)
def test_what_is_alike_and_no_near_copy(one: str, other: str) -> None:
    assert not is_near(one, other, 0.99)


def test_near_copies() -> None:
    assert is_near("Always use uv for Python dependencies, never pip.", "For Python dependencies use uv, never pip.")
    assert is_near("接口返回的时间一律用 UTC。", "所有接口的时间都用 UTC 返回。", 0.85)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Use uv, never pip, to add packages", "Use pip, never uv, to add packages", "uv <-> pip"),
        ("用 pnpm，不要用 npm 安装依赖", "用 npm，不要用 pnpm 安装依赖", "pnpm -> npm"),
        (
            "Logs go to stdout, metrics to Prometheus",
            "Logs go to Prometheus, metrics to stdout",
            "stdout <-> prometheus",
        ),
        ("Billing depends on shipping", "Shipping depends on billing", "billing <-> shipping"),
        ("API tests run with pytest -q", "Tests run with pytest -q", "- api"),
        ("All endpoints need a token", "All endpoints except /health need a token", "+ except"),
        ("所有接口都需要登录", "除 /health 外所有接口都需要登录", "+ 除 /health 外"),
        ("Pin pydantic below v2", "Pin pydantic at v2 or later", "below -> or later"),
        ("We no longer deploy with Helm", "We deploy with Helm", "- no longer"),
    ],
)
def test_who_does_what_and_of_what_it_is_said(one: str, other: str, reason: str) -> None:
    assert reason in [hint.reason for hint in hints(one, other)]
    assert not is_near(one, other, 0.99)
    assert not is_near(other, one, 0.99)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploys to production require two approvals", "Deploys to production require at most two approvals"),
        ("Always squash commits", "Only squash commits when there are more than five"),
        ("Frontend builds switched from webpack to vite", "Frontend builds use webpack"),
    ],
)
def test_a_bound_or_a_scope_that_one_has_alone_is_no_near_copy(one: str, other: str) -> None:
    assert not is_near(one, other, 0.99)


def test_the_same_words_turned_round_are_the_same() -> None:
    assert not hints("Use uv, never pip, in this repository", "In this repository use uv, never pip")
    assert not hints("The user likes short answers", "The user prefers brief replies")
    assert is_near("Use uv, never pip, in this repository", "Use uv, never pip, within this repository")


def test_what_markdown_leans_is_no_other_word() -> None:
    assert hints("Run _all_ the tests, _not only_ yours", "Run *all* the tests, *not only* yours") == ()
    assert hints("Call __init__ and _hidden first", "Call __init__ and hidden first") != ()
