"""`flask demo clear`: takes the demo workshop out, so that a workshop can begin."""

from collections.abc import Mapping

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.cli import store
from glassflow.cli.backup import one_sentence
from glassflow.cli.indexes import indexes
from glassflow.cli.seed import admin, roles, templates
from glassflow.services import demo_mark
from glassflow.services.backups import emptying, restoring

NO_DEMO = (
    "This store was not begun as a demo workshop, or by an earlier release, which did not "
    "note that: nothing is deleted."
)
NOT_OF_THE_DEMO = (
    "Since the demo workshop was made, records were added or changed ({changed}). If none "
    "of them is needed: flask demo clear --all"
)


@click.group("demo", cls=AppGroup)
@with_appcontext
def demo() -> None:
    """The demo workshop of this store."""


@demo.command("clear")
@click.option(
    "--all", "of_all", is_flag=True, help="also what was added or changed since"
)
@click.option("--yes", is_flag=True, help="do not ask")
@click.pass_context
def clear(context: click.Context, of_all: bool, yes: bool) -> None:
    """Delete the demo workshop, and add what `make run DEMO=0` does to an empty store.

    The service must be down. Everything is deleted: workers, records, history, events,
    files. Only the migrations and the notes of backups stay.
    """
    with one_sentence():
        if emptying.is_unfinished():
            restoring.finish()
        elif not demo_mark.is_cleared():
            _refuse_work(of_all)
            if not yes:
                click.confirm(f"Delete {_listed(demo_mark.records())}?", abort=True)
            emptying.empty(demo_mark.COLLECTION, demo_mark.cleared(), store.own())
    click.echo("demo: taken out")
    for command in (indexes, roles, templates, admin):
        context.invoke(command)


def _refuse_work(of_all: bool) -> None:
    if not demo_mark.is_set():
        raise click.ClickException(NO_DEMO)
    changed = demo_mark.changed_since()
    if changed and not of_all:
        raise click.ClickException(NOT_OF_THE_DEMO.format(changed=_listed(changed)))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
