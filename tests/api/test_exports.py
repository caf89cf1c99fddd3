"""Exports: a list, with its filters, as a CSV or XLSX file."""

from datetime import datetime

import pytest

from concurrency import run_concurrently
from factories import delete, save
from glassflow.models.customer import Customer
from glassflow.services.tables import csv_format
from glassflow.services.tables import export as export_module
from glassflow.web import exports
from glassflow.web.gate import Gate
from scenarios import order_with_panes
from stock_api import create_lot
from tables_api import (
    CSV,
    XLSX,
    csv_table,
    export,
    export_response,
    exported_rows,
    xlsx_table,
)

FORMATS = ("csv", "xlsx")


@pytest.mark.parametrize("format", FORMATS)
def test_export_has_the_rows_of_the_list_in_its_order(admin, customers, format):
    query = {"discount_gte": 5, "sort": "name,-_id", "search": "note"}
    listed = admin.get("/api/customers", **query, limit=100).data
    rows = exported_rows(admin, "customers", format, **query)
    assert len(rows) == 5
    assert [row["_id"] for row in rows] == [row["_id"] for row in listed]
    assert [row["name"] for row in rows] == [row["name"] for row in listed]


@pytest.mark.parametrize("format", FORMATS)
def test_export_has_all_rows_whatever_page_is_asked_for(
    admin, workshop, monkeypatch, format
):
    monkeypatch.setattr(export_module, "PART_ROWS", 3)
    made = [workshop.customer(name=f"n{index:02}") for index in range(20)]
    for query in ({"page": 2, "limit": 5}, {"sort": "name"}, {"sort": "-notes"}):
        rows = exported_rows(admin, "customers", format, **query)
        assert {row["_id"] for row in rows} == {str(one.pk) for one in made}
        assert len(rows) == 20


def test_export_with_fields_has_their_columns_in_this_order(admin, customers):
    names, *_ = csv_table(export(admin, "customers", fields="notes,name,nonsense"))
    assert names == ["_id", "notes", "name"]


def test_csv_begins_with_a_byte_order_mark_and_thai_text_stays(admin, workshop):
    workshop.customer(name="ร้านกระจก น้ำใส", notes='a,b\n"c"; d')
    content = export(admin, "customers", fields="name,notes")
    assert content.startswith(b"\xef\xbb\xbf_id,")
    (_, (_, name, notes)) = csv_table(content)
    assert (name, notes) == ("ร้านกระจก น้ำใส", 'a,b\n"c"; d')


@pytest.mark.parametrize("text", ["=1+1", "+66 2", "-x", "@SUM(A1)", "\tx", "'=1"])
def test_text_that_begins_as_a_formula_is_a_text(admin, text):
    row = save(Customer(name=text))
    (csv_row,) = exported_rows(admin, "customers")
    assert csv_row["name"] == f"'{text}"
    (xlsx_row,) = exported_rows(admin, "customers", "xlsx")
    assert xlsx_row["name"] == text
    delete(row)


def test_numbers_are_numbers_and_exact(admin, workshop):
    workshop.customer(discount=0.1 + 0.2, name="a")
    workshop.customer(discount=-5, name="b")
    workshop.customer(discount=2**60, name="c")
    csv_cells = [r["discount"] for r in exported_rows(admin, "customers", sort="name")]
    assert csv_cells == ["0.30000000000000004", "-5", str(2**60)]
    xlsx_cells = [
        r["discount"] for r in exported_rows(admin, "customers", "xlsx", sort="name")
    ]
    # a spreadsheet holds 15 digits
    assert xlsx_cells == ["0.30000000000000004", -5, str(2**60)]


def test_times_are_those_of_the_workshop(admin, workshop):
    moment = datetime(2026, 1, 31, 20, 30, 5, 678000)
    workshop.make("Request", customer=workshop.customer().pk, deadline=moment)
    (row,) = exported_rows(admin, "requests")
    assert row["deadline"] == "2026-02-01T03:30:05.678+07:00"
    (row,) = exported_rows(admin, "requests", "xlsx")
    assert row["deadline"] == datetime(2026, 2, 1, 3, 30, 5, 678000)


