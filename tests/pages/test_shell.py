"""The address that a person opens, the shell, its files and their headers."""

import gzip
import json
import re
import shutil
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
        ("GET", f"{BASE}/js/start.js"),
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
        ("js/start.js", "text/javascript"),
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
        "/floor/static/0000000000000000/js/start.js",
        "/floor/static/js/start.js",
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


def links(shell, *kinds):
    """The files that a shell has loaded in these ways, in its order."""
    pattern = rf'rel="(?:{"|".join(kinds)})" href="/floor/static/\w+/([^"]+)"'
    return re.findall(pattern, shell.body.decode())


def test_shell_preloads_the_modules_that_its_entry_imports(written):
    preloaded = links(written.shell, "modulepreload")
    assert len(preloaded) == len(set(preloaded))
    assert {"vendor/ui.js", "js/core/session.js", "clients/glassflow.js"} <= set(
        preloaded
    )
    assert "js/pages/home/home.js" not in preloaded  # loaded when it is opened
    assert set(preloaded) <= set(written.files)


def test_shell_of_an_area_preloads_all_that_it_begins_with(written):
    def preloaded(path):
        return links(written.shell_of(path), "modulepreload", "preload")

    of_all, of_board = preloaded(""), preloaded("board")
    own = {
        "js/pages/board/board.js",
        *files.static_imports("js/pages/board/board.js", written.files),
        "js/pages/board/board.css",
        "js/ui/station_colors.css",
    }
    assert set(of_board) == set(of_all) | own
    assert len(of_board) == len(set(of_board))
    assert preloaded("board/x") == of_board
    assert preloaded("offer") == preloaded("missing/board") == of_all
    for area in files.AREAS:
        assert set(of_all) < set(preloaded(area)) <= set(written.files)


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
        ("GET", f"{BASE}/js/start.js"),
        ("OPTIONS", "/floor/nothing"),
    ):
        answer = client.open(path, method=method, headers=asked)
        shared = [name for name, _ in answer.headers if "Access-Control" in name]
        assert shared == [], (method, path)
    allowed = client.get("/api/health", headers=asked).headers
    assert "Access-Control-Allow-Origin" in allowed


def test_joined_pages_are_a_file_for_each_area(joined):
    def loaded(path):
        shell = joined.shell_of(path)
        (main,) = re.findall(
            r'type="module" src="[^"]+/(js/[^"]+)"', shell.body.decode()
        )
        return [main, *links(shell, "modulepreload")]

    assert loaded("") == ["js/joined/main.js"]
    assert set(loaded("office")) == {
        f"js/joined/{name}.js" for name in ("main", "shared", "office")
    }
    assert set(loaded("s")) == {
        f"js/joined/{name}.js" for name in ("main", "shared", "scanning", "station")
    }
    modules = {name for name in joined.files if name.startswith("js/joined/")}
    listed = json.loads(re.search(rb"FILES = (\[.*?\]);", joined.worker.body)[1])
    fetched = {one.split("/", 4)[4] for one in listed}
    scripts = {name for name in fetched if name.startswith(("js/", "vendor/"))}
    scripts = {name for name in scripts if name.endswith(".js")}
    assert {one for one in modules if one.endswith(".js")} < scripts
    assert len(scripts) <= 20, "an address of a module is fetched in advance"


def test_each_module_keeps_its_address_in_joined_pages(joined, written):
    modules = {name for name in written.files if name.startswith(("js/", "clients/"))}
    modules = {one for one in modules if one.endswith(".js")}
    entries = {"js/main.js", "js/scan/decoder.js"}  # which nothing imports
    assert modules - set(joined.files) == entries
    again = joined.files["js/core/router.js"].body.decode()
    assert re.match(r"export \{ .*\bas go,.* \} from '../joined/main.js';\n$", again)


def test_debugger_gets_the_modules_as_they_are_written(joined, written):
    name = "js/joined/office.js"
    last = joined.files[name].body.decode().rstrip().rpartition("\n")[2]
    assert last == "//# sourceMappingURL=office.js.map"
    found = json.loads(joined.files[f"{name}.map"].body)
    sources = dict(zip(found["sources"], found["sourcesContent"], strict=True))
    page = "pages/office/requests/request.js"
    (source,) = [text for name, text in sources.items() if name.endswith(page)]
    assert source.encode() == written.files[f"js/{page}"].body


def test_pages_that_were_joined_of_other_modules_are_not_served(
    joined, written, monkeypatch, tmp_path, caplog
):
    made = tmp_path / "joined"
    shutil.copytree(files.JOINED, made)
    monkeypatch.setattr(files, "JOINED", made)
    assert files.pages.__wrapped__().version == joined.version
    about = made / "about.json"
    whole = json.loads(about.read_text())
    for change in ({"js/core/router.js": "0" * 64}, {"js/core/removed.js": "0" * 64}):
        about.write_text(json.dumps(whole | {"modules": whole["modules"] | change}))
        assert files.pages.__wrapped__().version == written.version
    assert "js/core/removed.js is not as joined" in caplog.text


