"""What lists ask of the store: few commands, each with an index and a limit."""

import os
import re
from datetime import timedelta

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from explain_plans import stages
from glassflow.blueprints import RESOURCES
from glassflow.core.process import clock
from glassflow.models.pane import Pane
from glassflow.pages import files
from glassflow.services import lists
from store_commands import record_commands

ID = "0" * 23 + "1"
#: The filters that screens use, one at a time.
FILTERS = {
    "panes": ["", f"station={ID}", "status=pending", f"order={ID}", f"request={ID}",
              f"material={ID}", "laminateRole=sheet", f"parentPane={ID}",
              "isWithdrawn=true", "includeMerged=true", f"customer={ID}",
              "glassType=Float", "jobType=Door", f"inventory={ID}",
              f"laminateStation={ID}", f"routing={ID}", "sort=arrivedAt",
              "sort=-completedAt", "sort=-deliveredAt", "sort=labelledAt",
              "sort=paneNumber"],
    "orders": ["", "status=pending", f"stationId={ID}", f"request={ID}",
               f"customer={ID}", f"material={ID}", f"assignedTo={ID}"],
    "billing-entries": ["", "status=open", f"customer={ID}", "sort=deliveredAt",
                        f"delivery={ID}", "invoiceNumber=INV-1", f"creditOf={ID}",
                        "exportState=null"],
    "calls": ["", "status=open,taken", f"station={ID}", f"pane={ID}", "kind=machine",
              "machineStands=true", "sort=-calledAt"],
    "payments": ["", "status=recorded", f"customer={ID}", f"quote={ID}",
                 f"request={ID}", "invoiceNumber=INV-1", "sort=-paidAt"],
    "quotes": ["", "status=sent", f"customer={ID}", "sort=validUntil", f"request={ID}"],
    "deliveries": ["", "status=planned", f"customer={ID}", f"driver={ID}", f"order={ID}",
                   "sort=-plannedFor", "sort=-deliveredAt", f"panes={ID}"],
    "requests": ["", "status=pending", f"customer={ID}", f"assignedTo={ID}",
                 "sort=deadline"],
    "pane-logs": ["", f"station={ID}", "action=scan_in", f"orderId={ID}",
                  f"paneId={ID}", f"materialId={ID}"],
    "material-logs": ["", f"materialId={ID}", f"order={ID}"],
    "production-logs": ["", f"pane={ID}", f"order={ID}", f"station={ID}",
                        f"operator={ID}"],
    "claims": ["", "status=pending", f"order={ID}", f"pane={ID}", f"material={ID}",
               f"reportedBy={ID}", "source=worker", "defectCode=broken",
               f"defectStation={ID}", "decision=keep", "sort=-claimDate",
               f"customer={ID}"],
    "withdrawals": ["", "status=pending", f"order={ID}", f"material={ID}",
                    f"withdrawnBy={ID}", "stockType=Raw", "sort=-withdrawnDate"],
    "inventories": ["", f"material={ID}"],
    "cutting-plans": ["", f"material={ID}", "status=proposed"],
    "notifications": ["", f"recipient={ID}"],
}  # fmt: skip
LISTS = [(name, query) for name, queries in FILTERS.items() for query in queries]


@pytest.fixture
def commands(app, monkeypatch):
    """Returns the commands that a call sends about a collection."""

    def record(collection, call):
        recorder = record_commands(
            monkeypatch,
            lambda command: command.get(next(iter(command))) == collection,
            of_all=True,
        )
        answer = call()
        assert answer.status == 200, answer
        return [dict(command) for command in recorder.sent]

    return record


def plan_of(command):
    """Return the stages by which the store would answer a find."""
    parts = ("find", "filter", "sort", "skip", "limit")
    plain = {name: command[name] for name in parts if name in command}
    return stages(get_db().command("explain", plain))


