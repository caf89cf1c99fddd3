"""gunicorn's logger, without the work for an access log that nobody writes."""

from typing import Any

from gunicorn import glogging


class Logger(glogging.Logger):  # type: ignore[misc]
    """Formats a line for the access log only where `accesslog` names one.

    The stock logger does so for each request wherever logging is configured by a
    dictionary, and then drops the line.
    """

    def access(self, *args: Any) -> None:
        """Log a request, if there is an access log."""
        if self.cfg.accesslog:
            super().access(*args)
