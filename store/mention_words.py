"""The words and shapes by which a path, a module or a command is known in a text. Pure data and small questions.

The lists are our own: endings and names that files of software projects have. What they lack still counts where a
repository really holds a file of that name.
"""

from __future__ import annotations

import re
from typing import Final

_ENDINGS_WORDS: Final = """
    py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro html htm css scss sass less
    go rs c h cc cpp cxx hpp hh m mm swift kt kts java scala groovy gradle clj cljs ex exs erl hs ml mli fs cs vb
    rb erb php pl pm lua r jl dart zig nim sol sh bash zsh fish ps1 bat cmd mk cmake
    json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf env properties xml xsd plist lock sum mod
    md mdx mdc markdown rst adoc txt csv tsv parquet sql prisma graphql gql proto thrift avsc tf tfvars hcl nix
    png jpg jpeg gif svg ico webp pdf mp3 mp4 wav woff woff2 ttf
    db sqlite sqlite3 log pid sock pem crt cer key pub service timer dockerfile template tmpl j2 jinja ejs hbs
    patch diff snap spec gz tgz zip tar whl jar war so dll dylib exe wasm bin dat example sample
    """
ENDINGS: Final = frozenset(_ENDINGS_WORDS.split())
"""Endings (without the dot, small letters) that make a bare ``name.ending`` a file."""

_FILE_NAMES_WORDS: Final = """
    Dockerfile Containerfile Makefile GNUmakefile Justfile justfile Procfile Gemfile Rakefile Vagrantfile Jenkinsfile
    Brewfile Pipfile Tiltfile Caddyfile BUILD.bazel WORKSPACE.bazel CODEOWNERS
    """
FILE_NAMES: Final = frozenset(_FILE_NAMES_WORDS.split())
"""Names without an ending that are nothing but files."""

_PRODUCTS_WORDS: Final = """
    next.js node.js vue.js nuxt.js react.js angular.js express.js nest.js three.js d3.js chart.js alpine.js ember.js
    backbone.js p5.js deck.gl socket.io asp.net vb.net ado.net require.js discord.js moment.js day.js ethers.js web3.js
    solid.js electron.js nuxt.ts whisper.cpp llama.cpp config.env
    """
PRODUCTS: Final = frozenset(_PRODUCTS_WORDS.split())
"""Products, in small letters, whose name looks like a file's; a path only where the repository has such a file."""

DOMAIN: Final = re.compile(
    r"(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|ai|dev|app|co|cn|edu|gov|me|sh|so|xyz|uk|de|jp|cloud|tech|gg|us|eu)",
    re.IGNORECASE,
)
"""A host's name, whole: a slash after one begins an address, not a folder."""

_COMMANDS_WORDS: Final = """
    npm npx pnpm yarn bun bunx deno node tsx ts-node python python3 pip pip3 pipx uv uvx poetry pdm hatch conda pytest
    tox nox ruff mypy black flake8 make just task cargo rustc go gradle mvn docker docker-compose podman kubectl helm
    terraform git gh bundle rake rails ruby php composer dotnet swift flutter dart mix sbt lein cmake ctest bazel nx
    turbo lerna vitest jest eslint prettier tsc vite playwright cypress uvicorn gunicorn flask django-admin alembic
    bash sh zsh source cat ls cp mv rm mkdir touch chmod curl wget ssh scp rsync tar grep sed awk find psql sqlite3
    """
COMMANDS: Final = frozenset(_COMMANDS_WORDS.split())
"""Programs: a code span that starts with one is a command."""

_PAIR_WORDS: Final = """
    and/or client/server server/client read/write write/read input/output request/response key/value push/pull
    start/stop true/false yes/no on/off open/close before/after get/set get/post dev/prod frontend/backend
    backend/frontend left/right old/new new/old user/admin src/dest source/target import/export encode/decode up/down
"""
PAIRS: Final = frozenset(_PAIR_WORDS.split())
"""Two words that a slash joins in any text; a path only in quotes, or with a slash behind."""

_COMMON_WORDS: Final = """
    __init__ __main__ index main mod lib app readme license changelog contributing setup conftest package tsconfig
    config settings utils util helpers types constants models model schema schemas views urls routes router admin tests
    test cli server client agent makefile dockerfile requirements pyproject agents claude gemini manifest env
    skill todo memory security code_of_conduct test_log plan prd docker-compose
    """
COMMON: Final = frozenset(_COMMON_WORDS.split())
"""File names (without their ending, in small letters) that a repository often has more than once."""

