"""Stations: what a new one takes from its template."""

from collections.abc import Mapping
from typing import Any

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate
from glassflow.services import records

MARKS = ("is_check_station", "is_cutting_station")


@unit_of_work
def create(*, values: Mapping[str, Any], actor: Identity) -> Station:
    """Create a station; the marks that are not given are those of its template.

    A later change of the template changes no station. Raises `UnknownReference`.
    """
    missing = [name for name in MARKS if values.get(name) is None]
    if missing:
        template = StationTemplate.find_one({"_id": values["template_id"]})
        marks = {name: template is not None and template[name] for name in missing}
        values = {**values, **marks}
    return records.create(model=Station, values=values, actor=actor)
