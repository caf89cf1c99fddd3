"""`flask backup FILE` and `flask restore FILE`."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from flask.cli import with_appcontext
from pymongo.errors import PyMongoError

from glassflow.cli import store
from glassflow.cli.progress import ProgressLine
from glassflow.core.store.backup_file import Damaged
from glassflow.core.store.migrations import UnusableStore
from glassflow.core.store.progress import Progress
from glassflow.services.backups import making, restoring
from glassflow.services.backups.proofs import NotProved, Restored
from glassflow.services.backups.replacing import Unfinished
from glassflow.services.backups.restoring import Refused

FILE = click.Path(path_type=Path, dir_okay=False)
EXISTING_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command("backup")
@click.argument("file", type=FILE)
@with_appcontext
def backup(file: Path) -> None:
    """Write all data to FILE, as they are at one moment; the service may run.

    FILE is a tar archive in the layout of mongodump, with a manifest. It has password
    hashes and the secrets of webhooks: keep it as a password.
    """
    with one_sentence(), shown() as progress:
        made = making.make(file, progress)
    click.echo(
        f"backup: {made.documents} documents of {made.collections} collections, "
        f"{made.bytes / 1e6:.1f} MB in {file}, made in {made.took_s:.0f} s"
    )
    click.echo(f"events: up to {made.event_head}")
    _print_findings(made.findings)


@click.command("restore")
@click.argument("file", type=EXISTING_FILE, required=False)
@click.option("--replace", is_flag=True, help="replace all that the store holds")
@click.option(
    "--check", is_flag=True, help="only read FILE and say whether it is whole"
)
@click.option(
    "--finish", is_flag=True, help="finish a restore that was killed; needs no FILE"
)
@with_appcontext
def restore(file: Path | None, replace: bool, check: bool, finish: bool) -> None:
    """Restore the backup in FILE into a store without records; the service must be down.

    FILE is read as a whole first: a damaged one changes nothing. Documents, indexes,
    events, stock and history are compared with what the backup says, beside the data of
    the service. Only then they replace those.
    """
    if (file is None) != finish:
        raise click.UsageError("Name FILE, or give --finish.")
    with one_sentence(f"{file} is not a whole backup: "):
        if file is None:
            done = restoring.finish()
            click.echo("restore: finished" if done else "restore: none was killed")
        elif check:
            with shown() as progress:
                made_at = restoring.checked(file, progress).manifest["madeAt"]
            click.echo(f"{file} is whole, made {made_at} UTC")
        else:
            with shown() as progress:
                restored = restoring.restore(
                    file, replace=replace, files=store.own(), progress=progress
                )
            _print_restored(restored)


def _print_restored(restored: Restored) -> None:
    click.echo(
        f"restored: {restored.documents} documents of {restored.collections} "
        "collections, all as in the backup"
    )
    click.echo(f"events: up to {restored.event_head}")
    _print_findings(restored.findings)
    if restored.pending:
        click.echo(f"pending: {', '.join(restored.pending)}: run `flask migrate`")


def _print_findings(findings: Mapping[str, list[str]]) -> None:
    for name, found in findings.items():
        click.echo(f"{name}: {'; '.join(found) or 'as its books say'}")


@contextmanager
def shown() -> Iterator[Progress]:
    """Show how far the block is."""
    line = ProgressLine()
    try:
        yield line
    finally:
        line.end()


@contextmanager
def one_sentence(damaged: str = "") -> Iterator[None]:
    """Turn what a backup or restore raises into one sentence instead of a traceback."""
    try:
        yield
    except Damaged as error:
        raise click.ClickException(f"{damaged}{error}") from error
    except (Refused, UnusableStore, OSError) as error:
        raise click.ClickException(str(error)) from error
    except PyMongoError as error:
        clause = str(error).partition(", full error")[0]
        raise click.ClickException(f"The store cannot be read: {clause}") from error
    except NotProved as error:
        raise click.ClickException(
            "The restored data are not those of the backup, and nothing has changed: "
            f"{error}"
        ) from error
    except Unfinished as error:
        raise click.ClickException(
            "The data are half replaced, and no process starts on them. The restored ones "
            f"are kept: run `flask restore --finish`. {error}"
        ) from error
