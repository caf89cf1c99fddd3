"""What gunicorn's master does at its start and at its end.

Nothing is kept here: gunicorn executes `config/gunicorn.py` again at every reload, but not
this module, so the settings are passed.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from glassflow.host import metrics_files
from glassflow.settings import StartError
from glassflow.settings_remarks import remarks
from glassflow.settings_rules import note_on_redis, require_mongodb_uri

ROOT = str(Path(__file__).resolve().parent.parent)


def on_starting(settings: Mapping[str, Any], server: Any) -> None:
    """Refuse to start, before anything listens, where requests could only fail.

    Ends the process with a sentence that says why.
    """
    try:
        require_mongodb_uri(settings)
    except StartError as error:
        sys.exit(f"glassflow: {error}")
    # A process of its own: the master must not import the driver, because gevent
    # patches the workers after the fork, and the driver must be imported after that.
    environment = os.environ | {
        name: settings[name] for name in ("MONGODB_URI", "MONGODB_DB")
    }
    check = [sys.executable, "-m", "glassflow.core.store.mongo_check"]
    if subprocess.run(check, cwd=ROOT, env=environment).returncode:
        sys.exit(1)  # it has printed why
    begin(settings, server)


def begin(settings: Mapping[str, Any], server: Any) -> None:
    """Prepare what the workers share, and name settings that lack something."""
    metrics_files.create_directory()
    for remark in remarks(settings, os.environ):
        server.log.warning(remark)
    if note := note_on_redis(server.cfg.workers, settings):
        server.log.warning(note)


def on_exit(server: Any) -> None:
    """Remove what the workers shared."""
    metrics_files.remove_directory()
