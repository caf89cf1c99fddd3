"""Stations whose screens show cutting plans are cutting stations."""

from typing import Any

from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate


def up(db: Any) -> None:
    """Mark the templates with a panel `cutting-plan`, and their stations.

    They keep their versions, and no event is sent.
    """
    mark = {"$set": {"isCuttingStation": True}}
    with_plan = {"isCuttingStation": None, "uiSchema.panels.type": "cutting-plan"}
    StationTemplate.collection().update_many(with_plan, mark)
    cutting = StationTemplate.collection().distinct("_id", {"isCuttingStation": True})
    Station.collection().update_many(
        {"isCuttingStation": None, "templateId": {"$in": cutting}}, mark
    )
