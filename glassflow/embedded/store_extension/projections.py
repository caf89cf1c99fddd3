"""Projections that name fields to include, without copies.

SPDX-License-Identifier: GPL-2.0-only

The plain program copies each included value in depth. A document is decoded for one
statement only, so the projected one can have its values themselves. Where it is only sent,
it is not decoded: the bytes of these fields are sent (`reads.py`).
"""

from collections.abc import Mapping
from typing import Any

from secantus import projection

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


def included_fields(wanted: Mapping[str, Any] | None) -> frozenset[bytes] | None:
    """Return the names of the top-level fields that a projection includes, encoded.

    None where it is none, or more than a list of such fields.
    """
    if not wanted:
        return None
    fields = {"_id": 1, **wanted}
    if any("." in name or name.startswith("$") for name in fields):
        return None
    if not all(type(one) in (int, bool) for one in fields.values()):
        return None
    names = frozenset(name.encode() for name, one in fields.items() if one)
    is_list = len(names) == len(fields) - (not fields["_id"])
    return names if is_list and names else None


def install() -> None:
    """Replace the functions of SecantusDB."""
    projection._apply_projection_body = project
