"""The comparison of started services with the committed document finds differences."""

import pytest

from described_service import assert_as_described

ID = "0" * 24
EMPTY_LIST = {
    "success": True,
    "message": "Customer list",
    "data": [],
    "pagination": {"page": 1, "limit": 20, "total": 0, "totalPages": 0},
}
REFUSED = {"success": False, "message": "Customer not found"}


def without(name):
    return {key: value for key, value in EMPTY_LIST.items() if key != name}


@pytest.mark.parametrize(
    ("method", "target", "status", "body"),
    [
        ("GET", "/api/customers", 200, EMPTY_LIST),
        ("GET", "/api/customers?fields=name", 200, EMPTY_LIST),
        ("GET", f"/api/customers/{ID}", 404, REFUSED),
        ("POST", "/api/panes/batch-scan", 503, REFUSED),
        ("GET", "/metrics", 200, None),  # is not in the document
    ],
)
def test_described_answer_passes(method, target, status, body):
    assert_as_described(method, target, status, body)


@pytest.mark.parametrize(
    ("target", "status", "body", "fault"),
    [
        ("/api/customers", 418, EMPTY_LIST, "the status is not among"),
        ("/api/customers", 404, REFUSED, "the status is not among"),
        ("/api/customers", 200, {**EMPTY_LIST, "odd": 1}, "'odd' was unexpected"),
        ("/api/customers", 200, without("pagination"), "is a required property"),
        (f"/api/customers/{ID}", 200, EMPTY_LIST, "data"),
        (f"/api/customers/{ID}", 404, {"message": "no"}, "is a required property"),
    ],
)
def test_other_answer_is_found(target, status, body, fault):
    with pytest.raises(AssertionError, match=fault):
        assert_as_described("GET", target, status, body)
