"""The OpenAPI document: complete, valid, and what the service does."""

import ast
import json
import re

import jsonschema_rs
import pytest
from flask import Response
from openapi_spec_validator import OpenAPIV31SpecValidator

from glassflow.api_docs import openapi
from glassflow.api_docs.parameters import path_of
from glassflow.cli.error_codes_page import error_codes_page
from glassflow.cli.openapi_file import openapi_file
from glassflow.domain.error_codes import ERROR_CODES
from glassflow.host.data_files import REPOSITORY
from glassflow.schemas.customer import CustomerSchema
from glassflow.schemas.role import RoleSchema
from glassflow.web.envelope import reply
from scenarios import valid_bodies

# Routes of the pages in a browser, and of Prometheus; other programs have no use for them.
NO_API = {
    "/",
    "/floor/",
    "/floor/<path:path>",
    "/floor/static/<version>/<path:name>",
    "/floor/sw.js",
    "/floor/ca.crt",
    "/floor/https",
    "/floor/secure.svg",
    "/floor/session",
    "/metrics",  # for Prometheus
}

LANGUAGE = "Accept-Language"  # a header of every operation


@pytest.fixture(scope="module")
def document(app):
    return json.loads(json.dumps(openapi.build(app)))


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def parameter_names(document, operation):
    shared = document["components"]["parameters"]
    for one in operation["parameters"]:
        name = one.get("$ref", "").rpartition("/")[2]
        yield (shared[name] if name else one)["name"]


def validator(document, shape):
    return jsonschema_rs.validator_for({**shape, "components": document["components"]})


def test_every_post_takes_an_idempotency_key_but_those_that_answer_with_a_secret(
    document,
):
    without = {
        operation["operationId"]
        for _, method, operation in operations(document)
        if method == "post"
        and "Idempotency-Key" not in parameter_names(document, operation)
    }
    assert without == {
        "log_in",
        "identify_by_badge",
        "identify_by_pin",
        "create_own_api_key",
        "create_api_key",
        "reset_password",
        "make_quote_link",
        # by a customer, who has no account that a key belongs to
        "accept_offer",
        "decline_offer",
        "ask_change_of_offer",
    }


def test_document_is_valid_openapi(document):
    assert document["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_document_names_its_licence_and_explains_its_tags(document):
    assert document["info"]["license"]["identifier"] == "MIT"
    described = {one["name"]: one["description"] for one in document["tags"]}
    assert described["auth"].startswith("Login")
    assert described["customers"].startswith("A customer")
    assert all(described.values())
    tags = {tag for _, _, one in operations(document) for tag in one["tags"]}
    assert tags == set(described)


def test_every_component_is_used(document):
    text = json.dumps(document)
    for kind in ("schemas", "parameters", "headers", "responses"):
        names = document["components"][kind]
        unused = [n for n in names if f'"#/components/{kind}/{n}"' not in text]
        assert unused == [], kind


def test_bodies_of_text_are_strings_and_other_files_are_bytes(document):
    contents = [
        content
        for _, _, one in operations(document)
        for part in (one.get("requestBody", {}), *one["responses"].values())
        for content in part.get("content", {}).items()
    ]
    kinds = {media: body["schema"] for media, body in contents if "json" not in media}
    assert kinds["text/csv"] == kinds["text/html"] == {"type": "string"}
    assert kinds["application/pdf"] == {"type": "string", "format": "binary"}
    for media, shape in kinds.items():
        assert ("format" in shape) != media.startswith("text/"), media


def test_every_route_of_the_api_is_described(app, document):
    undescribed = []
    for rule in app.url_map.iter_rules():
        methods = {one.lower() for one in rule.methods - {"HEAD", "OPTIONS"}}
        described = document["paths"].get(path_of(rule.rule), {})
        if rule.rule not in NO_API and not methods <= set(described):
            undescribed.append(rule.rule)
    assert undescribed == []


def test_names_of_operations_are_unique_identifiers(document):
    names = [one["operationId"] for _, _, one in operations(document)]
    assert len(names) == len(set(names)) > 130
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)


def test_every_operation_has_its_summary_and_its_permission(app, document):
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            if rule.rule in NO_API:
                continue
            described = document["paths"][path_of(rule.rule)][method.lower()]
            assert described["x-permission"] == view.permission
            assert described["summary"] == " ".join(view.__doc__.split())
            assert ("security" in described) == (view.permission == "public")


def test_document_is_read_without_a_token_and_sent_once(anonymous, document):
    first = anonymous.get("/api/openapi.json")
    assert (first.status, first.body) == (200, document)
    assert first.headers["Content-Encoding"] == "gzip"
    headers = {"If-None-Match": first.headers["ETag"]}
    again = anonymous.call("GET", "/api/openapi.json", headers=headers)
    assert (again.status, again.text) == (304, "")


