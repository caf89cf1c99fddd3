"""Every answer has the envelope, whatever the client sends."""

import json
import logging
import re

import pytest

from config.logging import RequestIdFilter
from glassflow.blueprints import customers
from glassflow.models.customer import Customer


def raw(api, method, path, data=b"", **headers):
    return api.call(method, path, data=data, headers=headers)


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "Malformed JSON"),
        (b'{"name": NaN}', "Malformed JSON"),
        (b'{"name": Infinity}', "Malformed JSON"),
        (b'{"name": "\\ud800"}', "Malformed JSON"),
        (b'{"name": "\xff"}', "Malformed JSON"),
        (b"[]", "The body must be a JSON object"),
        (b'"text"', "The body must be a JSON object"),
        (b"null", "The body must be a JSON object"),
        (b"[" * 100_000, "Malformed JSON"),
    ],
)
def test_body_that_is_no_json_object_gets_400(admin, data, message):
    answer = raw(admin, "POST", "/api/customers", data, **JSON)
    assert (answer.status, answer.body) == (
        400,
        {"success": False, "message": message},
    )


def test_body_nested_too_deep_or_too_long_gets_400(admin):
    deep = {"name": "a", "uiSchema": json.loads('{"a":' * 45 + "1" + "}" * 45)}
    faults = admin.post("/api/station-templates", deep).faults
    assert list(faults.values()) == ["Nested deeper than 40 levels"]
    wide = {"name": "a", "width": 1, "height": 1, "elements": [1] * 501}
    assert admin.post("/api/sticker-templates", wide).faults == {
        "elements": "More than 500 elements"
    }


def test_other_content_type_gets_415_and_empty_body_is_an_empty_object(admin):
    text = raw(admin, "POST", "/api/customers", b"name=a", **{"Content-Type": "text/x"})
    assert (text.status, text.message) == (
        415,
        "Content-Type must be application/json",
    )
    assert set(raw(admin, "POST", "/api/customers", **JSON).faults) == {"name"}
    assert set(raw(admin, "POST", "/api/customers").faults) == {"name"}
    assert raw(admin, "GET", "/api/customers", **JSON).status == 200
    charset = {"Content-Type": "application/json; charset=utf-8"}
    assert (
        raw(admin, "POST", "/api/customers", b'{"name":"a"}', **charset).status == 201
    )


def test_body_beyond_the_limit_gets_413_and_claims_may_be_larger(admin):
    large = json.dumps({"name": "x" * 1_100_000}).encode()
    answer = raw(admin, "POST", "/api/customers", large, **JSON)
    assert (answer.status, answer.message) == (413, "Request body too large")
    claim = raw(admin, "POST", f"/api/orders/{'0' * 24}/claims", large, **JSON)
    assert claim.status == 404


def test_unknown_paths_methods_and_ids_are_refused(admin):
    assert (admin.get("/api/nothing").status, admin.get("/").status) == (404, 404)
    refused = admin.put("/api/customers", {})
    assert (refused.status, refused.message) == (405, "Method not allowed")
    assert "GET" in refused.headers["Allow"]
    for bad in ("x", "0" * 24, "1" * 25, "%00", "..%2f", "ก"):
        for method in ("GET", "PATCH", "DELETE"):
            answer = admin.call(method, f"/api/customers/{bad}", json={})
            assert answer.status == 404, answer
            assert answer.body["success"] is False
    assert admin.get("/api/customers/").status == 200


def test_every_validation_error_is_in_one_answer_under_its_path(admin, workshop):
    body = {
        "details": {"quantity": 0, "estimatedPrice": -1},
        "customer": 5,
        "deadline": "soon",
        "panes": [{}, {"dimensions": {"width": "9"}, "holes": [{"id": "a"}]}],
    }
    faults = admin.post("/api/requests", body).faults
    assert set(faults) == {
        "details.type",
        "details.quantity",
        "details.estimatedPrice",
        "customer",
        "deadline",
        "panes.1.dimensions.width",
        "panes.1.holes.0.x",
        "panes.1.holes.0.y",
    }


@pytest.mark.parametrize("quantity", ["3", 3.5, True, None, [], 1e300, 2**63])
def test_value_that_only_resembles_an_integer_is_refused(admin, workshop, quantity):
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "a", "quantity": quantity},
    }
    assert set(admin.post("/api/requests", body).faults) == {"details.quantity"}


