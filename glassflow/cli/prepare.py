"""`flask prepare`: indexes, migrations and seeds, which the service needs at its start."""

from collections.abc import Iterator, Mapping
from typing import Any

import click
from flask import current_app
from flask.cli import with_appcontext

from glassflow.cli.indexes import indexes
from glassflow.cli.migrate import migrate
from glassflow.cli.seed import (
    admin,
    demo,
    print_logins,
    roles,
    templates,
    work,
    workers,
)
from glassflow.core.store import migrations
from glassflow.core.store.migrations import UnusableStore
from glassflow.services import demo_mark, history


@click.command("prepare")
@click.pass_context
@with_appcontext
def prepare(context: click.Context) -> None:
    """Add indexes and seeds as `make run` does, and run the pending migrations.

    A second run changes nothing. A store of a newer release is refused.
    """
    try:
        migrations.refuse_unusable()
    except UnusableStore as error:
        raise click.ClickException(str(error)) from error
    had_demo = demo_mark.is_set()
    for command in commands_for(current_app.config):
        context.invoke(command)
    if had_demo:  # otherwise the logins are printed where they are added
        click.echo(
            "demo workshop with published passwords (`flask demo clear` ends it)"
        )
        print_logins()
    history.append()  # what the process before has published and not moved any more


def commands_for(config: Mapping[str, Any]) -> Iterator[click.Command]:
    """Yield the commands that this store needs.

    The demo workshop is added only to a store without work (`demo_mark`): its passwords
    are published, and a worker of the demo who was deleted must not return.
    """
    yield from (indexes, migrate, roles)
    if not config["DEMO"] or demo_mark.is_cleared():
        demo_mark.give_up()
        yield from (templates, admin)  # in this order: templates only before a worker
    elif demo_mark.begin():
        yield from (workers, demo, work)
        demo_mark.end()
