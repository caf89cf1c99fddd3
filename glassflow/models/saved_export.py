"""Saved exports: what to export, by name. The file is made again each time."""

from enum import StrEnum

from mongoengine import BooleanField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, Ref


class ExportFormat(StrEnum):
    """The format of an exported file."""

    CSV = "csv"
    XLSX = "xlsx"


class SavedExport(Record):
    """The definition of an export: a list, its query and the format of the file.

    `query` is the query string of the list, such as `status=pending&fields=order,notes`. A
    `shared` one is seen by everyone who may read the list, and changed by its owner only.
    """

    meta = {
        "collection": "saved_exports",
        "indexes": [for_lists("owner"), for_lists("shared")],
    }
    label = Bilingual("Saved export", th="การส่งออกที่บันทึกไว้")
    has_history = False  # it is personal

    name = StringField(required=True)
    resource = StringField(required=True)
    query = StringField(default="")
    format = Choice(*ExportFormat, default=ExportFormat.XLSX)
    shared = BooleanField(default=False)
    owner = Ref("Worker", required=True)