def test_unknown_fields_cause_warnings_or_400_if_strict_and_echoed_fields_none(admin):
    made = admin.post("/api/customers", {"name": "a", "nick": 1, "age": {"x": 1}})
    assert {one["field"] for one in made.body["warnings"]} == {"nick", "age"}
    echo = admin.patch(f"/api/customers/{made.data['_id']}", {**made.data, "__v": 0})
    assert "warnings" not in echo.body
    strict = {"Prefer": "respond-async, handling=strict"}
    refused = admin.call(
        "POST", "/api/customers", json={"name": "b", "nick": 1}, headers=strict
    )
    assert refused.faults == {"nick": "Unknown field"}
    assert len(admin.get("/api/customers").data) == 1


OUTSIDE = "Outside the pane of 1200 × 850 mm"


def pane_with_hole(x):
    hole = {"id": "h1", "x": x, "y": 100, "diameter": 20}
    return {"dimensions": {"width": 1200, "height": 850}, "holes": [hole]}


def test_hole_outside_its_pane_causes_a_warning_wherever_panes_are_made(
    admin, workshop
):
    odd, fine = pane_with_hole(1300), pane_with_hole(100)
    details = {"type": "a", "quantity": 1}
    body = {"customer": str(workshop.customer().pk), "details": details}
    request = admin.post("/api/requests", body | {"panes": [fine, odd]})
    more = f"/api/requests/{request.data['_id']}/panes"
    for made, field in (
        (admin.post("/api/panes", odd), "holes.0.x"),
        (admin.post("/api/panes", {"items": [fine, odd]}), "items.1.holes.0.x"),
        (request, "panes.1.holes.0.x"),
        (admin.post(more, {"panes": [odd]}), "panes.0.holes.0.x"),
    ):
        assert made.status == 201
        assert made.body["warnings"] == [{"field": field, "message": OUTSIDE}]
    assert "warnings" not in admin.post("/api/panes", fine).body


def test_change_that_leaves_a_hole_outside_its_pane_causes_a_warning(admin):
    pane = admin.post("/api/panes", pane_with_hole(1100)).data
    path = f"/api/panes/{pane['_id']}"
    smaller = {"dimensions": {"width": 1000}}
    (warning,) = admin.patch(path, smaller).body["warnings"]
    assert warning["field"] == "holes.0.x"
    assert warning["message"] == "Outside the pane of 1000 × 850 mm"
    assert "warnings" not in admin.patch(path, {"notes": "a"}).body
    thai = admin.call("PATCH", path, json=smaller, headers={"Accept-Language": "th"})
    assert thai.body["warnings"][0]["localMessage"].startswith("อยู่นอกแผ่นกระจก")


def test_cut_out_without_a_size_is_accepted_with_a_warning_and_refused_by_a_strict_request(
    admin,
):
    hole = {"id": "h1", "x": 50, "y": 60}
    made = admin.post("/api/panes", {"holes": [hole]})
    warned = {"field": "holes.0.diameter", "message": "Needs its size"}
    assert (made.status, made.body["warnings"]) == (201, [warned])
    path = f"/api/panes/{made.data['_id']}"
    assert "warnings" not in admin.patch(path, {"dimensions": {"width": 900}}).body
    strict = {"Prefer": "handling=strict"}
    notches = {"notches": [{**hole, "type": "rectangle"}]}
    refused = admin.call("PATCH", path, json=notches, headers=strict)
    assert refused.status == 400
    assert list(refused.faults) == ["notches.0.width", "notches.0.height"]


def test_strict_request_refuses_a_hole_that_reaches_the_edge(admin):
    strict = {"Prefer": "handling=strict"}
    body = {"items": [pane_with_hole(100), pane_with_hole(1195)]}
    refused = admin.call("POST", "/api/panes", json=body, headers=strict)
    assert refused.status == 400
    assert refused.faults == {
        "items.1.holes.0.x": "The hole reaches the edge of the pane of "
        "1200 × 850 mm; a cut at the edge is a notch"
    }
    assert admin.get("/api/panes").data == []


def test_echoed_nested_records_cause_no_warnings(admin, workshop):
    station = str(workshop.station().pk)
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "a", "quantity": 1},
        "panes": [{"routing": [station], "paneNumber": "PNE-0001", "_id": "x",
                   "dimensions": {"width": 1, "height": 1, "area": 5}, "odd": 1}],
    }  # fmt: skip
    made = admin.post("/api/requests", body)
    assert [one["field"] for one in made.body["warnings"]] == ["panes.0.odd"]


def test_text_is_trimmed_and_normalised(admin):
    made = admin.post("/api/customers", {"name": "  Cafe\u0301 น้ำ \n"}).data
    assert made["name"] == "Café น้ำ"
    refused = admin.post("/api/customers", {"name": "a\x00b"})
    assert set(refused.faults) == {"name"}


