"""gunicorn's configuration: `gunicorn -c config/gunicorn.py wsgi:app`."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from config import announce  # noqa: E402
from config.launch import launcher  # noqa: E402
from config.worker import Worker  # noqa: E402

_settings = launcher.load()
_host = _settings["HOST"]

chdir = ROOT
bind = (
    f"[{_host}]:{_settings['PORT']}" if ":" in _host else f"{_host}:{_settings['PORT']}"
)
workers = _settings["WORKERS"]
worker_class = Worker
# Every websocket is a connection for as long as it lives; at the limit HTTP just hangs.
worker_connections = 10_000
backlog = 2048
# Longer than what stands in front usually keeps connections, so that it hangs up first.
keepalive = 75
timeout = 60
graceful_timeout = 15
# The stock one listens on a socket in the home directory, shared by all services there.
control_socket_disable = True
accesslog = None
# `make run` talks to a person, who gets the welcome below instead of gunicorn's own.
loglevel = "warning" if _settings["PREPARE"] else _settings["LOG_LEVEL"].lower()


def on_starting(server):
    """Before anything listens: check, start the store, prepare."""
    launcher.begin(workers=server.cfg.workers, addresses=server.cfg.address)


def post_fork(server, worker):
    """In a new worker: note whether there are others beside it."""
    worker.alone = not server.WORKERS


def post_worker_init(worker):
    """The application is loaded: clear up after one that died, and say so, once."""
    if launcher.store is not None and (worker.alone or worker.age > workers):
        # imported here: the master must not load the database driver
        from glassflow.core import store_sessions

        store_sessions.clear_up(alone=worker.alone)
    if _settings["PREPARE"] and worker.age == 1:
        address = worker.sockets[0].getsockname()
        announce.welcome(_settings, address, own_store=launcher.store is not None)


def on_exit(server):
    """After the last worker: stop the store."""
    launcher.end()
