"""An order: the customer's request with its panes, the work on them, the delivery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from demo import claims, lamination
from demo.client import Record
from demo.floor import Station, special_for
from demo.panes import Pane, Unit, by_number, id_of
from demo.plan import CUSTOMER_CLAIM, QC_FAIL, Fault, Job, faults_of
from demo.workshop import Workshop

BATCH_SIZE = 5
BATCH_STATIONS = ("cutting", "washing")


class Order:
    """One order of the day. One thread works it from its request to its delivery."""

    def __init__(
        self, workshop: Workshop, job: Job, number: int, quantity: int
    ) -> None:
        """`number` is the place of the order on this day, `quantity` counts its panes."""
        self.workshop = workshop
        self.report = workshop.report
        self.job = job
        self.number = number
        self.quantity = quantity
        self.id = ""
        self.panes: list[Pane] = []
        self.units: dict[str, Unit] = {}
        self.stations = {
            station: Station(workshop, name)
            for name, station in workshop.stations.items()
        }

    def run(self) -> None:
        """Take the order and work its panes, station by station, until all are finished."""
        request = self._request()
        order = self._order(request)
        self._add(self._panes_of(request), faults_of(self.job, self.quantity))
        if len(order["stations"]) > 1:
            path = f"/api/orders/{self.id}"
            self.workshop.manager.patch(path, currentStationIndex=1)
        while ready := [one for one in self.panes if one.open and not one.waiting]:
            station = self._station_of(ready[0])
            here = [one for one in ready if self._station_of(one) is station]
            self._work(station, here)

    def _request(self) -> Record:
        manager, count = self.workshop.manager, self.quantity
        customers = self.workshop.customers
        request: Record = manager.post(
            "/api/requests",
            details={
                "type": self.job.title,
                "quantity": count,
                "estimatedPrice": 1500 * count,
            },
            customer=customers[self.number % len(customers)],
            assignedTo=manager.id,
            deliveryLocation="หน้าไซต์งาน ติดต่อคุณสมศักดิ์",
            deadline="2030-01-31T10:00:00.000Z",
            panes=[
                pane_body(self.job, n, count, self.workshop.stations)
                for n in range(count)
            ],
            referenceId=f"PO-{self.workshop.run_id}-{self.number}",
        )
        return request

    def _order(self, request: Record) -> Record:
        """Make the order from the request, whose panes it adopts."""
        route = self.job.routes[0] if self.job.routes else ()
        order: Record = self.workshop.manager.post(
            "/api/orders",
            request=request["_id"],
            customer=id_of(request["customer"]),
            material=self.workshop.materials[self.job.material],
            quantity=self.quantity,
            stations=[self.workshop.stations[name] for name in dict.fromkeys(route)],
            assignedTo=self.workshop.manager.id,
            notes=self.job.notes,
        )
        self.id = order["_id"]
        return order

    def _panes_of(self, request: Record) -> list[Record]:
        return self.workshop.manager.list_all("/api/panes", request=request["_id"])

    def _add(self, records: Sequence[Record], faults: Sequence[Fault] = ()) -> None:
        """Take on new panes. The i-th pane or unit gets the i-th fault.

        A parent becomes a `Unit` instead of a pane.
        """
        remaining = list(faults)
        for record in sorted(records, key=by_number):
            fault = None
            if record["laminateRole"] != "sheet" and remaining:
                fault = remaining.pop(0)
            if record["laminateRole"] == "parent":
                self._add_unit(record, fault)
                continue
            unit = self.units.get(id_of(record["parentPane"]))
            if unit and unit.fault and unit.fault.on_sheet:  # the first sheet gets it
                fault, unit.fault = unit.fault, None
            # orders begin with different indexes, so that few panes show all specials
            pane = Pane(len(self.panes) + self.number, record, fault, unit)
            self.panes.append(pane)
            self.report.panes.append(pane)

    def _add_unit(self, parent: Record, fault: Fault | None) -> None:
        sheets = int(parent["rawGlass"]["sheetsPerPane"])
        index = len(self.units) + self.number
        self.units[parent["_id"]] = Unit(
            index, parent["_id"], parent["paneNumber"], sheets, fault
        )

    def _station_of(self, pane: Pane) -> Station:
        """The station where a pane is worked: any one, if the pane has no route."""
        turns = list(self.stations)
        return self.stations[pane.station or turns[pane.index % len(turns)]]

    def _work(self, station: Station, panes: Sequence[Pane]) -> None:
        """Work panes at their station, at some in one batch if nothing is special."""
        plain = [pane for pane in panes if self._is_plain(station, pane)]
        if station.name in BATCH_STATIONS and len(plain) > 1:
            station.work_batch(plain[:BATCH_SIZE])
            return
        for pane in panes:
            if pane.open and not pane.waiting:
                self._work_one(station, pane)

    def _is_plain(self, station: Station, pane: Pane) -> bool:
        fresh = pane.status == "pending" and not special_for(pane)
        return fresh and not _fault_due(station, pane)

    def _work_one(self, station: Station, pane: Pane) -> None:
        fault = pane.fault
        if fault and _fault_due(station, pane):
            self._apply(fault, station, pane)
        elif pane.unit and station.name == "lamination":
            self._laminate(station, pane, pane.unit)
        else:
            station.work(pane)

    def _apply(self, fault: Fault, station: Station, pane: Pane) -> None:
        """Let a pane fail here, and take on its remake."""
        if fault.kind is CUSTOMER_CLAIM:
            station.complete(pane)
            station.leave(pane)
        elif pane.unit and station.name == "lamination":
            lamination.arrive(station, pane, pane.unit)
        elif pane.status == "pending":
            station.scan(pane, "scan_in")
        pane.fault = None
        pane.leave_unit()
        fail = claims.fail_check if fault.kind is QC_FAIL else claims.claim
        self._add(fail(station, pane, fault))

    def _laminate(self, station: Station, sheet: Pane, unit: Unit) -> None:
        lamination.arrive(station, sheet, unit)
        if not unit.complete:
            return
        survivor = lamination.laminate(station, sheet, unit)
        if survivor.fault and _fault_due(station, survivor):
            self._apply(survivor.fault, station, survivor)
        else:
            station.leave(survivor)

    def check(self) -> None:
        """Check that the order is complete and has no panes that nobody has asked for."""
        admin, problems = self.workshop.admin, self.report.problems
        record = admin.get(f"/api/orders/{self.id}")
        if record["status"] == "completed" and record["progressPercent"] == 100:
            self.report.orders_completed += 1
        else:
            state = f"{record['status']}, {record['progressPercent']} %"
            problems.append(f"{record['orderNumber']} ends as {state}")
        problems += [
            f"{one.number} is left {one.status}" for one in self.panes if one.open
        ]
        known = {one.id for one in self.panes} | self.units.keys()
        stored = admin.list_all("/api/panes", order=self.id, includeMerged="true")
        problems += [
            f"{row['paneNumber']} is in no answer, or created twice"
            for row in stored
            if row["_id"] not in known
        ]


def _fault_due(station: Station, pane: Pane) -> bool:
    return pane.fault is not None and pane.fault.at in ("", station.name)


def pane_body(job: Job, n: int, panes: int, stations: Mapping[str, str]) -> Record:
    """The n-th of a job's panes in the body of a request; each one is 10 mm wider."""
    glass_type, color, thickness = job.glass
    width, height = job.size[0] + 10 * n, job.size[1]
    body: Record = {
        "dimensions": {"width": width, "height": height, "thickness": thickness},
        "jobType": job.job_type,
        "rawGlass": {
            "glassType": glass_type,
            "color": color,
            "thickness": thickness,
            "sheetsPerPane": job.sheets,
        },
        "glassType": glass_type,
        "glassTypeLabel": f"{glass_type} {color} {thickness} มม.",
        "cornerSpec": "ลบมุม 2 มม.",
        "holes": [_hole(i, width) for i in range(job.holes)],
        "notes": f"{job.notes} (แผ่นที่ {n + 1})",
    }
    if not job.routes:  # any station may work the pane
        return body
    without_steps = n >= panes - job.without_steps
    route = () if without_steps else job.routes[n % len(job.routes)]
    routing = [stations[name] for name in route]
    return body | {"routing": routing, "customRouting": len(job.routes) > 1}


def _hole(i: int, width: int) -> Record:
    x = 60 if i % 2 else width - 60
    return {
        "id": f"h{i + 1}",
        "type": "circle",
        "x": x,
        "y": 80 + 120 * i,
        "diameter": 12,
    }
