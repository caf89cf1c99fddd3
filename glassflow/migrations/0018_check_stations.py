"""Stations where panes are checked are check stations."""

from typing import Any

from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate


def up(db: Any) -> None:
    """Mark the templates whose screens have the action `qc_pass`, and their stations.

    They keep their versions, and no event is sent.
    """
    mark = {"$set": {"isCheckStation": True}}
    templates = StationTemplate.collection()
    templates.update_many({"isCheckStation": None, "uiSchema.actions": "qc_pass"}, mark)
    checking = templates.distinct("_id", {"isCheckStation": True})
    Station.collection().update_many(
        {"isCheckStation": None, "templateId": {"$in": checking}}, mark
    )
