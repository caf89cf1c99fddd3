"""How long the store keeps documents."""

from mongoengine.connection import get_db


def retention_s(collection, field):
    """Return after how many seconds documents are removed, from the date in a field."""
    index = get_db()[collection].index_information()[f"{field}_1"]
    return index["expireAfterSeconds"]
