"""The camera of the pages in a real browser that films what the tests show it."""

import re
from itertools import pairwise
from urllib.parse import urlsplit

import pytest

from browser.chromium import Chromium
from browser.pages import ENGLISH, FULL_HD, PHONE, THAI, unexpected
from browser.parts import show_part
from browser.station_steps import offers, open_station, shows, status
from glassflow.models.pane import Pane
from optional_tools import require_chromium, require_node
from qr_pictures import label_picture, write_photo, write_video
from scenarios import order_with_panes
from sizes import size
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

FIRST, SECOND = "STDPLUS:PNE-0107", "STDPLUS:PNE-0108-B"
LIVE = '.camera-picture[data-state="live"]'
PROBLEM = ".camera-problem"
PHOTO = ".camera input[type=file]"
#: A name that browsers do not trust without TLS, as they do the address of the device.
WORKSHOP = "floor.workshop.example"

# Collects what the camera reads.
CONTENT = """
    globalThis.read = [];
    const close = () => render(null, place);
    const collect = (text) => globalThis.read.push(text);
    render(html`<h1>Test</h1>
      <${part.CameraSheet} onCode=${collect} onClose=${close} />`, place);
"""
HIDE = """
    Object.defineProperty(document, "hidden", { value: given, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
"""
FILMING = "return document.querySelector('.camera video')?.srcObject?.active ?? false;"
# The browser films one video only: another camera is named, and which one is asked for.
SECOND_CAMERA = """
    const devices = navigator.mediaDevices;
    const [known, ask] = [devices.enumerateDevices.bind(devices), devices.getUserMedia.bind(devices)];
    const second = { kind: "videoinput", deviceId: "second", label: "Second camera" };
    devices.enumerateDevices = async () => [...await known(), second];
    globalThis.wanted = [];
    devices.getUserMedia = (wanted) => {
      globalThis.wanted.push(wanted.video.deviceId?.ideal ?? null);
      return ask(wanted);
    };
"""


@pytest.fixture(scope="module")
def pictures():
    return {text: label_picture(text) for text in (FIRST, SECOND, None)}


@pytest.fixture(scope="module")
def browser_with(pictures, tmp_path_factory):
    """Starts a browser with more switches; `None` as video: the camera asks for leave."""
    path = require_chromium()
    require_node("playwright-core")
    require_node("axe-core")
    # short: the story of the station waits for two cycles; a label that is missed comes again
    shown_s, empty_s = size((2, 1), long=(4, 3))
    scenes = [(FIRST, shown_s), (None, empty_s), (SECOND, shown_s), (None, empty_s)]
    video = write_video(
        tmp_path_factory.mktemp("camera") / "labels.y4m",
        [(pictures[text], seconds) for text, seconds in scenes],
    )
    running = []

    def start(*switches):
        fake = ("--use-fake-device-for-media-stream", *switches)
        running.append(
            Chromium(path, *fake, f"--use-file-for-fake-video-capture={video}")
        )
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture(scope="module")
def chromium(browser_with):
    return browser_with(f"--host-resolver-rules=MAP {WORKSHOP} 127.0.0.1")


def open_camera(chromium, server, *, permissions=("camera",), **options):
    tab = chromium.profile(permissions=list(permissions), **options).tab(
        f"{server}/floor/"
    )
    tab.wait("#username")
    show_camera(tab)
    return tab


def show_camera(tab):
    show_part(tab, "ui/camera_sheet.js", "ui/camera.css", CONTENT)


def read_by(tab):
    return tab.run("return globalThis.read;")


@pytest.mark.long
def test_codes_count_once_while_they_are_held_and_again_when_they_come_back(
    chromium, server
):
    tab = open_camera(chromium, server, **ENGLISH)
    tab.wait(LIVE)
    wait_until(lambda: len(read_by(tab)) >= 3, describe=lambda: tab.text("main"))
    seen = read_by(tab)
    assert set(seen) == {FIRST, SECOND}
    assert all(one != other for one, other in pairwise(seen)), seen
    assert re.search(r"Read PNE-010[78]", tab.text(".camera-seen"))

    tab.run(HIDE, True)
    assert not tab.run(FILMING)
    tab.run(HIDE, False)
    wait_until(lambda: tab.run(FILMING))
    before = len(read_by(tab))
    wait_until(lambda: len(read_by(tab)) > before)

    tab.press("Tab")
    tab.press("Escape")  # with the focus on a button of the camera
    wait_until(lambda: not tab.run("return document.querySelector('.camera');"))
    assert unexpected(chromium) == []