@pytest.fixture
def panes(workshop):
    """Twelve panes of a station, of one material."""
    station, material = workshop.station(), workshop.material()
    for n in range(12):
        workshop.make(
            "Pane",
            pane_number=f"PNE-{n + 36:04d}",
            created_at=clock.now() - timedelta(days=60 - n),
            current_station=station.pk,
            material=material.pk,
            withdrawal=ObjectId(),
        )
    return {"station": str(station.pk), "material": str(material.pk)}


@pytest.mark.parametrize(
    "query", [{}, {"status": "pending"}, {"isWithdrawn": "true"}, {"sort": "createdAt"},
              {"station": ...}, {"material": ...}, {"cursor": "*"}, {"search": "pne"},
              {"sort": "paneNumber"}, {"status_ne": "completed"}]
)  # fmt: skip
def test_a_page_is_one_find_with_a_limit_and_one_count(admin, panes, commands, query):
    query = {k: panes[k] if v is ... else v for k, v in query.items()}
    find, count = commands("panes", lambda: admin.get("/api/panes", limit=5, **query))
    assert {"find", "filter", "sort", "limit"} <= find.keys()
    assert find["limit"] == (6 if "cursor" in query else 5)
    assert count["pipeline"][0] == {"$match": find["filter"]}
    assert list(count["pipeline"][1]) == ["$group"]


@pytest.mark.parametrize("query", [{"limit": 20}, {"limit": 5, "page": 3}, {"q": "x"}])
def test_a_page_that_ends_its_list_needs_no_count(admin, panes, commands, query):
    [find] = commands("panes", lambda: admin.get("/api/panes", **query))
    assert "find" in find


def test_a_capped_count_reads_no_more_than_it_shows(admin, panes, commands):
    _, count = commands(
        "panes", lambda: admin.get("/api/panes", limit=5, count="capped")
    )
    assert {"$limit": lists.CAPPED + 1} in count["pipeline"]


def test_a_page_after_a_cursor_is_two_ranges_of_the_index_at_most(
    admin, panes, commands
):
    """The rows of the same date, and those of the dates behind it."""
    cursor = admin.get("/api/panes", limit=4, cursor="*").body["pagination"]["next"]
    same, older, _ = commands(
        "panes", lambda: admin.get("/api/panes", limit=4, cursor=cursor)
    )
    moment = same["filter"]["$and"][1]["createdAt"]
    assert older["filter"]["$and"][1] == {"createdAt": {"$lt": moment}}


def test_search_for_a_number_examines_the_panes_with_its_digits_only(
    admin, panes, commands
):
    for text, numbers in (
        ("PNE-0042", ["PNE-0042"]),
        ("pne-0042", ["PNE-0042"]),
        ("0042", ["PNE-0042"]),
        ("X:PNE-0042", []),
    ):
        [find] = commands(
            "panes", lambda text=text: admin.get("/api/panes", search=text)
        )
        searched = find["filter"]["$and"][0]
        assert searched["searchDigits"] == "0042"
        assert "COLLSCAN" not in plan_of({**find, "filter": {"searchDigits": "0042"}})
        listed = admin.get("/api/panes", search=text).data
        assert [one["paneNumber"] for one in listed] == numbers


#: What a filter of the office asks for that is no field: other records, or a flag.
NO_FIELDS = {"customer", "includeMerged"}

#: The fields of other filters that have another name.
FIELDS = {"waiting": "missingPanes"}

#: Filters of panes that are rarely asked for. Their lists are read in the order of the
#: list: `python -m bench lists` measures them.
WITHOUT_INDEX = {"glassType", "inventory", "isWithdrawn", "jobType", "laminateStation",
                 "routing"}  # fmt: skip

#: The sorts of panes that are for thousands. A list is sorted by the other columns too, up to
#: `MAX_UNINDEXED_SORT` rows.
SORTS_OF_PANES = {"paneNumber", "arrivedAt", "createdAt", "completedAt", "labelledAt"}

