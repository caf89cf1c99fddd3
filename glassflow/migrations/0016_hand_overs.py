"""Deliveries keep each hand-over by itself; before, they had one beside those undone."""

from collections.abc import Mapping
from typing import Any

from pymongo import UpdateOne

from glassflow.domain.deliveries import UNDO_WINDOW, DeliveryStatus, PaneState, state_of
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.models.worker import Worker
from glassflow.services.records import lookup

Raw = Mapping[str, Any]
GONE = (
    "deliveredBy", "receivedBy", "remark", "signature", "photos", "undoneHandOvers",
)  # fmt: skip
PANE = ("paneNumber", "currentStatus", "heldFrom", "writtenOff", "deliveredAt")


def up(db: Any) -> None:
    """Turn the hand-over of each delivery, and those undone, into rows of `handOvers`.

    Panes that were missing, and that were lost, handed over or planned again since, do not
    wait. The records keep their versions, and no event is sent.
    """
    deliveries = Delivery.collection()
    planned = {"status": str(DeliveryStatus.PLANNED)}
    again = {
        one for row in deliveries.find(planned, {"panes": 1}) for one in row["panes"]
    }
    for row in list(deliveries.find({"handOvers": {"$exists": False}})):
        rows = _hand_overs(row)
        changed: dict[str, Any] = {"handOvers": rows, "noteFacts": {}}
        if rows and rows[-1]["undone"] is None:
            panes = lookup.by_id(Pane, row.get("missingPanes", ()), PANE)
            rows[-1]["left"] = [_left(panes[one]) for one in panes]
            changed["missingPanes"] = [
                one
                for one, pane in panes.items()
                if one not in again
                and state_of(pane) not in (PaneState.LOST, PaneState.DELIVERED)
            ]
            if row.get("noteFacts"):
                changed["noteFacts"] = {str(len(rows)): row["noteFacts"]}
        change = {"$set": changed, "$unset": dict.fromkeys(GONE, "")}
        deliveries.update_one({"_id": row["_id"]}, change)
    _number_entries()


def _hand_overs(row: Raw) -> list[dict[str, Any]]:
    """Return the hand-overs of a stored delivery of an earlier release, the oldest first."""
    rows = [
        {
            **_row(one, one["deliveredAt"]),
            "deliveredBy": one["deliveredBy"],
            "undone": {
                "at": one["undoneAt"],
                "by": one["undoneBy"],
                "reason": one["reason"],
            },
        }
        for one in row.get("undoneHandOvers") or ()
    ]
    if row["status"] == DeliveryStatus.DELIVERED:
        worker = Worker.collection().find_one({"_id": row.get("deliveredBy")}) or {}
        until = row.get("undoableUntil")
        rows.append(
            {
                **_row(row, row["deliveredAt"]),
                "worker": row.get("deliveredBy"),
                "deliveredBy": worker.get("name") or "",
                "panes": row["panes"],
                "undoableUntil": until or row["deliveredAt"] + UNDO_WINDOW,
            }
        )
    return [{**one, "number": number} for number, one in enumerate(rows, 1)]


def _row(one: Raw, at: Any) -> dict[str, Any]:
    return {
        "at": at,
        "recordedAt": at,
        "worker": None,
        "receivedBy": one.get("receivedBy") or "",
        "remark": one.get("remark") or "",
        "panes": [],
        "repeated": [],
        "left": [],
        "signature": one.get("signature") or [],
        "photos": one.get("photos") or [],
        "undoableUntil": at + UNDO_WINDOW,
        "isEarly": False,
        "undone": None,
    }


def _left(pane: Raw) -> dict[str, Any]:
    return {
        "pane": pane["_id"],
        "paneNumber": pane["paneNumber"],
        "reason": None,
        "note": "",
        "photos": [],
        "claim": None,
        "claimNumber": "",
    }


def _number_entries() -> None:
    """Number the hand-over of each entry: the one of its delivery that counts."""
    entries = BillingEntry.collection()
    fields = {"delivery": 1}
    query = {"delivery": {"$ne": None}, "handOver": {"$exists": False}}
    rows = list(entries.find(query, fields))
    found = lookup.by_id(Delivery, [row["delivery"] for row in rows], ("handOvers",))
    changes = [
        UpdateOne(
            {"_id": row["_id"]},
            {"$set": {"handOver": len(found[row["delivery"]]["handOvers"])}},
        )
        for row in rows
        if row["delivery"] in found
    ]
    if changes:
        entries.bulk_write(changes)
