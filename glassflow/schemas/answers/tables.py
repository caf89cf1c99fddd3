"""Answers about imports."""

from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    INTEGER,
    LOCAL,
    MESSAGE,
    TEXT,
    array,
    choice,
    described,
    mapping,
    members,
)

_CHANGE = members({"from": TEXT, "to": TEXT}, title="ChangedCell")
_ROW = members(
    {
        "row": described(INTEGER, "As spreadsheets count: the first row is 1."),
        "action": choice(("created", "updated", "unchanged", "fault")),
        "changes": described(mapping(_CHANGE), "By column; not of a faulty row."),
        "_id": described(ID, "Not of what a dry run would create."),
    },
    optional=("changes", "_id"),
    title="ImportedRow",
)
ROW_FAULT = members(
    {
        "row": INTEGER,
        "field": described(TEXT, "The column; empty: the row as a whole."),
        **MESSAGE,
    },
    optional=LOCAL,
    title="RowFault",
    description="What is wrong with a row of a file.",
)
_TABLE = members(
    {
        "header": described(INTEGER, "The row that names the columns."),
        "columns": described(array(TEXT), "The columns that it names."),
        "known": described(array(TEXT), "The names that it may have."),
        "taken": described(
            array(TEXT),
            "Those of them that an import writes; references by number or name.",
        ),
        "rows": array(
            members({"row": INTEGER, "cells": array(TEXT)}, title="RowOfTable")
        ),
    },
    title="Table",
    description="The cells of a file as texts, in which a CSV file may hold them.",
)
_SHEET = described(TEXT, "The one that was read, where the file has several.")
CELLS = members(
    {"rows": array(array(TEXT)), "sheet": _SHEET},
    optional=("sheet",),
    title="CellsOfFile",
    description="The rows of a file; one that is blank is an empty list.",
)
IMPORTED = members(
    {
        "dryRun": BOOLEAN,
        "created": COUNT,
        "updated": COUNT,
        "unchanged": COUNT,
        "sheet": _SHEET,
        "faults": described(COUNT, "How many rows are faulty; of a dry run only."),
        "rows": array(_ROW),
        "errors": array(ROW_FAULT),
        "table": _TABLE,
    },
    optional=("table", "sheet"),
    title="Imported",
    description="What an import did with each row, or a dry run would do.",
)