_PROGRAM_WORDS: Final = """
    py pyi js jsx mjs cjs ts tsx mts cts go rs c h cc cpp cxx hpp m swift kt kts java scala rb php pl lua ex exs cs fs
    sh bash zsh fish ps1 bat vue svelte dart zig jl r
"""
PROGRAMS: Final = frozenset(_PROGRAM_WORDS.split())
"""Endings of files that do something: they may write a path; nobody writes one of them while running."""
_DOCUMENT_WORDS: Final = "md mdx mdc markdown rst adoc html htm css png jpg jpeg gif svg ico webp pdf lock"
DOCUMENTS: Final = frozenset(_DOCUMENT_WORDS.split())
"""Endings of files that people write: nor are these."""

INSTALLS: Final = re.compile(
    r"\b(?:(?:uv\s+)?pip3?\s+install|pipx\s+install|uv\s+add|uv\s+tool\s+install|uvx|poetry\s+add|pdm\s+add"
    r"|npm\s+(?:install|i)|pnpm\s+(?:add|install)|yarn\s+add|bun\s+add|cargo\s+(?:add|install)|go\s+(?:get|install)"
    r"|gem\s+install|brew\s+install|apt(?:-get)?\s+install|composer\s+require|dotnet\s+add\s+package)"
    r"(?=[ \t])",
    re.IGNORECASE,
)
"""What is followed by the names of packages."""

PACKAGE: Final = re.compile(r"@?[A-Za-z][\w.-]*(?:/[\w.-]+)?(?:\[[\w,-]+\])?(?:(?:[=~<>!]=|@|[<>])[\w.*-]+)?")
"""The name of a package with its extras and version."""

FOLDER_AFTER: Final = re.compile(
    r"[ \t]+(?:sub-?)?(?:folder|director(?:y|ies)|dir|package|module|workspace)\b|\s*(?:这个|子)?(?:目录|文件夹|模块)",
    re.IGNORECASE,
)
"""What stands after a name that is a folder ("the ``core`` folder", core 目录)."""

FOLDER_BEFORE: Final = re.compile(
    r"(?:\b(?:folder|directory|dir|subdirectory)[ \t]+[`\"'“「]|(?:目录|文件夹)[ \t]*[`\"'“「]?)$", re.IGNORECASE
)
"""What stands before a name that is a folder ("in the folder core", 目录 core)."""

HOME: Final = re.compile(
    r"(?:~(?=[/\\])|\$\{?(?:HOME|XDG_\w+|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TEMP|PATH)\}?(?=[/\\])"
    r"|%(?:USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|HOMEPATH|TEMP|ProgramFiles)%)",
    re.IGNORECASE,
)
"""What begins a path in a person's home folder, or in another place outside every repository."""

SYSTEM: Final = re.compile(
    r"/(?:etc|usr|var|opt|home|tmp|bin|sbin|root|mnt|srv|dev|proc|sys|run|media|Users|private|Applications|Library|Volumes)/"
)
"""What begins a path of a machine; another one after a slash may as well be the address of a web service."""

ROOT_VARIABLE: Final = re.compile(
    r"\$\{?(?:PWD|REPO|REPO_ROOT|PROJECT|PROJECT_ROOT|PROJECT_DIR|ROOT|ROOT_DIR|GITHUB_WORKSPACE|CI_PROJECT_DIR"
    r"|CLAUDE_PROJECT_DIR|WORKSPACE|BASE_DIR|workspaceFolder|workspaceRoot)\}?/"
    r"|<rootDir>/|\$\{\{ ?github\.workspace ?\}\}/"
)
"""What stands for the top of the repository."""

CJK: Final = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""A character class (without brackets) of scripts written without spaces between words."""


def ending(name: str) -> str:
    """The ending of a file's name in small letters, without its dot; empty where there is none."""
    stem, dot, last = name.rpartition(".")
    return last.lower() if dot and stem.strip(".") else ""


def is_file_name(name: str) -> bool:
    """Whether a bare name can be nothing but a file: ``install.py``, ``Makefile``, ``.env``."""
    if name in FILE_NAMES:
        return True
    if name.lower() in PRODUCTS:
        return False
    if name.startswith("."):
        return re.fullmatch(r"\.[a-zA-Z][\w-]*(?:\.[\w-]+)*", name) is not None
    found = ending(name)
    if found not in ENDINGS:
        return False
    # "Something.js" in prose is a product; a file would be written small, or with more of a path.
    return not (found == "js" and name[0].isupper() and name.count(".") == 1)


def is_alternatives(path: str, *, quoted: bool) -> bool:
    """Whether slashes stand for "or" here: ``read/write/edit``, ``Telegram/Slack``, ``24/7``."""
    parts = path.split("/")
    if len(parts) == 1 or any(not re.fullmatch(r"[A-Za-z]+|\d+", part) for part in parts):
        return False
    return not quoted or any(part[0].isupper() for part in parts) or path.replace("/", "").isdigit()