def test_every_sort_and_filter_of_a_list_is_one_that_the_service_reads(admin, document):
    examples = {
        "integer": "1",
        "number": "1.5",
        "boolean": "true",
        "string": "a",
        "Id": "0" * 24,
        "Time": "2026-11-22T08:00:00.000Z",
    }
    path = "/api/panes"
    for one in document["paths"][path]["get"]["parameters"]:
        if "$ref" in one or one["name"] in ("populate", "includeMerged"):
            continue
        shape = one["schema"].get("items", one["schema"])
        values = shape.get("anyOf", [shape])
        for value in values:
            kind = value.get("$ref", "").rpartition("/")[2] or value.get("type")
            if "pattern" in value:  # a sort by a member of an object
                examples[kind] = "-dimensions.width"
                assert re.fullmatch(value["pattern"], examples[kind])
            for text in value.get("enum", [value.get("const") or examples[kind]]):
                assert admin.get(path, **{one["name"]: text}).status == 200, one
    wrong = admin.get(path, currentStatus="nonsense", createdAt_gt="never", sort="x")
    assert set(wrong.faults) == {"currentStatus", "createdAt_gt", "sort"}


def test_shared_parameters_and_headers_stand_where_the_service_reads_them(document):
    paths = document["paths"]
    names = {
        key: set(parameter_names(document, paths[path][method]))
        for key, path, method in (
            ("list", "/api/customers", "get"),
            ("one", "/api/customers/{id}", "get"),
            ("create", "/api/customers", "post"),
            ("update", "/api/customers/{id}", "patch"),
            ("delete", "/api/customers/{id}", "delete"),
            ("login", "/api/auth/login", "post"),
        )
    }
    for found in names.values():
        found.remove(LANGUAGE)
    paging = {"page", "limit", "search", "cursor", "count", "sort"}
    assert paging | {"name", "name_ne", "discount_gte"} <= names["list"]
    assert names["one"] == {"id", "populate", "fields", "If-None-Match"}
    assert names["create"] == {"populate", "fields", "Idempotency-Key", "Prefer"}
    assert names["update"] == {"id", "populate", "fields", "If-Match", "Prefer"}
    assert names["delete"] == {"id", "populate", "fields", "If-Match"}
    assert names["login"] == {"Prefer"}
    created = paths["/api/customers"]["post"]["responses"]["201"]["headers"]
    assert {"ETag", "Location", "Idempotency-Replayed"} < set(created)
    assert "Preference-Applied" in created
    refused = document["components"]["responses"]["E400"]["headers"]
    assert "Content-Language" in refused


def test_creations_have_a_location_unless_what_they_make_has_no_get(document):
    without = {
        path
        for path, _, operation in operations(document)
        if "Location"
        not in operation["responses"].get("201", {}).get("headers", "Location")
    }
    api_keys = ("/api/auth/api-keys", "/api/workers/{id}/api-keys")
    assert without == {"/api/attachments", *api_keys}
    for path in without:
        below = [one for one in document["paths"] if one.startswith(f"{path}/")]
        assert not any("get" in document["paths"][one] for one in below)


def test_valid_bodies_have_the_shape_and_others_do_not(document, workshop):
    for name, body, change in valid_bodies(workshop).values():
        path = f"/api/{name}"
        created = document["paths"][path]["post"]["requestBody"]
        shape = created["content"]["application/json"]["schema"]
        assert validator(document, shape).is_valid(body), path
        patched = document["paths"][f"{path}/{{id}}"]["patch"]["requestBody"]
        shape = patched["content"]["application/json"]["schema"]
        assert validator(document, shape).is_valid(change), path
    customer = {"$ref": "#/components/schemas/CustomerInput"}
    for wrong in ({}, {"name": " "}, {"name": "a", "discount": 101}, {"name": 1}):
        assert not validator(document, customer).is_valid(wrong), wrong


def codes_in_the_source():
    """Yield the literal values of `code=` and of `code` in classes, and of its base."""
    for path in (REPOSITORY / "glassflow").rglob("*.py"):
        if "labels" in path.parts and "services" not in path.parts:
            continue  # its warnings have codes of their own
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            value = None
            if (isinstance(node, ast.keyword) and node.arg == "code") or (
                isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code"
            ):
                value = node.value
            elif isinstance(node, ast.Call) and "Refused" in ast.unparse(node.func):
                value = node.args[1] if len(node.args) > 1 else None
            for one in ast.walk(value) if value is not None else ():
                text = str(one.value) if isinstance(one, ast.Constant) else ""
                if re.fullmatch(r"[A-Z]+(_[A-Z]+)+|BUSY|STALE", text):
                    yield text


def test_every_code_of_a_refusal_is_in_the_table_and_no_other():
    computed = {code for code in ERROR_CODES if code.startswith("ALREADY_")}
    found = set(codes_in_the_source())
    assert found - set(ERROR_CODES) == set()
    assert set(ERROR_CODES) - computed - found == set()