KB = 1024  # all sizes as sent, compressed
# With the fonts; and the code that every page needs. As written is for a service without
# Node.js.
MAX_FIRST_VISIT = 220 * KB
MAX_FILES = {"written": 25, "joined": 13}
MAX_CORE = {"written": 46 * KB, "joined": 37 * KB}
FONTS = {f"fonts/{path.name}" for path in (files.ROOT / "fonts").glob("*.woff2")}
#: The pages of a first visit: login, and start page.
START_PAGE = {
    *(f"js/pages/{one}.js" for one in ("login/login", "home/home")),
    "texts/start.th.js",  # the larger of the two languages
    "js/pages/start.css",
}

# fetched after the page, or by devices that install it
FOR_INSTALLATION = {"manifest.webmanifest", "icons/apple-touch-180.png"}


def sent_size(pages, names):
    served = [pages.files[name] for name in names]
    return sum(len(file.compressed or file.body) for file in served)


@pytest.mark.parametrize("of", ["written", "joined"])
def test_first_visit_stays_within_the_budget(request, of):
    pages = request.getfixturevalue(of)
    shell = pages.shell.body.decode()
    linked = set(re.findall(r'(?:href|src)="/floor/static/\w+/([^"]+)"', shell))
    linked -= FOR_INSTALLATION
    loaded = linked | FONTS | START_PAGE
    assert len(FONTS) == 3
    assert sent_size(pages, linked - FONTS) <= MAX_CORE[of]
    visit = sent_size(pages, loaded) + len(pages.shell.compressed)
    assert visit <= MAX_FIRST_VISIT
    assert len(loaded) + 1 <= MAX_FILES[of], sorted(loaded)  # and the shell


#: The code of an area, and what several have in common, as `make pages` joins it.
JOINED_BUDGETS = {
    "board": int(9.2 * KB),
    "deliveries": int(12.5 * KB),
    "labels": int(6.7 * KB),
    "offer": int(4.2 * KB),
    "office": 207 * KB,
    "scanning": int(13.4 * KB),
    "shared": int(20.2 * KB),
    "station": int(28.2 * KB),
}


@pytest.mark.parametrize("area", JOINED_BUDGETS)
def test_area_stays_within_its_budget(joined, area):
    size = sent_size(joined, [f"js/joined/{area}.js"])
    assert 0.8 * JOINED_BUDGETS[area] <= size <= JOINED_BUDGETS[area], size


OFFICE_PAGES = re.findall(
    r'import\("\./([\w/-]+)\.js"\)',
    (files.ROOT / "js/pages/office/pages.js").read_text("utf-8"),
)
#: As written, for a service without Node.js. What counts is what is loaded before a page
#: can be used: the modules that its entry imports, not those that it loads later by
#: `import()`, nor the texts of its area. The code of a page itself; for a page of the office
#: what its forms and lists are made of, too.
PAGE_BUDGETS = {
    "board/board": int(16.6 * KB),
    "station/station": int(44.9 * KB),
    "labels/labels": int(10.5 * KB),
    "offer/offer": int(6.1 * KB),
    "deliveries/deliveries": int(21.5 * KB),
    **{f"office/{name}": 48 * KB for name in OFFICE_PAGES},
    "office/labels/template": int(51.2 * KB),
}
#: All code of a page beyond the core, with the parts that it shares with other pages.
ALL_CODE_BUDGETS = {
    "board/board": int(26.5 * KB),
    "station/station": int(80.2 * KB),
    "offer/offer": int(11.2 * KB),
    "deliveries/deliveries": int(48.3 * KB),
}


def code_of(page, known):
    """The modules that a page loads before it can be used, beyond the core."""
    core = {"js/main.js", *files.static_imports("js/main.js", known)}
    entry = f"js/pages/{page}.js"
    loaded = {entry, *files.static_imports(entry, known)}
    return loaded - core


@pytest.mark.parametrize("page", PAGE_BUDGETS)
def test_page_stays_within_its_budget(written, page):
    code = code_of(page, written.files)
    assert len(code) > 1
    counted = ("js/pages/", "js/ui/verdict")
    if page.startswith("office/"):
        counted = ("js/",)
    own = sent_size(written, {one for one in code if one.startswith(counted)})
    assert own <= PAGE_BUDGETS[page], own
    whole = sent_size(written, code)
    assert whole <= ALL_CODE_BUDGETS.get(page, inf), whole


def test_what_a_module_loads_later_is_not_imported_by_it_at_once(written):
    for name, file in written.files.items():
        if not name.startswith("js/"):
            continue
        text = file.body.decode()
        at_once = set(files.STATIC_IMPORT.findall(text))
        later = set(re.findall(r'import\("([^"]+)"\)', text))
        assert at_once & later == set(), name
