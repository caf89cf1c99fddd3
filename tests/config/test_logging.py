"""The logging configuration: the fields of a line, its format, and the levels."""

import json
import logging
import os
import re
import subprocess
import sys

import pytest
from flask import Flask, g

from config.logging import FORMAT, JsonFormatter, RequestIdFilter, TextFormatter
from glassflow.host.data_files import REPOSITORY

PROGRAM = """
import logging.config
from config.logging import logging_config
from glassflow.settings import load_settings
logging.config.dictConfig(logging_config(load_settings()))
for name in ("glassflow.core.store.outbox", "gunicorn.error", "somelibrary"):
    for level in ("debug", "info", "warning", "error"):
        getattr(logging.getLogger(name), level)(level + "\\n")
"""


def line(message):
    """Format a record as the service does."""
    record = logging.LogRecord(
        "glassflow.web.errors", logging.WARNING, __file__, 1, message, None, None
    )
    assert RequestIdFilter().filter(record), "it drops nothing"
    return TextFormatter(FORMAT).format(record)


def test_a_line_has_time_level_process_request_id_logger_and_message():
    with Flask("test").test_request_context():
        g.request_id = "abc-1"
        text = line("slow")
    time = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}"
    expected = (
        rf"{time} WARNING \[{os.getpid()}\] \[abc-1\] glassflow\.web\.errors: slow"
    )
    assert re.fullmatch(expected, text)


def test_what_clients_have_sent_begins_no_line_and_controls_no_terminal():
    text = line("GET /a\n2026-01-01 INFO forged\x1b[2J\u2028\x85 แผ่น failed")
    assert text.endswith(
        r": GET /a\n2026-01-01 INFO forged\x1b[2J\u2028\x85 แผ่น failed"
    )


def test_the_request_id_is_a_dash_outside_of_requests_and_without_one():
    assert "[-]" in line("outside")
    with Flask("test").test_request_context():
        assert "[-]" in line("a request that has none")


def test_a_json_line_has_the_same_and_the_fields_of_its_message():
    record = logging.LogRecord(
        *("glassflow.access", logging.INFO, __file__, 1, "GET %s\nแผ่น", ("/x",), None)
    )
    record.request_id, record.created = "abc-1", 1.25
    record.fields = {"status": 200, "roundTrips": 3}
    text = JsonFormatter().format(record)
    assert "\n" not in text
    assert json.loads(text) == {
        "time": "1970-01-01T00:00:01.250Z",
        "level": "INFO",
        "process": os.getpid(),
        "requestId": "abc-1",
        "logger": "glassflow.access",
        "message": "GET /x\nแผ่น",
        "status": 200,
        "roundTrips": 3,
    }
    try:
        raise ValueError("why")
    except ValueError:
        record.exc_info = sys.exc_info()
    assert "ValueError: why" in json.loads(JsonFormatter().format(record))["traceback"]


@pytest.mark.parametrize(
    ("level", "prepare", "service", "gunicorn"),
    [
        ("DEBUG", "0", 4, 4),
        ("INFO", "0", 3, 3),
        ("ERROR", "0", 1, 1),
        # with PREPARE a person gets a greeting in place of gunicorn's own lines
        ("DEBUG", "1", 4, 2),
    ],
)
def test_log_level_applies_to_the_service_and_to_gunicorn(
    tmp_path, level, prepare, service, gunicorn
):
    given = {"LOG_LEVEL": level, "PREPARE": prepare, "DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=REPOSITORY,
        env=os.environ | given,
        capture_output=True,
        text=True,
    )
    counts = [
        len(re.findall(rf"\[-\] {name}: ", done.stderr))
        for name in (
            r"glassflow\.core\.store\.outbox",
            r"gunicorn\.error",
            "somelibrary",
        )
    ]
    assert counts == [service, gunicorn, 2], done.stderr
    assert all(re.match(r"\d{4}-", one) for one in done.stderr.splitlines())
