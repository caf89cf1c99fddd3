"""The embedded store with more documents than it holds in memory at once."""

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.embedded_store]

# Builds the same indexes as the plain program and with the extension, in small portions,
# and prints whether their entries, their descriptions and the next record id are the same.
BUILDS = """
import datetime, json, random, sys
from bson import ObjectId
from secantus import storage
from secantus.storage import Storage

chosen = random.Random(7)
VALUES = (
    lambda: None, lambda: chosen.randrange(9), lambda: chosen.random(), lambda: True,
    lambda: "กระจก\\0" + str(chosen.randrange(9)), lambda: ObjectId(bytes([chosen.randrange(9)] * 12)),
    lambda: datetime.datetime(2026, 1, 1 + chosen.randrange(9)), lambda: {"c": chosen.randrange(9)},
    lambda: [chosen.randrange(3) for _ in range(chosen.randrange(4))], lambda: float("nan"),
)

def document(number):
    names = [name for name in "abd" if chosen.random() < 0.8]
    return {"_id": number, "at": datetime.datetime(2026, 1, 1), **{name: chosen.choice(VALUES)() for name in names}}

documents = [document(number) for number in range(400)]
INDEXES = {
    "one": {"a": 1}, "down": {"b": -1}, "two": {"a": 1, "b": -1}, "three": {"b": 1, "at": 1, "_id": 1},
    "part": {"d.c": 1}, "sparse": {"d": 1}, "whole": {"at": 1, "_id": 1}, "expiring": {"at": 1},
    "unique": {"_id": 1, "at": 1},
}
OPTIONS = {"sparse": {"sparse": True}, "expiring": {"expireAfterSeconds": 9}, "unique": {"unique": True}}

def built(folder, before=lambda store: None):
    store = Storage(folder, ttl_sweep_seconds=0)
    for name in ("before", "rows", "then"):
        store.insert("t", name, documents)
    before(store)
    made = {name: store.create_index("t", "rows", name, keys, OPTIONS.get(name)) for name, keys in INDEXES.items()}
    made["again"] = store.create_index("t", "rows", "one", {"a": 1})
    entries = [(key, value) for key, value in store._collect_prefix(storage._IDX_ENTRIES_TABLE, ("t",))]
    store.insert("t", "rows", [{"_id": 1000, "a": [1, 2], "b": 3}])
    later = store._collect_prefix(storage._IDX_ENTRIES_TABLE, ("t",))
    described = sorted(store.list_indexes("t", "rows"), key=lambda one: one["name"])
    store.close()
    again = Storage(folder, ttl_sweep_seconds=0)
    record = again._mint_nat_seq()
    again.close()
    return made, entries, later, str(described), record

plain = built(sys.argv[1] + "/plain")
from glassflow.embedded.store_extension import index_builds, parts
parts.install()
index_builds.SORTED_AT_ONCE, index_builds.PER_TRANSACTION = 50, 7

def killed(store):
    # the build of an index ended in the middle: entries without a description
    with store._lock, store._batch_transaction():
        cursor = store._cursor(storage._IDX_ENTRIES_TABLE)
        for number in range(20):
            cursor["t", "rows", "one", storage._pack_entry(bytes([number]), number)] = b""

names = ("returned", "entries", "entries of a later document", "described", "next record id")
extended = built(sys.argv[1] + "/extended", killed)
print(json.dumps([name for name, one, other in zip(names, plain, extended) if one != other]))
print(json.dumps(len(plain[1])))
"""


def test_index_of_many_portions_is_that_of_the_plain_program(tmp_path):
    for name in ("plain", "extended"):
        (tmp_path / name).mkdir()
    done = subprocess.run(
        [sys.executable, "-c", BUILDS, str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    differences, entries = map(json.loads, done.stdout.splitlines())
    assert differences == []
    assert entries > 3000
