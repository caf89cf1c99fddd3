"""Field types that MongoEngine lacks."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from bson import ObjectId
from mongoengine import ListField, ObjectIdField, StringField
from mongoengine.base import BaseField

if TYPE_CHECKING:
    from mongoengine.base.fields import Value
else:
    # Only the stubs declare fields as generic, by the type of their value. Here the
    # brackets mean nothing: `BaseField[Value]` is `BaseField`.
    Value = None
    BaseField.__class_getitem__ = classmethod(lambda field, value: field)


class Ref(ObjectIdField[Value]):
    """A reference: the id of a record of another model, named by `target`."""

    @overload
    def __init__(
        self: "Ref[ObjectId]", target: str, *, required: Literal[True]
    ) -> None: ...

    @overload
    def __init__(self: "Ref[ObjectId | None]", target: str) -> None: ...

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(**options)
        self.target = target


class NumberField(BaseField[Value]):
    """An integer or a float, stored as given (3 stays 3, not 3.0)."""

    @overload
    def __init__(self: "NumberField[float]", *, required: Literal[True]) -> None: ...

    @overload
    def __init__(self: "NumberField[float]", *, default: float) -> None: ...

    @overload
    def __init__(self: "NumberField[float | None]") -> None: ...

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)

    def validate(self, value: Any, clean: bool = True) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.error("must be a number")


class JSONField(BaseField[Value]):
    """Any JSON value; assign a new value, changes in place are not stored."""

    def __set__(self, instance: Any, value: Value) -> None:
        """Set the value; true in the place of 1 is a change, though Python's equal."""
        before = instance._data.get(self.name)
        super().__set__(instance, value)
        if before == value and _differs_in_booleans(before, value):
            instance._mark_as_changed(self.name)

    def lookup_member(self, name: str) -> BaseField:
        """Return the field of a member, so that an index may be of one."""
        return BaseField(db_field=name)


def _differs_in_booleans(one: Any, other: Any) -> bool:
    """Return whether equal values have a boolean and a number in one place."""
    if isinstance(one, dict):
        return any(_differs_in_booleans(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return any(map(_differs_in_booleans, one, other))
    return isinstance(one, bool) != isinstance(other, bool)


class ObjectField(JSONField[Value]):
    """An object of a fixed shape, checked by its schema; a PATCH merges it.

    `shape` returns a new object with the default of every member. The object reads whole:
    members that were never stored, or are None, have their defaults.
    """

    @overload
    def __init__(
        self: "ObjectField[dict[str, Any]]",
        shape: Callable[[], dict[str, Any]],
        *,
        required: bool = False,
    ) -> None: ...

    @overload
    def __init__(self: "ObjectField[dict[str, Any] | None]") -> None: ...

    def __init__(
        self, shape: Callable[[], dict[str, Any]] | None = None, **options: Any
    ) -> None:
        super().__init__(**({"default": shape} | options))
        self.shape = shape

    def to_python(self, value: Any) -> Any:
        """Return the object that the store or a caller gave, completed."""
        return self.complete(value) if isinstance(value, Mapping) else value

    def complete(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the object with the defaults of the members that it lacks."""
        return dict(value) if self.shape is None else _filled(self.shape(), value)


def _filled(defaults: dict[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    for name, given in value.items():
        default = defaults.get(name)
        if isinstance(default, dict) and isinstance(given, Mapping):
            defaults[name] = _filled(default, given)
        elif given is not None or name not in defaults:
            defaults[name] = given
    return defaults


def element_field(field: BaseField) -> BaseField:
    """Return the field of a list's elements; any other field itself."""
    return field.field if isinstance(field, ListField) else field


class Choice(StringField[Value]):
    """A text of a fixed list."""

    @overload
    def __init__(
        self: "Choice[str]", *choices: str, required: Literal[True]
    ) -> None: ...

    @overload
    def __init__(self: "Choice[str]", *choices: str, default: str) -> None: ...

    @overload
    def __init__(self: "Choice[str | None]", *choices: str) -> None: ...

    def __init__(self, *choices: str, **options: Any) -> None:
        super().__init__(choices=choices, **options)