def test_request_id_is_returned_or_generated(anonymous):
    given = raw(anonymous, "GET", "/api/health", **{"X-Request-ID": "abc-1"})
    assert given.headers["X-Request-ID"] == "abc-1"
    assert len(anonymous.get("/api/nothing").headers["X-Request-ID"]) == 32


@pytest.mark.parametrize("sent", ["a] glassflow: FORGED [", "a b", "a\u00e9", "x" * 65])
def test_request_id_that_could_forge_a_line_of_the_log_is_replaced(anonymous, sent):
    given = raw(anonymous, "GET", "/api/health", **{"X-Request-ID": sent})
    assert re.fullmatch("[0-9a-f]{32}", given.headers["X-Request-ID"])


def test_internal_error_reveals_nothing_and_is_logged_with_its_request_id(
    admin, monkeypatch, caplog
):
    def breaks(*_, **__):
        raise RuntimeError("secret insides")

    monkeypatch.setattr(customers.resource.schema.__class__, "read", breaks)
    with caplog.at_level(logging.ERROR), caplog.filtering(RequestIdFilter()):
        answer = admin.post("/api/customers", {"name": "a"})
    assert (answer.status, answer.body) == (
        500,
        {"success": False, "message": "Internal server error"},
    )
    (record,) = [one for one in caplog.records if one.exc_info]
    assert record.request_id == answer.headers["X-Request-ID"]
    assert "secret insides" in caplog.text


def test_options_needs_no_token(anonymous):
    for path in ("/api/customers", "/api/auth/me", f"/api/panes/{'0' * 24}"):
        answer = anonymous.call("OPTIONS", path)
        assert answer.status == 200, answer


def test_options_on_an_unknown_path_is_204(anonymous):
    for path in ("/api/nothing", "/", "//customers"):
        answer = anonymous.call("OPTIONS", path)
        assert (answer.status, answer.text) == (204, ""), path
        assert answer.headers["X-Request-ID"]


def test_answers_to_doubled_slashes_have_the_envelope(admin):
    unknown = admin.get("//customers")
    assert (unknown.status, unknown.message) == (404, "Not found")
    moved = admin.call("GET", "/api//customers", allow_redirects=False)
    assert moved.status == 308
    assert moved.body == {"success": False, "message": "The path has a doubled slash"}
    assert moved.headers["Location"].endswith("/api/customers")
    assert moved.headers["X-Request-ID"]


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/panes/batch-scan", {"POST"}),
        ("/api/panes/pending-counts", {"GET", "HEAD"}),
        ("/api/roles/permissions", {"GET", "HEAD"}),
        ("/api/claims/from-pane", {"POST"}),
        ("/api/customers", {"GET", "HEAD", "POST", "DELETE"}),
        (f"/api/customers/{'0' * 24}", {"GET", "HEAD", "PATCH", "DELETE"}),
    ],
)
def test_method_that_a_path_does_not_have_is_405_with_those_that_it_has(
    admin, path, allowed
):
    for method in {"PUT", "PATCH", "DELETE"} - allowed:
        answer = admin.call(method, path, json={})
        assert (answer.status, answer.message) == (405, "Method not allowed"), method
        assert set(answer.headers["Allow"].split(", ")) == allowed | {"OPTIONS"}
        asked = admin.call("OPTIONS", path)
        assert set(asked.headers["Allow"].split(", ")) == allowed | {"OPTIONS"}


def test_duplicate_value_gets_409_with_the_field(admin, workshop):
    body = {"name": "a", "code": "same"}
    admin.post("/api/job-types", body)
    answer = admin.post("/api/job-types", body)
    assert (answer.status, answer.message) == (409, "code already exists")
    other = admin.post("/api/job-types", {"name": "b", "code": "other"}).data
    assert admin.patch(f"/api/job-types/{other['_id']}", body).status == 409


def test_delete_may_carry_a_body_and_deletes_all_or_none(admin):
    ids = [admin.post("/api/customers", {"name": n}).data["_id"] for n in "abc"]
    unknown = admin.delete("/api/customers", {"ids": [*ids, "0" * 24]})
    assert unknown.status == 404
    assert Customer.objects.count() == 3
    for wrong in ({}, {"ids": []}, {"ids": ["x"]}, {"ids": "all"}, {"ids": [None]}):
        assert admin.delete("/api/customers", wrong).status == 400
    done = admin.delete("/api/customers", {"ids": [*ids[:2], ids[0]]})
    assert done.data == {"deletedCount": 2}
    assert admin.delete(f"/api/customers/{ids[2]}", {"any": 1}).status == 200
