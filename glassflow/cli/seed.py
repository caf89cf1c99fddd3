"""Commands that fill a store: `flask seed ...`, `flask create-worker`."""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click
from flask.cli import AppGroup, with_appcontext

from glassflow.cli.indexes import ensure_indexes
from glassflow.demo_store import work as demo_work
from glassflow.domain.errors import Invalid, Refusal
from glassflow.domain.unicode_text import as_username
from glassflow.services import seeding
from glassflow.services.seeding import Added


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Turn a refusal into one sentence instead of a traceback."""
    try:
        yield
    except Invalid as invalid:
        faults = (f"{fault['field']}: {fault['message']}" for fault in invalid.faults)
        raise click.ClickException("; ".join(faults)) from None
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None


@click.group("seed", cls=AppGroup)
@with_appcontext
def seed() -> None:
    """Add missing records; existing ones do not change."""
    ensure_indexes()  # unique indexes keep two concurrent seeds from adding twice


@seed.command("roles")
def roles() -> None:
    """Add the three system roles; a role that nobody has changed gets new keys."""
    _print([seeding.seed_roles()])


@seed.command("pricing")
def pricing() -> None:
    """Add the price table."""
    _print([seeding.seed_pricing()])


@seed.command("workers")
def workers() -> None:
    """Add the six workers of the demo workshop, with published passwords."""
    added = seeding.seed_workers()
    _print([added])
    if added.added:
        print_logins()


@seed.command("demo")
def demo() -> None:
    """Add the demo workshop: stations, materials, stock, customers, prices and more."""
    _print([*seeding.seed_demo(), seeding.seed_pricing()])


@seed.command("work")
def work() -> None:
    """Add two weeks of work to the demo workshop, unless there are requests."""
    click.echo("work: two weeks of orders, up to now (takes some seconds)")
    try:
        done = demo_work.work()
    except LookupError as error:
        message = f"the demo workshop lacks {error} (flask seed all)"
        raise click.ClickException(message) from None
    if not done:
        click.echo("work: there are requests already; nothing is changed")


@seed.command("templates")
def templates() -> None:
    """Add a station template and three label templates, unless there is a worker."""
    _print(seeding.seed_new_store())


@seed.command("admin")
@click.option(
    "--password",
    help="at least PASSWORD_MIN_LENGTH characters; without it a one-time one is shown",
)
def admin(password: str | None) -> None:
    """Add a worker who may do everything, unless there is one.

    A password that is shown has to be changed at the first login: it may stay in a log.
    """
    generated = secrets.token_urlsafe(12)
    with refusals_as_errors():
        added = seeding.seed_admin(password or generated, one_time=not password)
    _print([added])
    if added.added and not password:
        click.echo(
            f"  log in as admin / {generated} (shown this once; the first login has to "
            "change it)"
        )


@seed.command("all")
def everything() -> None:
    """Add all of it: roles, workers and the demo workshop."""
    for each in (roles, workers, demo):
        each.callback()  # type: ignore[misc]


@click.command("create-worker")
@click.option("--username", required=True)
@click.option(
    "--password", required=True, help="at least PASSWORD_MIN_LENGTH characters"
)
@click.option("--name", required=True)
@click.option("--role", required=True, help="the slug of a role, such as admin")
@click.option("--position", default="")
@with_appcontext
def create_worker(
    username: str, password: str, name: str, role: str, position: str
) -> None:
    """Add one worker; fails if a worker of that username exists, who does not change."""
    ensure_indexes()
    with refusals_as_errors():
        added = seeding.create_worker(
            username=username,
            password=password,
            name=name,
            role_slug=role,
            position=position,
        )
    known = as_username(username)
    if not added.added:
        raise click.ClickException(
            f"worker {known} is there already; nothing is changed "
            f"(a new password: flask reset-password --username {known})"
        )
    click.echo(f"worker {known} added, with the role {role}")


def _print(lines: Iterable[Added]) -> None:
    for line in lines:
        click.echo(str(line))


def print_logins() -> None:
    """Print the logins of the demo workshop."""
    for row in seeding.demo_workers():
        click.echo(f"  {row['username']} / {row['password']}  ({row['role']})")
