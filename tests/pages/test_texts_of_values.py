"""The pages have a text in both languages for each value and field that the service names."""

import json
import pkgutil
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from marshmallow import fields

from glassflow import domain, labels
from glassflow.blueprints import activity
from glassflow.core.access.logins import LoginKind
from glassflow.core.actor import Via
from glassflow.domain import makeability, permissions, webhooks
from glassflow.domain.bilingual import Language
from glassflow.domain.billing import BillingStatus
from glassflow.domain.calls import CallEnding, CallKind, CallStatus
from glassflow.domain.claims import ClaimDecision, ClaimSource
from glassflow.domain.cutting.stages import LeftOut, PaneOnSheet, PlanStatus
from glassflow.domain.defects import DefectCode
from glassflow.domain.deliveries import (
    DeliveryStatus,
    LeftReason,
    Obstacle,
    PaneState,
)
from glassflow.domain.errors import Refusal
from glassflow.domain.notifications import NotificationPriority
from glassflow.domain.orders import OrderStatus, RequestStatus
from glassflow.domain.panes.remake import RemakeKind
from glassflow.domain.panes.status import OPEN, TERMINAL, Action, LaminateRole, Status
from glassflow.domain.payments import PaymentStatus, PaymentWay
from glassflow.domain.pricing import SIDE_LENGTHS, Missing, Part, Unit
from glassflow.domain.quotes import CustomerNoteKind, QuoteStatus
from glassflow.domain.stations import StationColor, StationStatus
from glassflow.domain.stock import LedgerAction, StockType, WithdrawalStatus
from glassflow.models.saved_export import ExportFormat
from glassflow.pages import files
from glassflow.schemas.pane import PaneChangeSchema
from glassflow.schemas.quote import QuotePane
from optional_tools import require

TEXTS = files.ROOT / "texts"
FAULTS = files.ROOT / "js" / "pages" / "office" / "pane_grid" / "pane_faults.js"
LANGUAGE = files.ROOT / "js" / "core" / "preferences.js"
NODE = Path(__file__).parent / "js"
#: The codes that refusals get when they are raised.
OF_INSTANCES = {
    "ALREADY_LAMINATED",
    "MERGED_INTO",
    *(f"ALREADY_{one.upper()}" for one in TERMINAL - {Status.MERGED_INTO}),
}
STOPPED = {StationStatus.OFFLINE, StationStatus.MAINTENANCE}
ACTIONS = {key.partition(":")[2] for key in permissions.ALL_KEYS}
#: The texts whose keys are made of values of the service, by what the keys begin with.
OF_VALUES = {
    "board.call_": set(CallKind),
    "callbar.kind_": set(CallKind),
    "accesskind.": set(LoginKind)
    - {LoginKind.API_KEY},  # which have a page of their own
    "billingstatus.": BillingStatus,
    "board.": OPEN | STOPPED,
    "bookaction.": LedgerAction,
    "callsending.": set(CallEnding) - {CallEnding.PERSON},  # whose name is shown
    "callskind.": CallKind,
    "callsstatus.": CallStatus,
    "claims.": ClaimDecision,
    "claimsremake.": RemakeKind,
    "claimssource.": ClaimSource,
    "cuttingleft.": LeftOut,
    "cuttingpane.": PaneOnSheet,
    "cuttingreason.": LeftOut,
    "cuttingstatus.": PlanStatus,
    "defect.": DefectCode,
    "deliveries.said_": Obstacle,
    "deliveries.state_": PaneState,
    "deliverynote.": Language,
    "deliverypane.": PaneState,
    "deliverystatus.": DeliveryStatus,
    # of planning; those of a hand-over are said by the page of drivers
    "deliverywhy.": set(Obstacle)
    - {Obstacle.UNFINISHED, Obstacle.CLAIMED, Obstacle.NOT_PLANNED},
    "export.": ExportFormat,
    "findings.": makeability.Level,
    "historyvia.": set(Via) - {Via.TOKEN},  # nothing is said of the usual way
    "notificationspriority.": NotificationPriority,
    "leftreason.": LeftReason,
    "paymentstatus.": PaymentStatus,
    "paymentway.": PaymentWay,
    "offerstate.": set(QuoteStatus) - {QuoteStatus.DRAFT, QuoteStatus.SENT},
    "panesrole.": LaminateRole,
    "quoteslanguage.": Language,
    "quotesnote.": CustomerNoteKind,
    "quotespdf.": Language,
    "quotesstatus.": QuoteStatus,
    "requestscancels.": {"orders", "panes", "claims", "withdrawals", "price"},
    "requestslacks.": Missing,
    "requestspart.": Part,
    "requestsside.": SIDE_LENGTHS,
    "requestsunit.": set(Unit) - {Unit.PIECE, Unit.PERCENT},  # which have no word
    "rolesaction.": ACTIONS,
    "rolesof.": {key.partition(":")[0] for key in permissions.ALL_KEYS},
    "station.": Action,
    "station.did_": {*Action, "undo"},
    "station.stock": StockType,
    "stationscolor.": StationColor,
    "stationsstate.": StationStatus,
    "status.": {*Status, *OrderStatus, *RequestStatus, *WithdrawalStatus},
    "stocktype.": StockType,
    "try.": OPEN,
    "webhooksstate.": webhooks.DeliveryStatus,
}


