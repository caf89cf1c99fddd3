"""Whether this MongoDB has what the service needs; checked at the start.

Also a program (`python -m glassflow.core.store.mongo_check`, the store in MONGODB_URI and
MONGODB_DB): gunicorn's master checks in a process of its own, because it must not import
the driver.
"""

import os
import sys
from enum import StrEnum

from pymongo import MongoClient
from pymongo.errors import (
    ConfigurationError,
    ConnectionFailure,
    InvalidURI,
    OperationFailure,
    PyMongoError,
)

from glassflow.core.store import migrations
from glassflow.core.store.connection import without_concerns

# The first release whose writes wait for the majority by default, and that stores names
# with `$` or a dot inside the free JSON of clients. Servers report a number of the wire
# protocol that grows with the release, also those that are no MongoDB.
MIN_VERSION = "5.0"
MIN_WIRE_VERSION = 13


class Lack(StrEnum):
    """What a store lacks, in the words of `/api/health/ready`."""

    VERSION = "too old"
    TRANSACTIONS = "without transactions"
    DATA = "being restored"


TOO_OLD = (
    f"The MongoDB of MONGODB_URI is older than {MIN_VERSION}, which glassflow needs: "
    "upgrade it."
)
NO_TRANSACTIONS = (
    "The MongoDB of MONGODB_URI has no transactions, which glassflow needs: make it a "
    "replica set of one (start mongod with --replSet rs0, then once in mongosh: "
    "rs.initiate())."
)
SENTENCES = {
    Lack.VERSION: TOO_OLD,
    Lack.TRANSACTIONS: NO_TRANSACTIONS,
    Lack.DATA: migrations.RESTORE_UNFINISHED,
}


def why_unfit(uri: str, database: str, *, timeout_s: float = 10.0) -> str | None:
    """Return one clear sentence if the store cannot be used, None if it can."""
    try:
        with MongoClient[dict[str, object]](
            without_concerns(uri), serverSelectionTimeoutMS=int(timeout_s * 1000)
        ) as client:
            found = lack(client, database)
            if found:
                return SENTENCES[found]
            return migrations.why_unusable(
                client[database][migrations.COLLECTION].find()
            )
    except (ConfigurationError, InvalidURI, ValueError) as error:
        return f"MONGODB_URI makes no sense to the driver: {_first_clause(error)}."
    except ConnectionFailure as error:
        return (
            f"The MongoDB of MONGODB_URI did not answer within {timeout_s:g} seconds: "
            f"{_first_clause(error)}."
        )
    except PyMongoError as error:
        return f"The MongoDB of MONGODB_URI cannot be used: {_first_clause(error)}."


def lack(client: "MongoClient[dict[str, object]]", database: str) -> Lack | None:
    """Return what the store lacks; it is asked for its version, and read in a transaction.

    It reads the database that the service uses, where it needs no other rights.

    Raises the driver's error if the store cannot be reached.
    """
    try:
        hello = client.admin.command("hello")
    except ConfigurationError as error:
        if "reports wire version" in str(error):  # older than the driver supports
            return Lack.VERSION
        raise
    if hello["maxWireVersion"] < MIN_WIRE_VERSION:
        return Lack.VERSION
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        return Lack.TRANSACTIONS
    try:
        with client.start_session() as session, session.start_transaction():
            rows = client[database][migrations.COLLECTION]
            restoring = rows.find_one({"_id": migrations.RESTORING}, session=session)
    except OperationFailure as error:
        if error.code in (20, 263):  # IllegalOperation, OperationNotSupportedIn...
            return Lack.TRANSACTIONS
        raise
    return Lack.DATA if restoring else None


def _first_clause(error: Exception) -> str:
    """Return the driver's message without its list of servers and timeouts."""
    return str(error).partition(" (configured")[0].partition("\n")[0].rstrip(".")


if __name__ == "__main__":
    sentence = why_unfit(os.environ["MONGODB_URI"], os.environ["MONGODB_DB"])
    sys.exit(f"glassflow: {sentence}" if sentence else 0)
