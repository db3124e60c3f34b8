"""Read in the source: what others wrote reaches a widget only as ``Shown``, and colours come only from the theme."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

CONSOLE = Path(__file__).parents[2] / "console"
SOURCES = sorted(path for path in CONSOLE.rglob("*.py"))
MAKERS = {"visible.py", "wrap.py", "diff_blocks.py", "diff_layout.py", "widgets/shown.py", "widgets/diff_view.py"}
"""Where ``Shown`` is made, or cut between clusters."""


def giving(kind: str) -> set[str]:
    """The functions that say they give this: mypy holds them to it."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES)
    defined = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {one.name for one in defined if one.returns is not None and ast.unparse(one.returns).startswith(kind)}


TYPED = giving("Shown")
CONTENT_MAKERS = giving("Content")


def name_of(path: Path) -> str:
    return path.relative_to(CONSOLE).as_posix()


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            target = node.func
            yield (target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")), node


@pytest.fixture(params=SOURCES, ids=name_of)
def module(request: pytest.FixtureRequest) -> tuple[str, ast.Module]:
    path: Path = request.param
    return name_of(path), ast.parse(path.read_text(encoding="utf-8"))


def test_no_markup_is_read_and_no_line_is_built_beside_the_door(module: tuple[str, ast.Module]) -> None:
    name, tree = module
    if name == "widgets/shown.py":
        return
    beside = {"from_markup", "Segment", "Content", "notify", "from_text", "render_markup", "Markdown", "RichLog"}
    assert not [(called, node.lineno) for called, node in calls(tree) if called in beside]


def test_widgets_take_literals_or_what_the_door_made(module: tuple[str, ast.Module]) -> None:
    name, tree = module
    takers = {"Static", "Label", "Button", "Link", "Digits"}
    wrong = [
        (called, node.lineno)
        for called, node in calls(tree)
        if called in takers and node.args and not _from_door(node.args[0]) and not _plain_literal(node)
    ]
    wrong += [
        (called, node.lineno)
        for called, node in calls(tree)
        if called == "update" and len(node.args) == 1 and not _from_door(node.args[0]) and _on_a_widget(node)
    ]
    assert not wrong, name


def _plain_literal(node: ast.Call) -> bool:
    markup = next((word.value for word in node.keywords if word.arg == "markup"), None)
    return isinstance(node.args[0], ast.Constant) and isinstance(markup, ast.Constant) and markup.value is False


def _from_door(node: ast.expr) -> bool:
    """``shown.content(...)`` and its like, a function that says it gives ``Content``, or a name: mypy checks those."""
    if isinstance(node, ast.Call):
        called = node.func
        if not isinstance(called, ast.Attribute):
            return False
        return getattr(called.value, "id", "") == "shown" or called.attr in CONTENT_MAKERS
    return isinstance(node, ast.Name)


def _on_a_widget(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and "query_one" in ast.unparse(node.func.value)


def test_nothing_from_outside_is_called_shown_without_being_made_visible(module: tuple[str, ast.Module]) -> None:
    """``Shown(...)`` is a claim, not a conversion: elsewhere it may be made only of our own words and numbers."""
    name, tree = module
    if name in MAKERS:
        return
    defined = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    functions = {node.name: node for node in defined}
    wrong = [
        (node.lineno, ast.unparse(node))
        for function in defined
        for called, node in calls(function)
        if called == "Shown" and not Source(function, functions).ours(node.args[0])
    ]
    assert not wrong, name


class Source:
    """Says whether only literals, numbers and visible text are in an expression, as far as its function tells."""

    def __init__(self, tree: ast.FunctionDef, functions: dict[str, ast.FunctionDef]) -> None:
        self.values: dict[str, list[ast.expr]] = {}
        self.functions = functions
        self.asking: set[str] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.values.setdefault(name, []).append(value)
                case ast.For(target=ast.Name(id=name), iter=value):
                    self.values.setdefault(name, []).append(value)
                case ast.comprehension(target=ast.Name(id=name), iter=value):
                    self.values.setdefault(name, []).append(value)
                case ast.NamedExpr(target=ast.Name(id=name), value=value):
                    self.values.setdefault(name, []).append(value)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value]):
                    self.values.setdefault(name, []).append(value)

    def ours(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant():
                return True
            case ast.JoinedStr(values=values):
                return all(map(self.ours, values))
            case ast.FormattedValue(value=value, format_spec=spec):
                return self.ours(value) or (spec is not None and ast.unparse(spec).strip("f'\"").endswith(","))
            case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
                return self.ours(left) and self.ours(right)
            case ast.Subscript(value=value):
                return self.ours(value)
            case ast.List(elts=several) | ast.Tuple(elts=several):
                return all(map(self.ours, several))
            case ast.GeneratorExp(elt=each):
                return self.ours(each)
            case ast.Call(func=ast.Attribute(value=between, attr="join"), args=[several]):
                return self.ours(between) and self.ours(several)
            case ast.Call(func=called):
                return self._made_by(called)
            case ast.Name(id=name):
                return name.isupper() or self._all_ours(name, self.values.get(name, []))
            case ast.Attribute(attr=attr):
                return attr.isupper() or attr in {"title", "label", "text"}
            case _:
                return False

    def _made_by(self, called: ast.expr) -> bool:
        match called:
            case ast.Name(id="visible" | "Shown" | "len" | "str") | ast.Attribute(value=ast.Name(id="words")):
                return True
            case ast.Attribute(value=value, attr="split" | "strip" | "rstrip" | "lstrip"):
                return self.ours(value)
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in TYPED:
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in self.functions:
                if name in self.asking:
                    return True
                inner = Source(self.functions[name], self.functions)
                inner.asking = {*self.asking, name}
                returns = [node.value for node in ast.walk(self.functions[name]) if isinstance(node, ast.Return)]
                return bool(returns) and all(inner.ours(value) for value in returns if value is not None)
            case _:
                return False

    def _all_ours(self, name: str, values: list[ast.expr]) -> bool:
        if name in self.asking:
            return True
        self.asking.add(name)
        try:
            return bool(values) and all(map(self.ours, values))
        finally:
            self.asking.discard(name)


def test_no_colour_is_named_outside_the_theme() -> None:
    names = "default|black|white|red|green|blue|yellow|cyan|magenta"
    literal = re.compile(rf"#(?:[0-9a-fA-F]{{6}}|[0-9a-fA-F]{{3}})\b|\b(?:rgb|hsl)\(|\bansi_(?:bright_)?(?:{names})\b")
    wrong = [
        (name_of(path), number, line.strip())
        for path in (*SOURCES, *CONSOLE.rglob("*.tcss"))
        if name_of(path) != "theme.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if literal.search(line)
    ]
    assert not wrong


UNTRUSTED = {
    "content", "key", "aliases", "paths", "scope", "kind", "op", "source", "source_agent", "session_id", "source_ref",
    "evidence", "branch", "commit", "status", "action", "actor", "surface", "reason", "cause", "detail", "code",
    "label", "previous_value", "title", "what", "kept", "todo", "valid_until",
}  # fmt: skip
"""Attributes of facts and errors that hold what somebody wrote, or what a hand on the file could have put there."""
OURS = {"action"}
"""Names that stand for something of our own making: an action of the registry."""
PRINTERS = sorted(
    [
        *(CONSOLE / "commands").glob("*.py"),
        *(
            CONSOLE / f"{name}.py"
            for name in ("tables", "output", "ending", "doctoring", "proposing", "quick", "faults")
        ),
    ]
)
UNSAFE_CALLS = {
    "print",
    "str",
    "repr",
    "join",
    "strip",
    "rstrip",
    "lstrip",
    "removeprefix",
    "append",
    "extend",
    "write",
}
"""Calls that hand on what they are given as it is; ``get`` does so with its default."""


def bare(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Untrusted attributes that stand in a text, a row or a print as they are, with no call about them."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in UNTRUSTED or ast.unparse(node.value) in OURS:
            continue
        if _reaches_paper(node, above):
            yield node.lineno, ast.unparse(node)


def _reaches_paper(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    in_text = False
    while (parent := above.get(node)) is not None and not isinstance(parent, ast.FunctionDef):
        match parent:
            case ast.Attribute() | ast.Compare() | ast.Dict() | ast.BoolOp() | ast.comprehension() | ast.keyword():
                return False
            case ast.IfExp(test=test) if test is node:
                return False
            case ast.Subscript(slice=index) if index is node:
                return False
            case ast.Call(func=called):
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                default = name == "get" and node in parent.args[1:]
                if name not in UNSAFE_CALLS and not default:
                    return False
                in_text = in_text or name == "print"
            case ast.JoinedStr() | ast.List():
                in_text = True
            case ast.Return() | ast.Yield():
                return in_text
            case ast.stmt():
                return in_text and not isinstance(parent, ast.Assign)
        node = parent
    return False


@pytest.mark.parametrize("path", PRINTERS, ids=name_of)
def test_no_command_prints_what_somebody_wrote_as_it_is(path: Path) -> None:
    assert list(bare(ast.parse(path.read_text(encoding="utf-8")))) == []


def test_that_test_sees_what_it_is_for() -> None:
    wrong = [
        'def f(one): print(f"version {one.action}")',
        "def f(one): return [one.actor, line(one.scope)]",
        'def f(one): yield f"{one.status} since"',
        'def f(one): return [KIND.get(one.kind, (one.kind, ""))[0]]',
        'def f(one): print(", ".join([one.branch]))',
    ]
    right = [
        'def f(one): print(visible(f"version {one.action}"))',
        'def f(one): return ["" if one.status == "active" else line(one.status)]',
        'def f(one): raise NotFound(f"{one.key} is gone")',
        'def f(one): return {"scope": one.scope}',
        'def f(one): return [SIGN.get(one.op, "?")]',
    ]
    assert all(list(bare(ast.parse(one))) for one in wrong)
    assert not any(list(bare(ast.parse(one))) for one in right)
