"""`flask api-keys`: the keys by which programs act as a worker."""

from datetime import timedelta

import click
from flask.cli import with_appcontext

from glassflow.cli.seed import refusals_as_errors
from glassflow.core.process import clock
from glassflow.services.auth import api_keys as service
from glassflow.services.auth import workers


@click.group("api-keys")
def api_keys() -> None:
    """Show, create and revoke the API keys of a worker."""


@api_keys.command("list")
@click.option("--username", required=True)
@with_appcontext
def list_keys(username: str) -> None:
    """List the API keys of a worker, without their secrets."""
    with refusals_as_errors():
        worker = workers.find_by_username(username)
    rows = service.of_worker(worker.to_mongo())
    for row in rows:
        ended = "  expired" if service.is_expired(row) else ""
        end = row["expiresAt"]
        until = f"until {end:%Y-%m-%d}" if end else "without end"
        click.echo(
            f"{row['prefix']}  {row['name']}  {until}{ended}  {' '.join(row['scopes'])}"
        )
    click.echo(f"{len(rows)} API keys of {worker.username}")


@api_keys.command("create")
@click.option("--username", required=True)
@click.option("--name", required=True, help="what the key is for")
@click.option(
    "--scope",
    "scopes",
    required=True,
    multiple=True,
    help="a permission key; repeat it",
)
@click.option("--days", type=click.IntRange(1, 3650), help="how long it lasts")
@with_appcontext
def create(username: str, name: str, scopes: tuple[str, ...], days: int | None) -> None:
    """Create an API key of a worker, and show it once."""
    expires_at = clock.now() + timedelta(days=days) if days else None
    values = {"name": name, "scopes": list(scopes), "expires_at": expires_at}
    with refusals_as_errors():
        worker = workers.find_by_username(username)
        new = service.create_for_operator(worker_id=worker.pk, values=values)
    click.echo(f"{worker.username} has a new API key (shown this once):")
    click.echo(f"  {new.secret}")


@api_keys.command("revoke")
@click.option("--username", required=True)
@click.argument("key")
@with_appcontext
def revoke(username: str, key: str) -> None:
    """End an API key at once; KEY is its id, or the whole key."""
    with refusals_as_errors():
        worker = workers.find_by_username(username)
        prefix = service.prefix_of(key) if service.is_api_key(key) else key
        service.revoke_for_operator(worker_id=worker.pk, prefix=prefix)
    click.echo(f"the API key {prefix} is revoked")
