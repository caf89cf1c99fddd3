"""Imports: the rows of a file create and change records, all or none."""

import io
import json
import zipfile
from datetime import datetime

import openpyxl
import pytest

from glassflow.models.pane import Pane
from glassflow.services.tables import xlsx_cells
from glassflow.web import imports
from glassflow.web.gate import Gate
from lookups import order_of, pane_of
from pictures import photo
from scenarios import order_with_panes, order_with_units
from screens import Screen
from stock_api import (
    assert_stock_matches_ledger,
    create_lot,
    ledger_entries,
    quantities_of,
)
from tables_api import (
    csv_table,
    export,
    export_response,
    exported_rows,
    import_rows,
    send_table,
    to_xlsx,
    xlsx_table,
)

FORMATS = ("csv", "xlsx")
IMPORTABLE = (
    "claims", "customers", "deliveries", "inventories", "job-types", "materials", "orders", "panes",
    "price-lists", "quotes", "requests", "stations", "workers",
)  # fmt: skip
UNKNOWN = "0123456789abcdef01234567"


def counts(answer):
    return {name: answer.data[name] for name in ("created", "updated", "unchanged")}


def faults(answer):
    assert answer.status == 400, answer
    return [(one["row"], one["field"], one["message"]) for one in answer.errors]


def names_of(api, resource="customers"):
    return sorted(row["name"] for row in api.get(f"/api/{resource}", limit=100).data)


@pytest.fixture
def everything(admin, workshop):
    """Records of every kind that can be imported, with texts that are hard to carry."""
    job = order_with_panes(admin, workshop, panes=2, notes="=SUM(A1)\r\nบรรทัดสอง")
    order_with_units(admin, workshop)
    lot = create_lot(admin, job.material, 0.1 + 0.2, location="'ชั้น-1")
    workshop.customer(name="+66 ร้านน้ำใส", notes="_x0041_ ; \"x\", 'y'", discount=2.5)
    workshop.make("PriceList", name="-7,5 %", percent=-7.5, edge_rates={"ขอบ": 0.1})
    quoted = {"customer": job.customer, "project": "=1", "discountPercent": 2.5}
    pane = {"dimensions": {"width": 200.5, "height": 300}, "unitPrice": 0.1}
    assert admin.post("/api/quotes", {**quoted, "panes": [pane]}).status == 201
    delivery = {"customer": job.customer, "panes": [job.panes[0]["_id"]], "notes": "=1"}
    assert admin.post("/api/deliveries", delivery).status == 201
    workshop.material(name="=1+1", spec_details={"thickness": "-5", "width": "'=1"})
    workshop.make("JobType", code="-1", name="เจียร์\tขอบ")
    pane = {
        "routing": job.stations,
        "inventory": lot["_id"],
        "deliveredAt": "2026-01-31T20:30:05.678Z",
        "processes": ["ตัด", "a,b", "[1]"],
        "holes": [{"id": "h1", "x": 1.5, "y": -2, "diameter": 8}],
        "dimensions": {"width": 1200.25, "height": 2**40},
    }
    assert admin.post("/api/panes", pane).status == 201
    claim = {"source": "worker", "description": "=ร้าว", "reportedBy": admin.id}
    claim |= {"photos": [photo()], "paneNumber": job.numbers[1]}
    assert admin.post("/api/claims/from-pane", claim).status == 201
    return job


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", IMPORTABLE)
def test_file_that_comes_back_as_it_was_exported_changes_nothing(
    admin, everything, name, format
):
    before = admin.get(f"/api/{name}", limit=100).data
    assert before
    screen = Screen(admin)
    try:
        screen.join("join_dashboard", "join_inventory").catch_up(admin)
        content, answers = export(admin, name, format), []
        events = screen.events_during(
            admin,
            lambda: answers.append(send_table(admin, name, content, format)),
        )
    finally:
        screen.close()
    (answer,) = answers
    assert counts(answer) == {"created": 0, "updated": 0, "unchanged": len(before)}
    assert events == []
    assert admin.get(f"/api/{name}", limit=100).data == before


def as_spreadsheets_save(content, format):
    """An export that a spreadsheet program has opened and saved in the other format."""
    names, *rows = csv_table(content) if format == "csv" else xlsx_table(content)
    saved = _number_if_any if format == "csv" else _as_shown
    return [dict(zip(names, map(saved, row), strict=True)) for row in rows]


