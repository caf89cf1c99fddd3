"""Holds the answers of services that tests start to docs/openapi.json.

Here is known only what a client sees; `described_answers` knows more of the application
of the test process, and a test compares the file with what that one sends.
"""

import json
import re
from functools import cache
from urllib.parse import parse_qs

from api_description import ApiDescription
from glassflow.host.data_files import REPOSITORY

_ARGUMENT = re.compile(r"\\{\w+\\}")  # in a path whose other characters are escaped


@cache
def _description():
    text = (REPOSITORY / "docs" / "openapi.json").read_text("utf-8")
    return ApiDescription(json.loads(text))


@cache
def _paths():
    """Return the described paths with their patterns, those with fewest arguments first."""
    paths = {path for path, _ in _description().operations}
    return [
        (path, re.compile(_ARGUMENT.sub("[^/]+", re.escape(path))))
        for path in sorted(paths, key=lambda path: (path.count("{"), path))
    ]


def _operation(method, path):
    named = (one for one, pattern in _paths() if pattern.fullmatch(path))
    return _description().operations.get((next(named, None), method.lower()))


def assert_as_described(method, target, status, body):
    """Raise `AssertionError` if an answer is not as the document describes it.

    `target` is the path of the request with its query, `body` the JSON of the answer.
    Routes that the document does not have are not compared.
    """
    path, _, query = target.partition("?")
    operation = _operation(method, path)
    if operation is None:
        return
    faults = list(_description().faults_of_status(operation, status))
    if not faults:
        selects = "fields" in parse_qs(query)
        faults = list(
            _description().faults_of_body(operation, status, body, selects=selects)
        )
    assert faults == [], f"{method} {target} {status}: {faults}"
