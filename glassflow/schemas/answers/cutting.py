"""The answers about what waits for cutting, and about the sheets of a plan."""

from glassflow.domain.cutting.pieces import Unplanned
from glassflow.domain.cutting.plan import Axis
from glassflow.domain.cutting.stages import LeftOut, PaneOnSheet
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
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

_AREA = described(NUMBER, "In m².")
_PANES = described(
    array(members({"_id": ID, "paneNumber": TEXT}, title="PaneThatWaits")),
    "The first 50.",
)
_UNPLANNED = members(
    {
        "reason": choice([str(one) for one in Unplanned]),
        "count": COUNT,
        "panes": _PANES,
    },
    title="UnplannedPanes",
)
_MATERIAL = members(
    {
        "material": ID,
        "name": TEXT,
        "unit": TEXT,
        "isActive": BOOLEAN,
        "sheetSizes": array(
            members({"width": NUMBER, "height": NUMBER}, title="SizeOfSheet")
        ),
        "panes": described(
            COUNT,
            "Of this material, or of an order of it where they have none. Each sheet of a "
            "laminated pane counts.",
        ),
        "planned": described(COUNT, "Those of `panes` that a released plan has."),
        "area": described(NUMBER, "In m², of the finished sizes."),
        "due": described(nullable(TIME), "The earliest deadline of their requests."),
        "late": described(COUNT, "Panes whose deadline is over."),
        "sheets": described(NUMBER, "In stock without the remnants, in `unit`."),
        "remnants": members(
            {"count": COUNT, "area": _AREA}, title="RemnantsOfMaterial"
        ),
        "unplanned": described(
            array(_UNPLANNED), "Those of `panes` that no plan can have, and why."
        ),
    },
    title="MaterialThatWaits",
)
WAITING = members(
    {
        "stations": described(
            array(members({"_id": ID, "name": TEXT}, title="CuttingStation")),
            "The cutting stations in their order; none if none is marked.",
        ),
        "hasSolver": described(
            BOOLEAN, "Whether packingsolver is installed, which finds better plans."
        ),
        "materials": described(
            array(_MATERIAL), "Those with the earliest deadlines first."
        ),
        "noMaterial": members(
            {"count": COUNT, "area": _AREA, "panes": _PANES},
            title="PanesWithoutMaterial",
        ),
    },
    title="WaitingForCutting",
)
_MM = described(NUMBER, "In mm.")
_BOX = {"x": _MM, "y": _MM, "width": _MM, "height": _MM}
_LOT = members(
    {
        "_id": ID,
        "inventoryNumber": TEXT,
        "location": TEXT,
        "storageColor": TEXT,
        "stockType": TEXT,
    },
    title="LotOfSheet",
)
_PANE_ON_SHEET = members(
    {
        "_id": ID,
        "paneNumber": TEXT,
        "mark": TEXT,
        "sheetLabel": TEXT,
        **_BOX,
        "isTurned": BOOLEAN,
        "state": described(
            choice([str(one) for one in PaneOnSheet]),
            "`left`: it is not cut with this sheet; of one that is not cut, `reason` says why.",
        ),
        "reason": nullable(choice([str(one) for one in LeftOut])),
        "order": nullable(ID),
        "orderNumber": TEXT,
        "due": described(nullable(TIME), "The deadline of the request."),
        "nextStation": described(TEXT, "The name of the station after cutting."),
        "rack": described(TEXT, "The number of the rack that it stands on."),
    },
    title="PaneOnSheet",
)
_SHEET = members(
    {
        "number": COUNT,
        "lot": _LOT,
        "isRemnant": BOOLEAN,
        "width": _MM,
        "height": _MM,
        "trim": described(NUMBER, "In mm, cut off each edge."),
        "axis": described(
            choice([str(one) for one in Axis]),
            "The direction in which the strips of the sheet follow each other.",
        ),
        "usePercent": described(
            NUMBER, "The share of the panes, without what is kept as remnants."
        ),
        "panes": described(
            array(_PANE_ON_SHEET),
            "In the order in which they break out; `x` and `y` from the left and lower edge.",
        ),
        "rests": array(members({**_BOX, "isKept": BOOLEAN}, title="RestOfSheet")),
        "defects": array(members(_BOX, title="DefectOfSheet")),
        "remnants": described(
            array(_LOT), "The lots that were made of the rests when it was cut."
        ),
        "cutAt": nullable(TIME),
        "cutByName": TEXT,
    },
    title="PlannedSheet",
)
SHEETS = members({"sheets": array(_SHEET)}, title="SheetsOfPlan")
SHEET_CUT = members(
    {
        "plan": record("CuttingPlan"),
        "panes": described(
            array(record("Pane")), "Those that were cut, then those that broke."
        ),
        "remnants": described(
            array(record("Inventory")), "The lots that were made of the rests."
        ),
        "remakes": array(
            members(
                {
                    "_id": ID,
                    "paneNumber": TEXT,
                    "sheet": described(
                        nullable(COUNT),
                        "The sheet of the plan that it came to; null: it waits for a plan.",
                    ),
                },
                title="RemakeOfCut",
            )
        ),
        "undoableUntil": TIME,
    },
    title="SheetCut",
)
SHEET_UNDONE = members(
    {
        "plan": record("CuttingPlan"),
        "panes": described(array(record("Pane")), "They wait to be cut again."),
        "cancelled": described(
            array(record("Pane")), "The remakes of the panes that broke."
        ),
    },
    title="SheetUndone",
)
