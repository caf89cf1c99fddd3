"""Commands that fill a store: `flask seed ...`, `flask create-worker`."""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click
from flask.cli import AppGroup, with_appcontext

from glassflow import models
from glassflow.domain.errors import Invalid, Refusal
from glassflow.services import seeding
from glassflow.services.seeding import Added


@contextmanager
def told_plainly() -> Iterator[None]:
    """End the command with one sentence, not a traceback, when a rule says no."""
    try:
        yield
    except Invalid as invalid:
        faults = (f"{fault['field']} {fault['message']}" for fault in invalid.faults)
        raise click.ClickException("; ".join(faults)) from None
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None


@click.group("seed", cls=AppGroup)
@with_appcontext
def seed() -> None:
    """Add records that are missing; what is there stays as it is."""
    models.ensure_indexes()  # they keep two seeds at once from adding twice


@seed.command("roles")
def roles() -> None:
    """Add the three system roles; permissions that were changed stay changed."""
    _say([seeding.seed_roles()])


@seed.command("pricing")
def pricing() -> None:
    """Add the price table."""
    _say([seeding.seed_pricing()])


@seed.command("workers")
def workers() -> None:
    """Add the six workers of the demo workshop, with passwords that all may know."""
    added = seeding.seed_workers()
    _say([added])
    if added.added:
        _say_logins()


@seed.command("demo")
def demo() -> None:
    """Add the demo workshop: stations, materials, stock, customers, prices and more."""
    _say([*seeding.seed_demo(), seeding.seed_pricing()])


@seed.command("admin")
@click.option("--password", help="6 to 128 characters; made up and shown if not given")
def admin(password: str | None) -> None:
    """Add a worker who may do everything, unless there is one."""
    made_up = secrets.token_urlsafe(12)
    with told_plainly():
        added = seeding.seed_admin(password or made_up)
    _say([added])
    if added.added and not password:
        click.echo(f"  log in as admin / {made_up} (shown this once)")


@seed.command("all")
def everything() -> None:
    """Add all of it: roles, workers and the demo workshop."""
    for each in (roles, workers, demo):
        each.callback()  # type: ignore[misc]


@click.command("create-worker")
@click.option("--username", required=True)
@click.option("--password", required=True, help="6 to 128 characters")
@click.option("--name", required=True)
@click.option("--role", required=True, help="the slug of a role, such as admin")
@click.option("--position", default="")
@with_appcontext
def create_worker(
    username: str, password: str, name: str, role: str, position: str
) -> None:
    """Add one worker; one of that username stays as they are."""
    models.ensure_indexes()
    with told_plainly():
        added = seeding.create_worker(
            username=username,
            password=password,
            name=name,
            role_slug=role,
            position=position,
        )
    known = username.strip().lower()
    if added.added:
        click.echo(f"worker {known} added, with the role {role}")
    else:
        click.echo(f"worker {known} is there already; nothing is changed")


def _say(lines: Iterable[Added]) -> None:
    for line in lines:
        click.echo(str(line))


def _say_logins() -> None:
    for row in seeding.demo_workers():
        click.echo(f"  {row['username']} / {row['password']}  ({row['role']})")
