"""`flask webhooks`: the webhooks, how far they have got, and what is parked."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from bson import ObjectId
from flask.cli import with_appcontext

from glassflow.core.events import webhook_log
from glassflow.domain.errors import Refusal
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.services import webhooks as service


class ObjectIdType(click.ParamType[ObjectId]):
    """The id of a record."""

    name = "id"

    def convert(self, value: object, param: object, ctx: object) -> ObjectId:
        """Parse the id."""
        if not ObjectId.is_valid(str(value)):
            raise click.BadParameter(f"{value!r} is no id")
        return ObjectId(str(value))


@click.group("webhooks", invoke_without_command=True)
@click.pass_context
@with_appcontext
def webhooks(context: click.Context) -> None:
    """List the webhooks, with what keeps them from delivering."""
    if context.invoked_subcommand is None:
        found = list(service.with_states())
        for row, state in found:
            problems = "; ".join(service.problems(row, state))
            switch = "on" if row.get("isActive", True) else "off"
            click.echo(f"{row['_id']}  {switch:<3}  {row['url']}  {problems}")
        click.echo(f"{len(found)} webhooks")


@webhooks.command("enable")
@click.argument("webhook", type=ObjectIdType())
@with_appcontext
def enable(webhook: ObjectId) -> None:
    """Enable a webhook; it goes on where it was."""
    with _refusals():
        service.enable(webhook)
    click.echo(f"{webhook} is enabled")


@webhooks.command("send-again")
@click.argument("webhook", type=ObjectIdType())
@with_appcontext
def send_again(webhook: ObjectId) -> None:
    """Queue all parked deliveries of a webhook, which the service then sends again."""
    parked = webhook_log.with_status(DeliveryStatus.PARKED, webhook)
    for row in parked:
        with _refusals():
            service.send_again(webhook, row["_id"])
    click.echo(f"{len(parked)} deliveries are queued")


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn what a use case refuses into an error of the command."""
    try:
        yield
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None
