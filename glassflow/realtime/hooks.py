"""From the models to the outbox: every save and delete is recorded by itself.

Bulk writes (`insert_many`, `update`) fire no signals: who makes them records them by
name, as `services.records.insert_all` does.
"""

from typing import Any

from mongoengine import signals

from glassflow.core import outbox
from glassflow.models import ALL
from glassflow.models.pane_log import PaneLog

# Its entries are told by the scans that write them, with what belongs to each.
SILENT = (PaneLog,)


def connect() -> None:
    """Listen to every model; calling it again changes nothing."""
    for model in ALL:
        if model not in SILENT:
            signals.post_save.connect(_saved, sender=model)
            signals.post_delete.connect(_deleted, sender=model)


def _saved(sender: type, *, document: Any, created: bool = False, **_: Any) -> None:
    action = "created" if created else "updated"
    outbox.record(sender.__name__, dict(document.to_mongo()), action)


def _deleted(sender: type, *, document: Any, **_: Any) -> None:
    outbox.record(sender.__name__, dict(document.to_mongo()), "deleted")
