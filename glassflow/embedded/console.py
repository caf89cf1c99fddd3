"""What the parent process prints for the person at the terminal."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from glassflow.host.data_files import SEEDS

GREETING = """
glassflow is running at {url}   (Ctrl-C stops it)

  Open     {url}/ in a browser, and log in
  Logins   {login}
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


def print_error(sentence: str) -> None:
    """Print one sentence on standard error."""
    print(f"glassflow: {sentence}", file=sys.stderr, flush=True)


def greet(
    settings: Mapping[str, Any], host: str, port: int, *, embedded_store: bool
) -> None:
    """Print the address of the service, its logins, and what to try next."""
    host = f"[{host}]" if ":" in host else host
    logins = _demo_logins() if settings["DEMO"] else {}
    url, login = f"http://{host}:{port}", "admin (its password was shown once)"
    try_next = WITHOUT_DEMO.format(url=url)
    if logins:
        login = ", ".join(f"{name} / {password}" for name, password in logins.items())
        name, password = next(iter(logins.items()))
        try_next = WITH_DEMO.format(
            url=url,
            port="" if port == 8000 else f" PORT={port}",
            body=json.dumps({"username": name, "password": password}),
        )
    kept = f"{settings['DATA_DIR']}, kept between runs"
    data = kept if embedded_store else "MONGODB_URI"
    print(GREETING.format(url=url, login=login, data=data, next=try_next), flush=True)


def _demo_logins() -> dict[str, str]:
    """Return username and password of one demo worker of each role."""
    workers = json.loads((SEEDS / "demo/workers.json").read_text("utf-8"))
    by_role: dict[str, tuple[str, str]] = {}
    for worker in workers:
        by_role.setdefault(worker["role"], (worker["username"], worker["password"]))
    return dict(by_role.values())
