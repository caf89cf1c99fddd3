"""`flask history`: verifies the chain of the history, and removes its oldest rows."""

import click
from flask.cli import AppGroup, with_appcontext

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.services import history as service


@click.group("history", cls=AppGroup)
@with_appcontext
def history() -> None:
    """Commands for the history of records."""


@history.command("verify")
def verify() -> None:
    """Compute the hashes of all rows again; exit 1 where the chain is broken."""
    result = service.verify()
    for fault in result.faults:
        click.echo(f"row {fault.seq}: {fault.reason}")
    if not result.is_whole:
        raise SystemExit(1)
    click.echo(f"history: {result.rows} rows verified, head {result.head.seq}")
    click.echo(result.head.hash)


@history.command("prune")
def prune() -> None:
    """Remove the rows that are older than HISTORY_RETENTION; the rest stays verifiable."""
    removed = service.prune(clock.now() - runtime.current().history_retention)
    click.echo(f"{removed} rows removed")
