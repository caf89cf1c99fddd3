"""What lists ask of the store: few commands, each with an index and a limit."""

import os
import re
from datetime import timedelta

import pytest
from mongoengine.connection import get_db

from explain_plans import stages
from glassflow.blueprints import RESOURCES
from glassflow.core import clock
from glassflow.floor import files
from glassflow.models.pane import Pane
from glassflow.services.records import (
    conditions,
    list_memory,
    number_windows,
    windows,
)
from store_commands import record_commands

ID = "0" * 23 + "1"
#: The filters that screens use, one at a time.
FILTERS = {
    "panes": ["", f"station={ID}", "status=pending", f"order={ID}", f"request={ID}",
              f"material={ID}", "laminateRole=sheet", f"parentPane={ID}",
              "isWithdrawn=true", "includeMerged=true", f"customer={ID}",
              "glassType=Float", "jobType=Door", f"inventory={ID}",
              f"laminateStation={ID}", "sort=arrivedAt", "sort=-completedAt",
              "sort=-deliveredAt", "sort=labelledAt", "sort=paneNumber"],
    "orders": ["", "status=pending", f"stationId={ID}", f"request={ID}",
               f"customer={ID}", f"material={ID}", f"assignedTo={ID}"],
    "requests": ["", "status=pending", f"customer={ID}", f"assignedTo={ID}",
                 "sort=deadline"],
    "pane-logs": ["", f"station={ID}", "action=scan_in", f"orderId={ID}",
                  f"paneId={ID}", f"materialId={ID}"],
    "material-logs": ["", f"materialId={ID}", f"order={ID}"],
    "production-logs": ["", f"pane={ID}", f"order={ID}", f"station={ID}",
                        f"operator={ID}"],
    "claims": ["", "status=pending", f"order={ID}", f"pane={ID}", f"material={ID}",
               f"reportedBy={ID}", "source=worker", "defectCode=broken",
               f"defectStation={ID}", "decision=keep", "sort=-claimDate"],
    "withdrawals": ["", "status=pending", f"order={ID}", f"material={ID}",
                    f"withdrawnBy={ID}", "stockType=Raw", "sort=-withdrawnDate"],
    "inventories": ["", f"material={ID}"],
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
def old_panes(workshop, monkeypatch):
    """Sixty panes, one a day; so few are read from windows nevertheless."""
    monkeypatch.setattr(list_memory, "FEW", 3)
    station, material = workshop.station(), workshop.material()
    for n in range(60):
        workshop.make(
            "Pane",
            pane_number=f"PNE-{n:04d}",
            created_at=clock.now() - timedelta(days=60 - n),
            current_station=station.pk,
            material=material.pk,
            is_withdrawn=True,
        )
    return {"station": str(station.pk), "material": str(material.pk)}


@pytest.mark.parametrize(
    "query", [{}, {"status": "pending"}, {"isWithdrawn": "true"}, {"sort": "createdAt"},
              {"station": ...}, {"material": ...}, {"cursor": "*"}]
)  # fmt: skip
def test_second_page_of_a_kind_is_one_find_with_index_and_limit(
    admin, old_panes, commands, query
):
    query = {k: old_panes[k] if v is ... else v for k, v in query.items()}

    def read():
        return admin.get("/api/panes", limit=5, **query)

    for _ in range(2):  # the first tells how many there are, the second where they are
        assert read().body["pagination"]["total"] == 60
    (find,) = commands("panes", read)
    assert "COLLSCAN" not in plan_of(find)
    assert find["limit"] <= 6
    date = find["filter"]["createdAt"]
    # the window has more than the page, and far from all
    window = Pane._get_collection().count_documents({"createdAt": date})
    assert 5 <= window <= 20


def finds_of_numbers(found):
    """Return the finds among commands that ask for a range of pane numbers."""
    filters = [(one, one.get("filter", {}).get("paneNumber")) for one in found]
    return [one for one, numbers in filters if isinstance(numbers, dict)]


def test_page_sorted_by_number_is_one_find_of_the_numbers_near_its_rows(
    admin, old_panes, commands
):
    def read():
        answer = admin.get("/api/panes", sort="paneNumber", limit=5)
        assert [one["paneNumber"] for one in answer.data] == [
            f"PNE-{n:04d}" for n in range(5)
        ]
        return answer

    (find,) = finds_of_numbers(commands("panes", read))
    numbers = {"paneNumber": find["filter"]["paneNumber"]}
    # the embedded store uses the index of the first condition, and explains it alone
    assert dict([next(iter(find["filter"].items()))]) == numbers
    assert "COLLSCAN" not in plan_of({**find, "filter": numbers})
    assert 5 <= Pane._get_collection().count_documents(numbers) <= 20


def test_indexed_filter_is_looked_up_until_it_is_known_to_match_many(
    admin, old_panes, commands, monkeypatch
):
    """Windows of numbers read all panes of these numbers, whatever their status is."""
    monkeypatch.setattr(number_windows, "MANY", 10)

    def read():
        return admin.get("/api/panes", sort="paneNumber", status="pending", limit=5)

    first, second = commands("panes", read), commands("panes", read)
    assert finds_of_numbers(first) == []
    assert len(finds_of_numbers(second)) == 1


def test_search_for_a_number_examines_the_panes_with_its_digits_only(
    admin, old_panes, commands
):
    for text, numbers in (
        ("PNE-0042", ["PNE-0042"]),
        ("pne-0042", ["PNE-0042"]),
        ("0042", ["PNE-0042"]),
        ("X:PNE-0042", []),
    ):
        found = commands(
            "panes", lambda text=text: admin.get("/api/panes", search=text)
        )
        (find,) = [one for one in found if "searchDigits" in one.get("filter", {})]
        # the embedded store uses the index of the first condition, and explains it alone
        first = dict([next(iter(find["filter"].items()))])
        assert first == {"searchDigits": "0042"}
        assert "COLLSCAN" not in plan_of({**find, "filter": first})
        assert not any("aggregate" in one or "count" in one for one in found)
        listed = admin.get("/api/panes", search=text).data
        assert [one["paneNumber"] for one in listed] == numbers


#: What a filter of the office asks for that is no field: other records, or a flag.
NO_FIELDS = {"customer", "includeMerged"}

#: Amounts: the service refuses to sort more than `listing.MAX_UNINDEXED_SORT` rows by them.
SORTED_IF_FEW = {"quantity", "priority"}


def offered(pattern):
    """Yield each resource with many records, and what its list in the office offers."""
    office = files.ROOT / "js/pages/office"
    for page in [*office.glob("*/list.js"), office / "orders.js"]:
        text = page.read_text("utf-8")
        name = re.search(r'resource="([\w-]+)"', text)
        resource = next(
            (one for one in RESOURCES if name and one.name == name[1]), None
        )
        # a worker's notifications are few
        if resource and resource.name in FILTERS.keys() - {"notifications"}:
            yield resource, set(re.findall(pattern, text))


def test_every_filter_of_the_office_has_an_index():
    seen = set()
    for resource, names in offered(r'name: "(\w+)",(?: resource: "[\w-]+",| query: {.*?},)* '
                                   r"(?:label|from):"):  # fmt: skip
        fields = {resource.aliases.get(one, one) for one in names - NO_FIELDS}
        assert fields <= conditions.indexed_fields(resource.model), resource.name
        seen.add((resource.name, len(names)))
    lists = {name for name, count in seen if count > 2}
    assert lists == {"panes", "claims", "requests", "orders", "withdrawals"}


def test_every_sort_of_the_office_has_an_index_and_those_of_panes_have_windows():
    for resource, fields in offered(r'sort: "(\w+)"|sort="-?(\w+)"'):
        sorts = {one or other for one, other in fields}
        assert sorts or resource.name == "orders", resource.name
        assert sorts - SORTED_IF_FEW <= conditions.indexed_fields(resource.model), (
            resource.name
        )
        for field in sorts if resource.name == "panes" else ():
            sort = [(field, 1), ("_id", 1)]
            number = number_windows.number_of(Pane, sort)
            assert windows.date_of(Pane, sort) or number, field


def test_every_resource_with_many_records_has_its_filters_listed():
    few = {"workers", "roles", "customers", "materials", "stations", "job-types",
           "station-templates", "sticker-templates", "pricing-settings",
           "webhooks"}  # fmt: skip
    assert {resource.name for resource in RESOURCES} == {*FILTERS, *few}


@pytest.mark.skipif(
    not os.environ.get("TEST_MONGODB_URI"),
    reason="the plans of a MongoDB: set TEST_MONGODB_URI to one",
)
@pytest.mark.parametrize(("name", "query"), LISTS)
def test_no_list_sorts_in_memory_on_a_mongodb(admin, commands, name, query):
    resource = next(one for one in RESOURCES if one.name == name)
    collection = resource.model._get_collection_name()
    finds = [
        one
        for one in commands(
            collection, lambda: admin.call("GET", f"/api/{name}?{query}")
        )
        if "sort" in one
    ]
    assert finds
    for find in finds:
        assert "SORT" not in plan_of(find), find