@pytest.mark.parametrize("format", FORMATS)
def test_references_are_exported_by_id_and_natural_key(admin, workshop, format):
    job = order_with_panes(admin, workshop, panes=2)
    rows = exported_rows(admin, "panes", format, sort="paneNumber")
    for row, pane in zip(rows, job.panes, strict=True):
        assert row["paneNumber"] == pane["paneNumber"]
        assert row["order"] == job.order["_id"]
        assert row["order.orderNumber"] == job.order["orderNumber"]
        assert row["currentStation"] == job.stations[0]
        assert all(station in row["routing"] for station in job.stations)
        assert row["routing.name"].startswith('["Station-')
        assert str(row["dimensions.width"]) == "0"
        assert row["rawGlass.color"] in ("", None)
        assert not {"lastScan", "searchText", "derived"} & row.keys()


def test_export_shows_no_more_than_the_list(admin, client_with_keys, workshop):
    order_with_panes(admin, workshop)
    clerk = client_with_keys("orders:view")
    (row,) = exported_rows(clerk, "orders")
    # neither customers nor materials may be read
    assert {"customer", "material", "orderNumber"} <= row.keys()
    assert not {"customer.name", "material.name", "request.requestNumber"} & row.keys()
    (row,) = exported_rows(admin, "orders")
    assert {"customer.name", "material.name", "request.requestNumber"} <= row.keys()
    for path in ("customers", "panes"):
        assert export_response(clerk, path).status_code == 403


def test_export_is_limited_to_the_records_that_the_caller_sees(admin, worker):
    for recipient in (admin, worker):
        body = {"recipient": recipient.id, "type": "x", "title": recipient.id}
        admin.post("/api/notifications", body)
    (row,) = exported_rows(worker, "notifications")
    assert row["title"] == worker.id


def test_merged_panes_and_archived_entries_are_exported_as_they_are_listed(
    admin, workshop
):
    workshop.make("Pane", pane_number="PNE-1", current_status="merged_into")
    workshop.make("Pane", pane_number="PNE-2")
    assert [row["paneNumber"] for row in exported_rows(admin, "panes")] == ["PNE-2"]
    assert len(exported_rows(admin, "panes", includeMerged="true")) == 2
    lot = create_lot(admin, workshop.material(), 5)
    assert admin.delete(f"/api/inventories/{lot['_id']}").status == 200
    listed = admin.get("/api/material-logs", limit=100).data
    rows = exported_rows(admin, "material-logs")
    assert {row["_id"] for row in rows} == {row["_id"] for row in listed}


def test_export_of_an_empty_list_has_its_header(admin):
    assert len(csv_table(export(admin, "customers"))) == 1
    assert len(xlsx_table(export(admin, "customers", "xlsx"))) == 1


@pytest.mark.parametrize(
    ("format", "media_type"), [("csv", f"{CSV}; charset=utf-8"), ("xlsx", XLSX)]
)
def test_export_is_a_file_to_be_saved(admin, customers, format, media_type):
    response = export_response(admin, "customers", format)
    assert response.headers["Content-Type"] == media_type
    disposition = response.headers["Content-Disposition"]
    assert disposition.startswith('attachment; filename="customers-20')
    assert disposition.endswith(f'.{format}"')
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Request-ID"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "query", [{"discount_gte": "x"}, {"sort": "nonsense"}, {"search": "x" * 300}]
)
def test_fault_in_the_query_is_answered_in_the_envelope(admin, format, query):
    answer = admin.get(f"/api/customers/export.{format}", **query)
    assert answer.message == "Validation failed"
    assert answer.faults


@pytest.mark.parametrize("format", FORMATS)
def test_list_beyond_the_limit_is_refused_before_it_is_sent(
    admin, customers, setting, format
):
    path = f"/api/customers/export.{format}"
    setting(EXPORT_MAX_ROWS=6)
    answer = admin.get(path)
    message = "The list has more than 6 rows; narrow it with filters"
    assert answer.faults == {"limit": message}
    assert admin.get(path, name="b").status == 200
    setting(EXPORT_MAX_ROWS=7)
    assert admin.get(path).status == 200


def test_value_that_no_cell_of_xlsx_can_hold_is_refused_there_only(admin, workshop):
    elements = [{"text": "x" * 33_000}]
    workshop.make("StickerTemplate", name="a", width=1, height=1, elements=elements)
    assert len(exported_rows(admin, "sticker-templates")) == 1
    answer = admin.get("/api/sticker-templates/export.xlsx")
    assert list(answer.faults) == ["elements"]
    rows = exported_rows(admin, "sticker-templates", "xlsx", fields="name")
    assert len(rows) == 1


