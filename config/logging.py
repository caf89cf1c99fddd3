"""One logging configuration for all processes: gunicorn, its parent, `flask` commands.

A line has time, level, process id, request id ("-" outside of requests), logger and
message; with LOG_FORMAT=json it is an object with these and the fields of the message.
LOG_LEVEL is the level of glassflow's and of gunicorn's loggers; libraries log from WARNING
on.
"""

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

FORMAT = (
    "%(asctime)s %(levelname)s [%(process)d] [%(request_id)s] %(name)s: %(message)s"
)

_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
_ESCAPED = {code: repr(chr(code))[1:-1] for code in _CONTROLS}


class RequestIdFilter(logging.Filter):
    """Adds the id of the current request to each record, as `request_id`."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Set `record.request_id`; never drops a record.

        Flask is looked up and not imported: gunicorn's master logs too, and what it
        imports is not patched by gevent, which patches in the workers only.
        """
        flask: Any = sys.modules.get("flask")  # a module may have any attribute
        in_request = getattr(flask, "has_request_context", lambda: False)()
        record.request_id = flask.g.get("request_id", "-") if in_request else "-"
        return True


class TextFormatter(logging.Formatter):
    """Formats a record as one line of text, with a traceback on lines of its own.

    What clients have sent, such as a path, begins no line and controls no terminal.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line, its control characters escaped as in Python."""
        return super().formatMessage(record).translate(_ESCAPED)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, with the mapping `fields` of its `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname,
            "process": record.process,
            "requestId": getattr(record, "request_id", "-"),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def logging_config(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the argument of `logging.config.dictConfig` for these settings."""
    level = settings["LOG_LEVEL"]
    # with PREPARE a person reads the terminal, and gets the parent's greeting instead
    gunicorn_level = "WARNING" if settings["PREPARE"] else level
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": RequestIdFilter}},
        "formatters": {
            "text": {"()": TextFormatter, "fmt": FORMAT},
            "json": {"()": JsonFormatter},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": settings["LOG_FORMAT"],
                "filters": ["request_id"],
            }
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "glassflow": {"level": level},
            # whatever LOG_LEVEL says
            "glassflow.access": {
                "level": "INFO" if settings["ACCESS_LOG"] else "WARNING"
            },
            "gunicorn.error": {
                "level": gunicorn_level,
                "handlers": [],  # in place of gunicorn's own
                "propagate": True,
            },
        },
    }
