"""The price list: one document, made from the seeds the first time it is wanted."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.models.pricing_settings import PricingSettings
from glassflow.services import records
from glassflow.services.identity import Identity

SEED = Path(__file__).parents[2] / "seeds" / "pricing.json"
# One fixed id: of two that make the document at once, one meets the other's.
THE_ONE = ObjectId("000000000000000000000001")


@unit_of_work
def settings() -> PricingSettings:
    """Give the price list; amounts are in baht, areas in ft², edges per metre."""
    found: PricingSettings | None = PricingSettings.objects(pk=THE_ONE).first()
    if found is None:
        seed = json.loads(SEED.read_text(encoding="utf-8"))
        found = PricingSettings(id=THE_ONE)
        records.assign(found, {name: seed[wire] for name, wire in _names(seed)})
        found.save()
    return found


@unit_of_work
def update(*, values: Mapping[str, Any], actor: Identity) -> PricingSettings:
    """Set the named parts of the price list, each as a whole."""
    found = settings()
    for name, value in values.items():
        if value is not None:
            found[name] = value
    found.updated_by = actor.worker_id
    found.save()
    return found


def _names(seed: Mapping[str, Any]) -> list[tuple[str, str]]:
    fields = PricingSettings._fields.items()
    return [(name, f.db_field) for name, f in fields if f.db_field in seed]
