"""What scans change in panes and orders, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from bench.floor.store import Document, copy_of, event, now, stamped

NOWHERE = {"currentStation": None, "arrivedAt": None}
# What a scan may change, stored with its log so that it can be undone.
UNDOABLE = (
    "currentStatus",
    "currentStation",
    "arrivedAt",
    "routeIndex",
    "startedAt",
    "completedAt",
    "material",
)


def last_scan(pane: Document, log: Document) -> Document:
    """Return what tells a repeated scan from a new one."""
    moved = log["station"] != pane.get("currentStation")
    last = {
        "fingerprint": "0" * 32,
        "at": now(),
        "version": pane["version"],
        "log": log["_id"],
        "nextStation": pane.get("currentStation") if moved else None,
    }
    return {"lastScan": last}


def undo_data(pane: Document, order: Document, worker: ObjectId) -> Document:
    """Return what the log of a scan stores of the pane before it."""
    return {
        "version": pane["version"] + 1,
        "by": worker,
        "startsOrder": order["status"] == "pending",
        "pane": {name: pane.get(name) for name in UNDOABLE},
    }


def stayed(pane: Document, action: str) -> Document:
    """Return the fields of a pane that is scanned and stays where it is."""
    if action == "qc_fail":
        return {"currentStatus": "defected", **NOWHERE}
    status = "awaiting_scan_out" if action == "complete" else "in_progress"
    return {"currentStatus": status, "startedAt": pane.get("startedAt") or now()}


def moved_on(pane: Document) -> Document:
    """Return the fields of a pane that goes on to its next station."""
    step = pane["routeIndex"] + 1
    if step < len(pane["routing"]):
        next_station = pane["routing"][step]
        place = {"currentStation": next_station, "arrivedAt": now()}
        return {"currentStatus": "pending", "routeIndex": step, **place}
    return {
        "currentStatus": "completed",
        **NOWHERE,
        "completedAt": now(),
        "routeIndex": step,
    }


def merged(survivor: Document, parent: Document) -> Document:
    """Return the survivor of a lamination."""
    return {
        **survivor,
        "laminateRole": "single",
        "routing": parent["routing"],
        "routeIndex": -1,
        "currentStatus": "awaiting_scan_out",
        "laminateMergedAt": now(),
        **stamped(survivor),
    }


def retired(pane: Document, survivor: Document) -> Document:
    """Return a sheet, or the parent, that was merged into the survivor."""
    return {
        **pane,
        "currentStatus": "merged_into",
        **NOWHERE,
        "mergedInto": survivor["_id"],
        "laminateMergedAt": now(),
        **stamped(pane),
    }


def remake_of(pane: Document, number: str) -> Document:
    """Return the replacement of a pane that failed."""
    left_out = ("lastScan", "startedAt")
    kept = {name: value for name, value in pane.items() if name not in left_out}
    return copy_of(
        kept,
        paneNumber=number,
        qrCode=f"STDPLUS:{number}",
        remakeOf=pane["_id"],
        currentStatus="pending",
        currentStation=pane["routing"][0],
        arrivedAt=now(),
        routeIndex=0,
    )


def arrival_events(pane: Document) -> list[Document]:
    """Return the events of a pane at its next station; none without one."""
    station = pane.get("currentStation")
    if station is None:
        return []
    facts = {"paneNumber": pane["paneNumber"], "toStation": station}
    room = f"station:{station}"
    arrived = event("station:pane_arrived", "arrived", facts, room)
    return [arrived, event("notification", "arrived", facts, room)]


def figures(groups: Sequence[Mapping[str, Any]], order: Document) -> Document:
    """Return the figures of an order from the counts of its panes."""
    live = [one for one in groups if one["_id"].get("role") != "sheet"]
    live = [
        one for one in live if one["_id"]["status"] not in ("merged_into", "defected")
    ]
    total = max(sum(one["count"] for one in live), order["quantity"])
    done = sum(one["count"] for one in live if one["_id"]["status"] == "completed")
    stations: dict[str, int] = {}
    for one in groups:
        if one["_id"].get("station"):
            name = str(one["_id"]["station"])
            stations[name] = stations.get(name, 0) + one["count"]
    return {
        "paneCount": total,
        "panesCompleted": done,
        "progressPercent": done * 100 // total,
        "stationBreakdown": stations,
        "status": "completed" if done == total else "in_progress",
    }


def difference(old: Document, new: Document) -> Document:
    """Return the fields of the new record that differ from the old one."""
    return {k: v for k, v in new.items() if k not in old or old[k] != v}
