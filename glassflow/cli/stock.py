"""`flask stock check`: compares the stock with its ledger and with cutting plans."""

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.services.cutting import audit as reservations
from glassflow.services.stock import audit


@click.group("stock", cls=AppGroup)
@with_appcontext
def stock() -> None:
    """Commands for the stock ledger."""


@stock.command("check")
def check() -> None:
    """Compare lots, materials and withdrawals with the ledger; exit 1 if any differ.

    What cutting plans have reserved is compared with their sheets.
    """
    differing = [*map(str, audit.differences()), *reservations.differences()]
    for difference in differing:
        click.echo(difference)
    if differing:
        raise SystemExit(1)
    click.echo(f"stock: {audit.lots()} lots checked, all as the ledger says")
