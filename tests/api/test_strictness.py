"""What cannot be meant is refused: over all routes of the URL map."""

import re
from urllib.parse import urlencode

import pytest
from marshmallow import fields

from glassflow.api_docs.input_schemas import query_shapes
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.embedded import EmbeddedSchema
from glassflow.schemas.library_messages import inner_fields
from glassflow.schemas.shapes import BOOLEAN, ID, NUMBER, TEXT, TIME
from glassflow.web.filters import filter_shapes
from glassflow.web.operation import operation_of
from scenarios import one_of_each, order_with_panes

STRICT = {"Prefer": "handling=strict"}
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
ARGUMENT = re.compile(r"<(?:(\w+):)?\w+>")


def routes(app):
    """Every described route of the API: rule, method, operation."""
    for rule in app.url_map.iter_rules():
        operation = operation_of(app.view_functions[rule.endpoint])
        if operation is not None and rule.rule.startswith("/api/"):
            for method in rule.methods & METHODS:
                yield rule.rule, method, operation


def example(rule):
    """A path of a rule."""
    return ARGUMENT.sub(lambda found: "1" if found[1] == "int" else "0" * 24, rule)


def with_ids(rule):
    """Paths of a rule, each with another one of its arguments malformed."""
    found = list(ARGUMENT.finditer(rule))
    for odd in found:
        path = rule
        for one in reversed(found):
            value = "abc" if one is odd else example(one[0])
            path = path[: one.start()] + value + path[one.end() :]
        yield path


def nested(field, path):
    """The schemas inside a field, with the paths of an unknown member of each."""
    if isinstance(field, fields.Nested):
        yield from members(field.schema, f"{path}.")
    elif isinstance(field, fields.List):
        for inner in inner_fields(field):
            yield from nested(inner, f"{path}.0")


def members(schema, path):
    """The paths of unknown members of a schema and of all inside."""
    yield f"{path}odd"
    for field in schema.fields.values():
        yield from nested(field, f"{path}{field.data_key}")


def with_unknown(schema):
    """A body that has an unknown member wherever it may have members."""
    body = {"odd": 1}
    for field in schema.fields.values():
        value = None
        inner, depth = field, 0
        while isinstance(inner, fields.List):
            inner, depth = inner.inner, depth + 1
        if isinstance(inner, fields.Nested):
            value = with_unknown(inner.schema)
            for _ in range(depth):
                value = [value]
            body[field.data_key] = value
    return body


def test_unknown_members_are_found_in_every_body_at_every_depth(app):
    seen = 0
    for rule, method, operation in routes(app):
        for schema in (operation.body, operation.items):
            if isinstance(schema, EmbeddedSchema):
                found = schema.unknown_fields(with_unknown(schema))
                expected = set(members(schema, ""))
                assert {one["field"] for one in found} == expected, (rule, method)
                seen += len(expected)
    assert seen > 100


def test_strict_requests_are_refused_and_say_what_was_followed(admin, workshop):
    bulk = {"items": [{"name": "a", "odd": 1}]}
    for body, field in (({"name": "a", "odd": 1}, "odd"), (bulk, "items.0.odd")):
        refused = admin.post("/api/customers", body, headers=STRICT)
        assert refused.faults == {field: "Unknown field"}
        assert refused.headers["Preference-Applied"] == "handling=strict"
    wrong = admin.post("/api/customers", {"name": 5, "odd": 1}, headers=STRICT)
    assert wrong.faults == {"odd": "Unknown field", "name": "Not a valid string."}
    made = admin.post("/api/customers", {"name": "a"}, headers=STRICT)
    assert (made.status, made.headers["Preference-Applied"]) == (201, "handling=strict")
    for headers in ({}, {"Prefer": "handling=lenient"}):
        lenient = admin.post("/api/customers", {"name": "b", "odd": 1}, headers=headers)
        assert lenient.status == 201
        assert "Preference-Applied" not in lenient.headers
    table = {"data": "name,odd\na,1\n", "headers": {"Content-Type": "text/csv"}}
    unknown = admin.call("POST", "/api/customers/import", **table)
    assert (unknown.status, unknown.errors[0]["field"]) == (400, "odd")


def test_other_methods_are_405_and_allow_names_those_that_there_are(app):
    methods = {}
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/") and "<name>" not in rule.rule:
            methods.setdefault(example(rule.rule), set()).update(rule.methods)
    assert len(methods) > 90
    client = app.test_client()
    for path, known in methods.items():
        for method in METHODS - known:
            answer = client.open(path, method=method)
            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["Allow"].split(", ")) == known, path
            assert answer.json["message"] == "Method not allowed"
        options = client.open(path, method="OPTIONS")
        assert set(options.headers["Allow"].split(", ")) == known, path


def test_name_of_a_route_is_no_id(app, admin):
    """`PATCH /api/panes/batch-scan` is no pane, in no method."""
    rules = {rule.rule for rule in app.url_map.iter_rules()}
    beside_ids = [
        one
        for one in rules
        if one.startswith("/api/")
        and "<" not in one
        and f"{one.rpartition('/')[0]}/<oid:record_id>" in rules
    ]
    assert "/api/panes/batch-scan" in beside_ids
    for path in beside_ids:
        statuses = {one: admin.call(one, path, json={}).status for one in METHODS}
        assert 404 not in statuses.values(), (path, statuses)


def test_malformed_id_in_a_path_is_not_found(app, admin):
    seen = 0
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        # links of pictures and files: it is their signature that does not fit
        is_link = app.view_functions[rule.endpoint].permission == "public"
        for path in with_ids(rule.rule):
            for method in rule.methods & METHODS:
                status = admin.call(method, path, json={}).status
                assert status == 404 or (is_link and status == 403), (method, path)
                seen += 1
    assert seen > 100


