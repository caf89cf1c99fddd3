"""`flask archive`: moves the pane logs of old work into files, and back."""

from datetime import timedelta

import click
from flask import current_app
from flask.cli import with_appcontext

from glassflow.cli.backup import one_sentence, shown
from glassflow.core.store.archive_file import Unreadable
from glassflow.services import archives
from glassflow.services.archives import Refused

UNSET = (
    "ARCHIVE_AFTER is unset, so that all work stays in the store. It says how old work is "
    "that is archived, such as 730d."
)


@click.command("archive")
@click.option(
    "--check", is_flag=True, help="read all files and compare their checksums"
)
@click.option("--put-back", metavar="NAME", help="store the logs of a file again")
@with_appcontext
def archive(check: bool, put_back: str | None) -> None:
    """Move the logs of panes that were finished before ARCHIVE_AFTER into a file.

    The service may run. The file is in DATA_DIR/archive; passports and timelines read it.
    """
    try:
        with one_sentence():
            if check:
                _check()
            elif put_back:
                _put_back(put_back)
            else:
                _move()
    except (Refused, Unreadable) as error:
        raise click.ClickException(str(error)) from error


def _move() -> None:
    older_than = timedelta(seconds=current_app.config["ARCHIVE_AFTER"])
    if not older_than:
        raise Refused(UNSET)
    with shown() as progress:
        made = archives.move(older_than, progress)
    if made is None:
        click.echo("archive: no logs are that old")
        return
    click.echo(
        f"archive: {made.logs} logs of {made.panes} panes, finished before "
        f"{made.until:%Y-%m-%d}, are in {made.name}, {made.bytes / 1e6:.1f} MB"
    )


def _put_back(name: str) -> None:
    with shown() as progress:
        stored = archives.put_back(name, progress)
    click.echo(f"archive: {stored} logs of {name} are in the store again")


def _check() -> None:
    found = archives.damages()
    for one in archives.files():
        click.echo(f"{one.name}: {found.get(one.name, 'as it was written')}")
    for name in archives.unnamed():
        click.echo(f"{name}: the store does not name it, and has all its logs")
    if found:
        raise SystemExit(1)
