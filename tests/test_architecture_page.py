"""docs/architecture.md and docs/glossary.md: short, and true of the repository.

Of docs/decisions.md only the paths are checked: it also names what was decided against.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from glassflow.core.process.naming import camel

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"architecture.md": 160, "glossary.md": 40}  # lines at most
SOURCES = ("glassflow", "config")
PRODUCTS = {"Socket.IO"}  # dotted words that are no names in the code

PATH = re.compile(r"[\w./-]*(?:/|\.(?:py|md|cfg|toml))")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
# A word that can only be a name in code: with an underscore, or a capital inside.
CODE_WORD = re.compile(r"\b(?:[A-Za-z]+_\w+|[A-Z][a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*)\b")


def page(name):
    return (ROOT / "docs" / name).read_text("utf-8")


def tree(text):
    """Return the lines of the code block, and the page without the block."""
    before, block, after = text.split("```\n")
    return block.splitlines(), before + after


def tree_paths(lines):
    """Yield every path that the tree names; an indented line is below the last other one."""
    parent = ROOT
    for line in lines:
        name, _, description = line.strip().partition("  ")
        if line.startswith(" "):
            path = parent / name
        else:
            path = parent = ROOT / name
        yield path
        folder = path if path.suffix == "" else path.parent
        for word in re.findall(r"\w+\.py\b", description):
            yield folder / word


def quoted(text):
    """Return the texts in backticks, and the targets of links."""
    return re.findall(r"`([^`\n]+)`", text), re.findall(r"\]\(([^)]+)\)", text)


@cache
def modules():
    """Return the syntax tree of every module by its dotted name."""
    files = [file for one in SOURCES for file in (ROOT / one).rglob("*.py")]
    parts = {file: file.relative_to(ROOT).with_suffix("").parts for file in files}
    return {
        ".".join(name[:-1] if name[-1] == "__init__" else name): ast.parse(
            file.read_text("utf-8")
        )
        for file, name in parts.items()
    }


@cache
def defined_names():
    """Return every name that the code defines, and every text in it."""
    names, texts = set(), set()
    for node in (node for module in modules().values() for node in ast.walk(module)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return names, texts


@cache
def stored_names():
    return {camel(name) for name in defined_names()[0]}


def members(node: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.AST]]:
    """Yield what a module or class defines or imports, by name."""
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            yield child.name, child
        elif isinstance(child, ast.ImportFrom | ast.Import):
            yield from ((one.asname or one.name, child) for one in child.names)
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            yield from ((one.id, child) for one in targets if isinstance(one, ast.Name))


def has_member(node, name):
    """Return whether a module or class has a member, which may be dotted itself."""
    if not name:
        return True
    head, _, rest = name.partition(".")
    found = dict(members(node)).get(head)
    if isinstance(found, ast.ClassDef):
        return has_member(found, rest)
    return found is not None and not rest


def is_dotted_name(text):
    """Return whether a text ends the name of a module, or is a member of one.

    `records.save_all` is in `glassflow.services.records`, `Rule.effects` in a class.
    """
    parts = text.split(".")
    for n in range(len(parts), 0, -1):
        head, rest = ".".join(parts[:n]), ".".join(parts[n:])
        for name, module in modules().items():
            ends = name == head or name.endswith(f".{head}")
            if ends and has_member(module, rest):
                return True
    return any(has_member(module, text) for module in modules().values())


def exists(path):
    return any((base / path).exists() for base in (ROOT, ROOT / "glassflow"))


def is_command(text):
    program, _, command = text.partition(" ")
    if program == "make":
        makefile = (ROOT / "Makefile").read_text("utf-8")
        return bool(re.search(rf"^{re.escape(command)}:", makefile, re.MULTILINE))
    return program == "flask" and f'@click.command("{command}")' in "".join(
        file.read_text("utf-8") for file in (ROOT / "glassflow/cli").glob("*.py")
    )


def is_known(text):
    """Return whether a text in backticks is a path, a command or a name in the code."""
    if PATH.fullmatch(text):
        return exists(text)
    if " " in text:
        return is_command(text)
    if DOTTED.fullmatch(text):
        return is_dotted_name(text)
    names, texts = defined_names()
    known = text in names or text in texts or text in stored_names()
    return known or exists(text) or exists(f"{text}.py")


@pytest.mark.parametrize(("name", "most"), PAGES.items())
def test_the_page_is_short(name, most):
    assert len(page(name).splitlines()) <= most


def test_every_path_in_the_tree_exists():
    lines, _ = tree(page("architecture.md"))
    paths = list(tree_paths(lines))
    assert len(paths) > 100
    missing = [str(one.relative_to(ROOT)) for one in paths if not one.exists()]
    assert missing == []


def test_every_package_is_in_the_tree():
    lines, _ = tree(page("architecture.md"))
    listed = set(tree_paths(lines))
    folders = {file.parent for file in (ROOT / "glassflow").rglob("__init__.py")}
    missing = folders - listed - {ROOT / "glassflow", ROOT / "glassflow/services"}
    assert sorted(str(one.relative_to(ROOT)) for one in missing) == []


def test_every_name_in_the_tree_exists():
    lines, _ = tree(page("architecture.md"))
    words = {
        word
        for line in lines
        for word in CODE_WORD.findall(re.sub(r"[\w./]+(?:\.py|/)", "", line))
    }
    assert words
    assert {word for word in words if not is_known(word)} == set()


@pytest.mark.parametrize("name", PAGES)
def test_every_quoted_path_and_name_exists(name):
    text = page(name)
    if "```" in text:
        text = tree(text)[1]
    quotes, links = quoted(text)
    assert len(quotes) > 10
    assert {one for one in quotes if not is_known(one)} == set()
    assert [one for one in links if not (ROOT / "docs" / one).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_dotted_word_is_a_path_or_a_name(name):
    text = re.sub(r"\]\([^)]+\)|`[^`\n]+`", "", page(name))
    words = set(DOTTED.findall(text)) - PRODUCTS
    unknown = {one for one in words if not PATH.fullmatch(one)}
    assert {one for one in unknown if not is_dotted_name(one)} == set()


def test_every_path_in_the_decisions_exists():
    paths = [one for one in quoted(page("decisions.md"))[0] if PATH.fullmatch(one)]
    assert len(paths) > 15
    assert [path for path in paths if not exists(path)] == []


@pytest.mark.parametrize(
    "text",
    [
        "services/scanning/none.py",
        "nowhere/",
        "records.save_none",
        "outbox.recordings",
        "NoSuchClass",
        "pane:upgraded",
        "make coffee",
        "flask nothing",
    ],
)
def test_what_does_not_exist_is_found(text):
    assert not is_known(text)


def test_the_page_explains_a_scan_with_ten_files_and_a_delete_with_five():
    text = page("architecture.md")
    for heading, most in (("How a scan travels", 10), ("What a delete does", 5)):
        section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
        steps = re.findall(r"^\d+\. `([\w/]+\.py)`", section, re.MULTILINE)
        assert 0 < len(set(steps)) <= most, heading
        assert all(exists(step) for step in steps)


def test_the_page_names_every_service_that_a_scan_calls_directly():
    section = (
        page("architecture.md").split("## How a scan travels\n")[1].split("\n## ")[0]
    )
    flow = (ROOT / "glassflow/services/scanning/scan.py").read_text("utf-8")
    called = set()
    for package, names in re.findall(
        r"^from glassflow\.services\.((?:scanning|panes)[\w.]*) import (.+)", flow, re.M
    ):
        module = package.partition(".")[2]
        called |= {module} if module else set(names.split(", "))
    assert len(called) > 5
    assert sorted(one for one in called if f"{one}.py" not in section) == []


def test_the_server_s_end_of_a_websocket_stays_small():
    """See docs/decisions.md: what it does besides is the work of the libraries."""
    files = (ROOT / "glassflow/realtime/wire").glob("*.py")
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert 0 < sum(bool(line.strip()) for line in lines) < 400
