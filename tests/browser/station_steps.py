"""What the stories of panes at stations share: scanning, and what the page says then."""

from browser.pages import open_logged_in
from waiting import wait_until

NEXT, CARD, SAID = ".next", ".pane h2", ".status-line"
YES, FAILED, NO, KEPT = (
    f'.verdict[data-kind="{kind}"]' for kind in ("yes", "failed", "no", "kept")
)
#: What the button of the next step says -> what the page says once it is done.
DONE = {"Take in": "Taken in", "Done": "Done", "Hand on": "Handed on"}
#: The pause after which the same code confirms; and a scanner's second Enter is one.
PAUSE_MS = 1100
PAUSE = "await new Promise((resolve) => setTimeout(resolve, given));"
#: The keys of a US keyboard as a Thai one types them.
THAI_KEYS = dict(zip("STDPLUNEOXCY:-0123456789", "ฆธฏญศ๊์ฎฯ)ฉํซขจๅ/-ภถุึคต", strict=True))
CODES = {":": "Semicolon", "-": "Minus", "/": "Slash", ".": "Period"}


def open_station(chromium, server, account, address, **options):
    """Open a page as a worker; it shows what it has to show."""
    return open_logged_in(chromium.profile(**options), f"{server}{address}", account)


def pause(tab):
    tab.run(PAUSE, PAUSE_MS)


def scan(tab, text, *, paused=False, layout=None, ended=True):
    """Type as a scanner does that is connected as a keyboard, which may be set to Thai.

    `layout` has what its keys type then; one that is not `ended` sends no end mark.
    """
    if paused:
        pause(tab)
    tab.strokes([stroke(character, layout or {}) for character in text], ended)


def stroke(character, layout):
    """What a key types, the code of the key, and whether it is pressed with Shift."""
    kind = "Digit" if character.isdigit() else "Key"
    code = CODES.get(character, f"{kind}{character.upper()}")
    shifted = character.isupper() or character == ":"
    return [layout.get(character, character), code, shifted]


def scan_in_thai(tab, text):
    scan(tab, text, layout=THAI_KEYS)


def command(tab, name):
    """Scan a printed command card."""
    scan(tab, f"STDPLUS-DO:{name}")


def says(tab, selector, *words):
    tab.wait(selector)
    wait_until(
        lambda: all(word in tab.text(SAID) for word in words),
        describe=lambda: tab.text("body"),
    )


def shows(tab, number):
    tab.wait(CARD)
    wait_until(lambda: tab.text(CARD) == number, describe=lambda: tab.text("body"))


def offers(tab, action):
    tab.wait(NEXT)
    wait_until(
        lambda: tab.text(NEXT).strip() == action, describe=lambda: tab.text("body")
    )


def status(admin, number):
    return admin.get(f"/api/panes/{number}").data["currentStatus"]
