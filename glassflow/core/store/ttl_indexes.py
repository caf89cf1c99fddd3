"""TTL indexes: the store removes documents some time after a date in them."""

from mongoengine.connection import get_db
from pymongo.errors import OperationFailure

# MongoDB's error codes of an index that exists with other options.
INDEX_OPTIONS_CONFLICT, INDEX_KEY_SPECS_CONFLICT = 85, 86
# ... and of a user without the right to change a collection's options.
UNAUTHORIZED = 13


def ensure(collection: str, field: str, retention_s: int) -> None:
    """Create the index, or give the existing one another retention, in place.

    Only where the user of the store may create indexes and not change them, the index is
    made again: until that is done, documents are not removed.
    """
    rows = get_db()[collection]
    try:
        rows.create_index(field, expireAfterSeconds=retention_s)
        return
    except OperationFailure as error:
        if error.code not in (INDEX_OPTIONS_CONFLICT, INDEX_KEY_SPECS_CONFLICT):
            raise
    index = {"keyPattern": {field: 1}, "expireAfterSeconds": retention_s}
    try:
        get_db().command("collMod", collection, index=index)
    except OperationFailure as error:
        if error.code != UNAUTHORIZED:
            raise
        rows.drop_index([(field, 1)])
        rows.create_index(field, expireAfterSeconds=retention_s)
