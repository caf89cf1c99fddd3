"""Billing entries: what was delivered, and the invoices that the accounts made for it."""

from collections.abc import Mapping, Sequence
from typing import IO, Any

from flask import Response, current_app, request

from glassflow.domain import error_codes
from glassflow.domain.bilingual import THAI
from glassflow.models.billing_entry import BillingEntry
from glassflow.schemas.answers.billing import ACCOUNTS_FIGURES, FIGURES
from glassflow.schemas.billing import (
    AccountsQuery,
    AccountsSchema,
    BillingEntrySchema,
    BillSchema,
    ChargeSchema,
    CreditSchema,
    EntriesSchema,
)
from glassflow.schemas.shapes import array, record
from glassflow.services import accounts_export, billing, credits
from glassflow.services.accounts_export import AccountsTable, Choice
from glassflow.services.events.event_route import EventRoute
from glassflow.services.reports import unbilled
from glassflow.services.tables import csv_format, xlsx_cells
from glassflow.web import exports, language
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

BILL, CHARGE, ENTRIES = BillSchema(), ChargeSchema(), EntriesSchema()
ACCOUNTS_NAME = "accounts"  # begins the names of files
CREDIT, CHOSEN, ACCOUNTS = CreditSchema(), AccountsQuery(), AccountsSchema()
FILE: dict[str, Any] = {
    "answer": None,
    "media": (csv_format.MEDIA_TYPE, xlsx_cells.MEDIA_TYPE),
    "errors": (503,),
}

resource = Resource(
    name="billing-entries",
    model=BillingEntry,
    schema=BillingEntrySchema(),
    keys=Keys(view="pricing:view", create="pricing:manage", manage="pricing:manage"),
    events=EventRoute("billing:updated", rooms=("dashboard", "pricing")),
    update_with=billing.update,
    codes=tuple(error_codes.BILLING),
)
# made by hand-overs, and void where these are undone
blueprint = resource.blueprint(without=("create", "delete", "delete_many"))


@blueprint.get("/figures")
@require("pricing:view")
@describe("get_billing_figures", answer=FIGURES)
def show_figures() -> Response:
    """Add up what was delivered and is not billed yet, by customer and month."""
    return reply(unbilled.read(may=current_identity().may), "Figures of billing")


@blueprint.get("/accounts")
@require("pricing:view")
@describe("get_accounts_figures", query=CHOSEN, answer=ACCOUNTS_FIGURES)
def show_accounts_figures() -> Response:
    """Count and add up the entries that an export for the accounts would have."""
    asked = CHOSEN.read(request.args)
    found = accounts_export.figures(_choice(asked))
    return reply(found, "Figures of an export for the accounts")


@blueprint.get("/accounts.csv")
@require("pricing:view")
@describe("get_accounts_csv", query=CHOSEN, **FILE | {"media": FILE["media"][:1]})
def show_accounts_csv() -> Response:
    """Make the CSV file for the accounts, and note nothing on the entries."""
    return _file("csv")


@blueprint.get("/accounts.xlsx")
@require("pricing:view")
@describe("get_accounts_xlsx", query=CHOSEN, **FILE | {"media": FILE["media"][1:]})
def show_accounts_xlsx() -> Response:
    """Make the XLSX file for the accounts, and note nothing on the entries."""
    return _file("xlsx")


def _file(format: str) -> Response:
    accounts = _accounts(CHOSEN.read(request.args))
    with exports.long():
        return exports.written(accounts.write, format, name=ACCOUNTS_NAME)


@blueprint.post("/accounts")
@require("pricing:manage")
@describe("export_accounts", body=ACCOUNTS, **FILE)
def export_accounts() -> Response:
    """Make the file for the accounts, and note on its entries what it has of them."""
    body = read_body(ACCOUNTS)
    accounts, actor = _accounts(body), current_identity()

    def write(file: IO[bytes], format: str) -> None:
        accounts_export.write_marked(
            file=file, format=format, accounts=accounts, actor=actor
        )

    return exports.written(write, body["format"], name=ACCOUNTS_NAME)


def _choice(asked: Mapping[str, Any]) -> Choice:
    return Choice(
        customer=asked.get("customer"),
        invoice_number=asked.get("invoice_number"),
        first=asked.get("since"),
        last=asked.get("until"),
    )


def _accounts(asked: Mapping[str, Any]) -> AccountsTable:
    return AccountsTable(
        _choice(asked),
        language=asked.get("language") or language.requested() or THAI,
        by_pane=asked["rows"] == "panes",
        may=current_identity().may,
        max_rows=current_app.config["EXPORT_MAX_ROWS"],
    )


@blueprint.post("")
@require("pricing:manage")
@resource.operations.describe("create", body=CHARGE, codes=tuple(error_codes.BILLING))
def charge_lost() -> Response:
    """Charge what no delivery charges: lost panes, or the price of no pane of a request."""
    body = read_body(CHARGE)
    of_all = {"reason": body["reason"], "actor": current_identity()}
    if body.get("request"):
        made = billing.charge_waiting(request_id=body["request"], **of_all)
    else:
        made = billing.charge_lost(pane_ids=body["panes"], **of_all)
    return resource.answer(made.stored_form(), "Charged", status=201)


@blueprint.post("/<oid:record_id>/void")
@require("pricing:manage")
@resource.operations.describe(
    "update", id="void_billing_entry", body=None, codes=tuple(error_codes.BILLING)
)
def void(record_id: str) -> Response:
    """Take back a credit, or what was charged without a delivery."""
    raw = resource.read_visible(record_id)
    with resource.expecting(raw["_id"]):
        changed = billing.void(record_id=raw["_id"])
    return resource.answer(changed.stored_form(), "Not charged any more")


@blueprint.post("/<oid:record_id>/credit")
@require("pricing:manage")
@resource.operations.describe(
    "create",
    id="credit_billing_entry",
    body=CREDIT,
    errors=(404,),
    codes=tuple(error_codes.BILLING),
)
def credit(record_id: str) -> Response:
    """Credit a part of a billed entry, or all of it, on the next invoice."""
    raw = resource.read_visible(record_id)
    made = credits.credit(
        record_id=raw["_id"], values=read_body(CREDIT), actor=current_identity()
    )
    return resource.answer(made.stored_form(), "Credited", status=201)


@blueprint.post("/bill")
@require("pricing:manage")
@describe(
    "bill_entries",
    body=BILL,
    answer=array(record("BillingEntry")),
    populates=BillingEntry,
    errors=(404,),
    codes=tuple(error_codes.BILLING),
)
def bill() -> Response:
    """Note the invoice of the accounting program for entries of one customer."""
    body = read_body(BILL)
    billed = billing.bill(
        ids=body["ids"],
        invoice_number=body["invoice_number"],
        actor=current_identity(),
    )
    return _answer(billed, "Billed")


@blueprint.post("/unbill")
@require("pricing:manage")
@describe(
    "unbill_entries",
    body=ENTRIES,
    answer=array(record("BillingEntry")),
    populates=BillingEntry,
    errors=(404,),
    codes=tuple(error_codes.BILLING),
)
def unbill() -> Response:
    """Take entries off an invoice that was mistaken."""
    return _answer(billing.unbill(ids=read_body(ENTRIES)["ids"]), "Not billed any more")


def _answer(entries: Sequence[BillingEntry], message: str) -> Response:
    rows = [one.stored_form() for one in entries]
    return reply(to_response(BillingEntry, rows), message)
