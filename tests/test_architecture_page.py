"""docs/architecture.md, docs/glossary.md and docs/decisions: true of the repository.

Of the decisions only paths are checked: they also name code that was decided against.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from glassflow.core.process.naming import camel

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("architecture.md", "glossary.md")
DECISIONS = ROOT / "docs/decisions"
MAX_COLUMNS = 100
SOURCES = ("glassflow", "config")
PRODUCTS = {"Socket.IO"}  # dotted words that are no names in the code

PATH = re.compile(r"[\w./-]*(?:/|\.(?:py|md|cfg|toml))")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
# A word that can only be a name in code: with an underscore, or a capital inside.
CODE_WORD = re.compile(r"\b(?:[A-Za-z]+_\w+|[A-Z][a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*)\b")


def page(name):
    return (ROOT / "docs" / name).read_text("utf-8")


def prose(name):
    """Return a page without its picture."""
    return re.sub(r"^```\n.*?^```\n", "", page(name), flags=re.MULTILINE | re.DOTALL)


def paragraphs():
    """Return the paragraphs about packages, by the paths that they begin with or name.

    A path that stands in two paragraphs belongs to the first.
    """
    section = page("architecture.md").split("## The packages\n")[1].split("\n## ")[0]
    found = {}
    for text in section.strip().split("\n\n"):
        for path in re.findall(r"`([\w/]+/)`", text):
            found.setdefault(path, text)
    return found


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

    `records.store` is in `glassflow.services.records`, `Rule.effects` in a class.
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


def is_in_its_paragraph(file, paragraph):
    """Return whether a file is in a folder that its paragraph names."""
    scripts = "glassflow/pages/static/js"
    bases = [ROOT, ROOT / "glassflow", ROOT / scripts, ROOT / scripts / "pages"]
    folders = ["", *re.findall(r"`([\w/]+/)`", paragraph)]
    return any((base / one / file).exists() for base in bases for one in folders)


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


def test_no_line_is_longer_than_a_hundred_columns():
    lines = page("architecture.md").splitlines()
    assert [line for line in lines if len(line) > MAX_COLUMNS] == []


def test_every_package_has_its_paragraph():
    folders = [file.parent for file in (ROOT / "glassflow").glob("*/__init__.py")]
    folders += (ROOT / "glassflow/services").glob("*/")
    names = {
        f"{one.relative_to(ROOT / 'glassflow')}/"
        for one in folders
        if one.name != "__pycache__"
    }
    assert len(names) > 25
    assert names - paragraphs().keys() == set()


@pytest.mark.parametrize("name", PAGES)
def test_every_quoted_path_and_name_exists(name):
    unknown = [
        one
        for paragraph in prose(name).split("\n\n")
        for one in quoted(paragraph)[0]
        if not (is_known(one) or is_in_its_paragraph(one, paragraph))
    ]
    assert unknown == []
    quotes, links = quoted(prose(name))
    assert len(quotes) > 10
    files = [one.partition("#")[0] for one in links]
    assert [one for one in files if not (ROOT / "docs" / one).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_dotted_word_is_a_path_or_a_name(name):
    text = re.sub(r"\]\([^)]+\)|`[^`\n]+`", "", prose(name))
    words = set(DOTTED.findall(text)) - PRODUCTS
    unknown = {one for one in words if not PATH.fullmatch(one)}
    assert {one for one in unknown if not is_dotted_name(one)} == set()


#: Written before the page: a reader of the page guesses the file of each question.
QUESTIONS = {
    "Where is the body of a customer checked?": "schemas/customer.py",
    "Which fields does a customer have?": "models/customer.py",
    "Which routes of orders are more than create, read, update, delete?": "blueprints/orders.py",
    "Which scans does a pane accept in which status?": "domain/panes/table.py",
    "Where does a scan store its pane and its log?": "services/scanning/scan.py",
    "Where is the last scan taken back (undo)?": "services/scanning/undo.py",
    "Where are remakes of failed panes made?": "services/panes/remakes.py",
    "What happens to the panes at the cancellation of an order?": "services/orders/cancellation.py",
    "From which lots are withdrawals taken?": "services/stock/withdrawals.py",
    "What does a pane cost (pricing)?": "domain/pricing.py",
    "Where is a page of a list read?": "services/lists/page.py",
    "Who may call a view (auth)?": "web/auth.py",
    "Where are all permission keys?": "domain/permissions.py",
    "Where is a use case repeated after a write conflict?": "core/store/unit_of_work.py",
    "How many logins may fail in a minute (rate limits)?": "core/access/rate_limits.py",
    "Where do events get their numbers?": "jobs/publisher.py",
    "How does a client get the events it missed?": "realtime/resume.py",
    "What forbids the deletion of a station (rules)?": "services/deletion/rules.py",
    "Where is the board read?": "services/reports/board.py",
    "Where are imports of CSV and XLSX carried out (importing)?": "services/tables/importing.py",
    "Where is a label drawn as PDF?": "drawing/pdf.py",
    "What does the station page do with a scan (flow)?": "pages/static/js/pages/station/flow.js",
    "Which default does a setting have?": "config/default.py",
    "How is a worker's password reset by a command?": "cli/reset_password.py",
    "Where does the embedded store delete by TTL indexes?": "embedded/store_extension/expiry.py",
}


def words_of(text):
    """Return the words of a text in lower case, without the s of a plural."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower())}


