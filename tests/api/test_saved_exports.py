"""Saved exports: an export by name, for oneself or for all who may read its list."""

import pytest

from glassflow.services import saved_exports
from tables_api import rows_of

SAVED = "/api/saved-exports"
CUSTOMERS = {
    "name": "ลูกค้าที่มีส่วนลด",
    "resource": "customers",
    "query": "discount_gte=5&sort=-name&fields=name,discount",
    "format": "csv",
}


def save(api, **body):
    answer = api.post(SAVED, CUSTOMERS | body)
    assert answer.status == 201, answer
    return answer.data


def file_of(api, saved):
    url = f"{api.url}{SAVED}/{saved['_id']}/file"
    return api.session.get(url, timeout=60)


def names(api, **query):
    return [one["name"] for one in api.get(SAVED, **query).data]


def test_file_has_what_the_list_has_now(admin, workshop):
    for name, discount in (("Aek", 5), ("Bee", 0), ("=Cat", 7)):
        workshop.customer(name=name, discount=discount)
    saved = save(admin)
    answer = file_of(admin, saved)
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert "customers-" in answer.headers["Content-Disposition"]
    rows = rows_of(answer.content)
    assert [(row["name"], row["discount"]) for row in rows] == [
        ("Aek", "5"),
        ("'=Cat", "7"),
    ]
    workshop.customer(name="Dao", discount=9)
    changed = admin.patch(f"{SAVED}/{saved['_id']}", {"format": "xlsx"})
    assert (changed.status, changed.data["owner"]) == (200, admin.id)
    rows = rows_of(file_of(admin, saved).content, "xlsx")
    assert [row["name"] for row in rows] == ["Dao", "Aek", "=Cat"]
    assert admin.delete(f"{SAVED}/{saved['_id']}").status == 200
    assert file_of(admin, saved).status_code == 404


def test_query_is_read_as_that_of_the_list(admin, workshop):
    for name, discount in (("Aek", 5), ("Bee+", 0), ("Bee", 7)):
        workshop.customer(name=name, discount=discount)
    for query in (
        "discount_gte=5&discount_gte=0&sort=name",
        "name=&name=Aek&sort=-name",
        "name=Bee%2B",
    ):
        listed = admin.get(f"/api/customers?{query}").data
        rows = rows_of(file_of(admin, save(admin, format="csv", query=query)).content)
        assert [row["_id"] for row in rows] == [one["_id"] for one in listed], query


def test_own_and_shared_ones_of_readable_lists_are_seen_and_own_ones_changed(
    admin, client_with_keys, workshop
):
    reader = client_with_keys("customers:view")
    other = client_with_keys("panes:view")
    own = save(reader, name="own")
    shared = save(admin, name="shared", shared=True)
    private = save(admin, name="private")
    assert names(reader, sort="name") == ["own", "shared"]
    assert names(other) == []
    assert names(admin, sort="name", resource="customers") == ["private", "shared"]
    for saved, status in ((own, 200), (shared, 200), (private, 404)):
        assert reader.get(f"{SAVED}/{saved['_id']}").status == status
        assert file_of(reader, saved).status_code == status
    assert other.get(f"{SAVED}/{shared['_id']}").status == 404
    for saved, status in ((shared, 403), (private, 404)):
        path = f"{SAVED}/{saved['_id']}"
        assert reader.patch(path, {"name": "mine"}).status == status
        assert reader.delete(path).status == status
    assert reader.delete(f"{SAVED}/{own['_id']}").status == 200


def test_right_to_the_list_is_asked_for_each_file(admin, client_with_keys):
    reader = client_with_keys("customers:view", "panes:view")
    saved = save(reader)
    role = f"/api/roles/{reader.worker.role}"
    assert admin.patch(role, {"permissions": ["panes:view"]}).status == 200
    assert file_of(reader, saved).status_code == 403
    path = f"{SAVED}/{saved['_id']}"
    assert reader.patch(path, {"name": "again"}).status == 403
    assert reader.patch(path, {"resource": "panes", "query": ""}).status == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"resource": "pricing-settings"}, "resource"),
        ({"resource": "nothing"}, "resource"),
        ({"query": "sort=nothing"}, "sort"),
        ({"query": "discount=many"}, "discount"),
        ({"format": "pdf"}, "format"),
        ({"name": " "}, "name"),
    ],
)
def test_export_that_could_not_be_made_is_not_saved(admin, body, field):
    answer = admin.post(SAVED, CUSTOMERS | body)
    assert (answer.status, set(answer.faults)) == (400, {field})
    assert names(admin) == []


def test_list_that_the_caller_may_not_read_is_not_saved(client_with_keys):
    assert client_with_keys("panes:view").post(SAVED, CUSTOMERS).status == 403


def test_number_of_ones_own_is_limited(admin, client_with_keys, monkeypatch):
    monkeypatch.setattr(saved_exports, "MAX_OWN", 1)
    save(admin)
    assert admin.post(SAVED, CUSTOMERS).status == 400
    save(client_with_keys("customers:view"))


def test_saved_exports_are_deleted_with_their_owner(admin, client_with_keys):
    leaver = client_with_keys("customers:view")
    save(leaver, shared=True)
    assert names(admin) == [CUSTOMERS["name"]]
    assert admin.delete(f"/api/workers/{leaver.id}").status == 200
    assert names(admin) == []
