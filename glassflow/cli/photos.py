"""`flask photos move`: photos that earlier releases stored inside claims become files."""

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.services.claims import photos as claim_photos


@click.group("photos", cls=AppGroup)
@with_appcontext
def photos() -> None:
    """Commands for the photos of claims."""


@photos.command("move")
@with_appcontext
def move_photos() -> None:
    """Move photos that are stored inside claims to files; safe to repeat."""
    count = claim_photos.move_all_to_files()
    click.echo(f"photos: moved out of {count} claims")