IMPOSSIBLE = (
    (BOOLEAN, "maybe"), (ID, "x"), (NUMBER, "many"), (TIME, "soon"), (TEXT, "a\x01b"),
)  # fmt: skip


def impossible(shape):
    """A text that no value of a shape can be; None where any text can."""
    if "enum" in shape:
        return "odd"
    if shape.get("type") == "array":
        return impossible(shape["items"])
    if "anyOf" in shape:  # or null
        return impossible(shape["anyOf"][0])
    if "type" in shape:  # whatever its limits are
        shape = {"type": "number" if shape["type"] == "integer" else shape["type"]}
    return next((text for one, text in IMPOSSIBLE if shape == one), None)


def test_filter_that_no_record_can_match_is_refused_in_every_list(app, admin):
    seen = 0
    for rule, method, operation in routes(app):
        rows = operation.rows
        if rows is None or method != "GET" or "<" in rule:
            continue
        aliases = rows.aliases or {}
        given = {
            name: impossible(shape)
            for name, shape, _ in filter_shapes(rows.model, aliases)
        }
        given = {name: text for name, text in given.items() if text is not None}
        asked = {**given, "search": "a\x01b", "sort": "odd", "count": "odd"}
        faults = admin.get(rule, **asked).faults
        assert faults.keys() == asked.keys(), rule
        seen += len(given)
    assert seen > 500


def queried(app):
    """Every described parameter of a route's own: rule, method, name, impossible text."""
    for rule, method, operation in routes(app):
        query = operation.query
        if rule.startswith("/api/offers/"):
            continue  # the secret of a link is asked for first: see test_offers
        if isinstance(query, RecordSchema):
            shapes = dict(query_shapes(query))
        else:
            shapes = {one.name: one.shape for one in query}
        shapes.pop("signature", None)  # of a link: no filter, a wrong one is refused
        for name, shape in shapes.items():
            yield rule, method, name, impossible(shape)


@pytest.fixture
def path_with_records(admin, workshop):
    """Make the path of a rule, with the ids of records that there are."""
    one_of_each(admin, workshop)

    def path_of_record(rule):
        if "<" not in rule:
            return rule
        listed = admin.get(rule.partition("/<")[0], limit=1).data
        id_ = listed[0]["_id"]
        return ARGUMENT.sub(lambda found: "1" if found[1] == "int" else id_, rule)

    return path_of_record


def test_parameter_with_a_value_that_cannot_be_is_refused_on_every_route(
    app, admin, path_with_records
):
    seen, wrong = set(), []
    for rule, method, name, text in queried(app):
        body = {}
        if method == "POST":
            body = {"data": "name\na\n", "headers": {"Content-Type": "text/csv"}}
        path = f"{path_with_records(rule)}?{urlencode({name: text})}"
        answer = admin.call(method, path, **body)
        faults = answer.faults if answer.status == 400 else {}
        if {field.partition(".")[0] for field in faults} != {name}:
            wrong.append((path, answer))
        seen.add((method, rule, name))
    assert not wrong
    assert len(seen) > 70


def test_timeline_of_what_does_not_exist_is_404_and_of_what_cannot_be_is_400(admin):
    path = "/api/pane-logs/timeline"
    for name, unknown in (("materialId", "0" * 24), ("paneNumber", "PNE-0")):
        assert admin.get(path, **{name: unknown}).status == 404
    assert admin.get(path, materialId="x").faults == {"materialId": "Not a valid id"}
    fault = {"paneNumber": "Contains a control character"}
    assert admin.get(path, paneNumber="PNE\x010").faults == fault


@pytest.mark.parametrize("text", ["maybe", "2", "yes"])
def test_flag_is_true_or_false(admin, text):
    for path, name in (
        ("/api/panes", "includeMerged"),
        ("/api/materials/stock", "low"),
    ):
        assert admin.get(path, **{name: text}).faults == {name: "Must be true or false"}
        for flag in ("true", "FALSE", "1", "0", ""):
            assert admin.get(path, **{name: flag}).status == 200
    file = {"data": "name\na\n", "headers": {"Content-Type": "text/csv"}}
    answer = admin.call("POST", f"/api/customers/import?dryRun={text}", **file)
    assert answer.faults == {"dryRun": "Must be true or false"}
    assert admin.get("/api/customers").data == []


def test_resources_of_the_setting_are_changed_with_if_match_only(
    admin, workshop, setting
):
    setting(REQUIRE_IF_MATCH=["customers"])
    path = f"/api/customers/{workshop.customer().pk}"
    for method in ("PATCH", "DELETE"):
        missing = admin.call(method, path, json={"name": "b"})
        assert (missing.status, missing.headers["ETag"]) == (428, '"1"')
        assert missing.errors == {"code": "IF_MATCH_REQUIRED", "version": 1}
    for invalid, status in (({"name": 5}, 400), ({"name": "b"}, 200)):
        tag = {} if status == 400 else {"If-Match": '"1"'}
        assert admin.patch(path, invalid, headers=tag).status == status
    assert admin.call("DELETE", path, headers={"If-Match": "*"}).status == 200
    gone = admin.patch(path, {"name": "c"})
    assert gone.status == 404
    material = f"/api/materials/{workshop.material().pk}"
    assert admin.patch(material, {"name": "b"}).status == 200
    job = order_with_panes(admin, workshop)
    assert admin.scan(job.numbers[0], "scan_in").status == 200
