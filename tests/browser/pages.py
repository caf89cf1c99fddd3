"""What tests of the pages in a browser share."""

import re

from bson import ObjectId
from werkzeug.exceptions import ServiceUnavailable

from factories import PASSWORD
from glassflow.models import BY_NAME
from glassflow.pages import files
from tables_api import rows_of
from waiting import wait_until

# without transitions, whose colours in between no rule holds for
ENGLISH = {"locale": "en-US", "colorScheme": "dark", "reducedMotion": "reduce"}
THAI = {"locale": "th-TH", "colorScheme": "light", "reducedMotion": "reduce"}
#: For the tests of what it does; other profiles are without (see chromium.py).
WITH_SERVICE_WORKER = {"serviceWorkers": "allow"}
# the first is also a full-HD screen of 1280 units at a zoom of 400 %
PHONE, FULL_HD = (320, 640), (1920, 1080)
#: The looks of the profiles above: a language and a theme.
LOOKS = [("en", "dark"), ("th", "light")]
#: The folder of the modules that keep the language and the theme of the open pages.
CORE = f"/floor/static/{files.pages().version}/js/core"
SET_LOOK = f"""
    const {{ changeLanguage }} = await import("{CORE}/i18n.js");
    const {{ setTheme }} = await import("{CORE}/preferences.js");
    setTheme(given[1]);
    await changeLanguage(given[0]);
    return document.documentElement.lang;
"""
#: Opens a page as a link does, without a new load. A page sets the title once it is drawn and
#: has the focus, and once the language has changed: that effect runs after the next frame, and is
#: waited for. One of the same path is not drawn anew, so another page is shown in between.
FOLLOW = f"""
    const {{ go, pagePath, path }} = await import("{CORE}/router.js");
    const open = async (address) => {{
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const [{{ pathname }}, end] = [location, Date.now() + 30_000];
      const wanted = new URL(address, location.href).pathname;
      document.activeElement.blur();
      document.title = "followed";
      go(address);
      while (document.title === "followed") {{
        if (Date.now() > end) throw new Error(`${{address}} is not drawn`);
        // a login that has just ended shows its own page
        if (location.pathname === pathname && wanted !== pathname) go(address);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }}
    }};
    const isSame = pagePath(new URL(given, location.href).pathname) === path.value;
    const heading = document.querySelector("h1");
    if (isSame) await open("/floor/nothing");
    if (isSame && heading?.isConnected) throw new Error("the page before is still there");
    await open(given);
"""
LIVE = '[data-kind="live"]'
STALE = '[data-kind="stale"]'
#: Waits until a service worker has fetched all files, and counts its versions.
INSTALLED = "await navigator.serviceWorker.ready; return (await caches.keys()).length;"
SUBMIT = "form .main-button"
#: What Chromium logs about answers and networks, which the tests cause on purpose.
EXPECTED = re.compile(r"status of 4(0[01349]|12)|WebSocket connection|net::ERR_")


#: Keep what the page stores as a file, instead of the browser's folder of downloads.
KEEP_FILES = """
    globalThis.kept = [];
    globalThis.make ??= URL.createObjectURL;
    URL.createObjectURL = (blob) => (globalThis.kept.push(blob), globalThis.make.call(URL, blob));
"""
KEPT_FILES = """
    const files = globalThis.kept ?? [];
    return Promise.all(files.map(async (blob) => [...new Uint8Array(await blob.arrayBuffer())]));
"""


def log_in(tab, account, password=PASSWORD):
    """Fill in the login page, and submit it."""
    tab.fill("#username", account.username)
    tab.fill("#password", password)
    tab.click(SUBMIT)


def replace_one_time_password(tab, current, new, *, repeated=None):
    """Fill in the page that asks for a password of one's own, and submit it."""
    tab.wait("#repeated")
    tab.fill("#currentPassword", current)
    tab.fill("#password", new)
    tab.fill("#repeated", repeated or new)
    tab.click(SUBMIT)


