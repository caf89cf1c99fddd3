"""Schemas of objects inside records: replaced lists and members with defaults."""

from collections.abc import Iterator
from typing import Any

from marshmallow import fields, post_load

from glassflow.core.process.cooperative import yielding
from glassflow.schemas.base import EmbeddedSchema, RecordSchema
from glassflow.schemas.library_messages import Length


class ReplacedList(fields.List[Any]):
    """A list of objects; a PATCH replaces it, so each must be complete."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list[Any]:
        kwargs.pop("partial", None)
        if isinstance(value, list):
            value = _YieldingList(value)  # it may have hundreds of panes
        return super()._deserialize(value, *args, **kwargs)


class _YieldingList(list[Any]):
    """A list that lets other greenlets run while it is iterated."""

    def __iter__(self) -> Iterator[Any]:
        return yielding(super().__iter__())


def items_of(schema: RecordSchema) -> RecordSchema:
    """Return the schema of the body `{items: [...]}`, whose items are each a record."""
    items = ReplacedList(fields.Nested(schema), required=True, validate=Length(min=1))
    name = f"{type(schema).__name__.removesuffix('Schema')}ItemsSchema"
    made = RecordSchema.from_dict({"items": items}, name=name)
    made.__doc__ = "Records to be created, all or none."
    assert issubclass(made, RecordSchema)
    return made()


class DefaultedSchema(EmbeddedSchema):
    """An object whose members have defaults, for null and for missing members."""

    @post_load
    def named(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Return the members under their wire names, with defaults in place of null."""
        for name, value in values.items():
            default = self.fields[name].load_default
            if value is None and default:  # `missing` is falsy too
                values[name] = default() if callable(default) else default
        result: dict[str, Any] = super().named(values, **options)
        return result
