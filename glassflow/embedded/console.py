"""What the parent process prints for the person at the terminal."""

import sys
from collections.abc import Mapping
from typing import Any

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
        in a demo workshop: a working day, every scan and event counted
"""
ALWAYS = """\
    curl -s {url}/api/health
"""
WITHOUT_DEMO = """\
    .venv/bin/flask create-worker --username U --password P --name N --role worker
"""
#: Whether the store has a demo workshop is known to `flask prepare`, which prints its logins.
LOGINS_ABOVE = "as printed above for a demo workshop; otherwise your own"
ONE_ADMIN = "admin (its password was shown once)"


def print_error(sentence: str) -> None:
    """Print one sentence on standard error."""
    print(f"glassflow: {sentence}", file=sys.stderr, flush=True)


def greet(
    settings: Mapping[str, Any], host: str, port: int, *, embedded_store: bool
) -> None:
    """Print the address of the service, its logins, and what to try next."""
    host = f"[{host}]" if ":" in host else host
    url = f"http://{host}:{port}"
    is_demo = settings["DEMO"]
    try_next = (
        (WITH_DEMO if is_demo else "") + ALWAYS + ("" if is_demo else WITHOUT_DEMO)
    )
    kept = f"{settings['DATA_DIR']}, kept between runs"
    greeting = GREETING.format(
        url=url,
        login=LOGINS_ABOVE if is_demo else ONE_ADMIN,
        data=kept if embedded_store else "MONGODB_URI",
        next=try_next.format(url=url, port="" if port == 8000 else f" PORT={port}"),
    )
    print(greeting, flush=True)
