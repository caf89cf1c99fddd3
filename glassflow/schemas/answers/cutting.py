"""The answer about what waits for cutting."""

from glassflow.domain.cutting.pieces import Unplanned
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
