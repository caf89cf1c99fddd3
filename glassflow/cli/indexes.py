"""`flask indexes`: indexes and counters, as the models declare them."""

import click
from flask.cli import with_appcontext
from pymongo.errors import OperationFailure

from glassflow import models
from glassflow.cli import store
from glassflow.core.store import index_check
from glassflow.core.store.connection import is_embedded, is_extended
from glassflow.core.store.ttl_indexes import UNAUTHORIZED
from glassflow.services import prepare
from glassflow.services.prepare import IndexRefused


@click.command("indexes")
@click.option(
    "--check", is_flag=True, help="compare indexes with the documents instead"
)
@with_appcontext
def indexes(check: bool) -> None:
    """Create missing indexes and counters; existing ones do not change.

    `--check` names the indexes of all collections that are not whole. It repairs those of
    the embedded store if no service runs; 1 if one stays so. A MongoDB locks each
    collection meanwhile.
    """
    if check:
        check_all()
        return
    before = count()
    total = ensure_indexes()
    click.echo(f"indexes: {total - before} added, {before} already there")


def ensure_indexes() -> int:
    """Create missing indexes; one that is refused ends the command with a sentence."""
    try:
        return prepare.ensure_indexes()
    except IndexRefused as error:
        raise click.ClickException(str(error)) from error


def count() -> int:
    """Return the number of indexes of the models' collections, except `_id`."""
    return sum(
        len(model.collection().index_information().keys() - {"_id_"})
        for model in models.ALL
    )


def check_all() -> None:
    """Print which indexes are not whole, and repair them if no service uses the store."""
    if is_embedded() and not is_extended():
        raise click.ClickException(
            "This version of SecantusDB cannot compare indexes with the documents: "
            "install the version that setup.cfg pins."
        )
    wrong = _print_faults()
    if not wrong:
        return
    if not is_embedded():
        raise click.ClickException(
            "glassflow repairs no MongoDB: see its own command `validate` with `repair`."
        )
    if store.own() is None:
        raise click.ClickException(
            "To repair them, stop the service and run `flask indexes --check` again."
        )
    for collection in wrong:
        index_check.repair(collection)
    click.echo("repaired, and checked again:")
    if _print_faults():
        raise click.ClickException(
            "The repair did not help: drop these indexes and run `flask indexes`."
        )


def _print_faults() -> list[str]:
    """Print what is wrong, and how many collections are whole; return those that are not."""
    wrong, names = [], []
    try:
        names = index_check.collections()
        for name in names:
            faults = index_check.faults(name)
            for fault in faults:
                click.echo(f"{name}: {fault}")
            wrong += [name] if faults else []
    except OperationFailure as error:
        if error.code != UNAUTHORIZED:
            raise
        raise click.ClickException(
            "The user of MONGODB_URI may not run `validate`: the role dbAdmin allows it."
        ) from error
    result = f"those of {len(wrong)} are not whole" if wrong else "whole"
    click.echo(f"indexes of {len(names)} collections checked: {result}")
    return wrong
