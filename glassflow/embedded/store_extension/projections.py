"""Projections that name fields to include, without copies.

SPDX-License-Identifier: GPL-2.0-only

The plain program copies each included value in depth. A document is decoded for one
statement only, so the projected one can have its values themselves. Where it is only sent,
the bytes of its fields are: the others, and often most of it, are not decoded.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bson.raw_bson import RawBSONDocument
from secantus import projection

from glassflow.embedded.store_extension import encoded

Doc = dict[str, Any]

_plain = projection._apply_projection_body


def project(document: Doc, plan: Any) -> Doc:
    """Return the included fields in the order of the document, `_id` first.

    All but a list of included fields and paths is left to the plain program.
    """
    if (
        plan.kind != "inclusion"
        or plan.plain_tree is None
        or plan.elem_match_paths
        or plan.slice_specs
        or plan.computed_specs
        or plan.meta_fields
    ):
        result: Doc = _plain(document, plan)
        return result
    included = _included(document, plan.plain_tree)
    if plan.include_id and "_id" in document:
        return {"_id": document["_id"], **included}
    return included


def _included(document: Mapping[str, Any], tree: Mapping[str, Any]) -> Doc:
    """Return the fields of a tree of paths, where an empty tree is a whole value."""
    found = {name: value for name, value in document.items() if name in tree}
    for name, paths in tree.items():
        if paths and name in found:
            if isinstance(found[name], (dict, list)):
                found[name] = _inside(found[name], paths)
            else:
                del found[name]
    return found


def _inside(value: Any, tree: Mapping[str, Any]) -> Any:
    """Return what a tree includes of an object, or of each object in an array."""
    if isinstance(value, dict):
        return _included(value, tree)
    return [_inside(one, tree) for one in value if isinstance(one, (dict, list))]


def sent_form(wanted: Mapping[str, Any] | None) -> Callable[[bytes], Any] | None:
    """Return what makes of the bytes of a document what is sent of it.

    None for a projection that is more than a list of included top-level fields.
    """
    if not wanted:
        return RawBSONDocument
    fields = {"_id": 1, **wanted}
    if any("." in name or name.startswith("$") for name in fields):
        return None
    if not all(type(one) in (int, bool) for one in fields.values()):
        return None
    names = frozenset(name.encode() for name, one in fields.items() if one)
    if len(names) < len(fields) - (not fields["_id"]) or not names:
        return None
    return lambda row: RawBSONDocument(encoded.part(row, names))


def install() -> None:
    """Replace the functions of SecantusDB."""
    projection._apply_projection_body = project
