"""An export has what its list has: rows, order, fields, values and refusals, everywhere."""

import json
from datetime import datetime, timedelta

import pytest
from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain.unicode_text import normalize
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.fields import Ref
from glassflow.services.tables import export as export_module
from glassflow.web.resource import Resource
from scenarios import (
    billing_entry,
    claim_pane,
    order_with_panes,
    pass_station,
    valid_bodies,
)
from tables_api import export_response, rows_of

COPIES = 5  # of one record, which makes three parts of an export
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


@pytest.fixture
def lists(app, admin, workshop, monkeypatch):
    """The resources whose lists are exported, with several records of each."""
    monkeypatch.setattr(export_module, "PART_ROWS", 2)
    for path, body, _ in valid_bodies(workshop).values():
        assert admin.post(f"/api/{path}", body).status == 201
    billing_entry(workshop)
    job = order_with_panes(admin, workshop, notes="=ไม่ใช่สูตร")
    pass_station(admin, job.numbers[0], job.stations[0])
    assert claim_pane(admin, job.numbers[0]).status == 201
    found = [
        one
        for one in app.extensions["resources"]
        if f"{one.name}.{Resource.export_csv.__name__}" in app.view_functions
    ]
    for one in found:
        copy_newest(one.model)
    return found


def copy_newest(model):
    """Store copies of a record, some of them of the same time."""
    collection = model.collection()
    row = collection.find_one(sort=[("createdAt", -1)])
    unique = {"slug", "code", "username", "name", *(model.numbered or ())[:1]}
    texts = [
        field.db_field
        for name, field in model._fields.items()
        if name in unique or field.db_field in ("qrCode", "badgeDigest")
    ]
    copies = []
    for number in range(COPIES):
        copy = row | {"_id": ObjectId(), "version": 3 - number // 2}
        copy["createdAt"] = clock.now() - timedelta(days=1 + number // 2)
        copy |= {n: f"{row[n]}{number}" for n in texts if row.get(n) is not None}
        if model is BillingEntry:
            copy["delivery"] = ObjectId()  # each has its own
        copies.append(copy)
    collection.insert_many(copies)


def queries(resource):
    """Queries of a list: orders, filters, a search, fields, and its own parameters."""
    names = [field.db_field for field in resource.model._fields.values()]
    visible = [name for name in names if name not in resource.model.hidden]
    day = (clock.now() - timedelta(days=2, minutes=1)).isoformat()
    yield {}
    yield {"sort": "createdAt", "fields": ",".join(visible[3:0:-1])}
    yield {"sort": "-version,createdAt", "createdAt_gte": day}
    yield {"sort": "-_id", "version_ne": "3", "fields": "nonsense,updatedAt"}
    yield {"search": "a", "page": "1", "version": "2,1"}
    references = [f for f in resource.model._fields.values() if isinstance(f, Ref)]
    for field in references[:2]:
        if field.db_field in visible and field.target != "Worker":
            yield {"sort": f"-{field.db_field}.createdAt,-version"}
    for parameter in resource.list_parameters:
        if parameter.shape.get("type") == "boolean":
            yield {parameter.name: "true"}


def listed(api, resource, query):
    answer = api.get(f"/api/{resource.name}", limit=100, populate="false", **query)
    assert answer.status == 200, (resource.name, query, answer)
    return answer.data


def as_cells(value, name):
    """The cells of a value of a list, by column; an object has one for each member."""
    if isinstance(value, dict) and value:
        yield name, value
        for key, inner in value.items():
            yield from as_cells(inner, f"{name}.{key}")
    else:
        yield name, value


def is_same(cell, value):
    """Whether a cell of CSV holds a value of a list."""
    if cell.startswith("'") and cell[1:2] in FORMULA:
        cell = cell[1:]
    if value in (None, "", [], {}):
        return cell == ""
    if isinstance(value, (list, dict)):
        return json.loads(cell) == value
    if isinstance(value, (bool, int, float)):
        return json.loads(cell) == value
    if value.endswith("Z") and cell != value:
        return datetime.fromisoformat(cell) == datetime.fromisoformat(value)
    return normalize(cell) == normalize(value)


def assert_same_values(row, of_list):
    for field, value in of_list.items():
        for name, inner in as_cells(value, field):
            if name in row:
                assert is_same(row[name], inner), (name, row[name], inner)


def assert_same_fields(columns, of_list, query):
    """Every field of the list has a column, in the order that the query names."""
    fields = list(dict.fromkeys(one.partition(".")[0] for one in columns))
    assert set(fields) == set(of_list)
    if asked := query.get("fields"):
        wanted = [name for name in asked.split(",") if name in fields and name != "_id"]
        assert fields == ["_id", *wanted]


def test_every_export_has_what_its_list_has(admin, lists):
    compared = set()
    for resource in lists:
        for index, query in enumerate(queries(resource)):
            rows = listed(admin, resource, query)
            for format in ("csv", "xlsx") if index == 1 else ("csv",):
                content = export_response(admin, resource.name, format, **query).content
                found = rows_of(content, format)
                ids = [row["_id"] for row in rows]
                assert [row["_id"] for row in found] == ids, (resource.name, query)
            if not rows:
                continue
            compared.add((resource.name, index))
            columns = rows_of(content, format)[0] if index == 1 else found[0]
            stored = rows[0].keys() - resource.model.computed.keys()
            assert_same_fields(columns, stored, query)
            if format == "csv":
                for row, of_list in zip(found, rows, strict=True):
                    assert_same_values(row, of_list)
    for resource in lists:
        assert {(resource.name, index) for index in range(4)} <= compared


def test_every_export_is_refused_as_its_list_is(admin, lists, worker, client_with_keys):
    """For a bad query, for who has no key, and for who sees a part of the list only."""
    nobody = client_with_keys()
    bad = [{"sort": "nonsense"}, {"createdAt_gte": "x"}, {"search": "x" * 201}]
    for resource in lists:
        for api, query in [(nobody, {}), (worker, {}), *((admin, one) for one in bad)]:
            answer = api.get(f"/api/{resource.name}", **query, limit=100)
            for format in ("csv", "xlsx"):
                response = export_response(api, resource.name, format, **query)
                assert response.status_code == answer.status, (resource.name, query)
                if answer.status != 200:
                    refusal = response.json()
                    assert refusal["message"] == answer.message
                    assert refusal.get("errors") == answer.body.get("errors")
                    continue
                ids = [row["_id"] for row in rows_of(response.content, format)]
                assert ids == [row["_id"] for row in answer.data], resource.name
