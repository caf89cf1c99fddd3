"""`flask stock check`: whether the stock is what its book says."""

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.services import stock_check


@click.group("stock", cls=AppGroup)
@with_appcontext
def stock() -> None:
    """Look after the store room's books."""


@stock.command("check")
def check() -> None:
    """Compare lots, materials and withdrawals with the book; 1 if any differ."""
    differing = stock_check.differences()
    for difference in differing:
        click.echo(str(difference))
    if differing:
        raise SystemExit(1)
    click.echo(f"stock: {stock_check.lots()} lots checked, all as the book says")
