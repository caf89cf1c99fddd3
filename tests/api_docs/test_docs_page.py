"""The documentation page: its files are the vendored ones, and nothing is from elsewhere."""

import base64
import hashlib
import json
import re

from glassflow.api_docs import viewer

LOCK = json.loads((viewer.STATIC / "LOCK.json").read_text("utf-8"))


def test_vendored_viewer_has_its_checksum_and_its_licence():
    for name, entry in LOCK["files"].items():
        digest = hashlib.sha384((viewer.STATIC / name).read_bytes()).digest()
        assert base64.b64encode(digest).decode() == entry["sha384"], name
    (package,) = LOCK["packages"].values()
    assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"])
    assert package["license"] in (viewer.STATIC / package["licenseFile"]).read_text()


def test_page_and_its_files_are_read_by_everyone_under_a_strict_policy(anonymous):
    def get(path):
        return anonymous.session.get(f"{anonymous.url}/api/docs{path}", timeout=60)

    page = get("")
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    files = [one.removeprefix("/api/docs") for one in named if "/api/docs/" in one]
    assert sorted(files) == sorted(f"/{name}" for name in viewer.FILES)
    for answer in (page, *map(get, files)):
        assert answer.status_code == 200
        policy = dict(
            part.split(" ", 1)
            for part in answer.headers["Content-Security-Policy"].split("; ")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["connect-src"] == "'self'"
        assert not re.search(r"https?:|\*", answer.headers["Content-Security-Policy"])
    assert all(one.startswith(("/api/", "data:")) for one in named)
    assert get("/LOCK.json").status_code == 404
