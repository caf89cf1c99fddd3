"""`flask dead-letters`: outbox entries that could not be published."""

import click
from flask.cli import with_appcontext

from glassflow.core.events import dead_letters as letters

SHOWN = 20


@click.group("dead-letters", invoke_without_command=True)
@click.pass_context
@with_appcontext
def dead_letters(context: click.Context) -> None:
    """Show the newest entries that could not be published, without their content."""
    if context.invoked_subcommand is None:
        for row in letters.newest(SHOWN):
            at = row["at"].isoformat(sep=" ", timespec="seconds")
            click.echo(f"{at}  {row['subject']}  {row['reason']}  {row['_id']}")
        click.echo(f"{letters.count()} dead letters")


@dead_letters.command("retry")
@with_appcontext
def retry() -> None:
    """Move all of them back to the outbox, from where the service publishes them."""
    click.echo(f"{letters.retry()} entries are back in the outbox")


@dead_letters.command("discard")
@click.confirmation_option(prompt="Delete all dead letters?")
@with_appcontext
def discard() -> None:
    """Delete all of them."""
    click.echo(f"{letters.discard()} dead letters deleted")