@pytest.mark.parametrize(("question", "file"), QUESTIONS.items())
def test_the_page_leads_to_the_file_that_answers_a_question(question, file):
    """It names the file, or it describes the folder, and the question has the file's name."""
    assert exists(file)
    folder = max(
        (one for one in paragraphs() if file.startswith(one.rstrip("/") + "/")), key=len
    )
    name = Path(file).name
    guessed = words_of(Path(file).stem.replace("_", " ")) <= words_of(question)
    assert (
        guessed
        or name in paragraphs()[folder]
        or f"`{file}`" in prose("architecture.md")
    )


def records():
    return sorted(DECISIONS.glob("[0-9]*.md"))


def test_decisions_are_numbered_without_gaps_and_have_a_status():
    for number, record in enumerate(records(), 1):
        title, _, status, _, *body = record.read_text("utf-8").splitlines()
        assert record.name.startswith(f"{number:04}-")
        assert re.fullmatch(rf"# {number:04}\. .+", title), record.name
        assert re.match(r"Status: (accepted|superseded by \[)", status), record.name
        assert "".join(body).strip(), record.name


def test_the_index_of_decisions_lists_each_record_with_its_title():
    rows = re.findall(
        r"^- \[(\d{4})\]\((\S+)\) (.+)$", page("decisions/README.md"), re.MULTILINE
    )
    listed = [
        (f"# {number}. {title.removesuffix(' (superseded)')}", name)
        for number, name, title in rows
    ]
    found = [(one.read_text("utf-8").partition("\n")[0], one.name) for one in records()]
    assert listed == found
    superseded = [name for _, name, title in rows if title.endswith(" (superseded)")]
    assert superseded == [
        one.name for one in records() if "Status: superseded" in one.read_text("utf-8")
    ]


def test_a_superseded_decision_and_its_successor_name_each_other():
    pairs = {"supersedes": set(), "superseded by": set()}
    for record in records():
        status = record.read_text("utf-8").splitlines()[2]
        for word, other in re.findall(
            r"(supersedes|superseded by) \[\d+\]\((\S+)\)", status
        ):
            pair = (
                (record.name, other) if word == "supersedes" else (other, record.name)
            )
            pairs[word].add(pair)
    assert pairs["supersedes"] == pairs["superseded by"] != set()


def test_every_path_in_the_decisions_exists():
    quotes = {
        one for record in records() for one in quoted(record.read_text("utf-8"))[0]
    }
    paths = [one for one in quotes if PATH.fullmatch(one) and "…" not in one]
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
    """See docs/decisions/0030: what it does besides is the work of the libraries."""
    files = (ROOT / "glassflow/realtime/wire").glob("*.py")
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert 0 < sum(bool(line.strip()) for line in lines) < 400
