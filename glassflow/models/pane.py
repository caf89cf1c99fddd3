"""Panes: pieces of glass that are identified by numbers and moved by scans."""

from datetime import datetime
from typing import Any

from bson import ObjectId
from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    StringField,
)

from glassflow.core.process import clock
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.panes import racks
from glassflow.domain.panes.status import EdgeTaskStatus, LaminateRole, Status
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, NumberField, ObjectField, Ref

# The stored fields that say where and how a pane is cut.
OF_CUT = ("currentStation", "dimensions", "edgeTasks", "material", "order")


def cut_out() -> dict[str, Any]:
    """Return the members of a hole or a notch, unset; sizes are in mm."""
    sizes = ("x", "y", "diameter", "width", "height", "length")
    return {"id": "", "type": "circle", **dict.fromkeys(sizes), "vertices": []}


def finding() -> dict[str, Any]:
    """Return the members of a finding, unset; see `domain.makeability`."""
    names = ("code", "level", "at")
    return {**dict.fromkeys(names, ""), "least": None, "most": None, "actual": None}


class Pane(Record):
    """A piece of glass; `route_index` is the step of its route where it is.

    `arrived_at` is when it came to `current_station`, null without one; both are set by
    `move_to`. Panes of earlier releases have none until they move. `work_started_at` is when
    the work on it began that is in progress at its station. `dimensions` are in mm,
    their `area` in mm² is set by the service. `last_scan` identifies the previous scan, to
    detect a duplicate. `held_from` is the state before
    an open claim, which is restored if the claim is rejected. `written_off` is set if
    an approved claim removed the pane from the figures of its order, `remade` if this
    claim had it made again; both are set for a remake that was cancelled because the
    failed check that made it was undone. `cancelled_from` is
    `{by, status, station, arrivedAt}` of a pane that was cancelled along with the order or
    request with the id `by`: what is restored when that is taken back. A sheet that was
    cancelled with its unit has the parent there, a pane that was cancelled on its own has
    none. `labelled_at` is when its label was last printed. `rack` is what it stands on, see
    `domain.panes.racks`. `cutting_plan` is the released plan that it is to be cut with.
    `mark` is where the customer has it, such as W01; sheets have that of their unit.
    `makeability` are the limits of making that it is beyond, as they were when its shape
    last changed; `override_reason` is why it is made nevertheless. `agreed_price` is what was agreed for it in baht before VAT, with two
    decimal places: None where nothing was agreed, 0 where it is free
    (`services.agreed_prices`). Sheets have none: their unit has it.
    """

    meta = {
        "collection": "panes",
        "indexes": [
            {"fields": ["pane_number"], "unique": True},
            for_lists("listed"),
            for_lists("order", "listed"),
            for_lists("request", "listed"),
            for_lists("current_station", "listed"),
            for_lists("current_status"),
            for_lists("parent_pane", "listed"),
            for_lists("material", "listed"),
            for_lists("laminate_role", "listed"),
            {"fields": ["remake_of"], "sparse": True},
            {"fields": ["withdrawal"], "sparse": True},
            {"fields": ["rack"], "sparse": True},
            {"fields": ["cutting_plan"], "sparse": True},
            ("arrived_at", "id"),
            ("completed_at", "id"),
            ("delivered_at", "id"),
            ("labelled_at", "id"),
        ],
    }
    label = Bilingual("Pane", th="แผ่นกระจก")
    unlisted = {"current_status": Status.MERGED_INTO.value}
    unsearched = ("agreedPrice",)
    hidden = (
        "lastScan", "heldFrom", "writtenOff", "remade", "cancelledFrom", "workStartedAt",
    )  # fmt: skip
    numbered = ("pane_number", "PNE")

    pane_number = StringField(required=True)
    qr_code = StringField(default="")
    order = Ref("Order")
    request = Ref("Request")
    withdrawal = Ref("Withdrawal")
    inventory = Ref("Inventory")
    cutting_plan = Ref("CuttingPlan")
    remake_of = Ref("Pane")
    material = Ref("Material")
    is_withdrawn = BooleanField(default=False)

    current_status = Choice(*Status, default=Status.PENDING.value)
    current_station = Ref("Station")
    arrived_at = DateTimeField()
    work_started_at = DateTimeField()
    rack = Ref("Rack")
    routing = ListField(Ref("Station"))
    route_index = IntField(default=0)
    custom_routing = BooleanField(default=False)

    dimensions = ObjectField(
        shape=lambda: {"width": 0, "height": 0, "thickness": 0, "area": 0}
    )
    job_type = StringField(default="")
    raw_glass = ObjectField(
        shape=lambda: {"glassType": "", "color": "", "thickness": 0, "sheetsPerPane": 1}
    )
    glass_type = StringField(default="")
    glass_type_label = StringField(default="")
    holes = ListField(ObjectField(shape=cut_out))
    notches = ListField(ObjectField(shape=cut_out))
    mark = StringField(default="")
    corner_spec = StringField(default="")
    dimension_tolerance = StringField(default="")
    processes = ListField(StringField())
    edge_tasks = ListField(
        ObjectField(
            shape=lambda: {
                "side": "",
                "edgeProfile": "",
                "machineType": "",
                "status": EdgeTaskStatus.PENDING.value,
            }
        )
    )
    notes = StringField(default="")
    makeability = ListField(ObjectField(shape=finding))
    override_reason = StringField(default="")
    agreed_price = NumberField()

    laminate_role = Choice(*LaminateRole, default=LaminateRole.SINGLE.value)
    parent_pane = Ref("Pane")
    child_panes = ListField(Ref("Pane"))
    sheet_label = StringField(default="")
    laminate_station = Ref("Station")
    merged_into = Ref("Pane")
    laminate_merged_at = DateTimeField()

    started_at = DateTimeField()
    completed_at = DateTimeField()
    delivered_at = DateTimeField()
    labelled_at = DateTimeField()

    last_scan = ObjectField()
    held_from = ObjectField()
    written_off = BooleanField(default=False)
    remade = BooleanField(default=False)
    cancelled_from = ObjectField()

    def derive(self) -> None:
        """Set the derived fields: withdrawn is a pane that names a withdrawal.

        A pane that can stand on no rack stands on none, and no work is in progress on a pane
        that has another status. It leaves its cutting plan when it has been cut, moves on or
        would be cut otherwise.
        """
        self.is_withdrawn = self.withdrawal is not None
        if self.rack and not self.can_stand_on_rack:
            self.rack = None
        if self.current_status != Status.IN_PROGRESS:
            self.work_started_at = None
        if self.cutting_plan and not self._is_cut_as_planned:
            self.cutting_plan = None
        super().derive()

    @property
    def _is_cut_as_planned(self) -> bool:
        """Whether the pane still waits to be cut as it was when it came to its plan."""
        if self.current_status not in (Status.PENDING, Status.IN_PROGRESS):
            return False
        is_new = self.is_changed_in("cuttingPlan")
        return is_new or not self.is_changed_in(*OF_CUT)

    @property
    def can_stand_on_rack(self) -> bool:
        """Whether the pane is a piece of glass in the workshop."""
        return racks.can_stand(
            self.current_status,
            self.laminate_role,
            is_delivered=self.delivered_at is not None,
        )

    def move_to(
        self, station: ObjectId | None, *, arrived_at: datetime | None = None
    ) -> None:
        """Put the pane at a station, or at none.

        It arrives now, or at `arrived_at` where it is put back to where it was. Nothing
        changes for a pane that is at the station already.
        """
        if station == self.current_station:
            return
        self.current_station = station
        self.arrived_at = (arrived_at or clock.now()) if station else None
        self.work_started_at = None