#: Those of lists of thousands whose index has `createdAt` before `_id`.
SORTS_OF_LISTS = [("panes", "currentStatus"), ("panes", "laminateRole"),
                  ("pane-logs", "action"), ("orders", "status")]  # fmt: skip


def offered(pattern):
    """Yield each resource with many records, and what its list in the office offers."""
    office = files.ROOT / "js/pages/office"
    for page in [*office.glob("*/list.js"), office / "orders.js"]:
        text = re.sub(r"\s+", " ", page.read_text("utf-8"))
        name = re.search(r'resource="([\w-]+)"', text)
        resource = next(
            (one for one in RESOURCES if name and one.name == name[1]), None
        )
        # a worker's notifications are few
        if resource and resource.name in FILTERS.keys() - {"notifications"}:
            yield resource, set(re.findall(pattern, text))


def test_every_filter_of_the_office_has_an_index_except_the_rare_ones_of_panes():
    seen = set()
    for resource, names in offered(r'name: "(\w+)",(?: resource: "[\w-]+",| query: {.*?},)* '
                                   r"(?:label|from):"):  # fmt: skip
        names_of_fields = {**FIELDS, **resource.aliases}
        fields = {names_of_fields.get(one, one) for one in names - NO_FIELDS}
        rare = WITHOUT_INDEX if resource.name == "panes" else set()
        assert fields - lists.indexed_fields(resource.model) == rare, resource.name
        seen.add((resource.name, len(names)))
    large = {name for name, count in seen if count > 2}
    assert large == {
        "panes", "claims", "requests", "orders", "quotes", "deliveries", "withdrawals",
        "billing-entries", "payments", "calls",
    }  # fmt: skip


def test_every_list_of_the_office_opens_in_the_order_of_an_index():
    for resource, sorts in offered(r'sort="-?(\w+)"'):
        assert sorts <= lists.indexed_fields(resource.model), resource.name
    for field in SORTS_OF_PANES:
        assert lists.is_order_of_index(Pane, [(field, -1), ("_id", -1)]), field


@pytest.mark.parametrize(("name", "field"), SORTS_OF_LISTS)
def test_sort_by_a_field_of_lists_is_the_order_of_its_index(
    admin, commands, name, field
):
    """Ties are broken as in the index, which is read backwards for the other direction."""
    resource = next(one for one in RESOURCES if one.name == name)
    for prefix, direction in (("", 1), ("-", -1)):
        find, *_ = commands(
            resource.model.collection_name(),
            lambda prefix=prefix: admin.get(f"/api/{name}", sort=f"{prefix}{field}"),
        )
        order = [(field, direction), ("createdAt", direction), ("_id", direction)]
        assert list(find["sort"].items()) == order


def test_every_resource_with_many_records_has_its_filters_listed():
    few = {"workers", "roles", "customers", "materials", "stations", "job-types",
           "station-templates", "sticker-templates", "pricing-settings",
           "makeability", "cutting-rules", "workshop", "working-hours", "webhooks", "price-lists", "racks"}  # fmt: skip
    assert {resource.name for resource in RESOURCES} == {*FILTERS, *few}


@pytest.mark.skipif(
    not os.environ.get("TEST_MONGODB_URI"),
    reason="the plans of a MongoDB: set TEST_MONGODB_URI to one",
)
@pytest.mark.parametrize(("name", "query"), LISTS)
def test_every_list_is_an_index_scan_without_a_sort_on_a_mongodb(
    admin, commands, name, query
):
    resource = next(one for one in RESOURCES if one.name == name)
    collection = resource.model.collection_name()
    finds = [
        one
        for one in commands(
            collection, lambda: admin.call("GET", f"/api/{name}?{query}")
        )
        if "sort" in one
    ]
    assert finds
    for find in finds:
        assert not {"SORT", "COLLSCAN"} & set(plan_of(find)), find
