"""`flask import`: a CSV or XLSX file creates and changes records, all or none."""

from pathlib import Path
from typing import Any

import click
from flask import current_app
from flask.cli import with_appcontext

from glassflow.cli.seed import refusals_as_errors
from glassflow.core.identity import Identity
from glassflow.core.store import unit_of_work
from glassflow.domain.errors import Contention, Forbidden
from glassflow.services.auth import identity
from glassflow.services.tables.change import Result
from glassflow.services.tables.importing import ImportRefused
from glassflow.services.tables.limits import Limits
from glassflow.web import imports

# Beyond what a request may have. One transaction has to hold all of it, which MongoDB ends
# after 60 s: so many customers take half of that, other kinds longer.
LIMITS = Limits(rows=30_000, bytes=100_000_000)
# For a transaction that lost a conflict; more would repeat those that take too long.
RETRIES_S = 120.0
REFUSED = (
    "Nothing was imported: others changed the same records, or it took longer than a "
    "transaction may (60 s). Try again, or divide the file."
)


@click.command("import")
@click.argument("resource")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--as", "username", required=True, help="the worker who imports")
@click.option("--charset", default="", help="of a CSV file, such as windows-874")
@click.option("--dry-run", is_flag=True, help="show what would be done, and do nothing")
@with_appcontext
def import_table(
    resource: str, file: Path, username: str, charset: str, dry_run: bool
) -> None:
    """Import a CSV or XLSX file into a list, such as customers."""
    target = _importable(resource)
    format = file.suffix.lower().removeprefix(".")
    if format not in imports.READ_BACK:
        raise click.ClickException("the name of the file must end with .csv or .xlsx")
    trial_s = RETRIES_S if dry_run else None
    with refusals_as_errors(), unit_of_work.retrying_for(RETRIES_S):
        actor = _worker(username)
        if not (actor.may(target.keys.create) or actor.may(target.keys.manage)):
            raise Forbidden()
        try:
            result = imports.run(
                target,
                file.read_bytes(),
                format,
                LIMITS,
                actor,
                trial_s=trial_s,
                charset=charset,
            )
        except ImportRefused as refused:
            result = refused.result
        except Contention:
            raise click.ClickException(REFUSED) from None
    _report(result)


def _importable(name: str) -> Any:
    known = {
        one.name: one
        for one in current_app.extensions["resources"]
        if one.importing is not None
    }
    if name not in known:
        listed = ", ".join(sorted(known))
        raise click.ClickException(f"{name} cannot be imported, only: {listed}")
    return known[name]


def _worker(username: str) -> Identity:
    found = identity.of_username(username)
    if found is None:
        raise click.ClickException(f"no active worker has the username {username}")
    return found


def _report(result: Result) -> None:
    if result.sheet:
        click.echo(f"sheet {result.sheet}")
    for fault in result.faults:
        field = f" {fault.field}" if fault.field else ""
        click.echo(f"row {fault.row}{field}: {fault.message}")
    if result.faults:
        raise click.ClickException("nothing was imported")
    click.echo(imports.summary(result))
