"""Labels of panes, racks and lots, posters of stations, badges of workers, command cards."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, request
from pymongo.errors import PyMongoError

from glassflow.domain import error_codes
from glassflow.domain.errors import Contention
from glassflow.drawing.items import A4
from glassflow.host.public_url import is_loopback
from glassflow.labels.printers import Printer, parse_printers
from glassflow.labels.sheets import SHEETS, SINGLE, Sheet, parse_sheets
from glassflow.schemas.answers.labels import LABELS as LABELS_ANSWER
from glassflow.schemas.answers.labels import LAYOUTS, PRINTED
from glassflow.schemas.labels import LabelsSchema, PrintSchema
from glassflow.services.labels import network_printers
from glassflow.services.labels.making import Paper, make, warning_rows
from glassflow.services.labels.selection import Selected, Selection, select
from glassflow.web import gate
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.files import file_response
from glassflow.web.idempotency import (
    effect_begins,
    has_outside_effect,
    keep_no_answer,
)
from glassflow.web.operation import describe

log = logging.getLogger(__name__)

LABELS, PRINT = LabelsSchema(), PrintSchema()
CODES = (*error_codes.BADGES, *error_codes.LABELS)
MEDIA = ("application/pdf", "image/png", "application/x-zpl")
KEYS = ("panes:view", "stations:view", "workers:view", "inventory:view")
LISTS = (
    "panes", "requests", "orders", "stations", "racks", "lots", "workers", "commands"
)  # fmt: skip
MADE: dict[str, Any] = {
    "answer": LABELS_ANSWER,
    "media": MEDIA,
    "errors": (404,),
    "codes": CODES,
}
NUMBERS = ("skip", "copies", "dpi", "page", "nudgeX", "nudgeY")
# A header of more would be refused by proxies; `format=json` returns all.
MAX_HEADER = 4000

blueprint = Blueprint("labels", __name__, url_prefix="/api/labels")
layouts = Blueprint("label-layouts", __name__, url_prefix="/api/label-layouts")


@blueprint.get("")
@require(*KEYS)
@describe("get_labels", query=LABELS, **MADE)
def show() -> Response:
    """Make labels as a PDF, a PNG of one page or ZPL; or list them and what is wrong."""
    return _labels(LABELS.read(_query(request.args)))


@blueprint.post("")
@require(*KEYS)
@has_outside_effect
@describe("make_labels", body=LABELS, **MADE)
def create() -> Response:
    """Make labels as GET does, for more panes than a query can name."""
    values = read_body(LABELS)
    if values.get("workers"):
        keep_no_answer()  # a copy of the store must not contain the codes of badges
    return _labels(values)


@blueprint.post("/print")
@require("panes:scan")
@has_outside_effect
@describe(
    "print_labels",
    body=PRINT,
    answer=PRINTED,
    errors=(404,),
    codes=(*error_codes.PRINTERS, *CODES),
)
def print_labels() -> Response:
    """Send labels to a network printer, or record that a browser has printed them."""
    values = read_body(PRINT)  # without a printer, the browser has
    name, warnings = values.get("printer") or "", []
    printer = network_printers.find_printer(name, _printers()) if name else None
    selected = _selected(values)
    if printer:
        paper = Paper(format="zpl", dpi=printer.dpi, copies=values.get("copies") or 1)
        gate.leave()  # for good: what is printed must not be answered as refused
        made = make(selected, paper, ())
        has_ended = network_printers.send(printer, made.content, before=effect_begins)
        warnings = warning_rows(made)
        if not has_ended:
            warnings.append(_warning("PRINTER_SILENT", name, len(selected.sources)))
    labelled_at = None
    panes = [one.pane for one in selected.sources if one.pane]
    try:
        labelled_at = network_printers.mark_labelled(panes) if panes else None
    except (PyMongoError, Contention):
        if not printer:
            raise
        log.exception("could not record that %d labels were printed", len(panes))
        warnings.append(_warning("NOT_RECORDED", name, len(panes)))
    data = {
        "count": len(selected.sources),
        "printer": name,
        "labelledAt": labelled_at,
        "warnings": warnings,
    }
    return reply(data, "Labels printed")


@layouts.get("")
@require(*KEYS)
@describe("list_label_layouts", answer=LAYOUTS)
def index() -> Response:
    """List the layouts, and the network printers by name."""
    own = _own_sheets()
    taken = {one.name for one in own}
    sheets = [*own, *(one for one in SHEETS if one.name not in taken)]
    data = {
        "layouts": [{"name": SINGLE}, *map(_as_layout, sheets)],
        "printers": [{"name": p.name, "dpi": p.dpi} for p in _printers().values()],
    }
    return reply(data, "Label layouts")


def _labels(values: Mapping[str, Any]) -> Response:
    selected = _selected(values)
    paper = _paper(values)
    with gate.released():
        made = make(selected, paper, _own_sheets())
    warnings = warning_rows(made) + _address_warnings(values)
    if paper.format == "json":
        data = {
            "count": len(selected.sources),
            "pages": made.pages,
            "template": _as_template(selected),
            "labels": [
                {"id": one.pane, "name": one.name, "labelledAt": one.labelled_at}
                for one in selected.sources
            ],
            "warnings": warnings,
        }
        return reply(data, "Labels")
    response = file_response(made.content, made.media_type, f"labels.{paper.format}")
    response.headers["X-Label-Pages"] = str(made.pages)
    while len(json.dumps(warnings)) > MAX_HEADER:
        warnings.pop()
    response.headers["X-Label-Warnings"] = json.dumps(warnings)  # in ASCII
    return response


def _query(args: Mapping[str, str]) -> dict[str, Any]:
    """Return the query as a body: lists have commas, numbers are numbers."""
    body: dict[str, Any] = {key: text for key, text in args.items() if text.strip()}
    for name in LISTS:
        if name in body:
            parts = (part.strip() for part in body[name].split(","))
            body[name] = [part for part in parts if part]
    for name in NUMBERS:
        if name in body:
            try:
                body[name] = float(body[name])
            except ValueError:
                pass  # the schema refuses the text
    return body


def _selected(values: Mapping[str, Any]) -> Selected:
    selection = Selection(
        panes=values.get("panes") or (),
        requests=values.get("requests") or _single(values, "request"),
        orders=values.get("orders") or _single(values, "order"),
        stations=values.get("stations") or (),
        racks=values.get("racks") or (),
        lots=values.get("lots") or (),
        workers=values.get("workers") or (),
        commands=values.get("commands") or (),
        template=values.get("template") or "",
        address=request.host_url,
    )
    return select(selection, may=current_identity().may)


def _single(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return (values[name],) if values.get(name) else ()


def _paper(values: Mapping[str, Any]) -> Paper:
    nudge = (values.get("nudge_x") or 0.0, values.get("nudge_y") or 0.0)
    given = {
        name: values[name]
        for name in ("format", "layout", "skip", "copies", "dpi", "page")
        if values.get(name)
    }
    return Paper(**given, nudge=nudge)


def _printers() -> dict[str, Printer]:
    return parse_printers(current_app.config["PRINTERS"])


def _own_sheets() -> tuple[Sheet, ...]:
    return parse_sheets(current_app.config["LABEL_SHEETS"])


def _as_layout(sheet: Sheet) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "columns": sheet.columns,
        "rows": sheet.rows,
        "cell": {"width": sheet.cell[0], "height": sheet.cell[1]},
        "margin": {"left": sheet.margin[0], "top": sheet.margin[1]},
        "pitch": {"x": sheet.pitch[0], "y": sheet.pitch[1]},
        "page": {"width": A4[0], "height": A4[1]},
    }


def _as_template(selected: Selected) -> dict[str, Any]:
    template = selected.template
    sides = {"width": template.width, "height": template.height}
    return {"name": template.name, **sides}


def _address_warnings(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Warn of posters whose code leads every phone to itself."""
    if not values.get("stations") or not is_loopback(request.host):
        return []
    return [_warning("LOCAL_ADDRESS", request.host_url, 1)]


def _warning(code: str, detail: str, labels: int) -> dict[str, Any]:
    """Return a warning that is about no element, as `warning_rows` does for others."""
    return {
        "code": code,
        "element": "",
        "detail": detail,
        "label": "",
        "labels": labels,
    }
