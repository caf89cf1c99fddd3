"""Every station has a position, by which stations are ordered everywhere.

An earlier release took one from the client only, and put those without it last on boards,
first in lists.
"""

from typing import Any

from glassflow.models.station import Station


def up(db: Any) -> None:
    """Give those without a position the next ones, the oldest first: as on boards.

    Records keep their versions, and no event is sent: boards look as before.
    """
    stations = Station.collection()
    last = stations.find_one({"position": {"$ne": None}}, sort=[("position", -1)])
    position = last["position"] if last else 0
    for row in list(stations.find({"position": None}, {"_id": 1}).sort("_id")):
        position += 1
        stations.update_one({"_id": row["_id"]}, {"$set": {"position": position}})
