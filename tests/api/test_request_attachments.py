"""Files of customers that are attached to requests."""

import base64

import pytest

from glassflow.core.store import files
from glassflow.domain import request_attachments as rules
from pictures import load, photo, picture, to_data_url
from scenarios import order_with_panes

PDF = b"%PDF-1.4\n1 0 obj\nendobj\ntrailer\n%%EOF\n"


@pytest.fixture
def path(admin, workshop):
    """The path of a request."""
    job = order_with_panes(admin, workshop)
    return f"/api/requests/{job.request['_id']}"


@pytest.fixture
def stored_files():
    """Counts the files that the test has stored; tests before it may have left some."""
    before = files.documents().distinct("_id")
    return lambda: files.documents().count_documents({"_id": {"$nin": before}})


def attach(api, path, name="PO-7.pdf", file=None):
    body = {"name": name, "file": file or to_data_url(PDF, rules.PDF)}
    return api.post(f"{path}/attachments", body)


def test_attachments_are_read_by_links_removed_and_deleted_with_their_request(
    admin, client_with_keys, path, stored_files
):
    before = admin.get(path).data["version"]
    made = attach(admin, path, "ใบสั่งซื้อ 7.pdf")
    assert made.status == 201
    (document,) = made.data["attachments"]
    link = document.pop("url")
    assert document == {"number": 0, "name": "ใบสั่งซื้อ 7.pdf", "type": rules.PDF, "size": len(PDF)}  # fmt: skip
    assert made.data["version"] == before + 1
    answer = load(admin, link)
    assert (answer.status_code, answer.content) == (200, PDF)
    disposition = answer.headers["Content-Disposition"]
    assert disposition.startswith("attachment; filename*=UTF-8''%E0%B9%83")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert load(admin, link.split("?")[0]).status_code == 403
    # a link opens its own file only
    assert (
        load(admin, link.replace("/attachments/0", "/attachments/1")).status_code == 403
    )

    sketch = attach(admin, path, "sketch.jpg", photo()).data["attachments"][1]
    shown = load(admin, sketch["url"])
    assert shown.headers["Content-Type"] == sketch["type"] == "image/jpeg"
    assert shown.headers["Content-Disposition"].startswith("inline; filename*=")
    assert stored_files() == 2

    viewer = client_with_keys("requests:view")
    assert len(viewer.get(path).data["attachments"]) == 2
    assert attach(viewer, path).status == 403
    assert viewer.delete(f"{path}/attachments/0").status == 403
    order_reader = client_with_keys("orders:view")
    assert order_reader.get(path).status == 403
    # an order shows no more of its request to who may not see requests
    (order,) = order_reader.get("/api/orders", populate="request").data
    assert isinstance(order["request"], str)

    left = admin.delete(f"{path}/attachments/0").data["attachments"]
    assert [one["number"] for one in left] == [1]
    assert load(admin, link).status_code == 404
    assert admin.delete(f"{path}/attachments/0").status == 404
    # its number is not used again, so that an old link never shows another file
    again = attach(admin, path).data["attachments"]
    assert [one["number"] for one in again] == [1, 2]
    admin.patch(path, {"attachments": [], "notes": "x"})
    assert len(admin.get(path).data["attachments"]) == 2
    assert admin.delete(path).status == 200
    assert stored_files() == 0


def test_attachment_is_refused_by_its_content_size_and_number(
    admin, path, stored_files, monkeypatch
):
    refused = {
        "file": [
            "", "x", "data:application/pdf,abc", "data:application/pdf;base64,%",
            "data:application/pdf;base64,ไทย",
            to_data_url(b"<html>%PDF-1.4 %%EOF", rules.PDF),
            to_data_url(b"%PDF-1.4 cut off", rules.PDF),
            to_data_url(b"GIF89a", "image/gif"),
            photo("image/webp"),
            picture(media_type="image/png")[0],  # begins as a PNG, and is none
            to_data_url(PDF + b" " * rules.MAX_BYTES + PDF, rules.PDF),
        ],
        "name": ["x" * (rules.MAX_NAME_LENGTH + 1), "a\x00b"],
    }  # fmt: skip
    for field, values in refused.items():
        for value in values:
            answer = attach(admin, path, **{field: value or " "})
            assert (answer.status, list(answer.faults)) == (400, [field]), value[:40]
    assert set(admin.post(f"{path}/attachments", {}).faults) == {"file", "name"}
    assert attach(admin, "/api/requests/" + "0" * 24).status == 404
    assert stored_files() == 0

    monkeypatch.setattr(
        "glassflow.services.orders.request_attachments.MAX_ATTACHMENTS", 1
    )
    # what the data URL calls it does not matter
    named = f"data:text/html;base64,{base64.b64encode(PDF).decode()}"
    assert attach(admin, path, file=named).data["attachments"][0]["type"] == rules.PDF
    answer = attach(admin, path)
    assert (answer.status, answer.body["errors"]["code"]) == (
        400,
        "TOO_MANY_ATTACHMENTS",
    )
    assert stored_files() == 1
