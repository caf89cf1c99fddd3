"""`flask indexes`: indexes, counters and derived fields, as the models declare them."""

import click
from flask.cli import with_appcontext

from glassflow import models
from glassflow.models.indexes import IndexRefused
from glassflow.services.records import derivation


@click.command("indexes")
@click.option("--derive-all", is_flag=True, help="derive the fields of all records")
@with_appcontext
def indexes(derive_all: bool) -> None:
    """Create missing indexes, and set the derived fields of older records.

    Existing indexes do not change. `--derive-all` is for after an upgrade during which
    processes of an earlier release have changed records.
    """
    before = count()
    try:
        total = models.ensure_indexes()
    except IndexRefused as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"indexes: {total - before} added, {before} already there")
    derived = sum(derivation.derive_all(m, again=derive_all) for m in models.ALL)
    if derived:
        click.echo(f"derived fields: set in {derived} records")


def count() -> int:
    """Return the number of indexes of the models' collections, except `_id`."""
    return sum(
        len(model._get_collection().index_information().keys() - {"_id_"})
        for model in models.ALL
    )
