"""Objects inside records: lists that a change replaces, and members with defaults."""

from typing import Any

from marshmallow import fields, post_load

from glassflow.schemas.base import Shape


class Items(fields.List[Any]):
    """A list of objects. A change replaces it, so each has to be complete even then."""

    def _deserialize(self, *args: Any, **kwargs: Any) -> list[Any]:
        kwargs.pop("partial", None)
        return super()._deserialize(*args, **kwargs)


class Filled(Shape):
    """An object whose members have defaults: for null, and for what a new one lacks."""

    @post_load
    def named(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Name the members as the store does, with the default in place of null."""
        for name, value in values.items():
            default = self.fields[name].load_default
            if value is None and default:  # `missing` is falsy too
                values[name] = default() if callable(default) else default
        result: dict[str, Any] = super().named(values, **options)
        return result
