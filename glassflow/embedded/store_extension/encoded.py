"""Conditions that are tested on the bytes of a document, without decoding it.

SPDX-License-Identifier: GPL-2.0-only

A count of the documents that have a text reads them all, and decoding takes most of its
time. Here the top-level elements are passed over up to the fields of the query
(bsonspec.org has their sizes).
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import bson

STRING, ARRAY, OBJECT_ID, BOOLEAN = 2, 4, 7, 8
#: Bytes of the values of each type that always has the same.
SIZES = {1: 8, OBJECT_ID: 12, BOOLEAN: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8}
#: Bytes of the others, besides those that their length tells.
BESIDES = {STRING: 4, 3: 0, ARRAY: 0, 5: 5}
LENGTH = 4  # bytes
#: A pattern that is a text: characters without a meaning, or with a backslash before them.
LITERAL = re.compile(r"(?:[^\\.^$*+?{}\[\]|()]|\\[^0-9A-Za-z])+")


class Test(NamedTuple):
    """A condition on a field: its type, and its encoded value or a part of its text."""

    kind: int
    wanted: bytes
    is_part: bool

    def holds(self, value: bytes) -> bool:
        """Return whether the encoded value of such a field meets the condition."""
        if self.is_part:  # behind the length, before the zero at the end
            return self.wanted in value[LENGTH:-1]
        return self.wanted == value


def tests(query: Mapping[str, Any]) -> dict[bytes, Test] | None:
    """Return the conditions of a query by the names of their fields, encoded.

    None if one of them is neither a literal pattern nor an equality of a text, an id or a
    boolean.
    """
    found = {}
    for field, clause in query.items():
        test = _test(clause)
        if test is None or field.startswith("$") or "." in field:
            return None
        found[field.encode()] = test
    return found


def _test(clause: Any) -> Test | None:
    text = literal(clause)
    if text is not None:
        return Test(STRING, text, is_part=True)
    if isinstance(clause, str) and not isinstance(clause, bson.Code):
        content = clause.encode() + b"\0"
        length = len(content).to_bytes(LENGTH, "little")
        return Test(STRING, length + content, is_part=False)
    if isinstance(clause, bson.ObjectId):
        return Test(OBJECT_ID, clause.binary, is_part=False)
    if isinstance(clause, bool):
        return Test(BOOLEAN, bytes([clause]), is_part=False)
    return None


def literal(clause: Any) -> bytes | None:
    """Return the text that a pattern looks for, if it is no more than a text."""
    if isinstance(clause, Mapping) and list(clause) == ["$regex"]:
        clause = clause["$regex"]
        pattern = clause.pattern if isinstance(clause, bson.Regex) else clause
    elif isinstance(clause, bson.Regex):
        pattern = clause.pattern
    else:
        return None
    if isinstance(clause, bson.Regex) and clause.flags:
        return None
    if isinstance(pattern, str) and LITERAL.fullmatch(pattern):
        return re.sub(r"(?s)\\(.)", r"\1", pattern).encode()
    return None


def required(query: Mapping[str, Any]) -> list[bytes]:
    """Return bytes that every match contains: texts, ids, and patterns that are texts."""
    found = []
    for field, clause in query.items():
        if field.startswith("$"):
            continue
        required = _required(clause)
        if required:
            found.append(required)
    return found


def _required(clause: Any) -> bytes | None:
    text = literal(clause)
    if text is not None:
        return text
    if isinstance(clause, Mapping):
        clause = clause.get("$eq")
    if isinstance(clause, bson.ObjectId):
        return clause.binary
    if isinstance(clause, str) and not isinstance(clause, bson.Code):
        return clause.encode()
    return None


def meets(document: bytes, conditions: Mapping[bytes, Test]) -> bool | None:
    """Return whether an encoded document meets all conditions.

    None where its bytes do not tell: a field is an array, of which each element counts, or
    before it is a value of another type than those that glassflow stores.
    """
    left, at = len(conditions), LENGTH
    while kind := document[at]:
        end = document.index(0, at + 1)
        condition = conditions.get(document[at + 1 : end])
        at = end + 1
        if (size := SIZES.get(kind)) is None:
            if kind not in BESIDES:
                return None
            length = document[at : at + LENGTH]
            size = BESIDES[kind] + int.from_bytes(length, "little")
        if condition is not None:
            if kind == ARRAY:
                return None
            if kind != condition.kind or not condition.holds(document[at : at + size]):
                return False
            left -= 1
            if not left:
                return True
        at += size
    return False
