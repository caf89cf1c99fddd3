"""Records: loaded, created, changed and stored; their references and their wire form.

Use cases call these through the package: `records.load(Pane, pane_id)`.
"""

from glassflow.services.records.crud import (
    apply_changes,
    create,
    create_all,
    insert_all,
    load,
    merged,
    new,
    next_numbers,
    object_id,
    read_by_path,
    read_raw,
    save_all,
    update,
)

__all__ = [
    "apply_changes",
    "create",
    "create_all",
    "insert_all",
    "load",
    "merged",
    "new",
    "next_numbers",
    "object_id",
    "read_by_path",
    "read_raw",
    "save_all",
    "update",
]