def test_every_code_names_the_operations_that_answer_with_it(document):
    text = json.dumps(document["paths"])
    common = {
        "BUSY",
        "STORE_UNAVAILABLE",
        "TOOK_TOO_LONG",
        "TOO_MANY",
        "STALE",
        "IF_MATCH_REQUIRED",
        "IDEMPOTENCY_KEY_REUSED",
        "IDEMPOTENCY_IN_PROGRESS",
        "PASSWORD_CHANGE_REQUIRED",
    }
    assert {c for c in ERROR_CODES if f"`{c}`" not in text} == common
    assert set(document["x-codes"]) == set(ERROR_CODES)


def test_page_of_error_codes_is_current():
    page = REPOSITORY / "docs" / "errors.md"
    assert page.read_text("utf-8") == error_codes_page()


def test_committed_document_is_the_one_that_the_service_sends(app):
    """If this fails: `flask docs` prints it again."""
    committed = (REPOSITORY / "docs" / "openapi.json").read_text("utf-8")
    document = app.extensions["openapi"]()
    assert json.loads(committed) == json.loads(json.dumps(document))
    assert committed == openapi_file(document)


@pytest.fixture
def answers(app):
    """The comparison with the document, whose faults of this test are no failure."""
    found = app.extensions["described_answers"]
    yield found
    found.take()


def test_answer_that_differs_from_the_document_is_found(app, answers, admin):
    def check(path, response):
        with app.test_request_context(path, method="GET"):
            answers.check(response)
        return " ".join(answers.take())

    listed = {"page": 1, "limit": 20, "total": 0, "totalPages": 0}
    with app.app_context():
        good = reply([], "Customer list", pagination=listed)
        unknown = reply([], "Customer list", pagination={**listed, "odd": 1})
        missing = reply([], "Customer list")
        teapot = reply(None, "Customer list", status=418)
    assert check("/api/customers", good) == ""
    assert "'odd' was unexpected" in check("/api/customers", unknown)
    assert '"pagination" is a required property' in check("/api/customers", missing)
    assert "the status is not among" in check("/api/customers", teapot)
    assert "data" in check("/api/health", good)


def test_streamed_answer_of_another_type_than_described_is_found(app, answers):
    def check(path, mimetype):
        with app.test_request_context(path, method="GET"):
            answers.check(Response(iter([b"a"]), mimetype=mimetype))
        return " ".join(answers.take())

    export, events = "/api/customers/export.csv", "/api/events"
    assert check(export, "text/csv") == check(events, "text/event-stream") == ""
    for path, described in ((export, "text/csv"), (events, "text/event-stream")):
        fault = check(path, "text/plain")
        assert "the type text/plain is not among" in fault
        assert described in fault
    assert "the type application/json is not among" in check(export, "application/json")


def test_body_whose_required_fields_are_not_as_described_is_found(app, answers):
    given = {"name": "a"}
    for path, method, is_partial in (
        ("/api/customers", "POST", False),
        (f"/api/customers/{'0' * 24}", "PATCH", True),
    ):
        with app.test_request_context(path, method=method):
            CustomerSchema().read(given, partial=is_partial)
            assert answers.take() == []
            CustomerSchema().read(given, partial=not is_partial)
            assert "CustomerSchema" in " ".join(answers.take()), method


def test_body_that_is_read_with_another_schema_is_found(app, answers):
    with app.test_request_context("/api/customers", method="POST"):
        CustomerSchema().read({"name": "a"})
        assert answers.take() == []
        RoleSchema().read({"name": "a"})
        assert "RoleSchema" in " ".join(answers.take())


def test_bulk_creates_exports_and_imports_are_described(document):
    paths, csv = document["paths"], "text/csv"
    single = {"$ref": "#/components/schemas/CustomerInput"}
    many = {"$ref": "#/components/schemas/CustomerItemsInput"}
    body = paths["/api/customers"]["post"]["requestBody"]["content"]
    assert body["application/json"]["schema"] == {"anyOf": [single, many]}
    items = document["components"]["schemas"]["CustomerItemsInput"]["properties"]
    assert items["items"] == {"type": "array", "items": single, "minItems": 1}
    assert "anyOf" not in json.dumps(
        paths["/api/roles"]["post"]["requestBody"]["content"]["application/json"]
    )
    export = paths["/api/panes/export.csv"]["get"]
    assert export["responses"]["200"]["content"].keys() == {csv}
    names = set(parameter_names(document, export))
    assert {"fields", "search", "sort", "includeMerged", "currentStatus"} <= names
    assert not {"page", "limit", "cursor", "count", "populate"} & names
    sent = paths["/api/customers/import"]["post"]
    assert csv in sent["requestBody"]["content"]
    assert "application/json" not in sent["requestBody"]["content"]
    names = set(parameter_names(document, sent))
    assert names == {"dryRun", "table", "Idempotency-Key", LANGUAGE}
    assert "/api/roles/import" not in paths
