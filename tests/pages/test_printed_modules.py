"""Rules, terms and labels in the pages: printed from the domain, and written nowhere else."""

import re

import pytest

from glassflow.cli.page_modules import page_modules
from glassflow.domain.claims import ClaimDecision, ClaimStatus
from glassflow.domain.defects import DefectCode
from glassflow.domain.orders import RequestStatus
from glassflow.domain.panes.status import Action, Status
from glassflow.domain.stock import StockType
from glassflow.pages.files import ROOT

PRINTED = page_modules()
TERMS = {
    *Status,
    *Action,
    *RequestStatus,
    *ClaimStatus,
    *ClaimDecision,
    *DefectCode,
    *StockType,
}
ARRAY = re.compile(r"\[[^\[\]{}]*\]")
MEMBER = re.compile(r'\b(\w+): "(\w+)"')
# The order in which a form shows the actions, and the actions that are shown as failures or
# have buttons of their own: the domain knows neither.
PRESENTATION = {
    "js/pages/office/templates/schema.js: "
    "scan_in, start, laminate, complete, qc_pass, qc_fail, scan_out",
    "js/pages/station/menus.js: qc_fail, laminate",
}


@pytest.mark.parametrize("name", PRINTED)
def test_module_of_the_pages_is_printed_from_the_domain(name):
    """If this fails: `flask docs` prints it again."""
    assert (ROOT / name).read_text("utf-8") == PRINTED[name]


def relations(text):
    """Return what relates two terms: the arrays of several, and the members of objects."""
    for array in ARRAY.findall(text):
        terms = [one for one in re.findall(r'"(\w+)"', array) if one in TERMS]
        if len(terms) > 1:
            yield ", ".join(terms)
    for key, value in MEMBER.findall(text):
        if key in TERMS and value in TERMS:
            yield f"{key}: {value}"


def test_no_page_writes_the_pane_flow_by_hand():
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {one}"
        for path in sorted((ROOT / "js").rglob("*.js"))
        if path.relative_to(ROOT).as_posix() not in PRINTED
        for one in relations(path.read_text("utf-8"))
    ]
    assert set(found) == PRESENTATION
