"""Records as JSON Schema: what clients read of each model.

All visible fields of a record are required, because the service fills in what is unset;
prices are not, because some callers are not shown them. A reference is an id, or what `populate` shows of the record.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from marshmallow import fields
from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    ObjectIdField,
    StringField,
)
from mongoengine.base import BaseField

from glassflow.api_docs.input_schemas import body_shape, field_shape
from glassflow.models import ALL
from glassflow.models.base import Record
from glassflow.models.fields import (
    Choice,
    JSONField,
    NumberField,
    ObjectField,
    element_field,
)
from glassflow.schemas.answers.billing import EXPORTED
from glassflow.schemas.answers.deliveries import HAND_OVER
from glassflow.schemas.answers.makeability import STORED_FINDING
from glassflow.schemas.answers.prices import PRICED_PANES
from glassflow.schemas.answers.quotes import CUSTOMER_NOTE, MAIL
from glassflow.schemas.answers.requests import ATTACHED_FILE, REQUEST_CHANGE
from glassflow.schemas.answers.scans import MEASURED
from glassflow.schemas.answers.stock import OF_BOOK_ENTRY, OF_MATERIAL
from glassflow.schemas.answers.working_hours import PERIODS
from glassflow.schemas.answers.workshop import OF_WORKSHOP
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.quote import QuotePane
from glassflow.schemas.shapes import (
    ANYTHING,
    BOOLEAN,
    COUNT,
    FREE_OBJECT,
    ID,
    INTEGER,
    NULL,
    NUMBER,
    TEXT,
    TIME,
    Shape,
    any_of,
    array,
    choice,
    mapping,
    members,
    nullable,
    record,
)
from glassflow.services.records import restricted_fields
from glassflow.services.records.populate_table import (
    POPULATED_BY_DEFAULT,
    SHORT_FORMS,
    brief_fields,
    reference_target,
)
from glassflow.services.records.serialization import wire_form


def _extended(shape: Shape, title: str, more: Mapping[str, Shape]) -> Shape:
    """Return the shape of an object that an answer shows with further members."""
    return {**shape, "title": title, "properties": {**shape["properties"], **more}}


# What neither the stored field nor a body says.
OWN_SHAPES: Mapping[str, Shape] = {
    "Claim.photos": array(TEXT),
    "Customer.shortName": TEXT,
    "PaneLog.photos": array(TEXT),
    "Request.attachments": array(ATTACHED_FILE),
    "Request.changes": array(REQUEST_CHANGE),
    "PaneLog.before": nullable(FREE_OBJECT),
    "PaneLog.after": nullable(FREE_OBJECT),
    "PaneLog.measured": nullable(MEASURED),
    "Delivery.handOvers": array(HAND_OVER),
    "Inventory.qrCode": TEXT,
    "Rack.qrCode": TEXT,
    "BillingEntry.exported": nullable(EXPORTED),
    "Quote.panes": array(
        _extended(
            body_shape(QuotePane()),
            "QuotePane",
            {"makeability": array(STORED_FINDING)},
        )
    ),
    "Quote.price": PRICED_PANES,
    "Quote.customerNotes": array(CUSTOMER_NOTE),
    "Quote.changes": array(REQUEST_CHANGE),
    "Quote.mail": nullable(MAIL),
    "Order.stationBreakdown": mapping(COUNT),
    "WorkingHours.periods": PERIODS,
    "Withdrawal.allocations": array(
        members({"inventory": ID, "quantity": NUMBER}, title="Allocation")
    ),
}
# Records that some answers show with further members: name, model, and those members.
EXTENDED: tuple[tuple[str, str, Mapping[str, Shape]], ...] = (
    ("MaterialStock", "Material", OF_MATERIAL),
    ("BookEntry", "MaterialLog", OF_BOOK_ENTRY),
    ("WorkshopWithLogo", "Workshop", OF_WORKSHOP),
)
ALWAYS_SET = ("_id", "createdAt", "updatedAt", "version")
SIMPLE: tuple[tuple[type[BaseField], Shape], ...] = (
    (ObjectIdField, ID),
    (BooleanField, BOOLEAN),
    (IntField, INTEGER),
    (NumberField, NUMBER),
    (DateTimeField, TIME),
    (StringField, TEXT),
)
JSON_TYPES: Mapping[type, Shape] = {
    str: TEXT,
    bool: BOOLEAN,
    int: NUMBER,
    float: NUMBER,
    list: array(ANYTHING),
}


def record_shapes(
    schemas: Mapping[str, RecordSchema], *, cut: bool = False
) -> dict[str, Shape]:
    """Return the shapes of all models and of their briefs, by name.

    `schemas` are the bodies of the models that have one, by the model's name. With `cut`,
    a reference may show a part of any record, as in events.
    """
    shapes: dict[str, Shape] = {}
    for model in ALL:
        name = model.__name__
        shapes[name] = _Reading(model, schemas.get(name), cut=cut).record()
    for name, shown in _briefs().items():
        shapes[f"{name}Brief"] = _brief(shapes[name], shown)
    # the panes of a request that is created, the confirmation of a change that waits
    more_of = {"panes": array(record("Pane")), "confirmation": record("Quote")}
    shapes["RequestWithPanes"] = _extended(
        shapes["Request"], "RequestWithPanes", more_of
    )
    secret = {"secret": TEXT}  # only of one that the service has generated
    shapes["WebhookWithSecret"] = _extended(
        shapes["Webhook"], "WebhookWithSecret", secret
    )
    for name, base, more in EXTENDED:
        required = (*shapes[base]["required"], *more)
        shapes[name] = {**_extended(shapes[base], name, more), "required": required}
    return shapes


class _Reading:
    """The shapes of the fields of one model, which borrows those of its body's objects."""

    def __init__(
        self, model: type[Record], schema: RecordSchema | None, *, cut: bool
    ) -> None:
        self._model, self._cut = model, cut
        found = schema.fields.values() if schema else ()
        self._body = {str(field.data_key): field for field in found}
        self._fields = {field.db_field: field for field in model._fields.values()}

    def record(self) -> Shape:
        names = dict.fromkeys([*wire_form(self._model).unset, *self._model.computed])
        description = (self._model.__doc__ or "").partition("\n\n")[0]
        return members(
            {name: self._field(name) for name in names},
            optional=self._left_out(),
            title=self._model.__name__,
            description=" ".join(description.split()),
        )

    def _left_out(self) -> Sequence[str]:
        """Return the paths that some callers are not shown."""
        found = restricted_fields.RESTRICTED.get(self._model.__name__)
        return found.paths if found else ()

    def _field(self, name: str) -> Shape:
        own = OWN_SHAPES.get(f"{self._model.__name__}.{name}")
        if own is not None:
            return own
        field = self._fields[name]
        shape = self._shape(name, element_field(field))
        if isinstance(field, ListField):
            return array(shape)
        return nullable(shape) if _may_be_null(field) else shape

    def _shape(self, name: str, field: BaseField) -> Shape:
        if name != "_id" and reference_target(self._model, name):
            return reference(self._model, name, cut=self._cut)
        if isinstance(field, Choice):
            return choice(field.choices)
        if isinstance(field, JSONField):
            return self._object(name, field)
        return next(shape for kind, shape in SIMPLE if isinstance(field, kind))

    def _object(self, name: str, field: JSONField) -> Shape:
        sent = self._body.get(name)
        if isinstance(sent, fields.List):
            sent = sent.inner
        if not isinstance(field, ObjectField) or field.shape is None:
            return ANYTHING if sent is None else field_shape(sent)
        nested = sent.schema.fields.values() if isinstance(sent, fields.Nested) else ()
        known = {str(one.data_key): one for one in nested}
        return members(
            {
                member: self._member(f"{name}.{member}", known.get(member), default)
                for member, default in field.shape().items()
            },
            optional=[path.removeprefix(f"{name}.") for path in self._left_out()],
            title=_title(sent, name),
        )

    def _member(self, path: str, sent: Any, default: Any) -> Shape:
        """Return the shape of a member of an object, as it reads."""
        if reference_target(self._model, path):
            return reference(self._model, path, cut=self._cut)
        if isinstance(default, Mapping):
            inner = {name: JSON_TYPES[type(value)] for name, value in default.items()}
            return members(inner, title=_title(sent, path.rpartition(".")[2]))
        shape = ANYTHING if sent is None else _without_limits(field_shape(sent))
        if not shape:
            shape = JSON_TYPES.get(type(default), ANYTHING)
        return nullable(shape) if default is None else shape


