"""`flask indexes`: the indexes and counters that the models declare."""

import click
from flask.cli import with_appcontext

from glassflow import models


@click.command("indexes")
@with_appcontext
def indexes() -> None:
    """Make the indexes that are missing; those that are there stay."""
    before = count()
    total = models.ensure_indexes()
    click.echo(f"indexes: {total - before} added, {before} already there")


def count() -> int:
    """Tell how many indexes the models' collections have, `_id` aside."""
    return sum(
        len(model._get_collection().index_information().keys() - {"_id_"})
        for model in models.ALL
    )
