from collections.abc import Sequence
from typing import Any

from pymongo import MongoClient
from pymongo.database import Database
from pymongo.monitoring import CommandListener

DEFAULT_CONNECTION_NAME: str
_connection_settings: dict[str, dict[str, Any]]
_connections: dict[str, MongoClient[dict[str, Any]]]
_dbs: dict[str, Database[dict[str, Any]]]

def connect(
    db: str,
    *,
    host: str,
    connect: bool,
    retryWrites: bool,
    serverSelectionTimeoutMS: int,
    uuidRepresentation: str,
    event_listeners: Sequence[CommandListener],
) -> MongoClient[dict[str, Any]]: ...
def disconnect() -> None: ...
def get_connection() -> MongoClient[dict[str, Any]]: ...
def get_db() -> Database[dict[str, Any]]: ...
