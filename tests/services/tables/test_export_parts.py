"""An export holds a few parts of its list at a time, whatever the number of rows."""

import io
from weakref import WeakSet
from zoneinfo import ZoneInfo

import pytest
from bson import ObjectId

from glassflow.models.customer import Customer
from glassflow.services import lists
from glassflow.services.lists import ListQuery
from glassflow.services.tables.columns import columns_of
from glassflow.services.tables.export import PART_ROWS, Export
from tables_api import rows_of

PARTS = 30


class Part(list):
    """A part of a list, whose lifetime can be seen."""

    __hash__ = object.__hash__


class Store:
    """Stands for the store: yields parts, and counts how many are alive at once."""

    def __init__(self):
        self.alive, self.most = WeakSet(), 0

    def stream(self, _model, _query, size):
        for number in range(PARTS):
            part = Part(
                {"_id": ObjectId(), "name": f"{number}-{n}", "notes": "น้ำใส"}
                for n in range(size)
            )
            self.alive.add(part)
            self.most = max(self.most, len(self.alive))
            yield part


@pytest.fixture
def store(monkeypatch):
    store = Store()
    monkeypatch.setattr(lists, "stream", store.stream)
    monkeypatch.setattr(lists, "total", lambda *_: PARTS * PART_ROWS)
    return store


@pytest.fixture
def customers():
    fields = ("name", "notes")
    return Export(
        model=Customer,
        query=ListQuery(conditions=[], sort=[], page=1, limit=1, fields=fields),
        columns=columns_of(Customer, lambda _: True, fields),
        zone=ZoneInfo("Asia/Bangkok"),
        max_rows=PARTS * PART_ROWS,
    )


def test_csv_is_sent_part_by_part(store, customers):
    sent = []
    for chunk in customers.to_csv():
        sent.append(chunk)
        assert store.most <= 2
    assert len(sent) == 1 + PARTS  # the header comes first
    assert len(rows_of(b"".join(sent))) == PARTS * PART_ROWS


def test_xlsx_is_written_part_by_part(store, customers):
    file = io.BytesIO()
    customers.to_xlsx(file)
    assert store.most <= 2
    assert len(rows_of(file.getvalue(), "xlsx")) == PARTS * PART_ROWS
