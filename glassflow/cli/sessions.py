"""`flask sessions`: where a worker is logged in, and the way to end it."""

from datetime import datetime

import click
from flask.cli import with_appcontext

from glassflow.cli.seed import refusals_as_errors
from glassflow.services.auth import sessions as service
from glassflow.services.auth import workers


@click.group("sessions")
def sessions() -> None:
    """Show and end the sessions of a worker."""


@sessions.command("list")
@click.option("--username", required=True)
@with_appcontext
def list_sessions(username: str) -> None:
    """List where a worker is logged in now."""
    with refusals_as_errors():
        worker = workers.find_by_username(username)
    found = service.of_worker(worker.to_mongo())
    for row in found:
        since, seen = _time(row["startedAt"]), _time(row["lastSeenAt"])
        click.echo(
            f"{row['_id']}  {row['kind']}  since {since}  seen {seen}  "
            f"{row['address']}  {row['agent']}"
        )
    click.echo(f"{len(found)} sessions of {worker.username}")


@sessions.command("end")
@click.option("--username", required=True)
@click.argument("session", required=False)
@with_appcontext
def end(username: str, session: str | None) -> None:
    """End one session of a worker, or all of them if none is named."""
    with refusals_as_errors():
        worker = workers.find_by_username(username)
        if session is None:
            service.end_all_for_operator(worker_id=worker.pk)
        else:
            service.end_for_operator(worker_id=worker.pk, session_id=session)
    ended = "all sessions are" if session is None else "the session is"
    click.echo(f"{ended} ended of {worker.username}")


def _time(time: datetime | None) -> str:
    return time.isoformat(sep=" ", timespec="minutes") if time else "never"
