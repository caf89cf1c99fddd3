"""Holds every answer of the tests' application to its description in the OpenAPI document.

An answer must have a status, a type and a body that the document names, and a body must be
read with the schema that it names.
"""

import gzip
from fnmatch import fnmatch

import orjson
from flask import has_request_context, request

from api_description import ApiDescription
from glassflow.api_docs import openapi
from glassflow.api_docs.parameters import path_of
from glassflow.domain import error_codes
from glassflow.domain.bilingual import Bilingual
from glassflow.schemas.base import RecordSchema
from glassflow.web import language
from glassflow.web.operation import operation_of


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
        self._description = None
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
            operations = self._described().operations
            operation = operations.get((path_of(rule.rule), method))
            if operation is not None:
                for fault in self._faults_of(operation, response):
                    where = f"{request.method} {request.full_path}"
                    self.faults.append(f"{where} {response.status_code}: {fault}")
        return response

    def _described(self):
        if self._description is None:
            self._description = ApiDescription(openapi.build(self._app))
        return self._description

    def _faults_of(self, operation, response):
        described, status = self._described(), response.status_code
        faults = list(described.faults_of_status(operation, status))
        yield from faults
        if faults or status == 304:
            return
        types = described.types_of(operation, status)
        if not any(fnmatch(response.mimetype, one) for one in types):
            yield f"the type {response.mimetype} is not among {', '.join(types)}"
            return
        if response.is_streamed or response.mimetype != "application/json":
            return
        body, selects = orjson.loads(content_of(response)), request.args.get("fields")
        yield from described.faults_of_body(
            operation, status, body, selects=bool(selects)
        )
        if status >= 400:
            yield from self._faults_of_code(status, body)

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
            check(schema, is_partial=options.get("partial", False))
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

    def _check_schema(self, schema, *, is_partial):
        if not has_request_context() or request.url_rule is None:
            return
        operation = operation_of(self._app.view_functions[request.endpoint])
        if operation is None:
            return
        if not _is_described(schema, operation, is_partial=is_partial):
            required = "some of" if is_partial else "all"
            self.faults.append(
                f"{request.endpoint} reads a body as {type(schema).__name__}, with "
                f"{required} its fields, which is not its description"
            )


def _is_described(schema, operation, *, is_partial):
    """Tell whether an operation reads a body or query with a schema of this type.

    With `is_partial` nothing is required; rows of a file are read in both ways.
    """
    if operation.file and type(schema) in map(type, operation.file.rows):
        return True
    if type(schema) is type(operation.body) and is_partial == operation.partial:
        return True
    return not is_partial and type(schema) in map(
        type, (operation.items, operation.query)
    )
