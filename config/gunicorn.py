"""gunicorn's configuration: `gunicorn -c config/gunicorn.py wsgi:app`."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from config.logging import logging_config  # noqa: E402
from config.worker import Worker  # noqa: E402
from glassflow import metrics_files  # noqa: E402
from glassflow.settings import StartError, load_settings  # noqa: E402
from glassflow.settings_rules import note_on_redis, require_mongodb_uri  # noqa: E402
from glassflow.tls_files import TlsFiles, require_certificate  # noqa: E402

try:
    settings = load_settings()
    require_certificate(settings)
except StartError as error:
    sys.exit(f"glassflow: {error}")

chdir = ROOT
host = f"[{settings['HOST']}]" if ":" in settings["HOST"] else settings["HOST"]
bind = [f"{host}:{settings['PORT']}"]  # not used where systemd passes a socket
if settings["HTTPS_PORT"]:
    bind += [f"{host}:{settings['HTTPS_PORT']}"]
workers = settings["WORKERS"]
worker_class = Worker
# A websocket is one connection for its whole life; at the limit new requests hang.
worker_connections = 10_000
Worker.https_port = settings["HTTPS_PORT"]
Worker.tls_files = TlsFiles(settings["DATA_DIR"])
backlog = 2048
limit_request_line = 8190  # bytes; a list by ids is a long one
# Longer than the proxies in front usually keep connections, so that they close first.
keepalive = 75
timeout = 60
graceful_timeout = 15
# By default it is a socket in the home directory, shared by all services there.
control_socket_disable = True
accesslog = None
logger_class = "config.gunicorn_log.Logger"
logconfig_dict = logging_config(settings)


def on_starting(server):
    """Refuse to start, before anything listens, where requests could only fail."""
    try:
        require_mongodb_uri(settings)
    except StartError as error:
        sys.exit(f"glassflow: {error}")
    # A process of its own: the master must not import the driver, because gevent
    # patches the workers after the fork, and the driver must be imported after that.
    environment = os.environ | {
        name: settings[name] for name in ("MONGODB_URI", "MONGODB_DB")
    }
    check = [sys.executable, "-m", "glassflow.core.mongo_check"]
    if subprocess.run(check, cwd=ROOT, env=environment).returncode:
        sys.exit(1)  # it has printed why
    begin(server)


def on_exit(server: Any) -> None:
    """Remove what the workers shared."""
    metrics_files.remove_directory()


def begin(server: Any) -> None:
    """Prepare what the workers share, and say what several lack without Redis."""
    metrics_files.create_directory()
    if note := note_on_redis(server.cfg.workers, settings):
        server.log.warning(note)
