"""Hooks of schemathesis, in its own process: ids of records that there are, and files.

Most ids that are made up are those of no record, so that nearly all such requests would
only see 404. `FUZZ_RECORDS` has the ids by the first part of the path, and what is kept:
the worker and the role of the token that all requests use.
"""

import json
import os

import schemathesis
from hypothesis import strategies

RECORDS = json.loads(os.environ["FUZZ_RECORDS"])
NOBODY = "0" * 24
ARGUMENTS = ("id", "number")
TABLES = (
    "name\na\n",
    '\ufeffname,phone\r\nน้ำ,"\'=1+1"\r\n',
    "_id,name\n000000000000000000000000,a\n",
    "odd\n1\n",
    'name\n"open',
    "",
)

csv = strategies.sampled_from([one.encode() for one in TABLES])
schemathesis.openapi.media_type("text/csv", csv | strategies.binary(max_size=200))
schemathesis.openapi.media_type(
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    strategies.binary(max_size=200) | strategies.just(b"PK\x03\x04 no workbook"),
)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Name the first record of the kind, or for a DELETE the last one of several."""
    operation = context.operation
    kind = operation.path.removeprefix("/api/").partition("/")[0]
    ids = RECORDS["ids"].get(kind, [])
    if operation.method.upper() == "DELETE":
        ids = ids[:0:-1]
    name = next((one for one in ARGUMENTS if one in (path_parameters or {})), None)
    if not ids or name is None:
        return path_parameters
    if f"/{kind}/{{{name}}}" in operation.path:  # and not the number of a picture
        return {**path_parameters, name: ids[0]}
    return path_parameters


@schemathesis.hook
def before_call(context, case, kwargs):
    """Name nobody where the worker or the role of the token would be changed."""
    if case.operation.method.upper() == "GET":
        return
    for name, value in (case.path_parameters or {}).items():
        if value in RECORDS["kept"]:
            case.path_parameters[name] = NOBODY
    if isinstance(case.body, (dict, list)):
        text = json.dumps(case.body)
        for kept in RECORDS["kept"]:
            text = text.replace(kept, NOBODY)
        case.body = json.loads(text)
