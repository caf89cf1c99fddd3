"""Searches by the entries of an index find what a comparison of all documents finds."""

import json
import subprocess
import sys

import pytest

import databases
from sizes import size

pytestmark = pytest.mark.skipif(
    bool(databases.TEST_URI), reason=databases.EMBEDDED_ONLY
)

# Fills a store with texts of all sorts; compares finds, pages and counts with the plain
# comparison of all documents, also in a transaction with writes of its own. The limits of
# the extension are lowered, so that few documents pass them. Prints the differences.
DIFFERENCES = r"""
import json, random, re, sys
from itertools import islice

import bson
from secantus.ordering import sort_docs
from secantus.query import matches
from secantus.storage import Storage

from glassflow.embedded.store_extension import lookups, parts, reads, rows, texts

parts.install()
folder, seed, has_arrays = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "arrays"
chosen = random.Random(seed)
for module, name, most in (
    (rows, "FIRST_PORTION", 2), (texts, "FIRST_PORTION", 2), (rows, "MAX_PORTION", 8),
    (reads, "MAX_FEW", 5), (lookups, "MAX_FEW", 5), (texts, "MAX_FEW", 5),
    (reads, "MIN_WALKED", 5), (reads, "MAX_WALKED", 20),
):
    assert hasattr(module, name)
    setattr(module, name, most)

WORDS = [
    "", "a", "ab", "b", "6", "77", "t", "rows", "text_1", "a\0b", "\0", "\0\0", "\x04",
    "\xff", "กระจกใส", "ที่", "ท", "e\u0301", "\u0301", "a.b", "a|b", "x" * 9000 + "end", "end",
]
OTHERS = [None, 6, 7.5, True, {"a": "ab"}, bson.Regex("a"), bson.Regex("a", "i"),
          bson.Regex("a\\.b"), bson.Code("ab"), b"ab", bson.ObjectId(b"ab" * 6)]

def text():
    if chosen.random() < 0.15:
        return chosen.choice(OTHERS)
    if has_arrays and chosen.random() < 0.05:
        return chosen.sample(WORDS, 2)
    if chosen.random() < 0.5:
        return "ab 77"  # that of most
    return " ".join(chosen.sample(WORDS, chosen.randrange(3)))

def document(n):
    one = {"_id": n, "n": chosen.randrange(9), "kind": chosen.choice("pq"),
           "one": chosen.choice(["x", "y"]), "text": text()}
    if chosen.random() < 0.1:
        del one["text"]
    return one

def pattern():
    words = [w for w in chosen.sample(WORDS, 5) if w and len(w) < 900]
    text = "|".join(map(re.escape, words[:chosen.choice([1, 1, 2, 3])]))
    if chosen.random() < 0.1:
        text = chosen.choice(["^a", "b$", "a.", "(a|b)", "a|", "", "[ab]", "a" * 900])
    if chosen.random() < 0.1:
        return {"$regex": text, "$options": "i"}
    if "\0" not in text and chosen.random() < 0.2:
        return {"$regex": bson.Regex(text, chosen.choice(["", "", "i"]))}
    return {"$regex": text}

def query():
    found = {"text": pattern()} if chosen.random() < 0.8 else {}
    if not found or chosen.random() < 0.3:
        found["kind"] = chosen.choice(["p", {"$in": ["p", "q"]}, {"$ne": "p"}])
    if chosen.random() < 0.3:
        found["n"] = chosen.choice([3, {"$lt": 5}, {"$gte": 2, "$lt": 7}])
    if chosen.random() < 0.1:
        found["one"] = "x"
    if chosen.random() < 0.1:
        found = {"$or": [found, {"n": 4}]}
    if chosen.random() < 0.2:
        found = {"$and": [found, {"text": pattern()}]}
    return found

store = Storage(folder, ttl_sweep_seconds=0)
store.create_collection("t", "rows")
for keys in ({"text": 1}, {"n": 1, "_id": 1}, {"kind": 1, "n": 1, "_id": 1}):
    store.create_index("t", "rows", "_".join(f"{k}_1" for k in keys), keys)
documents = {}

def write():
    for _ in range(chosen.randrange(1, 40)):
        n = chosen.randrange(300)
        if n not in documents:
            documents[n] = document(n)
            store.insert("t", "rows", [documents[n]])
        elif chosen.random() < 0.3:
            store.delete_matching("t", "rows", {"_id": n})
            del documents[n]
        else:
            documents[n] = {**documents[n], "text": text()}
            change = {"$set": {"text": documents[n]["text"]}}
            store.update_matching("t", "rows", {"_id": n}, change)

differences, looked = [], 0

def compare():
    global looked
    for _ in range(40):
        asked = query()
        looked += 1
        wanted = sort_docs([d for d in documents.values() if matches(d, asked)], {"_id": 1})
        ids = [d["_id"] for d in wanted]
        found = [d["_id"] for d in store.find_matching("t", "rows", asked)]
        if sorted(found) != ids:
            differences.append([repr(asked), "find", sorted(found), ids])
        number = store.count_matching("t", "rows", asked)
        if number != len(ids):
            differences.append([repr(asked), "count", number, len(ids)])
        most = chosen.randrange(1, 40)
        number = store.count_matching("t", "rows", asked, most=most)
        if min(number, most) != min(len(ids), most):
            differences.append([repr(asked), "most", most, number, len(ids)])
        sort = chosen.choice([{"n": 1, "_id": 1}, {"n": -1, "_id": -1}, {"_id": 1},
                              {"one": 1, "_id": -1}, {"text": 1, "_id": 1},
                              {"kind": 1, "n": 1, "_id": 1}, {"kind": 1, "_id": 1},
                              {"kind": -1, "n": -1, "_id": -1}, {"kind": -1, "_id": -1}])
        skip, limit = chosen.choice([0, 0, 3]), chosen.choice([0, 1, 4, 30])
        wanted = sort_docs(wanted, sort)[skip:][: limit or None]
        found = store.find_matching("t", "rows", asked, skip=skip, limit=limit, sort=sort)
        if found != wanted:
            differences.append([repr(asked), repr(sort), skip, limit,
                                [d["_id"] for d in found], [d["_id"] for d in wanted]])

for turn in range(int(sys.argv[4])):
    write()
    compare()
    if turn % 3 == 1:
        before = dict(documents)
        handle = store.begin_user_transaction()
        with store.use_user_transaction(handle):
            write()
            compare()
        store.abort_user_transaction(handle)
        documents = before
        compare()
used = texts.search_of(store, "t", "rows", {"text": {"$regex": "a"}}) is not None
store.close()
print(json.dumps({"differences": differences[:3], "looked": looked, "used": used}))
"""


