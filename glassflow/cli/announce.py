"""`flask announce`: say something on every screen, as any program could."""

import click
from flask import current_app
from flask.cli import with_appcontext

from glassflow.domain.errors import Refusal
from glassflow.services import system_alerts


@click.command()
@click.argument("text")
@with_appcontext
def announce(text: str) -> None:
    """Show TEXT on every connected screen, as a system alert.

    It goes the way of all events: into the store, and from there to the sockets of
    every process that serves it. This process has none itself.
    """
    try:
        system_alerts.send(text)
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None
    if current_app.extensions["publisher"].flush():
        click.echo("Announced.")
    else:
        click.echo("Stored; it will be announced when the service finds it.")
