"""What the launcher says to the person at the terminal."""

import errno
import json
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from glassflow.settings import ROOT

WELCOME = """
glassflow is running at {url}   (Ctrl-C stops it)

  Log in   {login}
  Data     {data}

  Try next, in another terminal:
{next}
  README.md goes on from there to a first scan.
"""
WITH_DEMO = """\
    make demo{port}
        a working day: 12 requests, 120 panes, every scan and event counted
    curl -s {url}/api/auth/login -H 'Content-Type: application/json' \\
         -d '{body}'
"""
WITHOUT_DEMO = """\
    curl -s {url}/api/health
    .venv/bin/flask create-worker --username U --password P --name N --role worker
"""


def say(sentence: str) -> None:
    """Tell something on standard error, where the service's log goes."""
    print(f"glassflow: {sentence}", file=sys.stderr, flush=True)


def refuse(sentence: str) -> NoReturn:
    """End the program with one clear sentence and no traceback."""
    say(sentence)
    sys.exit(1)


def refuse_busy_port(addresses: Sequence[Any]) -> None:
    """End the program if an address cannot be listened on; gunicorn would try for long."""
    for address in addresses:
        if isinstance(address, tuple):
            _try_to_bind(*address[:2])


def welcome(
    settings: Mapping[str, Any], address: Sequence[Any], *, own_store: bool
) -> None:
    """Say where the service is, who may log in, and what to try next."""
    host, port = address[0], address[1]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    host = f"[{host}]" if ":" in host else host
    logins = _logins() if settings["DEMO"] else {}
    url, login = f"http://{host}:{port}", "admin (its password was shown once)"
    try_next = WITHOUT_DEMO.format(url=url)
    if logins:
        login = ", ".join(f"{name} / {word}" for name, word in logins.items())
        name, word = next(iter(logins.items()))
        try_next = WITH_DEMO.format(
            url=url,
            port="" if port == 8000 else f" PORT={port}",
            body=json.dumps({"username": name, "password": word}),
        )
    data = f"{settings['DATA_DIR']}, kept between runs" if own_store else "MONGODB_URI"
    print(WELCOME.format(url=url, login=login, data=data, next=try_next), flush=True)


def _try_to_bind(host: str, port: int) -> None:
    try:
        family, kind, _, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            refuse(
                f"Port {port} on {host} is in use already; stop what listens there, or "
                f"choose another port: PORT={port + 1}"
            )
        refuse(f"Cannot listen on {host} port {port}: {error.strerror}.")


def _logins() -> dict[str, str]:
    """One name and password of the demo's workers for each role."""
    workers = json.loads((ROOT / "seeds/demo/workers.json").read_text("utf-8"))
    by_role: dict[str, tuple[str, str]] = {}
    for worker in workers:
        by_role.setdefault(worker["role"], (worker["username"], worker["password"]))
    return dict(by_role.values())
