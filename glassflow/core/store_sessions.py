"""What a killed process has left in the store of this service, and nobody else's."""

import logging
from typing import Any

from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError

from glassflow.core import ties

log = logging.getLogger(__name__)


def clear_up(*, alone: bool) -> None:
    """Free what a killed process held, which would else lapse by itself, later.

    For a starting process. Open transactions end: they would keep their documents from
    everybody for a minute; those of living neighbours are repeated by their units of
    work. The names of what was being deleted go only where there are no neighbours.
    """
    client: Any = get_connection()
    try:
        client.admin.command("killAllSessions", [])
        if alone:
            ties.forget()
    except PyMongoError as error:
        log.warning("could not clear up after a process that died: %s", error)
