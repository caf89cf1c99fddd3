"""gunicorn's configuration: `gunicorn -c config/gunicorn.py wsgi:app`."""

import sys
from functools import partial
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from config import gunicorn_hooks  # noqa: E402
from config.logging import logging_config  # noqa: E402
from config.worker import Worker  # noqa: E402
from glassflow.host.tls_files import TlsFiles, require_certificate  # noqa: E402
from glassflow.settings import StartError, load_settings  # noqa: E402

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

on_starting = partial(gunicorn_hooks.on_starting, settings)
on_exit = gunicorn_hooks.on_exit
