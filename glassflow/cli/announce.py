"""`flask announce`: send a system alert, as any program could."""

import click
from flask import current_app
from flask.cli import with_appcontext

from glassflow.domain.errors import Refusal
from glassflow.services.notices import system_alerts


@click.command()
@click.argument("text")
@with_appcontext
def announce(text: str) -> None:
    """Show TEXT on every connected screen, as a system alert.

    It is stored in the event log, from where every serving process delivers it to its
    sockets. This process has no sockets.
    """
    try:
        system_alerts.send(text)
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None
    if current_app.extensions["realtime"].flush():
        click.echo("Announced.")
    else:
        click.echo("Stored; it will be announced when the service finds it.")
