"""A price list that nobody has saved is called an example."""

from typing import Any

from glassflow.models.pricing_settings import PricingSettings


def up(db: Any) -> None:
    """Mark the seeded price list, which has no worker who changed it.

    It keeps its version, and no event is sent: its prices are the same.
    """
    PricingSettings.collection().update_many(
        {"updatedBy": None, "isExample": None}, {"$set": {"isExample": True}}
    )
