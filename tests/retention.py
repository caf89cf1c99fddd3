"""How long the store keeps documents, whichever store it is."""

from mongoengine.connection import get_db

from glassflow.core import expiry


def retention_s(collection, field):
    """Return after how many seconds documents are removed, from the date in a field."""
    index = get_db()[collection].index_information()[f"{field}_1"]
    if "expireAfterSeconds" in index:
        return index["expireAfterSeconds"]
    return get_db()[expiry.COLLECTION].find_one({"_id": f"{collection}.{field}"})[
        "seconds"
    ]
