"""The fields. The class of a model has the field, a record has the value.

A value may be None unless its field is required or has a default. A field with a default
is never None: MongoEngine sets the default in place of None. A required one has a value
in every record that has been validated, as each is before it is stored; it is None in a
new record until then, and where another program has stored the record without it. To
declare these values as optional too would demand a check at every use, for a fault that
no code could handle.

The values in a list are never None, whatever their field is. `Record.version` and the
times of a record are None until it is stored, and are declared so. `Document.pk` is None
until then too, unless the id has been chosen; it is declared as an id nevertheless, since
about 50 uses of ids of stored records would each need a check.

The field types of `glassflow.models.fields` follow the same rules.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, TypeVar, overload

from mongoengine.base.fields import BaseField, Value

Element = TypeVar("Element")

class ObjectIdField(BaseField[Value]): ...

class StringField(BaseField[Value]):
    @overload
    def __init__(
        self: StringField[str], *, required: Literal[True], **options: Any
    ) -> None: ...
    @overload
    def __init__(
        self: StringField[str], *, default: str | Callable[[], str], **options: Any
    ) -> None: ...
    @overload
    def __init__(self: StringField[str | None], **options: Any) -> None: ...
    @overload  # for subclasses
    def __init__(self, **options: Any) -> None: ...

class IntField(BaseField[Value]):
    @overload
    def __init__(
        self: IntField[int], *, required: Literal[True], **options: Any
    ) -> None: ...
    @overload
    def __init__(
        self: IntField[int], *, default: int | Callable[[], int], **options: Any
    ) -> None: ...
    @overload
    def __init__(self: IntField[int | None], **options: Any) -> None: ...

class BooleanField(BaseField[Value]):
    @overload
    def __init__(
        self: BooleanField[bool], *, default: bool, **options: Any
    ) -> None: ...
    @overload
    def __init__(self: BooleanField[bool | None], **options: Any) -> None: ...

class DateTimeField(BaseField[Value]):
    @overload
    def __init__(
        self: DateTimeField[datetime],
        *,
        default: Callable[[], datetime],
        **options: Any,
    ) -> None: ...
    @overload
    def __init__(self: DateTimeField[datetime | None], **options: Any) -> None: ...

class ListField(BaseField[Value]):
    field: BaseField
    # a list has no None in it
    @overload
    def __init__(
        self: ListField[list[Element]], field: BaseField[Element | None]
    ) -> None: ...
    @overload
    def __init__(self: ListField[list[Element]], field: BaseField[Element]) -> None: ...
