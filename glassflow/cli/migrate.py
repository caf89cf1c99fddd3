"""`flask migrate`: runs the migrations that the store has not had yet."""

import click
from flask.cli import with_appcontext

from glassflow.core.store import migrations
from glassflow.core.store.migrations import UnusableStore
from glassflow.services.prepare import IndexRefused


@click.command("migrate")
@with_appcontext
def migrate() -> None:
    """Run the pending migrations in their order; a second run changes nothing.

    Processes of the release before may go on serving meanwhile.
    """
    count = 0
    try:
        for name in migrations.run(on_wait=_say_who):
            click.echo(f"migrations: {name} done")
            count += 1
    except (UnusableStore, IndexRefused) as error:
        raise click.ClickException(str(error)) from error
    if not count:
        click.echo("migrations: none pending")


def _say_who(owner: str) -> None:
    click.echo(f"migrations: waiting for {owner}, which runs them")
