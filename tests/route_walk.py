"""Reads every GET route of the API as a caller, and tells where a text is shown."""

import io
import re

import pypdfium2

from tables_api import XLSX, xlsx_table

# References that lead to a request, a delivery or a customer; a list ignores those that it
# does not have.
POPULATE = (
    "request,order,pane,panes,order.request,pane.request,panes.request,claim.order,"
    "customer,delivery,order.customer,request.customer"
)
VARIANTS = (
    {},
    {"populate": POPULATE},
    {"populate": POPULATE, "fields": "details,request,order"},
)
UNKNOWN_ID = "0123456789abcdef01234567"


def read_routes(app):
    """The GET routes of the API."""
    for rule in app.url_map.iter_rules():
        if "GET" in rule.methods and rule.rule.startswith("/api/"):
            yield rule.rule


def address_of(path, ids):
    """A path of the URL map with the id of a record, where there is one."""
    found = ids.get(path.split("/")[2], UNKNOWN_ID)
    return re.sub("<.*?>", found, re.sub("<int:.*?>", "1", path))


def text_of(api, path, params):
    """Return the status and the text of an answer, of a file what it shows."""
    response = api.session.get(api.url + path, params=params, timeout=60)
    media_type = response.headers.get("Content-Type", "").partition(";")[0]
    if media_type == XLSX:
        return response.status_code, str(xlsx_table(response.content))
    if media_type == "application/pdf":
        pages = pypdfium2.PdfDocument(io.BytesIO(response.content))
        found = [page.get_textpage().get_text_range() for page in pages]
        return response.status_code, " ".join(found)
    return response.status_code, response.text


def ids_of_records(app, admin):
    """The ids of the newest records, by the names of their lists."""
    lists = ["saved-exports", *(one.name for one in app.extensions["resources"])]
    rows = {name: admin.get(f"/api/{name}", limit=1).data for name in lists}
    return {
        name: found[0]["_id"]
        for name, found in rows.items()
        if found and isinstance(found, list)
    }


def shown_at(api, paths, ids, has):
    """Return which routes show a caller what a text `has`, and which it may read."""
    found, readable = set(), set()
    for path in paths:
        for params in VARIANTS:
            if path == "/api/events":
                params = {**params, "after": ids["before"]}
            status, text = text_of(api, address_of(path, ids), params)
            assert status < 500 or path == "/api/health/ready", (path, text)
            if status == 200:
                readable.add(path)
            if has(text):
                found.add(path)
    return found, readable
