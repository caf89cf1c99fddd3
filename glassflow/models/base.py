"""What every stored record has, and the kinds of fields that MongoEngine lacks."""

from typing import Any, ClassVar

from mongoengine import (
    DateTimeField,
    Document,
    IntField,
    ObjectIdField,
    StringField,
)
from mongoengine.base import BaseField, TopLevelDocumentMetaclass

from glassflow.core import clock
from glassflow.core.naming import camel


class _CamelCase(TopLevelDocumentMetaclass):
    """Stores each field under its wire name, so that reads need no translation."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        for key, value in attrs.items():
            if isinstance(value, BaseField) and not value.db_field:
                value.db_field = camel(key)
        return super().__new__(mcs, name, bases, attrs)


class Ref(ObjectIdField):
    """A reference: the id of a record of another model, named by `target`."""

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(**options)
        self.target = target


class NumberField(BaseField):
    """An integer or a float, kept as it was given (3 stays 3, not 3.0)."""

    def validate(self, value: Any, clean: bool = True) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.error("must be a number")


class JSONField(BaseField):
    """Any JSON value of free shape; assign a new value, do not change it in place."""


class ObjectField(JSONField):
    """An object of a fixed shape (its schema checks it); a partial update merges."""


class Choice(StringField):
    """A text of a closed list."""

    def __init__(self, *choices: str, **options: Any) -> None:
        super().__init__(choices=choices, **options)


class Record(Document, metaclass=_CamelCase):
    """A stored record: `created_at`, `updated_at` (UTC, ms) and an integer `version`.

    `hidden` names stored fields that never leave the service; `numbered` the server's
    number as `(field, prefix)`; `label` is what people call the record.
    """

    meta = {"abstract": True, "auto_create_index": False, "strict": False}

    label: ClassVar[str] = ""
    hidden: ClassVar[tuple[str, ...]] = ()
    numbered: ClassVar[tuple[str, str] | None] = None

    created_at = DateTimeField()
    updated_at = DateTimeField()
    version = IntField()

    def stamp(self) -> None:
        """Mark a change that is about to be stored: one version more, and when."""
        moment = clock.now()
        if self.created_at is None:
            self.created_at = moment
        self.updated_at = moment
        self.version = (self.version or 0) + 1

    def save(self, *args: Any, **kwargs: Any) -> Any:
        """Store the record, stamped; the model hooks put its change in the outbox."""
        self.stamp()
        # a new record is inserted, never looked for: the look-up would be a scan
        kwargs.setdefault("force_insert", self._created)
        return super().save(*args, cascade=False, **kwargs)

    def _delta(self) -> Any:
        """Tell what changed. An emptied text, list or object is stored, not dropped."""
        changed, dropped = super()._delta()
        held = self.to_mongo() if dropped else {}
        for name in [name for name in dropped if held.get(name) is not None]:
            changed[name] = held[name]
            del dropped[name]
        return changed, dropped