def open_logged_in(profile, address, account, password=PASSWORD):
    """Open a page in a profile of the browser that is logged in without the login page.

    That would be one more page to load, for stories about something else.
    """
    profile.call("logIn", address, account.username, password)
    return profile.tab(address)


def open_page(profile, address, account, password=PASSWORD):
    """Open a page in a profile of the browser, logged in, and wait until it is live."""
    tab = open_logged_in(profile, address, account, password)
    tab.wait(LIVE)
    return tab


def open_office_page(profile, address, account):
    """As `open_page`, in the page that a story before has left, if there is one."""
    profile.call("logIn", address, account.username, PASSWORD)
    tab = profile.office_tab(address)
    tab.wait(LIVE)
    return tab


def texts(tab, selector):
    """The texts of the elements that a selector finds, on one line each."""
    return [" ".join(text.split()) for text in tab.texts(selector)]


def follow(tab, path):
    """Open a page from another one, as a link does: without a new load.

    A load takes about half a second of processor time in the browser.
    """
    tab.run(FOLLOW, f"/floor/{path}")


def see(tab, selector, text):
    """Wait until an element that the selector finds contains a text."""
    others = tab.see(selector, text)
    assert others is None, f"{text!r} is not in {others}: {tab.text('body')}"


def value(tab, selector):
    """The value of a field; None while it is not there."""
    return tab.run("return document.querySelector(given)?.value", selector)


def choose(tab, selector, text):
    """Type into a field that searches for records, and take what it finds."""
    tab.fill(selector, text)
    see(tab, f"{selector} ~ .found ul:not([hidden]) [role=option]", text)
    tab.press("Enter")
    wait_until(lambda: tab.attribute(selector, "aria-expanded") == "false")


def set_look(tab, lang, theme):
    """Set the language and the theme of the open page, as its menu does."""
    wait_until(lambda: tab.run(SET_LOOK, [lang, theme]) == lang)


def settles(read, expected):
    """Wait for what a page sets after it has painted, such as its title or the focus."""
    wait_until(lambda: read() == expected, describe=lambda: f"it is {read()}")


def unexpected(chromium):
    """The problems that pages have logged, except the expected ones."""
    return [one for one in chromium.call("problems") if not EXPECTED.search(one)]


def change_unheard(kind, record, **values):
    """Change a stored record as somebody else does of whom no page hears, by no event."""
    found = (
        BY_NAME[kind]
        .collection()
        .update_one(
            {"_id": ObjectId(record["_id"])}, {"$set": values, "$inc": {"version": 1}}
        )
    )
    assert found.modified_count == 1


def press_at_once(tab, selector):
    """Press a button after `change_unheard`, unless it is disabled.

    A click would wait for it: a page that is read again just now shows the conflict before
    anything is sent, and lets nobody save.
    """
    tab.run("document.querySelector(given).click();", selector)


def lose_first_answer(monkeypatch, app, endpoint):
    """Let a view carry out its first request, whose answer then gets lost."""
    view, lost = app.view_functions[endpoint], []

    def lose(**values):
        answer = view(**values)
        if lost:
            return answer
        lost.append(answer)
        raise ServiceUnavailable

    monkeypatch.setitem(app.view_functions, endpoint, lose)


def exported(tab, columns=None, button=".export"):
    """Export the list on the page as CSV, by this button; return its rows.

    `columns` is the place of the choice, where the list has one.
    """
    tab.run(KEEP_FILES, None)
    tab.click(button)
    tab.wait(".export-dialog")
    if columns:
        tab.click(f".export-columns label:nth-of-type({columns}) input")
    tab.click('.export-dialog button:has-text("CSV")')
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 1)
    wait_until(lambda: tab.count(".export-dialog") == 0)
    return rows_of(bytes(tab.run(KEPT_FILES, None)[0]))