def test_label_before_the_camera_of_a_station_shows_its_pane_and_confirms_nothing(
    chromium, server, admin, workshop
):
    job = order_with_panes(admin, workshop, steps=2)
    number = FIRST.partition(":")[2]
    Pane.objects(pane_number=job.numbers[0]).update(set__pane_number=number)
    account, address = workshop.worker_with("worker"), f"/floor/s/{job.stations[0]}"
    options = {"permissions": ["camera"], **ENGLISH}
    tab = open_station(chromium, server, account, address, **options)
    tab.wait(".queue li")
    tab.click('.read button:has-text("Camera")')
    tab.wait(LIVE)
    for _ in range(
        2
    ):  # the video shows it again and again, which a scanner would confirm
        shows(tab, number)
        wait_until(lambda: tab.text(".pane h2") != number)  # the other label
    assert status(admin, number) == "pending"
    shows(tab, number)
    offers(tab, "Take in")
    tab.run("document.querySelector('.camera button').focus();")
    tab.press("Escape")  # closes the camera, and leaves the pane
    wait_until(lambda: tab.count(".camera") == 0)
    assert tab.count(".pane h2") == 1


def test_other_camera_is_chosen_and_kept(chromium, server):
    tab = chromium.profile(permissions=["camera"], **ENGLISH).tab(f"{server}/floor/")
    tab.wait("#username")
    tab.run(SECOND_CAMERA)
    show_camera(tab)
    tab.wait(LIVE)
    assert "Second camera" in tab.text(".camera select")
    assert tab.axe() == []
    tab.run(
        """
        const select = document.querySelector(".camera select");
        select.value = "second";
        select.dispatchEvent(new Event("change", { bubbles: true }));
        """
    )
    wait_until(lambda: tab.run("return globalThis.wanted;") == [None, "second"])
    tab.wait(LIVE)
    tab.reload()
    tab.wait("#username")
    tab.run(SECOND_CAMERA)
    show_camera(tab)
    tab.wait(LIVE)
    assert tab.run("return globalThis.wanted;") == ["second"]


def test_reader_comes_from_the_service_and_only_when_the_camera_is_open(
    chromium, server
):
    tab = chromium.profile(permissions=["camera"], **ENGLISH).tab(f"{server}/floor/")
    tab.wait("#username")
    assert not [one for _, one in chromium.call("requests") if "zxing" in one]
    show_camera(tab)
    tab.wait(LIVE)
    wait_until(lambda: read_by(tab))
    asked = [one for _, one in chromium.call("requests")]
    assert all(one.startswith(f"{server}/") for one in asked if "blob:" not in one), (
        asked
    )


def test_camera_that_is_not_allowed_is_explained_and_can_be_asked_for_again(
    chromium, server
):
    tab = open_camera(chromium, server, permissions=(), **ENGLISH)
    tab.wait(f'{PROBLEM}[data-reason="denied"]')
    assert "blocked for this page" in tab.text(PROBLEM)
    tab.click(f"{PROBLEM} button")
    tab.wait(f'{PROBLEM}[data-reason="denied"]')
    assert tab.axe() == []


def test_page_of_plain_http_says_why_it_has_no_camera_and_reads_a_photo(
    chromium, server, pictures, tmp_path
):
    address = f"http://{WORKSHOP}:{urlsplit(server).port}"
    tab = open_camera(chromium, address, permissions=(), **THAI)
    tab.wait(f'{PROBLEM}[data-reason="insecure"]')
    assert "https" in tab.text(PROBLEM)

    tab.choose(PHOTO, [str(write_photo(tmp_path / "empty.png", pictures[None]))])
    wait_until(lambda: "อ่าน QR ในรูปนี้ไม่ได้" in tab.text("main"))
    note = tmp_path / "note.txt"
    note.write_text("no photo")
    tab.choose(PHOTO, [str(note)])
    wait_until(lambda: "อ่าน QR ในรูปนี้ไม่ได้" in tab.text("main"))
    assert read_by(tab) == []

    tab.choose(PHOTO, [str(write_photo(tmp_path / "label.png", pictures[SECOND]))])
    wait_until(lambda: read_by(tab) == [SECOND])
    assert "PNE-0108-B" in tab.text(".camera-seen")


@pytest.mark.parametrize("options", [ENGLISH, THAI], ids=["dark English", "light Thai"])
def test_camera_is_accessible_and_fits_every_screen(chromium, server, options):
    tab = open_camera(chromium, server, **options)
    tab.wait(LIVE)
    for window in (PHONE, FULL_HD):
        tab.size(*window)
        assert tab.overflow() <= 0, window
    assert tab.axe() == []
