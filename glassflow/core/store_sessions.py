"""Transactions that a killed process has left open in the store of this service."""

import logging
from typing import Any

from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError

log = logging.getLogger(__name__)


def end_abandoned() -> None:
    """End all open transactions: for a process that takes the place of one that died.

    What a killed process had open would keep its documents from everybody for a
    minute. Those of its living neighbours are repeated by their units of work. Only for
    a store that serves this service alone.
    """
    client: Any = get_connection()
    try:
        client.admin.command("killAllSessions", [])
    except PyMongoError as error:  # they end by themselves, later
        log.warning("could not end abandoned transactions: %s", error)
