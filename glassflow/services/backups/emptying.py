"""Takes all records out of a store, as a restore of an empty backup would.

So a kill leaves the old data, or an empty store once the command is repeated; no process
starts in between. Numbers of records begin anew; those of events go on, so that a client
that knows earlier ones is told that it missed some.
"""

from collections.abc import Mapping
from typing import Any

from mongoengine.connection import get_db

from glassflow.core.events import event_numbers
from glassflow.core.store import migrations
from glassflow.core.store.connection import durable
from glassflow.services.backups import replacing, restoring
from glassflow.services.backups.restoring import NewFiles, Refused

# Stands in place of the checksum of a backup while the data are replaced.
NOTHING = "nothing"


def empty(
    collection: str, document: Mapping[str, Any], files: NewFiles | None = None
) -> None:
    """Replace all that the store holds by one document.

    `files` are those of an embedded store. Raises `Refused`, with nothing changed, while
    the service runs, and `Unfinished`.
    """
    with restoring.alone():
        if replacing.unfinished() is not None:
            raise Refused("A restore was killed: run `flask restore --finish` first.")
        done = list(get_db()[migrations.COLLECTION].find())

        def fill() -> None:
            if done:
                durable(migrations.COLLECTION).insert_many(done)
            durable(collection).insert_one(dict(document))
            event_numbers.skip_to(restoring.first_unused_number())

        restoring.replace_all(fill, files, size=0, name=NOTHING)


def is_unfinished() -> bool:
    """Return whether `empty` was killed while it replaced the data."""
    return replacing.unfinished() == NOTHING
