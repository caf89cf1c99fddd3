"""Stations: what a new one takes from its template."""

from collections.abc import Mapping
from typing import Any

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate
from glassflow.services import records


@unit_of_work
def create(*, values: Mapping[str, Any], actor: Identity) -> Station:
    """Create a station; without `is_check_station` it takes that of its template.

    A later change of the template changes no station. Raises `UnknownReference`.
    """
    if values.get("is_check_station") is None:
        template = StationTemplate.find_one({"_id": values["template_id"]})
        is_check = template is not None and template.is_check_station
        values = {**values, "is_check_station": is_check}
    return records.create(model=Station, values=values, actor=actor)
