"""The tables of `services/deletion`: complete, and printed as they are."""

from pathlib import Path

import pytest
from mongoengine import ListField

from glassflow.blueprints import RESOURCES
from glassflow.cli.deletion_page import deletion_page
from glassflow.models import ALL, BY_NAME, derived
from glassflow.models.fields import Ref
from glassflow.services.deletion import rules
from glassflow.services.deletion.delete import counted
from glassflow.services.deletion.hooks import HOOKS

PAGE = Path(__file__).parents[3] / "docs" / "deletion.md"
ALWAYS = (rules.BLOCKS_ALWAYS, rules.NULLIFIES)
POLICIES = {
    "restrict": (*ALWAYS, rules.BLOCKS, rules.TAKES_ALONG),
    "cascade": (*ALWAYS, rules.CASCADES_TO),
}
TABLES = {
    "BLOCKS": rules.BLOCKS,
    "BLOCKS_ALWAYS": rules.BLOCKS_ALWAYS,
    "TAKES_ALONG": rules.TAKES_ALONG,
    "CASCADES_TO": rules.CASCADES_TO,
    "NULLIFIES": rules.NULLIFIES,
}


def references():
    """Give every reference field as `(Model.field, target)`."""
    for model in ALL:
        for field in model._fields.values():
            inner = field.field if isinstance(field, ListField) else field
            if isinstance(inner, Ref):
                yield f"{model.__name__}.{field.db_field}", inner.target


def ruled(policy, target):
    """Give the reference fields to a kind about which a policy says something."""
    return {
        f"{dependent.model}.{dependent.path}"
        for table in POLICIES[policy]
        for dependent in table.get(target, ())
    }


@pytest.mark.parametrize("policy", POLICIES)
def test_every_reference_has_a_rule_or_is_kept_on_purpose(policy):
    """If this fails for a new field: decide in `rules.py` what a delete does to it."""
    undecided = [
        name
        for name, target in references()
        if name not in ruled(policy, target) and name not in rules.KEPT
    ]
    assert undecided == []


def test_a_new_reference_without_a_rule_is_noticed(monkeypatch):
    monkeypatch.setattr(BY_NAME["Customer"], "_fields", {
        **BY_NAME["Customer"]._fields,
        "agent": Ref("Worker", db_field="agent"),
    })  # fmt: skip
    with pytest.raises(AssertionError, match=r"Customer\.agent"):
        test_every_reference_has_a_rule_or_is_kept_on_purpose("cascade")


def test_what_is_kept_is_a_reference_that_no_rule_covers_and_has_a_reason():
    targets = dict(references())
    assert rules.KEPT.keys() <= targets.keys()
    for name, reason in rules.KEPT.items():
        assert any(name not in ruled(policy, targets[name]) for policy in POLICIES)
        assert len(reason.split()) > 3, name


@pytest.mark.parametrize("table", TABLES)
def test_every_rule_names_models_and_stored_fields(table):
    for kind, dependents in TABLES[table].items():
        assert kind in BY_NAME
        for dependent in dependents:
            first = dependent.path.partition(".")[0]
            stored = {f.db_field for f in BY_NAME[dependent.model]._fields.values()}
            assert first in stored, (kind, dependent)


