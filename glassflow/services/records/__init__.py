"""Records: loaded, written and announced; their references and their wire form.

Use cases call these through the package: `records.load(Pane, pane_id)`.
"""

from glassflow.services.records.crud import (
    apply_changes,
    create,
    create_all,
    load,
    merged,
    new,
    next_numbers,
    object_id,
    read_by_path,
    read_raw,
    update,
)
from glassflow.services.records.writing import announce, delete, store, write

__all__ = [
    "announce",
    "apply_changes",
    "create",
    "create_all",
    "delete",
    "load",
    "merged",
    "new",
    "next_numbers",
    "object_id",
    "read_by_path",
    "read_raw",
    "store",
    "update",
    "write",
]