@pytest.mark.parametrize(
    ("seed", "values"), [(1, "texts"), (2, "texts"), (3, "arrays")]
)
def test_search_by_an_index_finds_what_the_documents_have(tmp_path, seed, values):
    turns = str(size(9, 60))
    done = subprocess.run(
        [sys.executable, "-c", DIFFERENCES, str(tmp_path), str(seed), values, turns],
        capture_output=True,
        text=True,
    )
    assert done.stdout, done.stderr
    answer = json.loads(done.stdout)
    assert answer["differences"] == []
    assert answer["used"] == (values == "texts")
    assert answer["looked"] > 300


# Searches in records that have the same text but for a few; prints what each search found
# and how many entries and documents it read.
FEW_READS = r"""
import json, sys
from secantus.storage import Storage

from glassflow.embedded.store_extension import parts, reads, rows, texts

parts.install()
store = Storage(sys.argv[1], ttl_sweep_seconds=0)
store.create_collection("t", "rows")
for keys in ({"text": 1}, {"n": 1, "_id": 1}, {"kind": 1, "ok": 1, "n": 1, "_id": 1}):
    store.create_index("t", "rows", "_".join(f"{k}_1" for k in keys), keys)
store.insert("t", "rows", [
    {"_id": n, "n": n, "kind": n % 3, "ok": n > 50,
     "text": "rare" if n % 2000 == 7 else "usual", "terms": "x" * 1000}
    for n in range(6000)
])
document, keys, read = rows.document_of, texts.entry_keys, {"documents": 0, "entries": 0}

def counted_document(row):
    read["documents"] += 1
    return document(row)

def counted_keys(*args):
    for entry in keys(*args):
        read["entries"] += 1
        yield entry

rows.document_of, texts.entry_keys = counted_document, counted_keys
for pattern, sort in (("rare", {}), ("7|rare", {}), ("none", {}), ("7|usual", {"n": -1}),
                      ("rare", {"n": -1}), ("none", {"n": -1})):
    asked = {"text": {"$regex": pattern}}
    read["documents"] = read["entries"] = 0
    found = store.find_matching("t", "rows", asked, sort=sort, limit=3 if sort else 0)
    number = store.count_matching("t", "rows", asked)
    print(json.dumps([[one["_id"] for one in found], number, *read.values()]))
for asked in ({"ok": True}, {"ok": True, "kind": {"$in": [2, 1]}}):
    read["documents"] = 0
    sort = {"kind": 1, "n": 1, "_id": 1}
    found = store.find_matching("t", "rows", asked, sort=sort, limit=3)
    print(json.dumps([[one["_id"] for one in found], read["documents"]]))
decode, sizes = reads.bson.decode, []
reads.bson.decode = lambda row: sizes.append(len(row)) or decode(row)
for asked in ({"n": {"$lt": 4}, "kind": {"$ne": 0}}, {"ok": True, "text": {"$ne": "usual"}}):
    sizes.clear()
    reads._answer.is_next = True  # as for a command
    found = store.find_matching("t", "rows", asked, projection={"n": 1, "text": 1})
    print(json.dumps([[decode(one.raw) for one in found], max(sizes, default=0)]))
store.close()
"""


def test_search_reads_few_entries_of_equal_texts_and_only_documents_that_match(
    tmp_path,
):
    done = subprocess.run(
        [sys.executable, "-c", FEW_READS, str(tmp_path)], capture_output=True, text=True
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    *answers, rare, none = lines[:-4]
    rows = [7, 2007, 4007]
    assert [one[:3] for one in answers] == [
        [rows, 3, 3],
        [rows, 3, 3],
        [[], 0, 0],
        [[5999, 5998, 5997], 5997, 32],  # the first portion
    ], done.stderr
    # what is not among the first ones in the order is looked up
    assert [rare[:2], none[:2]] == [[rows[::-1], 3], [[], 0]]
    assert max(one[2] for one in (rare, none)) < 1100
    assert max(one[3] for one in [*answers, rare, none]) < 300
    # a field that the query binds stands between those of the sort
    assert lines[-4:-2] == [[[51, 54, 57], 32], [[52, 55, 58], 32]]
    # what is neither asked for nor shown is not decoded
    (of_numbers, size), of_texts = lines[-2:]
    assert of_numbers == [{"_id": n, "n": n, "text": "usual"} for n in (1, 2)]
    assert size < 100
    assert of_texts == [[{"_id": n, "n": n, "text": "rare"} for n in rows[1:]], 0]
