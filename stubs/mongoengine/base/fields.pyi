"""The base of all fields."""

from typing import Any, Generic, NoReturn, Self, overload

from typing_extensions import TypeVar

# The type of the value. Without a parameter, as in `isinstance`, it is Any.
Value = TypeVar("Value", default=Any)

class BaseField(Generic[Value]):
    # None until a model has the field
    name: str
    db_field: str
    required: bool
    default: Any
    choices: Any
    def __init__(self, **options: Any) -> None: ...
    # `instance` is None where the class is asked
    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __set__(self, instance: Any, value: Value) -> None: ...
    def validate(self, value: Any, clean: bool = True) -> None: ...
    def _validate(self, value: Any) -> None: ...
    def to_python(self, value: Any) -> Any: ...
    def error(self, message: str = "") -> NoReturn: ...
