"""Changes of records by the bare driver: requests with panes, customers, stations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from bench.floor.scans import PANE_ROOMS
from bench.floor.store import Document, FloorStore, copy_of, event, now, stamped

REQUEST_ROOMS = ("dashboard|requests:view", "request|requests:view")


class Changes:
    """Changes of one worker; new records have the fields of a stored sample."""

    def __init__(self, store: FloorStore) -> None:
        self._store, self._db = store, store.db
        self._samples: dict[str, Document] = {}

    def _sample(self, collection: str) -> Document:
        if collection not in self._samples:
            found = self._db[collection].find_one({"version": 1}, sort=[("_id", -1)])
            assert found is not None, collection
            self._samples[collection] = found
        return self._samples[collection]

    def create_request(self, item: Mapping[str, Any]) -> None:
        """Store a request with panes: `{customer, routing, panes}`."""
        request_number = self._store.next_number("REQ")
        last = self._store.next_number("PNE", item["panes"])
        request = copy_of(
            self._sample("requests"),
            requestNumber=f"BENCH-{request_number}",
            customer=ObjectId(item["customer"]),
        )
        panes = [
            self._pane(request["_id"], f"BENCH-{last - index}", item["routing"])
            for index in range(item["panes"])
        ]

        def work(session: Any) -> tuple[None, list[Document]]:
            self._check_references(item, session)
            self._db.requests.insert_one(request, session=session)
            self._db.panes.insert_many(panes, session=session)
            created = event("request:updated", "created", request, *REQUEST_ROOMS)
            events = (event("pane:updated", "created", p, *PANE_ROOMS) for p in panes)
            return None, [created, *events]

        self._store.change(work)

    def _pane(self, request: ObjectId, number: str, routing: list[str]) -> Document:
        route = [ObjectId(station) for station in routing]
        return copy_of(
            self._sample("panes"),
            paneNumber=number,
            qrCode=f"STDPLUS:{number}",
            request=request,
            routing=route,
            currentStation=route[0],
            arrivedAt=now(),
        )

    def _check_references(self, item: Mapping[str, Any], session: Any) -> None:
        customers = {"_id": {"$in": [ObjectId(item["customer"])]}}
        stations = {"_id": {"$in": [ObjectId(one) for one in item["routing"]]}}
        for name, query in (("customers", customers), ("stations", stations)):
            list(self._db[name].find(query, {"_id": 1}, session=session))

    def create_customer(self, item: Mapping[str, Any]) -> None:
        """Store a customer: `{name}`."""
        customer = copy_of(self._sample("customers"), name=item["name"])

        def work(session: Any) -> tuple[None, list[Document]]:
            self._db.customers.insert_one(customer, session=session)
            rooms = ("dashboard|customers:view",)
            return None, [event("customer:updated", "created", customer, *rooms)]

        self._store.change(work)

    def change_customer(self, item: Mapping[str, Any]) -> None:
        """Change a text of a customer: `{id, notes}`."""
        rooms = ("dashboard|customers:view",)
        self._change("customers", "customer:updated", item, rooms)

    def change_station(self, item: Mapping[str, Any]) -> None:
        """Change a text of a station: `{id, notes}`."""
        rooms = ("dashboard|stations:view", "station|stations:view")
        self._change("stations", "station:updated", item, rooms)

    def _change(
        self,
        name: str,
        event_name: str,
        item: Mapping[str, Any],
        rooms: tuple[str, ...],
    ) -> None:
        query = {"_id": ObjectId(item["id"])}

        def work(session: Any) -> tuple[None, list[Document]]:
            record = self._db[name].find_one(query, session=session)
            assert record is not None, item
            values = {"notes": item["notes"], **stamped(record)}
            self._db[name].update_one(query, {"$set": values}, session=session)
            return None, [event(event_name, "updated", record | values, *rooms)]

        self._store.change(work)
