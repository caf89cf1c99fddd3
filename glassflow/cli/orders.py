"""`flask orders recount`: sets the figures of all orders from their panes."""

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.services.orders import recount as recounting


@click.group("orders", cls=AppGroup)
@with_appcontext
def orders() -> None:
    """Commands for orders."""


@orders.command("recount")
def recount() -> None:
    """Set the figures and status of all orders from their panes; repeatable."""
    counted = recounting.recount_stored()
    click.echo(f"orders: {counted.orders} counted, {counted.changed} changed")
