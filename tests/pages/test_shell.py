"""The address that a person opens, the shell, its files and their headers."""

import gzip
import re
from math import inf
from unittest.mock import Mock

import pytest

from glassflow.app import create_app
from glassflow.pages import files
from glassflow.settings import load_settings
from page_client import SESSION

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"
BASE = f"/floor/static/{files.pages().version}"


@pytest.fixture
def page(app):
    return app.test_client()


def test_browser_is_sent_to_the_pages(page):
    answer = page.get("/", headers={"Accept": BROWSER})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/floor/")
    assert answer.headers["Vary"] == "Accept"


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/json", "text/html;q=0", "application/json, */*"]
)
def test_program_gets_404_at_the_root(page, accept):
    answer = page.get("/", headers={"Accept": accept})
    assert answer.status_code == 404
    assert answer.json == {"success": False, "message": "Not found"}


def test_other_paths_outside_of_the_floor_stay_json(page):
    for path in ("/floors", "/nothing", "/index.html"):
        answer = page.get(path, headers={"Accept": BROWSER})
        assert (answer.status_code, answer.json["message"]) == (404, "Not found")


@pytest.mark.parametrize(
    "path", ["/floor", "/floor/", "/floor/board", "/floor/s/0123/x", "/floor/กระดาน"]
)
def test_every_path_below_floor_answers_the_shell(page, path):
    answer = page.get(path)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert '<div id="app">' in answer.text
    tag = answer.headers["ETag"]
    assert page.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert page.head(path).data == b""


def test_shell_has_no_inline_script_or_style(page):
    text = page.get("/floor/").text
    assert re.findall(r"<script(?![^>]* src=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", text) == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/floor"),
        ("GET", "/floor/x"),
        ("POST", "/floor/x"),
        ("GET", f"{BASE}/js/main.js"),
        ("GET", f"{BASE}/nothing"),
        ("GET", SESSION),
        ("PUT", SESSION),
        ("POST", SESSION),
    ],
)
def test_every_answer_below_floor_has_the_security_headers(page, method, path):
    headers = page.open(path, method=method).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "http" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Permissions-Policy"].startswith("camera=(self)")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Request-ID"]


def test_policy_of_the_api_allows_no_script(page):
    policy = page.get("/api/health").headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    ("name", "mime_type"),
    [
        ("js/main.js", "text/javascript"),
        ("clients/glassflow.js", "text/javascript"),
        ("js/main.css", "text/css"),
        ("fonts/IBMPlexSansThai-SemiBold.woff2", "font/woff2"),
        ("label_fonts/Sarabun-Bold.ttf", "font/ttf"),
        ("vendor/LOCK.json", "application/json"),
        ("vendor/LICENSE-preact.txt", "text/plain"),
        ("vendor/zxing_reader.wasm", "application/wasm"),
    ],
)
def test_file_is_immutable_under_the_hash_of_all_files(page, name, mime_type):
    answer = page.get(f"{BASE}/{name}")
    assert (answer.status_code, answer.mimetype) == (200, mime_type)
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.data == (files.ROOT / name).read_bytes()


def test_file_is_compressed_for_who_accepts_it(page):
    path = f"{BASE}/js/main.css"
    plain, packed = (
        page.get(path, headers={"Accept-Encoding": accepted})
        for accepted in ("gzip;q=0, identity", "br, gzip")
    )
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["ETag"] != packed.headers["ETag"]
    again = {
        "Accept-Encoding": "gzip",
        "If-None-Match": packed.headers["ETag"],
    }
    assert page.get(path, headers=again).status_code == 304


def test_font_is_not_compressed_again(page):
    path = f"{BASE}/fonts/IBMPlexSansThai-SemiBold.woff2"
    answer = page.get(path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
    assert "Vary" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/floor/static",
        "/floor/static/0000000000000000/js/main.js",
        "/floor/static/js/main.js",
        BASE,
        f"{BASE}/",
        f"{BASE}/js",
        f"{BASE}/js/nothing.js",
        f"{BASE}/../shell.html",
        f"{BASE}/..%2fshell.html",
        f"{BASE}/%2fetc/passwd",
    ],
)
def test_what_is_no_file_of_this_version_is_not_found(page, path):
    answer = page.get(path)
    assert answer.status_code == 404
    assert "immutable" not in answer.headers["Cache-Control"]


def test_version_depends_on_every_name_and_content(tmp_path, monkeypatch):
    (tmp_path / "js").mkdir()
    main = tmp_path / "js" / "main.js"
    monkeypatch.setattr(files, "ROOT", tmp_path)
    versions = []
    for text in ("1;", "2;"):
        main.write_text(text)
        versions.append(files.pages.__wrapped__().version)
    (tmp_path / "other.css").write_text("")
    versions.append(files.pages.__wrapped__().version)
    (tmp_path / "other.css").rename(tmp_path / "another.css")
    versions.append(files.pages.__wrapped__().version)
    assert len(set(versions)) == 4


def test_shell_preloads_the_modules_that_its_entry_imports(page):
    text = page.get("/floor/").text
    preloaded = re.findall(rf'rel="modulepreload" href="{BASE}/([^"]+)"', text)
    assert len(preloaded) == len(set(preloaded))
    assert {"vendor/ui.js", "js/core/session.js", "clients/glassflow.js"} <= set(
        preloaded
    )
    assert "js/pages/home/home.js" not in preloaded  # loaded when it is opened
    for name in preloaded:
        assert page.get(f"{BASE}/{name}").status_code == 200


def test_shell_of_the_board_preloads_all_that_the_board_begins_with(page):
    def preloaded(path):
        links = rf'rel="(?:modulepreload|preload)" href="{BASE}/([^"]+)"'
        return re.findall(links, page.get(path).text)

    of_all, of_board = preloaded("/floor/"), preloaded("/floor/board")
    known = files.pages().files
    own = {
        "js/pages/board/board.js",
        *files.static_imports("js/pages/board/board.js", known),
        "js/pages/board/board.css",
        "js/ui/station_colors.css",
    }
    assert set(of_board) == set(of_all) | own
    assert len(of_board) == len(set(of_board))
    assert preloaded("/floor/office/board") == of_all
    assert preloaded("/floor/board/x") == of_board


@pytest.mark.parametrize("origins", ["*", "https://other.example"])
def test_floor_is_never_shared_with_other_origins(app, monkeypatch, origins):
    monkeypatch.setattr("glassflow.app._connect_store", lambda _: None)
    monkeypatch.setattr("glassflow.realtime.Realtime", Mock())
    settings = load_settings("testing", env={"CORS_ORIGINS": origins})
    client = create_app(settings).test_client()
    asked = {
        "Origin": "https://other.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-floor, content-type",
    }
    for method, path in (
        ("OPTIONS", SESSION),
        ("POST", SESSION),
        ("GET", SESSION),
        ("GET", "/floor/"),
        ("GET", "/floor"),
        ("GET", f"{BASE}/js/main.js"),
        ("OPTIONS", "/floor/nothing"),
    ):
        answer = client.open(path, method=method, headers=asked)
        shared = [name for name, _ in answer.headers if "Access-Control" in name]
        assert shared == [], (method, path)
    allowed = client.get("/api/health", headers=asked).headers
    assert "Access-Control-Allow-Origin" in allowed


KB = 1024  # all sizes as sent, compressed
MAX_FIRST_VISIT, MAX_FILES = 220 * KB, 25  # with the fonts
MAX_CORE = 45 * KB  # the code that every page needs
FONTS = {f"fonts/{path.name}" for path in (files.ROOT / "fonts").glob("*.woff2")}
#: The pages of a first visit: login, and start page.
START_PAGE = {
    *(f"js/pages/{one}.js" for one in ("login/login", "home/home")),
    "texts/start.th.js",  # the larger of the two languages
    "js/pages/start.css",
}

# fetched after the page, or by devices that install it
FOR_INSTALLATION = {"manifest.webmanifest", "icons/apple-touch-180.png"}


def sent_size(names):
    served = [files.pages().files[name] for name in names]
    return sum(len(file.compressed or file.body) for file in served)


def test_first_visit_stays_within_the_budget():
    shell = files.pages().shell
    linked = set(re.findall(rf'(?:href|src)="{BASE}/([^"]+)"', shell.body.decode()))
    linked -= FOR_INSTALLATION
    loaded = linked | FONTS | START_PAGE
    assert len(FONTS) == 3
    assert sent_size(linked - FONTS) <= MAX_CORE
    assert sent_size(loaded) + len(shell.compressed) <= MAX_FIRST_VISIT
    assert len(loaded) + 1 <= MAX_FILES, sorted(loaded)  # and the shell


OFFICE_PAGES = re.findall(
    r'import\("\./([\w/-]+)\.js"\)',
    files.pages().files["js/pages/office/pages.js"].body.decode(),
)
#: What counts is what is loaded before a page can be used: the modules that its entry
#: imports, not those that it loads later by `import()`, nor the texts of its area. The code
#: of a page itself; for a page of the office what its forms and lists are made of, too.
PAGE_BUDGETS = {
    "board/board": int(15.7 * KB),
    "station/station": int(29.1 * KB),
    "labels/labels": int(10.5 * KB),
    "offer/offer": int(6.1 * KB),
    "deliveries/deliveries": int(20 * KB),
    **{f"office/{name}": int(44.4 * KB) for name in OFFICE_PAGES},
    "office/labels/template": int(51 * KB),
}
#: All code of a page beyond the core, with the parts that it shares with other pages.
ALL_CODE_BUDGETS = {
    "board/board": int(23.9 * KB),
    "station/station": int(57.5 * KB),
    "offer/offer": int(11.2 * KB),
    "deliveries/deliveries": int(46 * KB),
}


def code_of(page):
    """The modules that a page loads before it can be used, beyond the core."""
    known = files.pages().files
    core = {"js/main.js", *files.static_imports("js/main.js", known)}
    entry = f"js/pages/{page}.js"
    loaded = {entry, *files.static_imports(entry, known)}
    return loaded - core


@pytest.mark.parametrize("page", PAGE_BUDGETS)
def test_page_stays_within_its_budget(page):
    code = code_of(page)
    assert len(code) > 1
    counted = ("js/pages/", "js/ui/verdict")
    if page.startswith("office/"):
        counted = ("js/",)
    own = {one for one in code if one.startswith(counted)}
    assert sent_size(own) <= PAGE_BUDGETS[page], sent_size(own)
    assert sent_size(code) <= ALL_CODE_BUDGETS.get(page, inf), sent_size(code)


def test_what_a_module_loads_later_is_not_imported_by_it_at_once():
    for name, file in files.pages().files.items():
        if not name.startswith("js/"):
            continue
        text = file.body.decode()
        at_once = set(files.STATIC_IMPORT.findall(text))
        later = set(re.findall(r'import\("([^"]+)"\)', text))
        assert at_once & later == set(), name
