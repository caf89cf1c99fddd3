"""Scans by the bare driver: of one pane, of a laminated unit, of a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from bench.floor.pane_changes import (
    arrival_events,
    difference,
    figures,
    last_scan,
    merged,
    moved_on,
    remake_of,
    retired,
    stayed,
    undo_data,
)
from bench.floor.store import (
    Document,
    FloorStore,
    copy_of,
    event,
    now,
    set_fields,
    stamped,
)

PANE_ROOMS = ("dashboard|panes:view", "pane|panes:view", "production|panes:view")
LOG_ROOMS = ("dashboard|pane_logs:view", "log|pane_logs:view")
MATERIAL_LOG_ROOMS = ("dashboard|material_logs:view", "log|material_logs:view")
ORDER_ROOMS = ("dashboard|orders:view", "order|orders:view")
MOVES_ON = frozenset({"scan_out", "qc_pass"})
LEAVES = MOVES_ON | {"qc_fail"}


class Scans:
    """The scans of one worker."""

    def __init__(self, store: FloorStore, worker: ObjectId) -> None:
        self._store, self._worker = store, worker
        self._panes, self._orders = store.db.panes, store.db.orders

    def scan(self, item: Mapping[str, Any]) -> None:
        """Scan one pane: `{number, action, station}`."""
        self._store.change(lambda session: (None, self._scan(item, session)))

    def laminate(self, item: Mapping[str, Any]) -> None:
        """Merge the unit of a sheet: `{number, station}`."""
        self._store.change(lambda session: (None, self._laminate(item, session)))

    def fail(self, item: Mapping[str, Any]) -> None:
        """Fail a pane and store its remake, with its entry in the book."""
        number = self._store.next_number("PNE")
        self._store.change(
            lambda session: (None, self._fail(item, f"BENCH-{number}", session))
        )

    def batch(self, item: Mapping[str, Any]) -> None:
        """Scan many panes with one action: `{numbers, action, station}`."""
        self._store.change(lambda session: (None, self._batch(item, session)))

    def _scan(self, item: Mapping[str, Any], session: Any) -> list[Document]:
        pane, order = self._read(item["number"], item["station"], session)
        after, log = self._changed(pane, order, item["action"])
        after |= last_scan(after, log)
        events = self._write([(pane, after, log)], session)
        if item["action"] in MOVES_ON:
            events += arrival_events(after)
        return events + self._recounted(order, item["action"], session)

    def _read(
        self, number: str, station: str, session: Any
    ) -> tuple[Document, Document]:
        """Read a pane, its order, and the stations that a scan depends on."""
        pane = self._panes.find_one({"paneNumber": number}, session=session)
        assert pane is not None, number
        self._read_stations([pane], station, session)
        order = self._orders.find_one({"_id": pane["order"]}, session=session)
        assert order is not None, number
        return pane, order

    def _read_stations(
        self, panes: Sequence[Document], station: str, session: Any
    ) -> None:
        ids = {ObjectId(station)}
        for pane in panes:
            step = max(pane["routeIndex"], 0)
            ids.update(pane["routing"][step : step + 2])
        query = {"_id": {"$in": list(ids)}}
        fields = {"name": 1, "status": 1}
        list(self._store.db.stations.find(query, fields, session=session))

    def _changed(
        self, pane: Document, order: Document, action: str
    ) -> tuple[Document, Document]:
        """Return the fields that a scan sets, and its log."""
        log = self._log(pane, order, action)
        log["undo"] = undo_data(pane, order, self._worker)
        values = {"material": order["material"], **stamped(pane)}
        if action in MOVES_ON:
            values |= moved_on(pane)
            if values["currentStation"]:
                log["movedTo"] = values["currentStation"]
        else:
            values |= stayed(pane, action)
        return {**pane, **values}, log

    def _log(self, pane: Document, order: Document, action: str) -> Document:
        log = copy_of(
            {},
            pane=pane["_id"],
            order=pane["order"],
            material=order["material"],
            worker=self._worker,
            action=action,
            reason="",
            description="",
            photos=[],
            undone=[],
        )
        log["station"] = pane["currentStation"]
        if action == "complete":
            log["completedAt"] = now()
        elif action in LEAVES:
            log["arrivedAt"] = pane["arrivedAt"]
        return log

    def _write(
        self, changes: Sequence[tuple[Document, Document, Document]], session: Any
    ) -> list[Document]:
        """Store changed panes and their logs; return the events."""
        self._panes.bulk_write(
            [set_fields(old["_id"], difference(old, new)) for old, new, _ in changes],
            session=session,
        )
        self._store.db.pane_logs.insert_many(
            [log for _, _, log in changes], session=session
        )
        events = []
        for _, pane, log in changes:
            events.append(event("pane:updated", "scanned", pane, *PANE_ROOMS))
            shown = {name: log[name] for name in log if name != "undo"}
            events.append(event("log:updated", "pane_scanned", shown, *LOG_ROOMS))
        return events

    def _recounted(self, order: Document, action: str, session: Any) -> list[Document]:
        """Count the figures of an order again if the scan may have changed them."""
        if action in ("scan_in", "start", "complete") and order["status"] != "pending":
            return []
        by = {"status": "$currentStatus", "station": "$currentStation"}
        by |= {"role": "$laminateRole"}
        pipeline: list[Mapping[str, Any]] = [
            {"$match": {"order": order["_id"]}},
            {"$group": {"_id": by, "count": {"$sum": 1}}},
        ]
        groups = list(self._panes.aggregate(pipeline, session=session))
        changed = {**order, **figures(groups, order), **stamped(order)}
        values = difference(order, changed)
        self._orders.update_one(
            {"_id": order["_id"]}, {"$set": values}, session=session
        )
        return [event("order:updated", "updated", changed, *ORDER_ROOMS)]

    def _batch(self, item: Mapping[str, Any], session: Any) -> list[Document]:
        query = {"paneNumber": {"$in": item["numbers"]}}
        panes = list(self._panes.find(query, session=session))
        self._read_stations(panes, item["station"], session)
        ids = {"_id": {"$in": list({pane["order"] for pane in panes})}}
        orders = {one["_id"]: one for one in self._orders.find(ids, session=session)}
        changes = [
            (pane, *self._changed(pane, orders[pane["order"]], item["action"]))
            for pane in panes
        ]
        events = self._write(changes, session)
        for order in orders.values():
            events += self._recounted(order, item["action"], session)
        return events

    def _fail(
        self, item: Mapping[str, Any], number: str, session: Any
    ) -> list[Document]:
        pane, order = self._read(item["number"], item["station"], session)
        after, log = self._changed(pane, order, "qc_fail")
        after |= last_scan(after, log)
        log["reason"] = item["reason"]
        remake = remake_of(after, number)
        events = self._write([(pane, after, log)], session)
        self._panes.insert_one(remake, session=session)
        events.append(event("pane:updated", "created", remake, *PANE_ROOMS))
        events += self._book(after, remake, session) + arrival_events(remake)
        return events + self._recounted(order, "qc_fail", session)

    def _book(self, pane: Document, remake: Document, session: Any) -> list[Document]:
        """Log the remake in the book of its material, with quantity 0."""
        entry = copy_of(
            {},
            material=pane["material"],
            actionType="remake",
            quantityChanged=0,
            referenceId=str(pane["_id"]),
            referenceType="qc_remake",
            order=pane["order"],
            panes=[remake["_id"]],
            worker=self._worker,
            byService=True,
        )
        self._store.db.material_logs.insert_one(entry, session=session)
        return [event("log:updated", "created", entry, *MATERIAL_LOG_ROOMS)]

    def _laminate(self, item: Mapping[str, Any], session: Any) -> list[Document]:
        survivor, order = self._read(item["number"], item["station"], session)
        unit = {"_id": survivor["parentPane"]}
        parent = self._panes.find_one(unit, session=session)
        assert parent is not None
        sheets = list(self._panes.find({"parentPane": parent["_id"]}, session=session))
        others = [one for one in sheets if one["_id"] != survivor["_id"]]
        changes = [(survivor, merged(survivor, parent))]
        changes += [(one, retired(one, survivor)) for one in (*others, parent)]
        actions = ["laminate_start", *["laminate_complete"] * (len(changes) - 1)]
        rows = [
            (old, new, self._log(survivor | {"_id": old["_id"]}, order, action))
            for (old, new), action in zip(changes, actions, strict=True)
        ]
        _, after, log = rows[0]
        after |= last_scan(after, log)
        events = self._write(rows, session)
        return events + self._recounted(order, "laminate", session)
