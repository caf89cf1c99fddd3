"""The service worker, the manifest, and what they need from the service."""

import json
import re

import pytest

from glassflow.pages import files

BASE = f"/floor/static/{files.pages().version}"


@pytest.fixture
def page(app):
    return app.test_client()


def listed_files(text):
    return json.loads(re.search(r"const FILES = (\[.*?\]);", text)[1])


def test_service_worker_is_served_for_all_pages_and_never_from_a_cache(page):
    answer = page.get("/floor/sw.js")
    assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]
    assert f'const VERSION = "{files.pages().version}";' in answer.text
    assert "{{" not in answer.text
    tag = answer.headers["ETag"]
    again = page.get("/floor/sw.js", headers={"If-None-Match": tag})
    assert again.status_code == 304


def test_service_worker_fetches_in_advance_what_every_page_needs(page, written):
    listed = listed_files(page.get("/floor/sw.js").text)
    assert len(listed) == len(set(listed))
    for url in listed:
        assert page.get(url).status_code == 200
    shell = page.get("/floor/").text
    scripts = re.findall(r'(?:src|rel="modulepreload" href)="([^"]+)"', shell)
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', shell)
    assert set(scripts + styles) <= set(listed)
    assert not any("LICENSE" in url or url.endswith(".wasm") for url in listed)
    modules = {
        f"/floor/static/{written.version}/{name}"
        for name in written.files
        if name.startswith(("js/", "texts/", "fonts/IBM", "clients/"))
    }
    assert modules <= set(listed_files(written.worker.body.decode()))


def test_version_depends_on_the_shell_and_the_service_worker(tmp_path, monkeypatch):
    versions = {files.pages().version}
    for name in ("SHELL", "WORKER"):
        changed = tmp_path / name
        changed.write_text(getattr(files, name).read_text("utf-8") + "\n")
        with monkeypatch.context() as patched:
            patched.setattr(files, name, changed)
            versions.add(files.pages.__wrapped__().version)
    assert len(versions) == 3


def test_pages_can_be_installed(page):
    shell = page.get("/floor/").text
    url = re.search(r'rel="manifest" href="([^"]+)"', shell)[1]
    answer = page.get(url)
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["start_url"], manifest["scope"]) == ("/floor/", "/floor/")
    assert manifest["display"] == "standalone"
    sizes = set()
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', shell)[1]
    for icon in [*manifest["icons"], {"src": touch, "type": "image/png"}]:
        src = icon["src"]
        found = page.get(
            src if src.startswith("/") else f"{url.rpartition('/')[0]}/{src}"
        )
        assert (found.status_code, found.mimetype) == (200, icon["type"])
        if found.mimetype == "image/png":
            width = int.from_bytes(found.data[16:20], "big")
            assert icon.get("sizes", "180x180") == f"{width}x{width}"
            sizes.add(width)
    assert {180, 192, 512} <= sizes
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