#: What refusals say about one and about two dependents, for every rule that blocks.
BLOCKED_BY = {
    ("Customer", "Request.customer"): ("1 request", "2 requests"),
    ("Customer", "Order.customer"): ("1 order", "2 orders"),
    ("Material", "Inventory.material"): ("1 lot", "2 lots"),
    ("Material", "Order.material"): ("1 order", "2 orders"),
    ("Material", "Pane.material"): ("1 pane", "2 panes"),
    ("Material", "Withdrawal.material"): ("1 withdrawal", "2 withdrawals"),
    ("Inventory", "Withdrawal.allocations.inventory"): (
        "1 pending withdrawal",
        "2 pending withdrawals",
    ),
    ("Station", "Call.station"): ("1 open call", "2 open calls"),
    ("Rack", "Pane.rack"): ("1 pane", "2 panes"),
    ("Material", "CuttingPlan.material"): ("1 cutting plan", "2 cutting plans"),
    ("CuttingPlan", "CuttingPlan._id released cutting plan"): (
        "1 released cutting plan",
        "2 released cutting plans",
    ),
    ("Inventory", "Inventory._id reserved lot"): (
        "1 reserved lot",
        "2 lots that a cutting plan has reserved",
    ),
    ("Call", "Call._id open call"): ("1 open call", "2 open calls"),
    ("Station", "Worker.station"): ("1 shared device", "2 shared devices"),
    ("Worker", "Request.assignedTo"): ("1 request", "2 requests"),
    ("Worker", "Order.assignedTo"): ("1 order", "2 orders"),
    ("Worker", "Claim.reportedBy"): ("1 claim", "2 claims"),
    ("Worker", "Withdrawal.withdrawnBy"): ("1 withdrawal", "2 withdrawals"),
    ("Worker", "PaneLog.worker"): ("1 pane log", "2 pane logs"),
    ("Worker", "ProductionLog.operator"): ("1 production log", "2 production logs"),
    ("Station", "Order.stations"): ("1 open order", "2 open orders"),
    ("Station", "Pane.routing"): ("1 open pane", "2 open panes"),
    ("Station", "Pane.currentStation"): ("1 pane", "2 panes"),
    ("Station", "Pane.heldFrom.station"): ("1 claimed pane", "2 claimed panes"),
    ("Station", "Pane.laminateStation"): ("1 pane to laminate", "2 panes to laminate"),
    ("StationTemplate", "Station.templateId"): ("1 station", "2 stations"),
    ("Role", "Worker.role"): ("1 worker", "2 workers"),
    ("Quote", "Quote._id sent quote"): ("1 sent quote", "2 sent quotes"),
    ("Customer", "Quote.customer"): ("1 quote", "2 quotes"),
    ("Customer", "Delivery.customer"): ("1 delivery", "2 deliveries"),
    ("Customer", "BillingEntry.customer"): ("1 billing entry", "2 billing entries"),
    ("Customer", "Payment.customer"): ("1 payment", "2 payments"),
    ("Quote", "Payment.quote"): ("1 payment", "2 payments"),
    ("Request", "Payment.request"): ("1 payment", "2 payments"),
    ("Delivery", "Delivery._id finished delivery"): (
        "1 finished delivery",
        "2 deliveries that were handed over",
    ),
    ("PriceList", "Customer.priceList"): ("1 customer", "2 customers"),
    ("Request", "Order.request"): ("1 order", "2 orders"),
    ("Request", "Pane.request"): ("1 scanned pane", "2 scanned panes"),
    ("Request", "BillingEntry.parts.request"): ("1 billing entry", "2 billing entries"),
    ("Order", "BillingEntry.parts.order"): ("1 billing entry", "2 billing entries"),
    ("Order", "Pane.order"): ("1 scanned pane", "2 scanned panes"),
    ("Order", "Claim.order"): ("1 claim", "2 claims"),
    ("Order", "Withdrawal.order"): ("1 withdrawal", "2 withdrawals"),
    ("Pane", "Claim.pane"): ("1 claim", "2 claims"),
    ("Pane", "Claim.remadePane"): ("1 approved claim", "2 approved claims"),
    ("Pane", "Pane.remakeOf"): ("1 remake", "2 remakes"),
    ("Pane", "Pane.parentPane"): ("1 scanned sheet", "2 scanned sheets"),
    ("Pane", "Pane.mergedInto"): ("1 merged pane", "2 merged panes"),
    ("Pane", "Pane._id survivor"): ("1 survivor", "2 survivors"),
    ("Pane", "Pane._id unit"): ("1 unit", "2 units"),
}


def test_every_rule_that_blocks_has_its_text_for_one_and_for_two():
    printed = {}
    for table in (rules.BLOCKS_ALWAYS, rules.BLOCKS):
        for kind, dependents in table.items():
            for one in dependents:
                field = f"{one.model}.{one.path}"
                key = f"{field} {one.label}" if one.path == "_id" else field
                printed[kind, key] = (counted(1, one.label), counted(2, one.label))
    assert printed == BLOCKED_BY


def test_every_kind_that_can_be_deleted_has_its_place_in_the_order(app):
    """Those that routes delete, and those that are deleted with them."""
    deletable = {
        resource.model.__name__
        for resource in RESOURCES
        if any(
            rule.rule.startswith(f"/api/{resource.name}") and "DELETE" in rule.methods
            for rule in app.url_map.iter_rules()
        )
    }
    taken = {
        dependent.model
        for table in (rules.TAKES_ALONG, rules.CASCADES_TO)
        for dependents in table.values()
        for dependent in dependents
    }
    assert deletable | taken == set(rules.DELETE_ORDER)
    assert len(rules.DELETE_ORDER) == len(set(rules.DELETE_ORDER))
    assert HOOKS.keys() <= set(rules.DELETE_ORDER)


def test_every_hidden_field_is_decided_on():
    """The history of a deletion has the values of the first, and never of the secret ones."""
    kept = {
        model.__name__: {*model.hidden} - {*model.secret} - {*derived.NAMES}
        for model in ALL
    }
    assert {name: fields for name, fields in kept.items() if fields} == {
        "Call": {"notified", "stationStatus"},
        "Claim": {"nextPhoto"},
        "Delivery": {"nextPhoto", "noteFacts", "places"},
        "MaterialLog": {"archived", "byService"},
        "Order": {"cancelledFrom", "lostPanes"},
        "Pane": {
            "cancelledFrom",
            "heldFrom",
            "lastScan",
            "remade",
            "workStartedAt",
            "writtenOff",
        },
        "PaneLog": {"undo"},
        "Quote": {"basis", "parties", "pendingChange", "terms"},
        "Request": {"nextAttachment"},
    }


def test_the_page_is_the_one_that_the_code_prints():
    """If this fails: `flask docs` prints it again."""
    assert PAGE.read_text("utf-8") == deletion_page()