@pytest.fixture(scope="module")
def catalogues():
    """The texts of all areas by their keys, for each language."""
    return node(f"""
        import {{ readdirSync }} from "node:fs";
        const found = {{ th: {{}}, en: {{}} }};
        for (const file of readdirSync("{TEXTS}"))
            Object.assign(found[file.split(".")[1]], (await import(`{TEXTS}/${{file}}`)).default);
        console.log(JSON.stringify(found));
    """)


def node(script):
    """Run a module in Node.js, and read what it prints as JSON."""
    require(shutil.which("node"), "node", "nodejs")
    command = ["node", "--input-type=module", "-e", script]
    return json.loads(subprocess.check_output(command))


def codes():
    """Return the codes of all refusals of the domain."""
    for module in pkgutil.walk_packages(domain.__path__, "glassflow.domain."):
        import_module(module.name)
    found, known = [Refusal], set()
    while found:
        one = found.pop()
        found += one.__subclasses__()
        if one.__module__.startswith("glassflow.domain"):
            known.add(one.code)
    return (known | OF_INSTANCES) - {""}


def warnings_of_labels():
    """Return the codes of the warnings about labels."""
    sources = Path(labels.__file__).parent.glob("*.py")
    found = re.findall(
        r'LabelWarning\("(\w+)"', "".join(one.read_text() for one in sources)
    )
    return set(found)


@pytest.mark.parametrize("language", ["th", "en"])
def test_each_refusal_is_explained(catalogues, language):
    explained = {key.removeprefix("verdict.") for key in catalogues[language]}
    assert "WRONG_STATION" in codes()
    assert codes() - explained == set()


def test_each_value_that_a_page_makes_a_key_of_has_a_text(app, catalogues):
    with app.app_context():
        changed = {one.name for one in activity.resources()}
    wanted = OF_VALUES | {
        "activitykind.": changed,
        "labels.warn": warnings_of_labels(),
    }
    assert min(map(len, wanted.values())) > 1
    for language, texts in catalogues.items():
        missing = [
            begin + one
            for begin, values in wanted.items()
            for one in values
            if begin + one not in texts
        ]
        assert missing == [], language


def paths(schema):
    """Yield where a fault may be in a body, as faults name it, elements of lists included."""
    for field in schema.fields.values():
        yield field.data_key
        for path in members(field):
            yield f"{field.data_key}.{path}"


def members(field):
    """Yield where a fault may be in the value of a field."""
    if isinstance(field, fields.Nested):
        yield from paths(field.schema)
    elif isinstance(field, fields.List):
        yield "0"
        yield from (f"0.{path}" for path in members(field.inner))


def test_each_fault_of_a_pane_is_named_in_words(catalogues):
    of_rows = [f"panes.0.{path}" for path in paths(QuotePane())]
    of_cuts = [
        path
        for path in paths(PaneChangeSchema())
        if re.match(r"(holes|notches)\.0\.", path)
    ]
    assert {
        "panes.0.quantity",
        "panes.0.unitPrice",
        "panes.0.rawGlass.color",
        "panes.0.routing.0",
        "panes.0.edgeTasks.0.edgeProfile",
        "panes.0.holes.0.vertices.0.x",
    } < set(of_rows)
    assert "notches.0.diameter" in of_cuts
    named = node(f"""
        await import("{NODE}/document.mjs");
        await import("{NODE}/load_texts.mjs");
        const {{ setLang }} = await import("{LANGUAGE}");
        const {{ inCuts, inPanes }} = await import("{FAULTS}");
        const panes = [{{ key: "a" }}];
        const ofRow = (field) => inPanes({{ current: ["a"] }})({{ field }}, {{ panes }}).label;
        const ofCut = (field) => inCuts(field.split(".")[0])({{ field }}).label;
        const found = {{}};
        for (const language of ["en", "th"]) {{
            setLang(language);
            found[language] = [
                ...{json.dumps(of_rows)}.map((field) => [field, ofRow(field)]),
                ...{json.dumps(of_cuts)}.map((field) => [field, ofCut(field)]),
            ];
        }}
        console.log(JSON.stringify(found));
    """)
    for language, labels_of_fields in named.items():
        words = set(catalogues[language].values())
        for field, label in labels_of_fields:
            place, *inside = label.split(" · ")
            is_cut = re.fullmatch(r"panes\.0\.(holes|notches)\.0", field)
            assert place[-2:] == " 1", field
            assert is_cut or inside[-1] in words, (language, field, label)
