"""The base class of stored records. Their field types are in `models.fields`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from bson import ObjectId
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
from glassflow.core.store import changesets, outbox, retry_queue
from glassflow.core.store.changesets import (
    CREATED,
    DELETED,
    RESTORED,
    UPDATED,
    Changeset,
)
from glassflow.core.store.connection import StoreCollection
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault
from glassflow.models import derived
from glassflow.models.fields import Choice, NumberField

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
    left_out = (*model.hidden, *getattr(model, "unsearched", ()))
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

    `hidden` names stored fields that are never sent; `numbered` is the field and prefix
    of the server's number; `label` is the name of the record in messages. `shown_as` has
    the fields that clients see in another form than the stored one: by stored name, the
    function that makes this form from the stored document. `readable` is a filter of the
    store: other records exist for the service only. `unlisted` are fields and the values
    with which the list of its kind leaves a record out. `searched_texts` and
    `searched_numbers` are the fields that a search looks into; `unsearched` are stored
    names of texts and numbers that it does not. `shortened` has the fields
    of which the history keeps less: by stored name, the function that returns it.
    `announced` is whether `save` and `delete` record the change in the outbox.
    `successor` is the name under which the history of a deleted record has the one of its
    kind that took its place. `remarks`
    are not stored: what a use case did otherwise than asked, for the warnings of its answer.
    """

    meta = {"abstract": True, "auto_create_index": False, "strict": False}

    label: ClassVar[Bilingual]
    hidden: ClassVar[tuple[str, ...]] = ()
    numbered: ClassVar[tuple[str, str] | None] = None
    shown_as: ClassVar[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {}
    readable: ClassVar[Mapping[str, Any]] = {}
    unlisted: ClassVar[Mapping[str, Any]] = {}
    unsearched: ClassVar[tuple[str, ...]] = ()
    searched_texts: ClassVar[tuple[str, ...]] = ()
    searched_numbers: ClassVar[tuple[str, ...]] = ()
    has_history: ClassVar[bool] = True
    announced: ClassVar[bool] = True
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
        # `_created` of MongoEngine is not set for new records whose id was chosen
        return self.version is None or bool(self._get_changed_fields())

    def is_changed_in(self, *names: str) -> bool:
        """Return whether the record is new, or changed in one of these stored fields."""
        return self.version is None or not self.changed_fields().isdisjoint(names)

    def save(self, *args: Any, **kwargs: Any) -> Self:
        """Stamp and store the record, and record the change in the outbox.

        An unchanged record is not written. A use case that has to write it nevertheless,
        to conflict with others, calls `records.save_all` or `locks.touch`.
        """
        if not self.is_changed:
            return self
        is_new = self.version is None
        self.stamp()
        if not self._created:
            retry_queue.writing(self.collection_name(), self.pk)
        # insert a new record without an upsert, whose query would be a scan
        kwargs.setdefault("force_insert", self._created)
        fields = self.changed_fields()
        with outbox.collecting():
            saved = super().save(*args, cascade=False, **kwargs)
            stored = self.note_write("created" if is_new else "changed", fields)
            self._announce(CREATED if is_new else UPDATED, stored)
        return saved

    def delete(self, *args: Any, **kwargs: Any) -> None:
        """Delete the record, and record that in the outbox."""
        with outbox.collecting():
            super().delete(*args, **kwargs)
            self._announce(DELETED, self.note_write("deleted"))

    @classmethod
    def _announce(cls, action: str, stored: dict[str, Any]) -> None:
        if cls.announced:
            outbox.record(cls.__name__, stored, action)

    def note_write(
        self,
        action: str,
        fields: frozenset[str] = frozenset(),
        *,
        stored: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Record for the history that the record was written.

        `action` is `created`, `restored`, `changed` or `deleted`. Returns the stored form,
        which a caller that has it gives as `stored`.
        """
        before, after = (
            self._stored,
            dict(self.to_mongo()) if stored is None else stored,
        )
        self._stored = after
        if action == "deleted":
            self.record_deletion(before or after)
        elif self.has_history:
            before = before if action == "changed" else None
            names = fields if before is not None else self._db_names()
            new = RESTORED if action == "restored" else CREATED
            self._add_changeset(
                new if before is None else UPDATED, before, after, names
            )
        return after

    @classmethod
    def record_deletion(
        cls, stored: Mapping[str, Any], *, successor: ObjectId | None = None
    ) -> None:
        """Record for the history that the record with this stored form was deleted.

        `successor` is the record that took its place, if one did.
        """
        if not cls.has_history:
            return
        names, after = cls._db_names(), None
        if successor:
            names.append(cls.successor)
            after = {name: stored.get(name) for name in ("_id", "version")}
            after[cls.successor] = successor
        cls._add_changeset(DELETED, stored, after, names)

    @classmethod
    def _add_changeset(
        cls,
        action: str,
        before: Mapping[str, Any] | None,
        after: Mapping[str, Any] | None,
        fields: Iterable[str],
    ) -> None:
        one = after or before or {}
        names = [name for name in fields if name not in NOT_IN_HISTORY]
        parts = changesets.between(before or {}, after or {}, names, hidden=cls.hidden)
        for name, shorten in cls.shortened.items():
            for part in parts[:2]:
                if name in part:
                    part[name] = shorten(part[name])
        version = one.get("version") or 0
        outbox.add_changeset(
            Changeset(cls.__name__, one["_id"], action, version, *parts)
        )

    @classmethod
    def _db_names(cls) -> list[str]:
        return [field.db_field for field in cls._fields.values()]

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

    def delta(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return the update that stores the changed fields, as `$set` and `$unset`.

        All fields of a new record. `stored` is the form that the record has now. Fields
        that this release does not know stay as they are, as during a rolling upgrade.
        """
        is_new = not hasattr(self, "_changed_fields")
        changed = stored.keys() - {"_id"} if is_new else self.changed_fields()
        values = {name: stored[name] for name in changed if name in stored}
        dropped = dict.fromkeys(changed - values.keys(), 1)
        update = {"$set": values, "$unset": dropped}
        return {operator: fields for operator, fields in update.items() if fields}

    def _delta(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what MongoEngine sets and unsets.

        By itself it unsets an emptied text, list or object.
        """
        update = self.delta(self.to_mongo())
        return update.get("$set", {}), update.get("$unset", {})
