"""`flask figures`: counts the daily figures again."""

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.services import daily_figures, history


@click.group("figures", cls=AppGroup)
@with_appcontext
def figures() -> None:
    """Commands for the daily figures of stations and of the workshop."""


@figures.command("rebuild")
def rebuild() -> None:
    """Count the daily figures again from the history, and store them.

    Where TIMEZONE has changed, this divides the days anew. It may run beside the service.
    """
    history.update()
    found = daily_figures.rebuild()
    click.echo(f"{found.days} days counted from {found.changes} changes")
    if found.differing:
        click.echo(f"different before: {', '.join(found.differing)}")
