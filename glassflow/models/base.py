"""The base class of stored records. Their field types are in `models.fields`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, Self

from mongoengine import (
    BooleanField,
    DateTimeField,
    Document,
    IntField,
    ListField,
    StringField,
)
from mongoengine.base import BaseField, TopLevelDocumentMetaclass

from glassflow.core.process import clock
from glassflow.core.process.naming import camel
from glassflow.core.store.connection import StoreCollection
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault
from glassflow.models import derived
from glassflow.models.fields import Choice, NumberField

#: Not searched: nobody looks for it, and each write would change the index of texts.
VERSION = "version"
# Fields that follow from the others, and the id.
NOT_IN_HISTORY = frozenset({"_id", *derived.NAMES})


class _RecordClass(TopLevelDocumentMetaclass):
    """Stores each field under its wire name, so that lists need no translation.

    It hides the derived fields of every model, and notes which fields a search finds.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        for key, value in attrs.items():
            if isinstance(value, BaseField) and not value.db_field:
                value.db_field = camel(key)
        attrs["hidden"] = (*derived.NAMES, *attrs.get("hidden", ()))
        made: Any = super().__new__(mcs, name, bases, attrs)
        made.searched_texts = _visible_names(made, _is_free_text)
        made.searched_numbers = _visible_names(made, _is_number)
        return made


def _visible_names(model: Any, wanted: Callable[[BaseField], bool]) -> tuple[str, ...]:
    fields = getattr(model, "_fields", {}).values()
    left_out = (*model.hidden, *getattr(model, "unsearched", ()), VERSION)
    return tuple(f.name for f in fields if wanted(f) and f.db_field not in left_out)


def _is_free_text(field: BaseField) -> bool:
    return isinstance(field, StringField) and not isinstance(field, Choice)


def _is_number(field: BaseField) -> bool:
    return isinstance(field, (IntField, NumberField))


def for_lists(*fields: str) -> tuple[str, ...]:
    """Return the index of a list that is filtered by these fields, newest first.

    The store reads such a list in order, without sorting it.
    """
    return (*fields, "created_at", "id")


