"""Conditions that are tested on the bytes of a document, without decoding it.

SPDX-License-Identifier: GPL-2.0-only

A count of the documents that have a text reads them all, and decoding takes most of its
time. Here the top-level elements are passed over up to the fields of the query
(bsonspec.org has their sizes).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from typing import Any, NamedTuple

import bson
from secantus.query import _MAX_REGEX_PATTERN_LEN as MAX_PATTERN

STRING, ARRAY, OBJECT_ID, BOOLEAN = 2, 4, 7, 8
#: Bytes of the values of each type that always has the same.
SIZES = {1: 8, OBJECT_ID: 12, BOOLEAN: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8}
#: Bytes of the others, besides those that their length tells.
BESIDES = {STRING: 4, 3: 0, ARRAY: 0, 5: 5}
LENGTH = 4  # bytes
#: A part of a pattern that is a text: characters without a meaning, or with a backslash
#: before them.
LITERAL = re.compile(r"(?:[^\\.^$*+?{}\[\]|()]|\\[^0-9A-Za-z])+")
#: A pattern that is one text or the other: `77|\ue007\ue007`.
LITERALS = re.compile(rf"{LITERAL.pattern}(?:\|{LITERAL.pattern})*")


class Test(NamedTuple):
    """A condition on a field: its type, and its encoded value or the parts of its text.

    A text has one of the parts.
    """

    kind: int
    wanted: bytes
    parts: Sequence[bytes] = ()

    def holds(self, value: bytes) -> bool:
        """Return whether the encoded value of such a field meets the condition."""
        if self.parts:  # behind the length, before the zero at the end
            return any(map(value[LENGTH:-1].__contains__, self.parts))
        return self.wanted == value


def tests(query: Mapping[str, Any]) -> dict[bytes, Test] | None:
    """Return the conditions of a query by the names of their fields, encoded.

    None if one of them is neither a pattern of literals nor an equality of a text, an id or
    a boolean.
    """
    found = {}
    for field, clause in query.items():
        test = _test(clause)
        if test is None or field.startswith("$") or "." in field:
            return None
        found[field.encode()] = test
    return found


def _test(clause: Any) -> Test | None:
    if texts := literals(clause):
        return Test(STRING, b"", texts)
    if isinstance(clause, str) and not isinstance(clause, bson.Code):
        content = clause.encode() + b"\0"
        length = len(content).to_bytes(LENGTH, "little")
        return Test(STRING, length + content)
    if isinstance(clause, bson.ObjectId):
        return Test(OBJECT_ID, clause.binary)
    if isinstance(clause, bool):
        return Test(BOOLEAN, bytes([clause]))
    return None


def literals(clause: Any) -> Sequence[bytes]:
    """Return the texts one of which a pattern looks for; none if it is more than that."""
    pattern = pattern_of(clause)
    if len(pattern) > MAX_PATTERN or not LITERALS.fullmatch(pattern):
        return ()
    parts = LITERAL.findall(pattern)
    return [re.sub(r"(?s)\\(.)", r"\1", part).encode() for part in parts]


def pattern_of(clause: Any) -> str:
    """Return the pattern of a condition that is one, without flags; else an empty text."""
    if isinstance(clause, Mapping):
        clause = clause["$regex"] if list(clause) == ["$regex"] else None
    elif not isinstance(clause, bson.Regex):
        return ""
    if isinstance(clause, bson.Regex):
        clause = "" if clause.flags else clause.pattern
    return clause if isinstance(clause, str) and type(clause) is not bson.Code else ""


def has_one(parts: Sequence[bytes]) -> Callable[[bytes], bool]:
    """Return a test whether bytes contain one of the parts."""
    if len(parts) == 1:
        return methodcaller("__contains__", parts[0])
    if len(parts) == 2:  # a number: half of the time of any number of parts
        one, other = parts
        return lambda found: one in found or other in found
    return lambda found: any(map(found.__contains__, parts))


def may_match(query: Mapping[str, Any]) -> Callable[[bytes], bool] | None:
    """Return a test that the bytes of every match meet; None if there is none.

    They contain the texts and ids of the query, and what its patterns look for.
    """
    required = [_required(c) for f, c in query.items() if not f.startswith("$")]
    always = [parts[0] for parts in required if len(parts) == 1]
    others = [has_one(parts) for parts in required if len(parts) > 1]
    if not always and not others:
        return None
    return lambda row: (
        all(map(row.__contains__, always)) and all(test(row) for test in others)
    )


def _required(clause: Any) -> Sequence[bytes]:
    """Return parts one of which every match contains; none if nothing is known."""
    if texts := literals(clause):
        # a value that is this pattern matches it too
        pattern = pattern_of(clause)
        return [*texts, pattern.encode()] if "\\" in pattern else texts
    if isinstance(clause, Mapping):
        clause = clause.get("$eq")
    if isinstance(clause, bson.ObjectId):
        return [clause.binary]
    if isinstance(clause, str) and not isinstance(clause, bson.Code) and clause:
        return [clause.encode()]
    return ()


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
