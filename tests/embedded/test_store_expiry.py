"""Documents with a TTL index go when their time has come, without a read of all others."""

import datetime
import json
import subprocess
import sys

import pytest
from pymongo import MongoClient

from waiting import wait_until

pytestmark = pytest.mark.embedded_store

# Deletes what has expired, in the files of a stopped store; prints the ids that are left
# after each of two sweeps, and how many documents the sweeps have read.
SWEEPS = """
import datetime, json, sys
from secantus.storage import Storage

if sys.argv[2] == "extended":
    from glassflow.embedded.store_extension import parts
    parts.install()
store = Storage(sys.argv[1], ttl_sweep_seconds=0)
now = datetime.datetime(2026, 11, 26, 12)
at = lambda hours: now - datetime.timedelta(hours=hours)
store.create_collection("t", "rows")
store.create_index("t", "rows", "at_1", {"at": 1}, {"expireAfterSeconds": 86_400})
store.create_index("t", "rows", "until_1", {"until": 1}, {"expireAfterSeconds": 0})
store.create_index("t", "rows", "of_all", {"x": 1})
values = [
    {"at": at(48)}, {"at": at(25)}, {"at": at(24)}, {"at": at(23)}, {"at": at(-1)},
    {"at": "2020-01-01"}, {"at": None}, {}, {"at": [at(1), at(30)]}, {"at": 5},
    {"until": at(1)}, {"until": at(0)}, {"until": at(-1)}, {"at": at(30), "until": at(9)},
]
store.insert("t", "rows", [{"_id": n, **one} for n, one in enumerate(values)])

read, scan = [], Storage._scan_docs

def sweep(now):
    Storage._scan_docs = lambda *args: read.append(1) or scan(*args)
    removed = store.prune_ttl_all_collections(now=now)
    Storage._scan_docs = scan
    left = [one["_id"] for one in store.find_matching("t", "rows", {})]
    return removed, sorted(left)

first = sweep(now)
store.set_index_expiry("t", "rows", "at_1", 3600)
second = sweep(now)
print(json.dumps([first, second, len(read)]))
store.close()
"""


def sweeps(folder, program):
    done = subprocess.run(
        [sys.executable, "-c", SWEEPS, str(folder / program), program],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_just_what_has_expired_is_deleted_and_no_other_document_is_read(tmp_path):
    *found, reads = sweeps(tmp_path, "extended")
    assert found == [
        [5, [2, 3, 4, 5, 6, 7, 9, 11, 12]],
        [2, [4, 5, 6, 7, 9, 11, 12]],
    ]
    assert reads == 0
    *by_plain_program, reads = sweeps(tmp_path, "plain")
    assert by_plain_program == found
    assert reads > 0


@pytest.mark.long
def test_running_store_deletes_them_once_a_minute(store):
    now = datetime.datetime.now(datetime.UTC)
    with MongoClient(store) as client:
        rows = client["expiry"]["rows"]
        rows.create_index("at", expireAfterSeconds=60)
        ages = [61, 3600, -60]
        rows.insert_many(
            [{"_id": age, "at": now - datetime.timedelta(seconds=age)} for age in ages]
        )
        wait_until(lambda: rows.distinct("_id") == [-60], timeout_s=90)
        client.drop_database("expiry")
