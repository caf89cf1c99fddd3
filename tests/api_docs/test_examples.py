"""The examples in the document: recorded from the service, of the described shapes."""

import json
import os
import re

import jsonschema_rs
import pytest
from example_story import HIDDEN, Recorder, dump, tell

from api_description import closed
from glassflow.api_docs import openapi
from glassflow.api_docs.examples import EXAMPLES, read_examples
from mailed_quotes import policy

RECORDS = "GLASSFLOW_RECORD_EXAMPLES"  # set by `make examples`


@pytest.fixture(scope="module")
def document(app):
    return json.loads(json.dumps(openapi.build(app)))


# First, so that a new recording passes the tests below in the same run.
@pytest.mark.slow
def test_story_of_the_examples_can_be_told(app, admin, workshop, set_policy, setting):
    set_policy(mail=policy("smtp://127.0.0.1:1"))
    setting(PUBLIC_URL="https://glass.example.com")
    recorder = Recorder(app, admin)
    tell(recorder, workshop)
    if os.environ.get(RECORDS):
        text = dump(recorder, read_examples())
        EXAMPLES.write_text(text, encoding="utf-8")
        read_examples.cache_clear()
    recorded = read_examples()
    assert recorded["bodies"].keys() == recorder.bodies.keys()
    assert recorded["answers"].keys() == recorder.answers.keys()


def shapes(document):
    """Yield the name, kind, shape and example of every body and answer that has one."""
    for methods in document["paths"].values():
        for operation in methods.values():
            contents = {
                "bodies": operation.get("requestBody", {}).get("content", {}),
                "answers": next(iter(operation["responses"].values()))["content"],
            }
            for kind, content in contents.items():
                described = content.get("application/json", {})
                if "example" in described:
                    name = operation["operationId"]
                    yield name, kind, described["schema"], described["example"]


def test_every_example_has_the_shape_of_its_operation(document):
    components = {"components": closed(document["components"])}
    found = list(shapes(document))
    for name, kind, shape, example in found:
        validator = jsonschema_rs.validator_for({**closed(shape), **components})
        errors = [error.message for error in validator.iter_errors(example)]
        assert errors == [], (name, kind)
    recorded = read_examples()
    assert len(found) == len(recorded["bodies"]) + len(recorded["answers"])


def test_every_body_has_an_example_except_those_of_changes_and_deletions(document):
    bodies = {
        one["operationId"]
        for methods in document["paths"].values()
        for one in methods.values()
        if "application/json" in one.get("requestBody", {}).get("content", {})
    }
    missing = bodies - read_examples()["bodies"].keys()
    assert {name for name in missing if not re.match("update_|delete_", name)} == set()


def test_examples_have_no_secrets():
    text = EXAMPLES.read_text("utf-8")
    assert not re.search(r"eyJ[\w-]{10}|signature=\w|base64,\S{30}", text)
    for name, value in re.findall(r'"(\w*[pP]assword|token)": "([^"]*)"', text):
        assert value == HIDDEN, name