def reference(model: type[Record], path: str, *, cut: bool) -> Shape:
    """Return the shape of a reference: an id, the record, null if that is deleted."""
    target = reference_target(model, path)
    assert target is not None
    brief = record(f"{target.model}Brief")
    if target.fields is not None:
        shown = brief
    elif cut or target.model in SHORT_FORMS:
        shown = any_of(record(target.model), brief)
    else:
        shown = record(target.model)
    is_list = any(
        f.db_field == path and isinstance(f, ListField) for f in model._fields.values()
    )
    return any_of(ID, shown) if is_list else any_of(ID, shown, NULL)


def _may_be_null(field: BaseField) -> bool:
    """Return whether a field reads null: it has no default, and may be unset."""
    if field.db_field in ALWAYS_SET or field.required:
        return False
    # an unset time stays unset, also with a default
    return field.default is None or isinstance(field, DateTimeField)


def _title(sent: Any, name: str) -> str:
    if isinstance(sent, fields.Nested):
        return type(sent.schema).__name__
    return name[0].upper() + name[1:]


def _without_limits(shape: Shape) -> Shape:
    """Return the shape without what is required of new values only."""
    limits = {"pattern", "minLength", "maxLength", "minimum", "maximum"}
    return {name: one for name, one in shape.items() if name not in limits}


def _briefs() -> dict[str, list[tuple[str, ...]]]:
    """Return which fields references show of each model, in all the ways they do."""
    found: dict[str, list[tuple[str, ...]]] = {
        model.__name__: [brief_fields(model)] for model in ALL
    }
    for targets in POPULATED_BY_DEFAULT.values():
        for target in targets.values():
            if target.fields is not None:
                found[target.model].append(target.fields)
                found[target.model].append((*target.fields, *target.with_key))
    for name, (_, shown) in SHORT_FORMS.items():
        found[name].append(shown)
    return found


def _brief(shape: Shape, shown: Iterable[tuple[str, ...]]) -> Shape:
    """Return the shape of a record of which a reference shows some fields."""
    names = list(dict.fromkeys(_flat(shown)))
    return members(
        {name: shape["properties"][name] for name in names},
        optional=[name for name in names if not all(name in one for one in shown)],
        is_open=True,  # `populate` may add a reference of it
        title=f"{shape['title']}Brief",
        description="What a reference shows; which fields depends on the reference.",
    )


def _flat(shown: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for names in shown:
        yield from names
