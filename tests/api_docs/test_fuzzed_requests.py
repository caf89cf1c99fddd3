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
from scenarios import order_with_panes, valid_bodies
from sizes import size

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(7200)]
EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "")  # of each operation; set by `make fuzz`
FEW_EXAMPLES = size("3", long="5")
#: What `make test` sends requests to: resources with actions of their own, and rules.
SOME_PATHS = () if EXAMPLES else size(("^/api/(panes|orders|claims)",), long=())
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
# They would end the token that all requests use.
EXCLUDED = (
    "log_out", "update_me",
    "update_worker", "delete_worker", "delete_workers", "log_out_everywhere",
    "update_role", "delete_role", "delete_roles",
)  # fmt: skip


def fuzzed(document):
    """Return the document without `fields`, which alone describes its answers.

    With a status that only the HTTP server of the tests has, for an address that is too
    long; gunicorn's own is 400, which each operation has.
    """
    del document["components"]["parameters"]["Fields"]
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
    order_with_panes(admin, workshop)
    for name, body, _ in valid_bodies(workshop).values():
        admin.post(f"/api/{name}", body)
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(fuzzed(json.loads(json.dumps(openapi.build(app))))))
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
            *(part for paths in SOME_PATHS for part in ("--include-path-regex", paths)),
            *(part for name in EXCLUDED for part in ("--exclude-operation-id", name)),
            # files, whose content cannot be made up from a schema
            *("--exclude-operation-id-regex", "^(import|export)_"),
            *("--suppress-health-check", "all"),
            *("--warnings", "off"),
            "--generation-deterministic",
            "--continue-on-failure",
            "--no-color",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
