"""The request body schema of a withdrawal."""

from typing import Any

from marshmallow import fields, post_load

from glassflow.domain.stock import StockType, WithdrawalStatus
from glassflow.schemas.base import (
    Choice,
    FreeJSON,
    Integer,
    RecordSchema,
    Reference,
    Text,
    UTCDateTime,
)


class WithdrawalSchema(RecordSchema):
    """The fields that a client writes; `inventory` names a lot to take from."""

    server_owned = frozenset(
        {"withdrawalNumber", "approvedBy", "rejectedWith", "allocations"}
    )

    material = Reference(required=True)
    quantity = Integer(required=True, minimum=1)
    stock_type = Choice(*StockType, required=True)
    withdrawn_by = Reference()
    order = Reference()
    panes = fields.List(Reference())
    inventory = Reference()
    status = Choice(*WithdrawalStatus)
    withdrawn_dimensions = FreeJSON()
    notes = Text()
    withdrawn_date = UTCDateTime()


class NewWithdrawalSchema(WithdrawalSchema):
    """A new withdrawal; clients that know one pane only name it as `pane`."""

    pane = Reference()

    @post_load
    def named(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Put `pane` among the panes."""
        result: dict[str, Any] = super().named(values, **options)
        pane = result.pop("pane", None)
        if pane is not None:
            result["panes"] = list(dict.fromkeys([*(result.get("panes") or ()), pane]))
        return result


class PreviewSchema(RecordSchema):
    """What a new withdrawal would take; `inventory` names a lot to take from."""

    material = Reference(required=True)
    quantity = Integer(required=True, minimum=1)
    stock_type = Choice(*StockType, required=True)
    inventory = Reference()
