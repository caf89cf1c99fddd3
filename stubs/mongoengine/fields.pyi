"""The fields of values."""

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
