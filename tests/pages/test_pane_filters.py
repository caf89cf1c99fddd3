"""The list of panes in the office offers the filters that the API has."""

import re

from glassflow.blueprints import panes
from glassflow.models.pane import Pane
from glassflow.pages import files
from glassflow.web.filters import filter_shapes

LIST = files.ROOT / "js" / "pages" / "office" / "panes" / "list.js"
#: Filters of the API that the page leaves out, and why.
NOT_OFFERED = {
    "_id": "it opens the pane",
    "currentStatus": "the same as status",
    "currentStation": "the same as station",
    "paneNumber": "the search finds it",
    "qrCode": "the search and a scanner find it",
    "notes": "the search finds it",
    "glassTypeLabel": "the search finds it",
    "mark": "the search finds it",
    "cornerSpec": "the search finds it",
    "dimensionTolerance": "the search finds it",
    "processes": "the search finds it",
    "overrideReason": "the search finds it",
    "agreedPrice": "the page of its request adds up the prices",
    "sheetLabel": "a letter, which means something in its unit only",
    "childPanes": "the page of a sheet leads to its unit",
    "mergedInto": "the page of a sheet leads to its unit",
    "laminateMergedAt": "for programs",
    "startedAt": "for programs",
    "updatedAt": "for programs",
    "version": "for programs",
    "routeIndex": "for programs",
    "customRouting": "for programs",
    "cuttingPlan": "the sheets of a plan list its panes",
}


def test_each_filter_of_panes_is_offered_or_left_out_for_a_reason():
    of_fields = {name for name, *_ in filter_shapes(Pane, panes.resource.aliases)}
    of_api = of_fields | {one.name for one in panes.resource.list_parameters}
    source = LIST.read_text("utf-8")
    body = source.partition("function filters()")[2].partition("\n}\n")[0]
    offered = set(re.findall(r'name: "(\w+)"', body))
    assert offered <= of_api
    assert of_api - offered == set(NOT_OFFERED)
