"""Conditions that are tested on the bytes of a document, and parts of it, without decoding it.

SPDX-License-Identifier: GPL-2.0-only

A count of the documents that have a text reads them all, and decoding takes most of its
time; a page may want two fields of a document of 10 KB. Here the top-level elements are
passed over up to those that are wanted (bsonspec.org has their sizes).
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from struct import Struct
from typing import Any, NamedTuple

import bson
from secantus.query import _MAX_REGEX_PATTERN_LEN as MAX_PATTERN

from glassflow.embedded.store_extension.conditions import (
    among,
    bound_fields,
    is_range,
)

STRING, ARRAY, OBJECT_ID, BOOLEAN, DATE, PATTERN = 2, 4, 7, 8, 9, 11
#: Bytes of the values of each type that always has the same.
SIZES = {
    1: 8, 6: 0, OBJECT_ID: 12, BOOLEAN: 1, DATE: 8, 10: 0, 16: 4, 17: 8, 18: 8, 19: 16,
    127: 0, 255: 0,
}  # fmt: skip
#: Bytes of the others but patterns, besides those that their length tells.
BESIDES = {STRING: 4, 3: 0, ARRAY: 0, 5: 5, 12: 16, 13: 4, 14: 4, 15: 0}
#: Types of values that equal none of another type.
DISTINCT = frozenset({1, STRING, 3, 5, OBJECT_ID, BOOLEAN, DATE, 10, 16, 17, 18})
LENGTH = 4  # bytes
ID = b"_id"
_length = Struct("<i").unpack_from
#: Values that equal others of their type only, by their bytes.
KNOWN = (str, bson.ObjectId, bool)
COMPARES: Mapping[str, Callable[[int, int], bool]] = {
    "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le,
}  # fmt: skip
#: A part of a pattern that is a text: characters without a meaning, or with a backslash
#: before them.
LITERAL = re.compile(r"(?:[^\\.^$*+?{}\[\]|()]|\\[^0-9A-Za-z])+")
#: A pattern that is one text or the other: `77|\ue007\ue007`.
LITERALS = re.compile(rf"{LITERAL.pattern}(?:\|{LITERAL.pattern})*")


class Test(NamedTuple):
    """A condition on a field: whether a value meets it, given as its type and its bytes.

    `if_missing` is whether a document without the field meets it.
    """

    holds: Callable[[int, bytes], bool]
    if_missing: bool = False


def tests(query: Mapping[str, Any]) -> dict[bytes, Test] | None:
    """Return the conditions of a query by the names of their fields, encoded.

    None if one of them is neither a pattern of literals, nor a range of dates, nor an
    equality of texts, ids or booleans, or that of none of them.
    """
    found = {}
    for field, clause in query.items():
        test = _test(clause)
        if test is None or field.startswith("$") or "." in field:
            return None
        found[field.encode()] = test
    return found


def _test(clause: Any) -> Test | None:
    if parts := literals(clause):  # behind the length, before the zero at the end
        has_part = has_one(parts)
        return Test(lambda kind, value: kind == STRING and has_part(value[LENGTH:-1]))
    if is_range(clause):
        return _range_of_dates(clause)
    kind_of, values = among(clause) or ("$in", bound_fields({"": clause}).values())
    if not values or not all(isinstance(one, KNOWN) for one in values):
        return None
    wanted = frozenset(map(_encoded, values))
    if kind_of == "$in":
        return Test(lambda kind, value: (kind, value) in wanted)
    return Test(lambda kind, value: (kind, value) not in wanted, if_missing=True)


def _range_of_dates(clause: Mapping[str, Any]) -> Test | None:
    bounds = []
    for name, one in clause.items():
        if not isinstance(one, datetime):
            return None
        bounds.append((COMPARES[name], _date(_encoded(one)[1])))
    return Test(
        lambda kind, value: (
            kind == DATE and all(holds(_date(value), bound) for holds, bound in bounds)
        )
    )


def _date(value: bytes) -> int:
    return int.from_bytes(value, "little", signed=True)


def _encoded(value: Any) -> tuple[int, bytes]:
    """Return the type and the bytes of a value."""
    document = bson.encode({"": value})
    return document[LENGTH], document[LENGTH + 2 : -1]


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
        return operator.methodcaller("__contains__", parts[0])
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


def fields_of(query: Mapping[str, Any]) -> frozenset[bytes] | None:
    """Return the names of the top-level fields that a query reads; None for all."""
    found: set[bytes] = set()
    for field, clause in query.items():
        if not field.startswith("$"):
            found.add(field.partition(".")[0].encode())
            continue
        if field not in ("$and", "$or", "$nor") or not isinstance(clause, list):
            return None
        for part in clause:
            names = fields_of(part) if isinstance(part, Mapping) else None
            if names is None:
                return None
            found |= names
    return frozenset(found)


def elements(document: bytes, names: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the top-level elements with these names, in the order of the document.

    Each is the bytes of its type, of its name with a zero behind it, and of its value.
    """
    found = {}
    left, at = len(names), LENGTH
    while left and (kind := document[at]):
        value = document.index(0, at + 1) + 1
        name = document[at + 1 : value - 1]
        if kind in SIZES:
            end = value + SIZES[kind]
        elif kind == PATTERN:
            end = document.index(0, document.index(0, value) + 1) + 1
        else:
            end = value + BESIDES[kind] + _length(document, value)[0]
        if name in names:
            found[name] = document[at:end]
            left -= 1
        at = end
    return found


def part(document: bytes, names: Collection[bytes]) -> bytes:
    """Return a document of the top-level fields with these names, `_id` before others."""
    return document_of(elements(document, names), names)


def document_of(found: Mapping[bytes, bytes], names: Collection[bytes]) -> bytes:
    """Return the document of those elements that have these names, `_id` before others."""
    parts = {name: element for name, element in found.items() if name in names}
    content = parts.pop(ID, b"") + b"".join(parts.values())
    return (LENGTH + len(content) + 1).to_bytes(LENGTH, "little") + content + b"\0"


def meets(
    found: Mapping[bytes, bytes], conditions: Mapping[bytes, Test]
) -> bool | None:
    """Return whether the elements of a document meet all conditions.

    None where their bytes do not tell: a field is an array, of which each element counts, or
    a value of a type that glassflow does not store.
    """
    for name, test in conditions.items():
        element = found.get(name)
        if element is None:
            if not test.if_missing:
                return False
            continue
        kind = element[0]
        if kind not in DISTINCT:
            return None
        if not test.holds(kind, element[len(name) + 2 :]):
            return False
    return True
