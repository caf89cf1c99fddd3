"""Answers to scans of panes, and to what is asked before and after one."""

from glassflow.domain.panes.next_step import StepState
from glassflow.domain.panes.status import Action, Status
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    LOCAL,
    MESSAGE,
    NUMBER,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
    record,
)

UNDOABLE_UNTIL = described(
    nullable(TIME), "Until when the scan can be undone; null if it cannot."
)
STATION = members({"_id": ID, "name": TEXT}, title="NamedStation")

MEASURED = members(
    {
        "width": NUMBER,
        "height": NUMBER,
        "diagonals": array(NUMBER),
        "ordered": members({"width": NUMBER, "height": NUMBER}, title="OrderedSize"),
        "tolerance": TEXT,
    },
    optional=("width", "height", "diagonals"),
    title="Measured",
    description="What was measured at a check, in mm, without what was not measured, and "
    "the size and the tolerance that the pane had then.",
)
SCANNED = members(
    {
        "pane": record("Pane"),
        "log": record("PaneLog"),
        "undoableUntil": UNDOABLE_UNTIL,
        "nextStation": described(ID, "The station that the pane has moved to."),
        "remadePane": described(record("Pane"), "The remake of a pane that failed."),
        "mergedSheets": COUNT,
        "sheetPaneNumbers": array(TEXT),
        "survivorPaneNumber": TEXT,
        "retiredPaneNumbers": array(TEXT),
        "parentRetired": BOOLEAN,
    },
    optional=(
        "nextStation",
        "remadePane",
        "mergedSheets",
        "sheetPaneNumbers",
        "survivorPaneNumber",
        "retiredPaneNumbers",
        "parentRetired",
    ),
    title="Scanned",
    description="A scanned pane; the last five members are those of a lamination.",
)
BATCH_SCANNED = members(
    {
        "count": COUNT,
        "updatedCount": COUNT,
        "panes": array(record("Pane")),
        "logs": array(record("PaneLog")),
        "undoableUntil": UNDOABLE_UNTIL,
    },
    title="BatchScanned",
)
BATCH_FAILED = members(
    {
        "count": COUNT,
        "panes": array(record("Pane")),
        "logs": array(record("PaneLog")),
        "remadePanes": described(
            array(record("Pane")),
            "The remakes, in the order of the panes; of a laminated unit its parent.",
        ),
        "undoableUntil": UNDOABLE_UNTIL,
    },
    title="BatchFailed",
)
UNDONE = members(
    {
        "pane": record("Pane"),
        "log": record("PaneLog"),
        "undone": described(record("PaneLog"), "The scan that has been undone."),
        "cancelledPaneNumbers": described(array(TEXT), "Remakes that are cancelled."),
    },
    title="UndoneScan",
)
BATCH_UNDONE = members(
    {
        "count": COUNT,
        "panes": array(record("Pane")),
        "logs": array(record("PaneLog")),
        "cancelledPaneNumbers": described(array(TEXT), "Remakes that are cancelled."),
    },
    title="BatchUndone",
)

_REFUSAL = members(
    {"code": TEXT, **MESSAGE},
    optional=LOCAL,
    title="RefusalOfScan",
    is_open=True,
    description="Why no action takes the pane on; has the facts of the code besides.",
)
_SHEET = members(
    {
        "paneNumber": TEXT,
        "sheetLabel": TEXT,
        "currentStatus": choice(Status),
        "station": nullable(STATION),
        "present": BOOLEAN,
    },
    title="SheetOfUnit",
)
_UNIT = members(
    {
        "parentPaneNumber": TEXT,
        "station": nullable(STATION),
        "total": COUNT,
        "present": COUNT,
        "ready": BOOLEAN,
        "sheets": array(_SHEET),
    },
    title="UnitToLaminate",
)
_UNDO = members(
    {"action": choice(Action), "undoableUntil": UNDOABLE_UNTIL}, title="UndoableScan"
)
NEXT_STEP = members(
    {
        "pane": record("Pane"),
        "station": nullable(STATION),
        "action": described(
            nullable(choice(Action)),
            "The action that takes the pane on. At a check station that is `qc_pass` for "
            "a pane that awaits its scan_out; scan_out is accepted there too.",
        ),
        "allowed": array(choice(Action)),
        "allowedBeforeComplete": described(
            array(choice(Action)),
            "The actions that are accepted with `beforeComplete`.",
        ),
        "moveHere": described(
            nullable(
                members({"skippedStations": array(nullable(STATION))}, title="MoveHere")
            ),
            "What a scan_in with `moveHere` would skip; null where the caller cannot send "
            "one.",
        ),
        "refusal": nullable(_REFUSAL),
        "nextStation": nullable(STATION),
        "steps": array(
            members(
                {"station": nullable(STATION), "state": choice(StepState)},
                title="StepOfRoute",
            )
        ),
        "set": nullable(_UNIT),
        "undo": nullable(_UNDO),
    },
    title="NextStep",
)
RELATED = members(
    {
        "remakes": array(record("Pane")),
        "unit": array(record("Pane")),
        "claims": array(record("Claim")),
    },
    title="RelatedRecords",
)
UNIT = members(
    {"parent": record("Pane"), "sheets": array(record("Pane"))},
    title="Unit",
    description="A laminated unit: its dormant parent and its sheets.",
)
PENDING_COUNTS = array(
    members(
        {"order": nullable(ID), "request": nullable(ID), "count": COUNT},
        title="PendingCount",
    )
)
TIMELINE = array(
    members(
        {
            "type": choice(("pane", "material")),
            "logType": TEXT,
            "_id": ID,
            "createdAt": nullable(TIME),
        },
        is_open=True,
        title="TimelineEvent",
        description="A pane log or a material log, with its kind.",
    )
)
PASSPORT = members(
    {
        "at": described(nullable(TIME), "The moment that was asked for; null for now."),
        "unknownBefore": described(
            nullable(TIME),
            "Set where the history does not reach back to the moment: the pane is shown "
            "as it was at this later time.",
        ),
        "pane": record("Pane"),
        "request": nullable(record("Request")),
        "order": nullable(record("Order")),
        "lots": array(record("Inventory")),
        "chain": described(
            array(record("Pane")), "The panes that it replaces, and that replace it."
        ),
        "unit": array(record("Pane")),
        "claims": array(record("Claim")),
        "timeline": TIMELINE,
    },
    title="Passport",
    description="A pane and all that belongs to it, as far as the caller may view it.",
)
