"""The answers to requests with an `Idempotency-Key`, kept so that a repetition gets them.

A request that is accepted stores its answer in the transaction of its effect, so there is
never one without the other. An answer is kept for `RETENTION`, for one worker's key.
"""

import hashlib
import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import DuplicateKeyError

from glassflow.core.process import clock
from glassflow.core.store import ttl_indexes
from glassflow.core.store.connection import StoreCollection, durable
from glassflow.core.store.unit_of_work import RetryTransaction

COLLECTION = "kept_answers"
RETENTION = timedelta(hours=24)
MAX_BYTES = 8_000_000  # of a compressed body; a document may have 16 MB
FASTEST = 1  # the level of compression; answers are a fifth of their size with it


class TooLarge(Exception):
    """An answer is too large to be kept."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer, and the fingerprint of the request that got it.

    One that `may_change` is replaced by the next answer to the same key.
    """

    fingerprint: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    may_change: bool = False


def ensure() -> None:
    """Create the collection with the TTL index that removes old answers."""
    ttl_indexes.ensure(COLLECTION, "at", int(RETENTION.total_seconds()))


def answer_id(worker_id: ObjectId, key: str) -> str:
    """Return the id of the answer to a worker's key."""
    return hashlib.sha256(f"{worker_id} {key}".encode()).hexdigest()


def find(answer_id: str) -> KeptAnswer | None:
    """Return the kept answer of this id, in one round trip; None if there is none."""
    # The store removes old answers later than they expire.
    query = {"_id": answer_id, "at": {"$gt": _oldest()}}
    row = get_db()[COLLECTION].find_one(query)
    if row is None:
        return None
    headers = tuple((name, value) for name, value in row["headers"])
    return KeptAnswer(
        row["fingerprint"], row["status"], headers, zlib.decompress(row["body"])
    )


def keep_with_effect(answer_id: str, answer: KeptAnswer) -> None:
    """Keep an answer, in the open unit of work, in one round trip.

    The unit of work is repeated if the same key has got another answer meanwhile. Raises
    `TooLarge`.
    """
    try:
        _replace(get_db()[COLLECTION], answer_id, answer)
    except DuplicateKeyError:
        raise RetryTransaction from None


def keep(answer_id: str, answer: KeptAnswer) -> KeptAnswer:
    """Keep an answer that has no effect, outside of a unit of work.

    Returns the answer that is kept: another one if the same key has got it meanwhile.
    """
    while True:
        try:
            _replace(durable(COLLECTION), answer_id, answer)
            return answer
        except DuplicateKeyError:
            earlier = find(answer_id)
        if earlier is not None:
            return earlier


def _replace(collection: StoreCollection, answer_id: str, answer: KeptAnswer) -> None:
    """Store an answer; raises `DuplicateKeyError` where one is kept that has to stay."""
    packed = zlib.compress(answer.body, FASTEST)
    if len(packed) > MAX_BYTES:
        raise TooLarge
    row = {
        "_id": answer_id,
        "at": clock.now(),
        "fingerprint": answer.fingerprint,
        "status": answer.status,
        "headers": [list(header) for header in answer.headers],
        "body": packed,
    }
    if answer.may_change:
        row["mayChange"] = True
    replaced = [{"at": {"$lte": _oldest()}}, {"mayChange": True}]
    collection.replace_one({"_id": answer_id, "$or": replaced}, row, upsert=True)


def _oldest() -> datetime:
    return clock.now() - RETENTION
