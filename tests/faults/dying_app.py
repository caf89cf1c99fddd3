"""The application in a process that dies right after a commit, or right before it.

Only the commit of a request with an `Idempotency-Key` counts: the process commits in the
background as well, events, the history and what was delivered to webhooks.
`GLASSFLOW_TEST_DEATH` names a file whose content, "before" or "after", says when; the file
is removed by the process that dies.
"""

import os
import signal
from pathlib import Path

from flask import has_request_context, request

from glassflow.core.store import unit_of_work
from glassflow.web.idempotency import HEADER
from wsgi import app

__all__ = ["app"]

ORDER = Path(os.environ["GLASSFLOW_TEST_DEATH"])
commit = unit_of_work._commit


def commit_or_die(session, deadline):
    counts = has_request_context() and HEADER in request.headers
    moment = ORDER.read_text() if counts and ORDER.exists() else ""
    if moment == "after":
        commit(session, deadline)
    if moment:
        ORDER.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    commit(session, deadline)


unit_of_work._commit = commit_or_die
