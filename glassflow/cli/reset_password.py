"""`flask reset-password`: the way back in for a worker whose password is lost."""

import click
from flask.cli import with_appcontext

from glassflow.cli.seed import refusals_as_errors
from glassflow.domain import password_rules
from glassflow.services.auth import workers
from glassflow.web import throttle


@click.command("reset-password")
@click.option("--username", required=True)
@click.option(
    "--password",
    help="at least PASSWORD_MIN_LENGTH characters; generated and shown if not given",
)
@click.option("--prompt", is_flag=True, help="ask for the password, without showing it")
@click.option(
    "--once", is_flag=True, help="the worker has to change it; ends API keys too"
)
@with_appcontext
def reset_password(
    username: str, password: str | None, prompt: bool, once: bool
) -> None:
    """Set a new password of a worker, and end all their tokens and sockets.

    For 15 minutes the worker gets in from any address, even while others guess.
    """
    if prompt:
        password = click.prompt(
            "New password", hide_input=True, confirmation_prompt=True
        )
    generated = password_rules.new_one_time_password()
    with refusals_as_errors():
        worker = workers.set_password(
            username=username, password=password or generated, is_one_time=once
        )
    throttle.let_in(worker.username)  # others may be using up its login attempts
    click.echo(f"worker {worker.username} has a new password")
    if not password:
        click.echo(f"  log in as {worker.username} / {generated} (shown this once)")
    if not worker.is_active:
        click.echo("  the worker is deactivated and cannot log in")
