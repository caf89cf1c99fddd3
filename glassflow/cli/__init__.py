"""The `flask` commands: seeds, a worker by hand, indexes, the doctor, the stock's
check, announcements, printed tables."""

from flask import Flask

from glassflow.cli.announce import announce
from glassflow.cli.docs import docs
from glassflow.cli.doctor import doctor
from glassflow.cli.indexes import indexes
from glassflow.cli.seed import create_worker, seed
from glassflow.cli.stock import stock

COMMANDS = (seed, create_worker, indexes, doctor, stock, announce, docs)


def init_app(app: Flask) -> None:
    """Give the service its commands."""
    for command in COMMANDS:
        app.cli.add_command(command)
