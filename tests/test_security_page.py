"""docs/security.md: every risk names tests that exist, and the headers are the real ones."""

import ast
import re
from functools import cache

from glassflow.host.common_headers import COMMON_HEADERS
from glassflow.host.data_files import REPOSITORY

PAGE = (REPOSITORY / "docs" / "security.md").read_text("utf-8")
RISK = re.compile(r"^\| (API\d+) .*? \| (.*?) \| (.*?) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@cache
def names_in(path):
    tree = ast.parse((REPOSITORY / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_risk_has_tests_and_every_named_test_exists():
    risks = {number: cell for number, _, cell in RISK.findall(PAGE)}
    assert list(risks) == [f"API{number}" for number in range(1, 11)]
    for number, cell in risks.items():
        named = TEST.findall(cell)
        assert len(named) == cell.count("`") / 2 >= 3, number
        for path, name in named:
            assert name in names_in(path), f"{number}: {path}::{name}"


def test_headers_on_the_page_are_those_of_every_answer():
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `([^`]+)` \|", PAGE, re.MULTILINE))
    assert rows == COMMON_HEADERS
