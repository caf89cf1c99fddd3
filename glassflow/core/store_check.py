"""Does this MongoDB do what the unit of work needs? Asked once, at the start.

Also a program (`python -m glassflow.core.store_check`, the URI in MONGODB_URI): the
launcher asks in a process of its own, because it must not import the driver.
"""

import os
import sys

from pymongo import MongoClient
from pymongo.errors import (
    ConfigurationError,
    ConnectionFailure,
    InvalidURI,
    OperationFailure,
    PyMongoError,
)

NO_TRANSACTIONS = (
    "The MongoDB of MONGODB_URI has no transactions, which glassflow needs: make it a "
    "replica set of one (start mongod with --replSet rs0, then once in mongosh: "
    "rs.initiate())."
)


def why_unfit(uri: str, *, seconds: float = 10.0) -> str | None:
    """Return one clear sentence if the store cannot be used, None if it can."""
    try:
        with MongoClient[dict[str, object]](
            uri, serverSelectionTimeoutMS=int(seconds * 1000)
        ) as client:
            return why_without_transactions(client)
    except (ConfigurationError, InvalidURI, ValueError) as error:
        return f"MONGODB_URI makes no sense to the driver: {_briefly(error)}."
    except ConnectionFailure as error:
        return (
            f"The MongoDB of MONGODB_URI did not answer within {seconds:g} seconds: "
            f"{_briefly(error)}."
        )
    except PyMongoError as error:
        return f"The MongoDB of MONGODB_URI cannot be used: {_briefly(error)}."


def why_without_transactions(client: "MongoClient[dict[str, object]]") -> str | None:
    """Read something inside a transaction; say so if the store knows none.

    A failure to reach the store is raised, as the driver raises it.
    """
    hello = client.admin.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        return NO_TRANSACTIONS
    try:
        with client.start_session() as session, session.start_transaction():
            client["glassflow"]["counters"].find_one({}, session=session)
    except OperationFailure as error:
        if error.code in (20, 263):  # IllegalOperation, OperationNotSupportedIn...
            return NO_TRANSACTIONS
        raise
    return None


def _briefly(error: Exception) -> str:
    """The driver's first words, without its account of every server and timeout."""
    return str(error).partition(" (configured")[0].partition("\n")[0].rstrip(".")


if __name__ == "__main__":
    sys.exit(why_unfit(os.environ["MONGODB_URI"]))
