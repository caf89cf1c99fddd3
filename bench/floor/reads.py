"""Reads by the bare driver: an account, pages of lists, a search, the dashboard.

A page is read in the cheapest way that is right: its filter by an index, and its total
where the page does not end the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from argon2 import PasswordHasher
from bson import ObjectId

from bench.floor.store import FloorStore, now

NEWEST = [("createdAt", -1), ("_id", -1)]


class Reads:
    """Reads of one worker."""

    def __init__(self, store: FloorStore, worker: ObjectId) -> None:
        self._db, self._worker = store.db, worker
        self._hasher = PasswordHasher()

    def log_in(self, item: Mapping[str, Any]) -> None:
        """Read the worker by name, check the password, and read the role."""
        worker = self._db.workers.find_one({"username": item["username"]})
        assert worker is not None, item
        self._hasher.verify(worker["passwordHash"], item["password"])
        self._db.roles.find_one({"_id": worker["role"]})

    def me(self, item: Mapping[str, Any]) -> None:
        """Read the worker."""
        self._db.workers.find_one({"_id": self._worker})

    def panes(self, item: Mapping[str, Any]) -> None:
        """Read a page of the newest panes: `{limit, populate}`."""
        self._page("panes", {"listed": True}, item)

    def panes_of_order(self, item: Mapping[str, Any]) -> None:
        """Read the panes of an order: `{order, limit, populate}`."""
        self._page("panes", {"order": ObjectId(item["order"])}, item)

    def panes_at_station(self, item: Mapping[str, Any]) -> None:
        """Read the panes at a station: `{station, limit, populate}`."""
        self._page("panes", {"currentStation": ObjectId(item["station"])}, item)

    def orders(self, item: Mapping[str, Any]) -> None:
        """Read a page of the newest orders: `{limit, populate}`."""
        self._page("orders", {}, item)

    def search_number(self, item: Mapping[str, Any]) -> None:
        """Find a pane by its number: `{text}`."""
        list(self._db.panes.find({"paneNumber": item["text"]}).limit(20))

    def search_text(self, item: Mapping[str, Any]) -> None:
        """Find panes by a word in one text: `{text}`."""
        query = {"notes": {"$regex": item["text"], "$options": "i"}}
        list(self._db.panes.find(query).sort(NEWEST).limit(20))

    def dashboard(self, item: Mapping[str, Any]) -> None:
        """Count the records of the dashboard, by status, station and day."""
        for name, field in (
            ("requests", "$status"),
            ("orders", "$status"),
            ("panes", "$currentStatus"),
            ("claims", "$status"),
            ("withdrawals", "$status"),
        ):
            self._count(name, {}, field)
        self._count("panes", {"currentStation": {"$ne": None}}, "$currentStation")
        list(self._db.stations.find({}, {"name": 1, "status": 1}))
        self._count("inventories", {}, "$material")
        list(self._db.materials.find({}, {"name": 1, "reorderPoint": 1}))
        since = now() - timedelta(days=7)
        for name, field in (
            ("requests", "createdAt"),
            ("panes", "createdAt"),
            ("panes", "completedAt"),
        ):
            by = {"$dateTrunc": {"date": f"${field}", "unit": "day"}}
            self._count(name, {field: {"$gte": since}}, by)

    def _count(self, collection: str, match: Mapping[str, Any], by: Any) -> None:
        group = {"$group": {"_id": by, "count": {"$sum": 1}}}
        list(self._db[collection].aggregate([{"$match": match}, group]))

    def _page(
        self, collection: str, query: Mapping[str, Any], item: Mapping[str, Any]
    ) -> None:
        """Read a page, and the records that it refers to: one query a collection."""
        found = self._db[collection].find(query).sort(NEWEST).limit(item["limit"])
        rows = list(found)
        if len(rows) == item["limit"]:
            self._db[collection].count_documents(query)
        for name, fields in (item.get("populate") or {}).items():
            ids = {one for row in rows for field in fields for one in _ids(row, field)}
            if ids:
                list(self._db[name].find({"_id": {"$in": list(ids)}}))


def _ids(row: Mapping[str, Any], field: str) -> list[ObjectId]:
    value = row.get(field)
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, ObjectId)]
