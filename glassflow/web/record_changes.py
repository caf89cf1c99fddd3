"""What a PATCH of one record changes, and in which version (If-Match)."""

from contextlib import AbstractContextManager
from typing import Any

from bson import ObjectId
from flask import current_app, request

from glassflow.core.store import expect_version
from glassflow.services import records
from glassflow.services.records.serialization import to_wire
from glassflow.web import etags
from glassflow.web.body import read_body
from glassflow.web.declaration import ResourceDeclaration


def read_changes(
    resource: ResourceDeclaration, record_id: str
) -> tuple[ObjectId, dict[str, Any]]:
    """Return the id and the values of a PATCH.

    The record is read only where the body or the caller is compared with it;
    `records.update` loads it again, in its transaction.
    """
    if _is_compared(resource):
        raw = resource.read_visible(record_id)
        resource.require_ownership(raw)
        stored = to_wire(resource.model, raw)
        return raw["_id"], read_body(resource.schema, partial=True, stored=stored)
    key = records.object_id(record_id, resource.model.label)
    try:
        return key, read_body(resource.schema, partial=True)
    except Exception:
        resource.read_visible(record_id)  # an unknown id is reported before a bad body
        raise


def _is_compared(resource: ResourceDeclaration) -> bool:
    """Return whether a PATCH depends on the record before it is changed."""
    own_rules = resource.update_with is not records.update
    compared = resource.schema.compared
    return bool(own_rules or resource.owners or resource.scope or compared)


def expecting(
    resource: ResourceDeclaration, record_id: ObjectId, *, may_demand: bool = True
) -> AbstractContextManager[None]:
    """Let the block change the record only in the version of the If-Match, if any.

    The setting REQUIRE_IF_MATCH names resources whose changes need one, unless the block
    overwrites nothing (not `may_demand`).
    """
    required = may_demand and resource.name in current_app.config["REQUIRE_IF_MATCH"]
    return expect_version.expecting(
        resource.model.__name__,
        record_id,
        etags.expected_versions(),
        must_name=required and "If-Match" not in request.headers,
    )
