"""Holds every answer of the tests' application to its description in the OpenAPI document.

An answer must have a status, a type and a body that the document names, and a body must be
read with the schema that it names. Here shapes are closed, so that a member which the
document lacks is found too.
"""

import gzip
from fnmatch import fnmatch

import jsonschema_rs
import orjson
from flask import has_request_context, request

from glassflow.api_docs import openapi
from glassflow.api_docs.parameters import path_of
from glassflow.domain import error_codes
from glassflow.domain.bilingual import Bilingual
from glassflow.schemas.base import RecordSchema
from glassflow.web import language
from glassflow.web.operation import operation_of

MAX_SHOWN = 3  # faults of one answer
NULL = {"type": "null"}
# The service always sets them; tests store documents without them.
STAMPS = {"createdAt", "updatedAt", "version"}


def closed(node):
    """Return a document whose objects have no members but those that it names."""
    if isinstance(node, list):
        return [closed(one) for one in node]
    if not isinstance(node, dict):
        return node
    found = {name: closed(one) for name, one in node.items()}
    if "properties" in found and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
        for name in STAMPS & found["properties"].keys():
            found["properties"][name] = {"anyOf": [found["properties"][name], NULL]}
    return found


def without_required(node):
    """Return a document that requires no members, as for `fields=`."""
    if isinstance(node, list):
        return [without_required(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: without_required(one) for name, one in node.items() if name != "required"
    }


def content_of(response):
    """Return the body of a response as clients read it."""
    content = response.get_data()
    packed = response.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(content) if packed else content


class DescribedAnswers:
    """Compares answers with the document; `faults` are those since the last `take`."""

    def __init__(self, app):
        self._app = app
        self.faults = []
        self._operations = None
        self._components = {}
        self._validators, self._compiled = {}, {}
        app.after_request(self.check)
        self._watch_bodies()
        self._watch_messages()

    def take(self):
        """Return the faults that were found, and forget them."""
        faults, self.faults = self.faults, []
        return faults

    def check(self, response):
        """Compare one answer, whose request is the current one."""
        rule, method = request.url_rule, request.method.lower()
        if rule is not None and method not in ("head", "options"):
            operation = self._described().get((path_of(rule.rule), method))
            if operation is not None:
                for fault in self._faults_of(operation, response):
                    where = f"{request.method} {request.full_path}"
                    self.faults.append(f"{where} {response.status_code}: {fault}")
        return response

    def _described(self):
        if self._operations is None:
            document = openapi.build(self._app)
            self._components = {
                False: {"components": closed(document["components"])},
                True: {"components": without_required(closed(document["components"]))},
            }
            self._operations = {
                (path, method): closed(operation)
                for path, methods in document["paths"].items()
                for method, operation in methods.items()
            }
        return self._operations

    def _faults_of(self, operation, response):
        status = str(response.status_code)
        described = operation["responses"].get(status)
        if described is None:
            yield f"the status is not among {', '.join(operation['responses'])}"
            return
        if status == "304" or response.is_streamed:
            return
        types = self._content(described)
        if response.mimetype != "application/json":
            if not any(fnmatch(response.mimetype, one) for one in types):
                yield f"the type {response.mimetype} is not among {', '.join(types)}"
            return
        body = orjson.loads(content_of(response))
        yield from self._faults_of_body(operation, status, types, body)
        if response.status_code >= 400:
            yield from self._faults_of_code(response.status_code, body)

    def _content(self, described):
        reference = described.get("$ref")
        if reference is not None:
            name = reference.rpartition("/")[2]
            described = self._components[False]["components"]["responses"][name]
        return described.get("content", {})

    def _faults_of_body(self, operation, status, types, body):
        selects = bool(request.args.get("fields"))
        key = operation["operationId"], status, selects
        if key not in self._validators:
            shape = types.get("application/json", {}).get("schema", {})
            shape = without_required(shape) if selects else shape
            self._validators[key] = self._validator_of(shape, selects)
        validator = self._validators[key]
        if not validator.is_valid(body):
            for error in list(validator.iter_errors(body))[:MAX_SHOWN]:
                path = ".".join(map(str, error.instance_path))
                yield f"{path}: {error.message[:300]}"

    def _validator_of(self, shape, selects):
        """Return the validator of a shape, which many answers share."""
        key = orjson.dumps(shape), selects
        if key not in self._compiled:
            # by a reference, so that the shapes of all components are compiled once
            self._compiled[key] = jsonschema_rs.validator_for(
                {**shape, **self._components[selects]}
            )
        return self._compiled[key]

    def _faults_of_code(self, status, body):
        errors = body.get("errors")
        if not isinstance(errors, dict) or "code" not in errors:
            return
        view = self._app.view_functions[request.endpoint]
        code = errors["code"]
        if code not in {*operation_of(view).codes, *error_codes.COMMON}:
            yield f"the code {code} is not described for this operation"
        elif status not in error_codes.ERROR_CODES[code].statuses:
            yield f"the code {code} has another status in the table of codes"

    def _watch_bodies(self):
        """Find bodies and queries that are read with another schema than the described."""
        read, check = RecordSchema.read, self._check_schema

        def read_checked(schema, *args, **options):
            check(schema)
            return read(schema, *args, **options)

        RecordSchema.read = read_checked

    def _watch_messages(self):
        """Find messages of refusals and faults that stand in one language only."""
        localize = language.localized

        def localize_checked(described, wanted):
            if not isinstance(described.get("message"), Bilingual):
                self.faults.append(f"not in Thai and English: {described}")
            return localize(described, wanted)

        language.localized = localize_checked

    def _check_schema(self, schema):
        if not has_request_context() or request.url_rule is None:
            return
        operation = operation_of(self._app.view_functions[request.endpoint])
        if operation is None:
            return
        rows = operation.file.rows if operation.file else ()
        described = operation.body, operation.items, operation.query, *rows
        if type(schema) not in map(type, described):
            self.faults.append(
                f"{request.endpoint} reads a body as {type(schema).__name__}, "
                "which is not its description"
            )
