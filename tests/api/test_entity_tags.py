"""Entity tags: ETag, If-Match and If-None-Match of records and lists."""

import pytest

from clients import Api
from concurrency import create_clients, run_concurrently
from glassflow.services.auth import identity

PATH = "/api/customers"


@pytest.fixture
def customer(admin):
    return admin.post(PATH, {"name": "a"}).data


@pytest.fixture
def path(customer):
    return f"{PATH}/{customer['_id']}"


def get(client, path, tag):
    return client.call("GET", path, headers={"If-None-Match": tag})


def test_record_that_the_client_has_is_not_sent_again(admin, path):
    first = admin.get(path)
    tag = first.headers["ETag"]
    assert tag == f'"{first.data["version"]}"'
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    same = get(admin, path, tag)
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", tag)
    admin.patch(path, {"name": "b"})
    assert get(admin, path, tag).data["name"] == "b"


def test_tag_of_an_expanded_record_changes_with_what_it_refers_to(admin, workshop):
    worker = workshop.worker(role=workshop.role(name="Cutter"))
    path = f"/api/workers/{worker.pk}?populate=role"
    first = admin.get(path)
    version, _, digest = first.headers["ETag"].strip('"').partition(".")
    assert version == str(first.data["version"])
    assert len(digest) == 8
    assert get(admin, path, first.headers["ETag"]).status == 304
    admin.patch(f"/api/roles/{first.data['role']['_id']}", {"name": "another"})
    again = get(admin, path, first.headers["ETag"])
    assert again.data["role"]["name"] == "another"
    # the worker is the same version, which is what a change is compared with
    body, tag = {"position": "x"}, {"If-Match": first.headers["ETag"]}
    assert admin.patch(f"/api/workers/{worker.pk}", body, headers=tag).status == 200


def test_tag_of_selected_fields_is_not_that_of_the_record(admin, path):
    whole, part = admin.get(path), admin.get(path, fields="name")
    assert whole.headers["ETag"] != part.headers["ETag"]


def test_tag_of_a_record_that_the_caller_may_not_read_is_refused(
    server, workshop, admin, path
):
    role = workshop.role(permissions=[])
    worker = workshop.worker(role=role)
    other = Api(server, identity.issue(worker.pk), worker)
    assert get(other, path, admin.get(path).headers["ETag"]).status == 403


def test_list_that_the_client_has_is_not_sent_again(admin, path):
    first = admin.get(PATH)
    tag = first.headers["ETag"]
    assert tag.startswith('W/"')
    same = get(admin, PATH, tag)
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", tag)
    admin.patch(path, {"name": "b"})
    assert get(admin, PATH, tag).data[0]["name"] == "b"


@pytest.mark.parametrize("header", ["*", '"1"', '"9", "1"', '"1.0123abcd"'])
def test_change_of_the_expected_version_is_stored(admin, path, header):
    changed = admin.patch(path, {"name": "b"}, headers={"If-Match": header})
    assert changed.data["name"] == "b"
    assert changed.headers["ETag"] == '"2"'


@pytest.mark.parametrize("header", ['"2"', 'W/"1"', "", "1", '"a"', '"9" "1"', '""'])
def test_change_of_another_version_is_refused(admin, path, customer, header):
    answer = admin.patch(path, {"name": "b"}, headers={"If-Match": header})
    assert answer.status == 412, answer
    assert answer.message == (
        "Somebody else has changed this record; please read it again"
    )
    assert admin.get(path).data == customer


def test_missing_record_and_invalid_body_are_reported_before_the_version(admin, path):
    stale = {"If-Match": '"7"'}
    assert admin.patch(path, {"name": 1}, headers=stale).status == 400
    admin.delete(path)
    assert admin.patch(path, {"name": "b"}, headers=stale).status == 404


def test_of_several_changes_of_one_version_one_succeeds(server, workshop, path):
    clients = create_clients(server, workshop, role="admin", count=6)
    tag = {"If-Match": '"1"'}
    answers = run_concurrently(
        [
            lambda one=one, n=n: one.patch(path, {"name": f"n{n}"}, headers=tag)
            for n, one in enumerate(clients)
        ]
    )
    assert sorted(one.status for one in answers) == [200] + [412] * 5
    [stored] = [one.data for one in answers if one.status == 200]
    assert clients[0].get(path).data == stored


def test_price_list_has_a_tag_too(admin):
    path = "/api/pricing-settings"
    first = admin.get(path).headers["ETag"]
    assert get(admin, path, first).status == 304
    tag = {"If-Match": first}
    assert admin.put(path, {"notchPrice": 7}, headers=tag).status == 200
    assert admin.put(path, {"notchPrice": 8}, headers=tag).status == 412
    assert admin.get(path).data["notchPrice"] == 7
