"""The `flask` commands, one file each."""

import click
from flask import Flask

from glassflow.cli.announce import announce
from glassflow.cli.api_keys import api_keys
from glassflow.cli.archive import archive
from glassflow.cli.backup import backup, restore
from glassflow.cli.dead_letters import dead_letters
from glassflow.cli.demo import demo
from glassflow.cli.docs import docs
from glassflow.cli.doctor import doctor
from glassflow.cli.figures import figures
from glassflow.cli.history import history
from glassflow.cli.imports import import_table
from glassflow.cli.indexes import indexes
from glassflow.cli.migrate import migrate
from glassflow.cli.orders import orders
from glassflow.cli.pages import pages
from glassflow.cli.photos import photos
from glassflow.cli.prepare import prepare
from glassflow.cli.reset_password import reset_password
from glassflow.cli.seed import create_worker, seed
from glassflow.cli.sessions import sessions
from glassflow.cli.stock import stock
from glassflow.cli.webhooks import webhooks
from glassflow.core import actor

COMMANDS = (
    prepare,
    seed,
    create_worker,
    reset_password,
    sessions,
    api_keys,
    indexes,
    migrate,
    import_table,
    doctor,
    backup,
    restore,
    archive,
    demo,
    stock,
    history,
    figures,
    photos,
    orders,
    announce,
    dead_letters,
    webhooks,
    pages,
    docs,
)


def init_app(app: Flask) -> None:
    """Register the commands."""
    for command in COMMANDS:
        app.cli.add_command(command)


def _name_as_actor(command: click.Command, name: str) -> None:
    """Make a command, such as `stock check`, the actor of the changes that it makes."""
    if isinstance(command, click.Group):
        for key, one in command.commands.items():
            _name_as_actor(one, f"{name} {key}")
    if command.callback is not None:
        command.callback = actor.acting(actor.of_command(name))(command.callback)


for _command in COMMANDS:
    _name_as_actor(_command, _command.name or "")
