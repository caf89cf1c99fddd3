"""schemathesis sends what the OpenAPI document allows, and what it does not allow.

Never an internal error, and no status, header, type or body that is not described. As a
program of its own, because it cannot live with gevent; `make fuzz` runs it for longer.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from glassflow.api_docs import openapi
from scenarios import one_of_each
from sizes import size

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(7200)]
EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "")  # of each operation; set by `make fuzz`
FEW_EXAMPLES = size("1", long="5")
#: The first parts of the paths that are fuzzed; None for all. `make test` sends requests to
#: the resource with the most views of its own beside those of every resource: the other
#: tests compare each of their answers with its description.
FUZZED = size(("panes",), long=None)
PHASES = "coverage,fuzzing,stateful" if EXAMPLES else "fuzzing"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
    "use_after_free",
)
# They end the token that all requests use.
EXCLUDED = ("log_out", "log_out_everywhere")
HOOKS = Path(__file__).with_name("fuzz_hooks.py")


def records_of(admin, document):
    """Return ids of records by the first part of their paths, and those that are kept."""
    ids = {}
    for path, methods in document["paths"].items():
        kind, _, rest = path.removeprefix("/api/").partition("/")
        is_listed = f"/api/{kind}" in document["paths"]
        if rest in ("{id}", "{number}") and "get" in methods and is_listed:
            rows = admin.get(f"/api/{kind}", limit=100, sort="_id").data
            ids[kind] = [row["_id"] for row in rows]
    me = admin.get("/api/auth/me").data
    kept = [me["_id"], me["role"]["_id"]]
    for kind in ("workers", "roles"):
        ids[kind] = [one for one in ids[kind] if one not in kept]
    return {"ids": ids, "kept": kept}


def fuzzed(document):
    """Return the document of the fuzzed paths, without `fields`.

    An answer to it lacks fields that are described as required.

    With a status that only the HTTP server of the tests has, for an address that is too
    long; gunicorn's own is 400, which each operation has.
    """
    del document["components"]["parameters"]["Fields"]
    if FUZZED:
        document["paths"] = {
            path: methods
            for path, methods in document["paths"].items()
            if path.split("/")[2] in FUZZED
        }
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["parameters"] = [
                one
                for one in operation["parameters"]
                if not one.get("$ref", "").endswith("/Fields")
            ]
            operation["responses"]["414"] = {"description": "The address is too long."}
    return document


def test_no_request_is_answered_otherwise_than_described(
    app, admin, workshop, tmp_path
):
    one_of_each(admin, workshop)
    described = json.loads(json.dumps(openapi.build(app)))
    records = records_of(admin, described)
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(fuzzed(described)))
    done = subprocess.run(
        [
            Path(sys.executable).with_name("st"),
            "run",
            document,
            *("--url", admin.url),
            *("--header", f"Authorization: Bearer {admin.token}"),
            *("--phases", PHASES),
            *("--checks", ",".join(CHECKS)),
            *("--max-examples", EXAMPLES or FEW_EXAMPLES),
            *(part for name in EXCLUDED for part in ("--exclude-operation-id", name)),
            *("--suppress-health-check", "all"),
            *("--warnings", "off"),
            "--generation-deterministic",
            "--continue-on-failure",
            "--no-color",
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": HOOKS.stem,
            "PYTHONPATH": str(HOOKS.parent),
            "FUZZ_RECORDS": json.dumps(records),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
    # otherwise nearly all answers were 401, which is described
    assert admin.get("/api/auth/me").status == 200