def test_exports_at_once_are_limited_and_give_their_turns_back(
    admin, customers, production_deadlines, monkeypatch
):
    monkeypatch.setattr(exports.deadlines, "EXPORT_QUEUE_TIMEOUT_S", 0.05)
    url = f"{admin.url}/api/customers/export.csv"
    for _ in range(exports.AT_ONCE):
        exports._turns.acquire()
    try:
        busy = admin.get("/api/customers/export.csv")
        assert (busy.status, busy.errors["code"]) == (503, "BUSY")
        assert "Retry-After" in busy.headers
    finally:
        for _ in range(exports.AT_ONCE):
            exports._turns.release()
    for _ in range(exports.AT_ONCE + 1):
        assert admin.session.head(url).status_code == 200
        assert admin.get("/api/customers/export.xlsx", sort="nonsense").status == 400
        assert admin.get("/api/customers/export.csv").status == 200
    assert exports._turns.counter == exports.AT_ONCE


def test_client_that_does_not_read_keeps_no_turn(
    admin, customers, production_deadlines, monkeypatch
):
    monkeypatch.setattr(exports.deadlines, "EXPORT_QUEUE_TIMEOUT_S", 0.05)
    more_than_sockets_hold = bytes(2**25)
    monkeypatch.setattr(csv_format, "encode", lambda rows: more_than_sockets_hold)
    url = f"{admin.url}/api/customers/export.csv"
    stalled = [admin.session.get(url, stream=True) for _ in range(exports.AT_ONCE)]
    try:
        assert {one.status_code for one in stalled} == {200}
        assert admin.session.head(url).status_code == 200
        assert len(exported_rows(admin, "customers", "xlsx")) == 7
    finally:
        for one in stalled:
            one.close()


@pytest.mark.parametrize("format", FORMATS)
def test_file_that_is_made_is_sent_however_much_there_is_to_do(
    app, admin, customers, monkeypatch, format
):
    begun = exports._named

    def fill_gate_afterwards(*args):
        response = begun(*args)
        monkeypatch.setitem(app.extensions, "gate", Gate(0))
        return response

    monkeypatch.setattr(exports, "_named", fill_gate_afterwards)
    assert len(exported_rows(admin, "customers", format)) == 7


def test_several_export_at_the_same_time(admin, customers):
    answers = run_concurrently(
        [lambda: exported_rows(admin, "customers", "xlsx") for _ in range(4)]
    )
    assert [len(rows) for rows in answers] == [7] * 4


@pytest.mark.parametrize("format", FORMATS)
def test_readable_form_has_labels_and_no_ids(admin, client_with_keys, workshop, format):
    job = order_with_panes(admin, workshop)
    query = {"fields": "orderNumber,customer,routing,dimensions", "form": "readable"}

    def heads(api, resource, language=None, **params):
        headers = {"Accept-Language": language} if language else {}
        url = f"{api.url}/api/{resource}/export.{format}"
        answer = api.session.get(url, params=query | params, headers=headers)
        assert answer.status_code == 200, answer.text
        table = csv_table if format == "csv" else xlsx_table
        return table(answer.content)

    (names, row) = heads(admin, "orders", "th")
    assert names == ["เลขที่ออเดอร์", "ลูกค้า"]
    assert row[0] == job.order["orderNumber"]
    assert row[1] == admin.get(f"/api/customers/{job.customer}").data["name"]
    names, *_ = heads(admin, "panes", fields="paneNumber,order,routing,dimensions")
    sides = ["Width", "Height", "Thickness", "Area"]
    assert names == ["Pane number", "Order", "Route", *sides]
    clerk = client_with_keys("orders:view")
    assert heads(clerk, "orders")[0] == ["Order number"]
    answer = admin.get(f"/api/orders/export.{format}", form="other")
    assert (answer.status, set(answer.faults)) == (400, {"form"})


def test_every_field_that_is_exported_to_be_read_has_a_label(app, admin):
    for resource in app.extensions["resources"]:
        url = f"{admin.url}/api/{resource.name}/export.csv"
        answer = admin.session.get(url, params={"form": "readable"})
        if answer.status_code != 404:
            (names, *_) = csv_table(answer.content)
            technical = [one for one in names if not one[:1].isupper()]
            assert technical == [], resource.name