def _number_if_any(text):
    """A cell of XLSX for one of CSV, whose apostrophe is a part of the text."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text.replace("_x", "_x005F_x")


def _as_shown(cell):
    """A cell of CSV for one of XLSX: its times are shown in whole seconds."""
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M:%S}"
    return str(cell).upper() if isinstance(cell, bool) else xlsx_cells.from_xlsx(cell)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", IMPORTABLE)
def test_export_that_was_saved_in_the_other_format_changes_nothing(
    admin, everything, name, format
):
    rows = as_spreadsheets_save(export(admin, name, format), format)
    other = "csv" if format == "xlsx" else "xlsx"
    answer = import_rows(admin, name, rows, other)
    assert counts(answer) == {"created": 0, "updated": 0, "unchanged": len(rows)}


@pytest.mark.parametrize("format", FORMATS)
def test_text_that_a_spreadsheet_has_rewritten_is_a_fault(admin, workshop, format):
    workshop.customer(name="Aek", phone="0812345678", notes="1e5")
    number = str if format == "csv" else int
    rows = [{"name": "Aek", "phone": number("812345678"), "notes": number("100000")}]
    message = (
        "A spreadsheet has rewritten this text: {0} became {1}. Export XLSX, which keeps "
        "texts as they are, or enter {0} again"
    )
    assert faults(import_rows(admin, "customers", rows, format)) == [
        (2, "phone", message.format("0812345678", "812345678")),
        (2, "notes", message.format("1e5", "100000")),
    ]
    typed = [{"name": "Aek", "phone": "812345678"}]  # as text, which XLSX tells
    assert import_rows(admin, "customers", typed, "xlsx").status == 200
    assert admin.get("/api/customers").data[0]["phone"] == "812345678"


def test_workbook_is_read_as_its_user_sees_it(admin):
    book = openpyxl.Workbook()
    book.active.append(["colour"])
    book.active.sheet_state = "hidden"
    sheet = book.create_sheet("ลูกค้า")
    for row in (
        ["Customers"],
        [],
        ["ชื่อ", "PHONE", "Discount"],
        ["Aek", 812345678, 0.05],
    ):
        sheet.append(row)
    sheet["B4"].number_format, sheet["C4"].number_format = "0000000000", "0%"
    buffer = io.BytesIO()
    book.save(buffer)
    trial = send_table(admin, "customers", buffer.getvalue(), "xlsx", dryRun=1, table=1)
    assert (trial.data["sheet"], trial.data["table"]["header"]) == ("ลูกค้า", 3)
    (row,) = trial.data["rows"]
    assert (row["row"], row["action"]) == (4, "created")
    assert {name: cell["to"] for name, cell in row["changes"].items()} == {
        "name": "Aek",
        "phone": "0812345678",
        "discount": "5",
    }
    table = trial.data["table"]
    texts = [dict(zip(table["columns"], table["rows"][0]["cells"], strict=True))]
    answer = import_rows(admin, "customers", texts)  # as the page sends it
    assert "sheet" not in answer.data
    (made,) = admin.get("/api/customers").data
    assert (made["phone"], made["discount"]) == ("0812345678", 5)


def test_title_of_a_reference_stands_over_the_names_of_its_records(admin, workshop):
    customer = workshop.customer(name="น้ำใส")
    for title in ("Customer", "ลูกค้า"):
        rows = [{title: "น้ำใส", "details.type": "x", "details.quantity": 1}]
        answer = import_rows(admin, "requests", rows)
        made = admin.get(f"/api/requests/{answer.data['rows'][0]['_id']}").data
        assert made["customer"] == str(customer.pk)


@pytest.mark.parametrize("format", FORMATS)
def test_rows_create_change_and_leave_records(admin, workshop, format):
    kept = workshop.customer(name="คงเดิม", phone="02")
    renamed = workshop.customer(name="Old", discount=5)
    rows = [
        {"_id": str(kept.pk), "name": "คงเดิม", "phone": "02"},
        {"_id": str(renamed.pk), "name": "ชื่อใหม่", "phone": "03"},
        {"_id": None, "name": "น้ำใส", "phone": "04"},
    ]
    answer = import_rows(admin, "customers", rows, format)
    assert answer.message == "1 created, 1 updated, 1 unchanged"
    assert [row["action"] for row in answer.data["rows"]] == [
        "unchanged",
        "updated",
        "created",
    ]
    changed, created = answer.data["rows"][1:]
    assert (changed["row"], changed["_id"]) == (3, str(renamed.pk))
    assert changed["changes"] == {
        "name": {"from": "Old", "to": "ชื่อใหม่"},
        "phone": {"from": "", "to": "03"},
    }
    made = admin.get(f"/api/customers/{created['_id']}").data
    assert (made["name"], made["phone"], made["version"]) == ("น้ำใส", "04", 1)
    found = admin.get(f"/api/customers/{renamed.pk}").data
    assert (found["name"], found["discount"], found["version"]) == ("ชื่อใหม่", 5, 2)


@pytest.mark.parametrize("format", FORMATS)
def test_dry_run_shows_the_same_and_stores_nothing(admin, workshop, format):
    customer = workshop.customer(name="Old")
    rows = [
        {"_id": str(customer.pk), "name": "New", "discount": 5},
        {"_id": None, "name": "Aek", "discount": 500},
    ]
    trial = import_rows(admin, "customers", rows, format, dryRun=1)
    assert trial.data["dryRun"] is True
    assert [row["action"] for row in trial.data["rows"]] == ["updated", "fault"]
    (fault,) = trial.data["errors"]
    assert (fault["row"], fault["field"]) == (3, "discount")
    assert names_of(admin) == ["Old"]
    rows[1]["discount"] = 50
    trial = import_rows(admin, "customers", rows, format, dryRun="true")
    assert (counts(trial), trial.data["errors"]) == (
        {"created": 1, "updated": 1, "unchanged": 0},
        [],
    )
    assert names_of(admin) == ["Old"]
    assert counts(import_rows(admin, "customers", rows, format)) == counts(trial)
    assert names_of(admin) == ["Aek", "New"]


@pytest.mark.parametrize("format", FORMATS)
def test_cells_of_a_dry_run_are_texts_that_a_csv_file_may_hold(
    admin, everything, format
):
    content = export(admin, "panes", format)
    trial = send_table(admin, "panes", content, format, dryRun=1, table=1)
    table = trial.data["table"]
    assert set(table["columns"]) <= set(table["known"])
    assert [one["row"] for one in table["rows"]] == [
        one["row"] for one in trial.data["rows"]
    ]
    rows = [
        dict(zip(table["columns"], one["cells"], strict=True)) for one in table["rows"]
    ]
    answer = import_rows(admin, "panes", rows)
    assert counts(answer) == {"created": 0, "updated": 0, "unchanged": len(rows)}
    assert "table" not in send_table(admin, "panes", content, format, table=1).data


def test_one_faulty_row_stores_nothing_and_every_fault_is_reported(admin, workshop):
    customer = workshop.customer(name="Old")
    rows = [
        {"_id": "", "name": "Good", "discount": ""},
        {"_id": str(customer.pk), "name": "New", "discount": "5,5"},
        {"_id": UNKNOWN, "name": "x"},
        {"_id": "nonsense", "name": "x"},
        {"_id": "", "name": "", "discount": "5"},
        {"_id": "", "name": "y", "discount": "101"},
        {"_id": str(customer.pk), "name": "again"},
    ]
    answer = import_rows(admin, "customers", rows)
    assert answer.message == "Nothing was imported; 6 faults"
    found = {row: (field, message) for row, field, message in faults(answer)}
    assert found[3] == ("discount", "Not a valid number")
    assert found[4] == ("_id", "Customer not found")
    assert found[5] == ("_id", "Not a valid id")
    assert found[6] == ("name", "This field is required.")
    assert found[7][0] == "discount"
    assert found[8] == ("", "Row 3 is the same record")
    assert names_of(admin) == ["Old"]


def test_records_are_found_by_their_names_and_numbers(admin, workshop):
    job = order_with_panes(admin, workshop)
    workshop.customer(name="One")
    workshop.customer(name="Two")
    workshop.customer(name="Two")
    rows = [{"name": " One ", "phone": "1"}, {"name": "Three", "phone": "3"}]
    assert counts(import_rows(admin, "customers", rows)) == {
        "created": 1,
        "updated": 1,
        "unchanged": 0,
    }
    blank = [{"_id": "  ", "name": "One", "phone": "2"}, {"_id": " ", "name": " "}]
    assert counts(import_rows(admin, "customers", blank))["updated"] == 1
    twice = [{"name": "Two", "phone": "2"}, {"name": "Four"}, {"name": "Four"}]
    assert faults(import_rows(admin, "customers", twice)) == [
        (2, "name", "Several records are named Two; give the _id"),
        (4, "name", "Row 3 is the same record"),
    ]
    pasted = [
        {"_id": "\u200b", "name": "\ufeffO\u200bne", "phone": "3", "notes": "\u2060"}
    ]
    assert counts(import_rows(admin, "customers", pasted))["updated"] == 1
    pane = [{"paneNumber": job.numbers[0], "notes": "ระวัง"}]
    assert counts(import_rows(admin, "panes", pane))["updated"] == 1
    assert pane_of(admin, job.numbers[0])["notes"] == "ระวัง"
    unknown = [{"paneNumber": "PNE-9999", "notes": "x"}]
    assert faults(import_rows(admin, "panes", unknown)) == [
        (2, "paneNumber", "Pane not found")
    ]


@pytest.mark.parametrize("format", FORMATS)
def test_values_are_read_without_invisible_characters(admin, workshop, format):
    workshop.customer(name="กระจกไทย")
    rows = [
        {
            "customer.name": "กระจก\u200bไทย\ufeff",
            "details.type": "a\u00ad",
            "details.quantity": "\u200e5\u200b",
            "deadline": "\ufeff2026-11-26",
        }
    ]
    assert counts(import_rows(admin, "requests", rows, format))["created"] == 1
    (made,) = admin.get("/api/requests", populate="customer").data
    assert made["customer"]["name"] == "กระจกไทย"
    details = made["details"]
    assert (details["type"], details["quantity"]) == ("a", 5)


@pytest.mark.parametrize("format", FORMATS)
def test_references_are_given_by_natural_key_or_id(admin, workshop, format):
    glass, other = workshop.material(name="ใส 5 มม."), workshop.material(name="ชา")
    stations = workshop.stations(2)
    lot = {"stockType": "Raw", "quantity": 2, "location": "A"}
    rows = [
        {**lot, "material.name": "ใส 5 มม.", "material": None},
        {**lot, "material.name": None, "material": str(other.pk)},
    ]
    made = import_rows(admin, "inventories", rows, format).data["rows"]
    lots = [admin.get(f"/api/inventories/{row['_id']}").data for row in made]
    assert [one["material"] for one in lots] == [str(glass.pk), str(other.pk)]
    assert_stock_matches_ledger()
    names = [one.name for one in stations]
    rows = [
        {"routing.name": json.dumps(names), "notes": "a"},
        {"routing.name": ", ".join(names), "notes": "b"},
    ]
    for row in import_rows(admin, "panes", rows, format).data["rows"]:
        pane = admin.get(f"/api/panes/{row['_id']}").data
        assert pane["routing"] == [str(one.pk) for one in stations]
    change = [{"_id": lots[0]["_id"], "material.name": "ชา"}]
    assert counts(import_rows(admin, "inventories", change, format))["updated"] == 1


def test_empty_cells_beside_what_names_a_record_or_reference_say_nothing(
    admin, workshop
):
    material, other = workshop.material(name="One"), workshop.material(name="Other")
    create_lot(admin, material, 2)
    (row,) = exported_rows(admin, "inventories")
    same = {**row, "_id": "", "version": "", "createdAt": "", "material": ""}
    assert counts(import_rows(admin, "inventories", [same]))["unchanged"] == 1
    same = {**row, "inventoryNumber": "", "material.name": ""}
    assert counts(import_rows(admin, "inventories", [same]))["unchanged"] == 1
    change = {**row, "material": "", "material.name": other.name}
    assert counts(import_rows(admin, "inventories", [change]))["updated"] == 1
    lot = admin.get(f"/api/inventories/{row['_id']}").data
    assert lot["material"] == str(other.pk)


def test_reference_that_is_unknown_or_contradicts_is_a_fault(admin, workshop):
    one, other = workshop.material(name="One"), workshop.material(name="Other")
    workshop.material(name="Twin")
    workshop.material(name="Twin")
    lot = {"stockType": "Raw", "quantity": 2, "location": "A"}
    rows = [
        {**lot, "material": str(one.pk), "material.name": other.name},
        {**lot, "material": "", "material.name": "None"},
        {**lot, "material": "", "material.name": "Twin"},
        {**lot, "material": UNKNOWN, "material.name": ""},
        {**lot, "material": "", "material.name": ""},
    ]
    assert faults(import_rows(admin, "inventories", rows)) == [
        (2, "material.name", "Names another record than material"),
        (3, "material.name", "Material not found: None"),
        (4, "material.name", "Several records are named Twin; give the _id"),
        (5, "material", "Material not found"),
        (6, "material", "This field is required. Choose one."),
    ]
    assert faults(import_rows(admin, "inventories", rows[3:4])) == [
        (2, "material", "Material not found")
    ]


@pytest.mark.parametrize("format", FORMATS)
def test_rows_of_lots_are_judged_as_single_lots_are(admin, workshop, format):
    glass = str(workshop.material().pk)
    size = {"dimensions.width": 812, "dimensions.height": 1450}
    lot = {"material": glass, "stockType": "Reuse", "location": "A", "quantity": 1}
    rows = [
        {**lot, **size},
        {**lot, **size, "quantity": 2},
        {**lot, **size, "dimensions.height": None},
    ]
    assert [
        one[:2] for one in faults(import_rows(admin, "inventories", rows, format))
    ] == [
        (3, ""),
        (4, "dimensions.height"),
    ]
    (made,) = import_rows(admin, "inventories", rows[:1], format).data["rows"]
    change = {"_id": made["_id"], "quantity": 2}
    refused = import_rows(admin, "inventories", [change], format)
    assert [one[:2] for one in faults(refused)] == [(2, "")]
    (row,) = exported_rows(admin, "inventories")
    assert counts(import_rows(admin, "inventories", [row]))["unchanged"] == 1


@pytest.mark.parametrize("format", FORMATS)
def test_row_of_an_older_version_is_refused(admin, workshop, format):
    customer = workshop.customer(name="Aek")
    (row,) = exported_rows(admin, "customers", format, fields="name,phone,version")
    admin.patch(f"/api/customers/{customer.pk}", {"phone": "1"})
    answer = import_rows(admin, "customers", [{**row, "name": "Bee"}], format)
    message = "The record has changed since it was exported; export it again"
    assert (2, "version", message) in faults(answer)
    del row["version"], row["phone"]
    assert (
        import_rows(admin, "customers", [{**row, "name": "Bee"}], format).status == 200
    )
    assert admin.get(f"/api/customers/{customer.pk}").data["phone"] == "1"


def test_what_the_service_sets_cannot_be_imported(admin, workshop):
    job = order_with_panes(admin, workshop)
    (row,) = exported_rows(admin, "orders")
    answer = import_rows(admin, "orders", [{**row, "panesCompleted": "5"}])
    message = "Set by the service; leave the column out or as it was exported"
    assert faults(answer) == [(2, "panesCompleted", message)]
    # for a new record such cells are not read
    copy = {**row, "_id": "", "orderNumber": "", "request": "", "notes": "copy"}
    copy["request.requestNumber"] = copy["status"] = copy["stationBreakdown"] = ""
    answer = import_rows(admin, "orders", [copy])
    made = admin.get(f"/api/orders/{answer.data['rows'][0]['_id']}").data
    assert made["orderNumber"] != job.order["orderNumber"]
    assert (made["notes"], made["version"]) == ("copy", 1)


def test_rules_of_a_change_hold_and_name_its_row(admin, workshop):
    job = order_with_panes(admin, workshop)
    other = str(workshop.station().pk)
    rows = [
        {"paneNumber": job.numbers[0], "currentStation": other, "notes": "a"},
    ]
    answer = import_rows(admin, "panes", rows)
    ((row, _, message),) = faults(answer)
    alone = admin.patch(f"/api/panes/{job.numbers[0]}", {"currentStation": other})
    assert (row, message) == (2, alone.message)
    assert pane_of(admin, job.numbers[0])["notes"] == ""


def test_changes_have_the_effects_of_single_ones(admin, workshop):
    material = workshop.material()
    first, second = (create_lot(admin, material, quantity) for quantity in (5, 7))
    rows = [
        {"_id": first["_id"], "quantity": "8.5"},
        {"_id": second["_id"], "quantity": "6"},
    ]
    assert import_rows(admin, "inventories", rows).status == 200
    assert quantities_of(admin, first, second) == [8.5, 6]
    assert ("import", 3.5) in ledger_entries(admin)
    assert ("adjust", -1) in ledger_entries(admin)
    assert_stock_matches_ledger()
    job = order_with_panes(admin, workshop)
    pane = {"order": job.order["_id"], "routing": json.dumps(job.stations)}
    assert import_rows(admin, "panes", [{**pane, "notes": "x"}]).status == 200
    assert order_of(admin, job.order)["paneCount"] == 2


def test_reasons_are_columns_that_are_logged_and_not_stored(admin, workshop):
    job = order_with_panes(admin, workshop)
    lot = create_lot(admin, workshop.material(), 5)
    rows = [{"_id": lot["_id"], "quantity": "4", "reason": "แตก"}]
    assert import_rows(admin, "inventories", rows).status == 200
    logs = admin.get("/api/material-logs").data
    assert [one["reason"] for one in logs if one["actionType"] == "adjust"] == ["แตก"]
    row = {"paneNumber": job.numbers[0], "currentStation": job.stations[1]}
    row["correctionReason"] = "วางผิดที่"
    new = {"routing": json.dumps(job.stations), "correctionReason": "x"}
    for one in (row, new):
        assert import_rows(admin, "panes", [one]).status == 200
    (log,) = admin.get("/api/pane-logs", action="correction").data
    assert log["reason"] == "วางผิดที่"


@pytest.mark.parametrize("format", FORMATS)
def test_times_without_an_offset_are_those_of_the_workshop(admin, workshop, format):
    job = order_with_panes(admin, workshop)
    moment = datetime(2026, 2, 1, 3, 30) if format == "xlsx" else "2026-02-01 03:30"
    rows = [{"paneNumber": job.numbers[0], "deliveredAt": moment}]
    assert import_rows(admin, "panes", rows, format).status == 200
    delivered = pane_of(admin, job.numbers[0])["deliveredAt"]
    assert delivered == "2026-01-31T20:30:00.000Z"


@pytest.mark.parametrize("format", FORMATS)
def test_date_that_cannot_be_meant_is_a_fault_unless_the_record_has_it_already(
    admin, workshop, format
):
    job = order_with_panes(admin, workshop)
    of_earlier_release = datetime(2569, 2, 1, 3, 30)
    Pane.objects(pk=job.panes[0]["_id"]).update(set__delivered_at=of_earlier_release)
    (row,) = exported_rows(admin, "panes", format)
    answer = import_rows(admin, "panes", [row | {"notes": "x"}], format)
    assert counts(answer) == {"created": 0, "updated": 1, "unchanged": 0}
    moment = datetime(2569, 2, 2) if format == "xlsx" else "2569-02-02"
    rows = [{"_id": row["_id"], "deliveredAt": moment}]
    hint = "The year 2569 seems to be a Buddhist year: was 2026 meant?"
    refused = import_rows(admin, "panes", rows, format)
    assert faults(refused) == [(2, "deliveredAt", hint)]


def test_empty_cell_of_a_column_unsets_and_a_missing_column_keeps(admin, workshop):
    customer = workshop.customer(name="Aek", phone="1", notes="n", discount=5)
    rows = [{"_id": str(customer.pk), "phone": "", "discount": ""}]
    assert import_rows(admin, "customers", rows).status == 200
    found = admin.get(f"/api/customers/{customer.pk}").data
    assert (found["phone"], found["discount"], found["notes"]) == ("", 0, "n")


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (b"", ""),
        (b"name,colour\nAek,red\n", "colour"),
        (b"name,name\nAek,Bee\n", "name"),
        (b"name\nAek,3\n", ""),
    ],
)
def test_fault_of_the_header_is_reported(admin, content, field):
    ((row, name, _),) = faults(send_table(admin, "customers", content))
    assert (row, name) == (1, field)
    assert names_of(admin) == []


@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04 no zip", b"", b"name\nAek\n", to_xlsx([{"name": "a"}])[:-30]],
)
def test_file_that_is_no_xlsx_is_refused(admin, content):
    answer = send_table(admin, "customers", content, "xlsx")
    assert (answer.status, answer.errors["code"]) == (400, "UNREADABLE_TABLE")


@pytest.mark.parametrize("dry_run", [0, 1])
def test_cell_that_shows_an_error_of_the_spreadsheet_is_a_fault(
    admin, workshop, dry_run
):
    workshop.customer(name="Aek", phone="02")
    rows = [{"name": "Aek", "phone": "#N/A"}, {"name": "น้ำ", "phone": "#REF!"}]
    answer = import_rows(admin, "customers", rows, "xlsx", dryRun=dry_run)
    found = answer.data["errors"] if dry_run else answer.errors
    message = "The spreadsheet shows an error in this cell: {}"
    assert [(one["row"], one["field"], one["message"]) for one in found] == [
        (2, "phone", message.format("#N/A")),
        (3, "phone", message.format("#REF!")),
    ]
    assert [one["phone"] for one in admin.get("/api/customers").data] == ["02"]
    typed = workshop.customer(name="Typed", notes="#N/A")  # as text, it is one
    content = export(admin, "customers", "xlsx")
    assert counts(send_table(admin, "customers", content, "xlsx"))["unchanged"] == 2
    assert admin.get(f"/api/customers/{typed.pk}").data["notes"] == "#N/A"


@pytest.mark.parametrize("dry_run", [0, 1])
def test_formula_without_a_stored_value_is_a_fault_and_no_empty_cell(
    admin, workshop, dry_run
):
    workshop.customer(name="Aek", phone="02", discount=5)
    # openpyxl writes formulas and computes none
    rows = [
        {"name": "Aek", "phone": '="0"&1', "discount": "=2+2"},
        {"name": "น้ำ", "discount": "=D2*10%"},
    ]
    answer = import_rows(admin, "customers", rows, "xlsx", dryRun=dry_run)
    found = answer.data["errors"] if dry_run else answer.errors
    message = (
        "The file has no value for this formula ({}); open and save it with a "
        "spreadsheet program, or enter the value"
    )
    assert [(one["row"], one["field"], one["message"]) for one in found] == [
        (2, "phone", message.format('="0"&1')),
        (2, "discount", message.format("=2+2")),
        (3, "discount", message.format("=D2*10%")),
    ]
    (kept,) = admin.get("/api/customers").data
    assert (kept["phone"], kept["discount"], kept["version"]) == ("02", 5, 1)


def test_formulas_have_the_values_that_the_file_stores_also_empty_texts(
    admin, workshop
):
    customer = workshop.customer(name="Aek", phone="02", notes="n")
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<sheetData><row r="1">{header}</row><row r="2"><c r="A2" t="inlineStr"><is>'
        '<t>Aek</t></is></c><c r="B2" t="str"><f>"0"&amp;3</f><v>03</v></c>'
        '<c r="C2" t="str"><f>IF(1,"","")</f><v></v></c>'
        '<c r="D2"><f t="shared" si="0"/><v>5</v></c></row></sheetData></worksheet>'
    )
    header = "".join(
        f'<c t="inlineStr"><is><t>{name}</t></is></c>'
        for name in ("name", "phone", "notes", "discount")
    )
    content = zip_with("xl/worksheets/sheet1.xml", sheet.format(header=header).encode())
    answer = send_table(admin, "customers", content, "xlsx")
    assert counts(answer) == {"created": 0, "updated": 1, "unchanged": 0}
    found = admin.get(f"/api/customers/{customer.pk}").data
    assert (found["phone"], found["notes"], found["discount"]) == ("03", "", 5)


def test_text_in_another_encoding_is_refused_unless_the_request_names_it(admin):
    content = "name\nน้ำ\n".encode("cp874")
    answer = send_table(admin, "customers", content)
    assert (answer.status, answer.errors["code"]) == (400, "UNREADABLE_TABLE")
    named = {"Content-Type": "text/csv; charset=windows-874"}
    assert send_table(admin, "customers", content, headers=named).status == 200
    assert names_of(admin) == ["น้ำ"]


@pytest.mark.parametrize("format", FORMATS)
def test_workbook_of_another_kind_is_named_in_the_refusal(admin, format):
    old = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(512)
    answer = send_table(admin, "customers", old, format)
    assert answer.errors["code"] == "UNREADABLE_TABLE"
    message = "The file is a workbook of another kind (.xls); save it as XLSX"
    assert answer.message == message


def test_semicolons_and_tabs_divide_cells_too(admin):
    for content in ("name;phone\nน้ำ;1\n", "name\tphone\nใส\t2\n"):
        assert send_table(admin, "customers", content.encode()).status == 200
    assert names_of(admin) == ["น้ำ", "ใส"]


@pytest.mark.parametrize("format", FORMATS)
def test_rows_and_bytes_are_limited(admin, setting, format):
    setting(MAX_IMPORT_ROWS=2)
    rows = [{"name": str(index)} for index in range(3)]
    answer = import_rows(admin, "customers", rows, format)
    assert answer.faults == {"file": "The file has more than 2 rows"}
    # spreadsheets write empty rows behind the last one, and people leave some between
    spaced = [rows[0], *[{"name": None}] * 5]
    assert import_rows(admin, "customers", spaced, format).status == 200
    answer = import_rows(admin, "customers", [*spaced, rows[1]], format)
    assert answer.faults == {"file": "The file has more than 2 rows"}
    setting(MAX_IMPORT_BYTES=10)
    assert import_rows(admin, "customers", rows[:2], format).status == 413


def zip_with(name, content):
    """An XLSX file with another content in one of its parts."""
    source, target = io.BytesIO(to_xlsx([{"name": "a"}])), io.BytesIO()
    with (
        zipfile.ZipFile(source) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.namelist():
            new.writestr(part, content if part == name else old.read(part))
    return target.getvalue()


def test_file_that_unpacks_to_a_large_one_is_refused(admin, setting):
    setting(MAX_IMPORT_BYTES=100_000)
    bomb = zip_with("xl/worksheets/sheet1.xml", b" " * 2_000_000)
    assert len(bomb) < 100_000
    answer = send_table(admin, "customers", bomb, "xlsx")
    assert list(answer.faults) == ["file"]
    assert "1000000 bytes" in answer.faults["file"]


def test_cell_far_away_needs_no_memory(admin):
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        b'<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
        b'<row r="1048576"><c r="%s1048576"><v>1</v></c></row></sheetData></worksheet>'
    )
    for column in (b"A", b"XFD"):
        content = zip_with("xl/worksheets/sheet1.xml", sheet % column)
        answer = send_table(admin, "customers", content, "xlsx")
        assert answer.faults == {"file": "The file has more than 1000 rows"}


def test_sheet_of_empty_cells_far_away_is_refused(admin, monkeypatch, setting):
    """A row number without end was read without end, and a few bytes are wide rows."""
    setting(MAX_IMPORT_ROWS=5)
    monkeypatch.setattr("glassflow.services.tables.xlsx_reader.MAX_ROWS", 100)
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        b"<sheetData>%s</sheetData></worksheet>"
    )
    wide = b"".join(b'<row r="%d"><c r="ZZZ%d"/></row>' % (n, n) for n in range(1, 9))
    for rows in (b'<row r="5000"/>', wide):
        content = zip_with("xl/worksheets/sheet1.xml", sheet % rows)
        answer = send_table(admin, "customers", content, "xlsx")
        assert answer.body["errors"]["code"] == "UNREADABLE_TABLE"


def test_other_media_types_are_refused(admin):
    answer = admin.post("/api/customers/import", {"name": "a"})
    assert answer.status == 415
    assert "text/csv" in answer.message


def test_import_needs_the_keys_of_what_its_rows_do(client_with_keys, workshop, admin):
    job = order_with_panes(admin, workshop)
    viewer, creator, manager = (
        client_with_keys(*keys)
        for keys in (
            ["panes:view"],
            ["panes:create"],
            ["panes:view", "panes:manage"],
        )
    )
    new = [{"notes": "x", "jobType": "y"}]
    old = [{"paneNumber": job.numbers[0], "notes": "x"}]
    assert import_rows(viewer, "panes", new).status == 403
    assert import_rows(creator, "panes", new).status == 200
    for dry_run in ({}, {"dryRun": "1"}):
        answer = import_rows(creator, "panes", old, **dry_run)
        errors = answer.errors if answer.status == 400 else answer.data["errors"]
        assert [one["message"] for one in errors] == [
            "Not authorized to change this record"
        ]
    assert import_rows(manager, "panes", old).status == 200


def test_natural_keys_that_the_caller_may_not_read_are_no_columns(
    client_with_keys, workshop
):
    clerk = client_with_keys("orders:view", "orders:manage", "orders:create")
    workshop.customer(name="Secret")
    answer = import_rows(clerk, "orders", [{"customer.name": "Secret", "quantity": 1}])
    assert faults(answer) == [(1, "customer.name", "Unknown column: customer.name")]


@pytest.mark.parametrize("dry_run", [{}, {"dryRun": "1"}])
def test_repeated_import_is_carried_out_once(admin, dry_run):
    key = {"headers": {"Idempotency-Key": "k1"}}
    rows = [{"name": "Aek"}]
    first, again = (
        import_rows(admin, "customers", rows, **key, **dry_run) for _ in range(2)
    )
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.data == first.data
    assert names_of(admin) == ([] if dry_run else ["Aek"])
    refused = import_rows(admin, "customers", [{"name": ""}, {"phone": "1"}], **key)
    assert refused.status == 409


def test_refused_import_is_replayed_too(admin):
    key = {"headers": {"Idempotency-Key": "k1"}}
    first, again = (
        import_rows(admin, "customers", [{"name": "a", "discount": "x"}], **key)
        for _ in range(2)
    )
    assert first.status == again.status == 400
    assert again.headers["Idempotency-Replayed"] == "true"


def test_import_that_is_done_is_answered_however_much_there_is_to_do(
    app, admin, monkeypatch
):
    run = imports.run
    with monkeypatch.context() as patched:

        def fill_gate_afterwards(*args, **options):
            result = run(*args, **options)
            patched.setitem(app.extensions, "gate", Gate(0))
            return result

        patched.setattr(imports, "run", fill_gate_afterwards)
        assert import_rows(admin, "customers", [{"name": "Aek"}]).status == 200
    assert names_of(admin) == ["Aek"]


def test_lists_without_rules_for_it_have_no_import(admin):
    for name in ("roles", "material-logs", "pane-logs"):
        assert send_table(admin, name, b"name\na\n").status in (404, 405), name
    response = export_response(admin, "workers")
    assert "passwordHash" not in response.text.splitlines()[0]
