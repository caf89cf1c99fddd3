"""A dry run tries the rows behind a refused one, as if the refused one were not there."""

from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from factories import save
from glassflow.domain import texts
from glassflow.domain.errors import Invalid, Refusal, of_item
from glassflow.models.customer import Customer
from glassflow.services.tables import importing, row_writer
from glassflow.services.tables.changes import Format
from glassflow.services.tables.importing import ImportRefused
from glassflow.services.tables.row_writer import Target
from glassflow.services.tables.values import CellKind

FORMAT = Format(lambda cell: cell, ZoneInfo("UTC"), is_typed=False)
ACTOR = SimpleNamespace(may=lambda key: True)
LATE, TWIN, BAD, UNKNOWN = "late", "twin", "bad", "unknown"


def create(*, values, **_):
    """Store a customer; refuse some before and some after that, and a second twin."""
    phone = values["phone"]
    if phone == BAD:
        raise Refusal(texts.NOT_AN_ID)
    if TWIN in phone and Customer.objects(phone__contains=TWIN).count():
        raise Refusal(texts.ROW_STALE)
    customer = save(Customer(**values))
    if LATE in phone:
        raise Refusal(texts.CONTENTION)
    return customer


def create_all(*, items, **_):
    """Store customers at once; refuse the first bad one, and unknown ones together."""
    faults = [
        {"field": f"items.{index}.phone", "message": texts.REQUIRED}
        for index, values in enumerate(items)
        if values["phone"] == UNKNOWN
    ]
    if faults:
        raise Invalid(faults)
    for index, values in enumerate(items):
        with of_item(index):
            if values["phone"] == BAD:
                raise Refusal(texts.NOT_AN_ID)
    return [save(Customer(**values)) for values in items]


def target(**options):
    kinds = {"name": CellKind.TEXT, "phone": CellKind.TEXT}
    given = {"create": create, "update": None, **options}
    return Target(
        model=Customer, kinds=kinds, read_new=dict, read_change=dict,
        may_create=True, may_change=True, **given,
    )  # fmt: skip


def rows(phones):
    return [["name", "phone"], *([f"n{n}", one] for n, one in enumerate(phones))]


def try_out(target, *phones):
    result = importing.try_out(
        target=target, rows=rows(phones), format=FORMAT, actor=ACTOR, seconds=60
    )
    assert Customer.objects.count() == 0
    return [(one.row, one.field, one.message) for one in result.faults]


def test_what_a_refused_row_has_written_does_not_refuse_the_rows_behind_it(app):
    phones = [LATE + TWIN, TWIN, BAD, TWIN, LATE, "1"]
    assert try_out(target(), *phones) == [
        (2, "", texts.CONTENTION),
        (4, "", texts.NOT_AN_ID),
        (5, "", texts.ROW_STALE),
        (6, "", texts.CONTENTION),
    ]
    with pytest.raises(ImportRefused) as refused:
        importing.run(target=target(), rows=rows(phones), format=FORMAT, actor=ACTOR)
    assert [one["row"] for one in refused.value.faults] == [2]
    assert Customer.objects.count() == 0


def test_every_refused_item_of_a_bulk_create_is_found(app):
    phones = ["1", BAD, UNKNOWN, "1", BAD, UNKNOWN]
    assert try_out(target(create_all=create_all), *phones) == [
        (3, "", texts.NOT_AN_ID),
        (4, "phone", texts.REQUIRED),
        (6, "", texts.NOT_AN_ID),
        (7, "phone", texts.REQUIRED),
    ]


@pytest.mark.parametrize("options", [{}, {"create_all": create_all}])
def test_rows_behind_as_many_refused_ones_as_people_read_are_not_tried(
    app, monkeypatch, options
):
    monkeypatch.setattr(row_writer, "MAX_REFUSED_ROWS", 3)
    assert len(try_out(target(**options), *[BAD] * 5)) == 3