class Record(Document, metaclass=_RecordClass):
    """A stored record: `created_at`, `updated_at` (UTC, ms) and an integer `version`.

    `hidden` names stored fields that are never sent; `secret` those of them of which the
    history of a deleted record keeps no value, so that a restored one has none. `numbered`
    is the field and prefix of the server's number; `label` is the name of the record in messages. `shown_as` has
    the fields that clients see in another form than the stored one: by stored name, the
    function that makes this form from the stored document. `computed` has those that
    answers have and the store does not: by name, the function of the stored document that
    they follow from. `readable` is a filter of the
    store: other records exist for the service only. `unlisted` are fields and the values
    with which the list of its kind leaves a record out. `searched_texts` and
    `searched_numbers` are the fields that a search looks into; `unsearched` are stored
    names of texts and numbers that it does not. `shortened` has the fields
    of which the history keeps less: by stored name, the function that returns it.
    `successor` is the name under which the history of a deleted record has the one of its
    kind that took its place. `remarks`
    are not stored: what a use case did otherwise than asked, for the warnings of its answer.
    """

    meta = {"abstract": True, "auto_create_index": False, "strict": False}

    label: ClassVar[Bilingual]
    hidden: ClassVar[tuple[str, ...]] = ()
    secret: ClassVar[tuple[str, ...]] = ()
    numbered: ClassVar[tuple[str, str] | None] = None
    shown_as: ClassVar[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {}
    computed: ClassVar[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {}
    readable: ClassVar[Mapping[str, Any]] = {}
    unlisted: ClassVar[Mapping[str, Any]] = {}
    unsearched: ClassVar[tuple[str, ...]] = ()
    searched_texts: ClassVar[tuple[str, ...]] = ()
    searched_numbers: ClassVar[tuple[str, ...]] = ()
    has_history: ClassVar[bool] = True
    successor: ClassVar[str] = ""
    shortened: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    created_at = DateTimeField()
    updated_at = DateTimeField()
    version = IntField()

    # Explained in `models.derived`; the last one is set where `unlisted` is.
    search_text = StringField()
    search_digits = ListField(StringField())
    listed = BooleanField()

    remarks: Sequence[FieldFault] = ()

    # The stored form at the last read or write; None for a new record.
    _stored: Mapping[str, Any] | None = None

    @classmethod
    def collection(cls) -> StoreCollection:
        """Return the collection of the driver, for queries and updates by stored names."""
        return cls._get_collection()

    @classmethod
    def collection_name(cls) -> str:
        """Return the name of the collection, which needs no connection."""
        return cls._get_collection_name()

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        """Return the record with a stored form, which is kept for its changesets."""
        return cls._from_son(dict(stored))

    @classmethod
    def of_deleted(cls, stored: Mapping[str, Any]) -> Self:
        """Return the record that a deletion removed; it is stored as a new one."""
        record = cls.from_stored(stored)
        record._stored = None
        return record

    @classmethod
    def _from_son(cls, son: Any, *args: Any, **kwargs: Any) -> Self:
        """Return the record of a document that MongoEngine, or `from_stored`, has read."""
        record = super()._from_son(son, *args, **kwargs)
        record._stored = son
        return record

    @classmethod
    def find_one(cls, query: Mapping[str, Any]) -> Self | None:
        """Return a document that a filter of the store matches; None if none does.

        For what every scan or change reads: a `QuerySet` does the same, and costs about
        half as much as the round trip itself. Names in the filter are stored names.
        """
        raw = cls.collection().find_one(query)
        return None if raw is None else cls._from_son(raw)

    @classmethod
    def find_many(cls, query: Mapping[str, Any]) -> list[Self]:
        """Return all documents that a filter of the store matches; see `find_one`."""
        return [cls._from_son(raw) for raw in cls.collection().find(query)]

    def stamp(self) -> None:
        """Set the version, the times and the derived fields of what is to be stored."""
        moment = clock.now()
        if self.created_at is None:
            self.created_at = moment
        self.updated_at = moment
        self.version = self.next_version
        self.derive()

    def derive(self) -> None:
        """Set the derived fields from the others."""
        derived.derive(self, self.searched_texts, self.searched_numbers)

    @property
    def next_version(self) -> int:
        """The version with which the record is stored next."""
        return (self.version or 0) + 1

    @property
    def is_changed(self) -> bool:
        """Whether the record is new, or a field differs from what is stored."""
        return self._stored is None or bool(self._get_changed_fields())

    def is_changed_in(self, *names: str) -> bool:
        """Return whether the record is new, or changed in one of these stored fields."""
        return self._stored is None or not self.changed_fields().isdisjoint(names)

    def save(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `TypeError`: `services.records.store` is how a record is stored."""
        raise TypeError("call records.store, which notes and announces the change")

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `TypeError`: `services.records.delete` is how a record is deleted."""
        raise TypeError("call records.delete, which notes and announces the change")

    @property
    def stored_before(self) -> Mapping[str, Any] | None:
        """The stored form at the last read or write; None if it is not in the store."""
        return self._stored

    def note_stored(self, stored: Mapping[str, Any]) -> None:
        """Note that the record was written with this stored form."""
        self._stored = stored
        self._clear_changed_fields()

    def validate_changes(self) -> None:
        """Raise MongoEngine's `ValidationError` unless what is to be written is valid.

        All of a new record. Of a changed one the changed fields: another may have a value
        of an earlier release, or of a newer one during a rolling upgrade.
        """
        if self._stored is None:
            self.validate()
            return
        attributes = self._reverse_db_field_map
        for name in self.changed_fields():
            field = self._fields[attributes.get(name, name)]
            value = self._data.get(field.name)
            if value is not None:
                field._validate(value)
            elif field.required:
                field.error("Field is required")

    def stored_form(self) -> dict[str, Any]:
        """Return the record as the driver would read it; its values are shared."""
        if self._stored is None or self._get_changed_fields():
            return dict(self.to_mongo())
        return dict(self._stored)

    def changed_fields(self) -> frozenset[str]:
        """Return the stored names of the fields that differ from what is stored."""
        names = self._get_changed_fields()
        return frozenset(name.partition(".")[0] for name in names)

    def _get_changed_fields(self) -> list[str]:
        """Return the changed fields or the parts of them; a new record has none.

        MongoEngine looks for embedded documents besides, which no model has.
        """
        return list(getattr(self, "_changed_fields", ()))
