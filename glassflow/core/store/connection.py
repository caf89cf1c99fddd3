"""The connection to the store, and which concerns its reads and writes have.

The service sets its own: a transaction is committed with `MAJORITY_WRITE`, and so is what
is written beside transactions and must survive a failover (`durable`); what must not be
taken back by one is read with `MAJORITY_READ`. All other writes have the store's default,
which is the majority too, unless the replica set has arbiters. Reads go to the primary.

So the options of `MONGODB_URI` that set other ones are left out (`without_concerns`).
They could not be honoured: the driver sends a client's write concern with every write,
also inside a transaction of a bound session, and there the store refuses it. Hosted
databases give out addresses with `w=majority`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import mongoengine
from mongoengine.base.common import _get_documents_by_db
from mongoengine.connection import (
    DEFAULT_CONNECTION_NAME,
    _connection_settings,
    _connections,
    _dbs,
    get_connection,
    get_db,
)
from pymongo.collection import Collection
from pymongo.monitoring import CommandListener
from pymongo.read_concern import ReadConcern
from pymongo.write_concern import WriteConcern

from glassflow.core.process import deadlines

# A collection as the driver reads and writes it.
StoreCollection = Collection[dict[str, Any]]

MAJORITY_WRITE = WriteConcern(w="majority", j=True)
MAJORITY_READ = ReadConcern("majority")

# The options of a URI that set concerns, in lower case: MongoDB ignores their case.
CONCERNS = frozenset(
    {
        "w",
        "wtimeout",
        "wtimeoutms",
        "j",
        "journal",
        "fsync",
        "readconcernlevel",
        "readpreference",
        "readpreferencetags",
        "maxstalenessseconds",
        "retrywrites",
    }
)

# How the store of a connection describes itself.
_described: tuple[Any, Mapping[str, Any]] = (None, {})


def connect(uri: str, database: str, listeners: Sequence[CommandListener] = ()) -> None:
    """Make the store at `uri` the one of all models, without connecting to it yet.

    `listeners` are called with each command to it.

    A connection that exists is closed after the exchange: closing it lets other greenlets
    run, and each of them must find a complete connection, either the old or the new one.
    """
    replaced = _connections.pop(DEFAULT_CONNECTION_NAME, None)
    mongoengine.disconnect()  # forgets the settings and the collections of the models
    mongoengine.connect(
        database,
        host=without_concerns(uri),
        connect=False,
        retryWrites=True,  # of two with one id, the store carries out one
        serverSelectionTimeoutMS=deadlines.STORE_SELECTION_TIMEOUT_MS,
        uuidRepresentation="standard",
        event_listeners=list(listeners),
    )
    if replaced is not None:
        replaced.close()


@contextmanager
def other_database(name: str) -> Iterator[None]:
    """Let this process use another database of the same store inside the block.

    The whole process: for commands, which do nothing else meanwhile.
    """
    before = get_db().name
    _use_database(name)
    try:
        yield
    finally:
        _use_database(before)


@contextmanager
def other_store(uri: str) -> Iterator[None]:
    """Let this process use the database of the same name in another store inside the block.

    As `other_database`; what has the connection of before keeps it.
    """
    name, before = get_db().name, get_connection()
    settings = _connection_settings[DEFAULT_CONNECTION_NAME]
    del _connections[DEFAULT_CONNECTION_NAME]  # kept open
    connect(uri, name)
    _forget_collections()
    try:
        yield
    finally:
        mongoengine.disconnect()
        _connections[DEFAULT_CONNECTION_NAME] = before
        _connection_settings[DEFAULT_CONNECTION_NAME] = settings
        _forget_collections()


def _use_database(name: str) -> None:
    _connection_settings[DEFAULT_CONNECTION_NAME]["name"] = name
    _forget_collections()


def _forget_collections() -> None:
    _dbs.pop(DEFAULT_CONNECTION_NAME, None)
    for model in _get_documents_by_db(DEFAULT_CONNECTION_NAME, DEFAULT_CONNECTION_NAME):
        if issubclass(model, mongoengine.Document):
            model._disconnect()  # forgets the collection, which is of the other one


def without_concerns(uri: str) -> str:
    """Return the address of a store without the options that the service sets itself."""
    address, _, options = uri.partition("?")
    kept = [
        option
        for option in re.split("[&;]", options)
        if option and option.partition("=")[0].lower() not in CONCERNS
    ]
    return f"{address}?{'&'.join(kept)}" if kept else address


def durable(collection: str) -> StoreCollection:
    """Return a collection whose writes wait for the majority; not in a transaction."""
    return get_db().get_collection(collection, write_concern=MAJORITY_WRITE)


def as_majority_stored(collection: str) -> StoreCollection:
    """Return a collection that is read as a majority of the replica set has stored it."""
    return get_db().get_collection(collection, read_concern=MAJORITY_READ)


def is_embedded() -> bool:
    """Return whether the store is the embedded one, which is asked once."""
    return "secantusVersion" in _description()


def is_extended() -> bool:
    """Return whether the store is the embedded one with the extension of its program."""
    return "glassflowExtension" in _description()


def _description() -> Mapping[str, Any]:
    global _described
    client = get_connection()
    if _described[0] is not client:
        _described = client, client.server_info()
    return _described[1]
