"""The workshop itself in the office: its form, its logo, and its name on paper."""

import base64

import pypdfium2
import pytest

from browser.pages import (
    see,
    set_look,
    unexpected,
    value,
)
from browser.test_office_on_paper import text_of
from pictures import photo
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PATH = "/api/workshop"
SAVE = ".form-buttons .main-button"
LOGO = ".logo img"


def saved(tab):
    tab.click(SAVE)
    see(tab, ".form-buttons [role=status]", "Saved")


def head_on_paper(tab, path):
    """The text of the first printed sheet, without spaces."""
    tab.pdf(str(path))
    return text_of(pypdfium2.PdfDocument(path)[0])


def test_form_changes_the_name_at_the_head_of_printed_pages_in_both_languages(
    open_office, chromium, admin, tmp_path
):
    tab = open_office(admin.worker, "workshop")
    tab.wait("#field-name")
    tab.fill("#field-name", "โรงงานกระจกไทย")
    tab.fill("#field-taxId", "0999990000011")
    tab.click(SAVE)
    see(tab, ".field-fault", "The last digit does not fit")
    tab.fill("#field-taxId", "0-9999-90000-01-0")
    tab.fill("#field-nameEnglish", "Thai Glass")
    tab.fill("#field-conditions", "มัดจำ\nก่อนผลิต")
    tab.fill("#field-quoteDays", "15")
    tab.fill("#field-dailyTarget", "40")
    tab.click("#field-mailHasLink")
    saved(tab)
    stored = admin.get(PATH).data
    assert (stored["taxId"], stored["quoteDays"]) == ("0999990000010", 15)
    assert (stored["mailHasLink"], stored["dailyTarget"]) == (False, 40)
    assert stored["conditions"] == "มัดจำ\nก่อนผลิต"
    wait_until(lambda: "ThaiGlass" in head_on_paper(tab, tmp_path / "en.pdf"))
    set_look(tab, "th", "light")
    wait_until(lambda: "โรงงานกระจกไทย" in head_on_paper(tab, tmp_path / "th.pdf"))
    admin.put(PATH, {"phone": "02-123-4567"})
    wait_until(lambda: value(tab, "#field-phone") == "02-123-4567")
    assert all("400" in one for one in unexpected(chromium))


def test_logo_is_chosen_made_smaller_and_removed(
    open_office, chromium, admin, tmp_path
):
    tab = open_office(admin.worker, "workshop")
    see(tab, ".logo", "No logo")
    picture = tmp_path / "logo.png"
    tab.screenshot(str(picture))
    tab.choose(".logo input", [str(picture)])
    tab.wait(LOGO)
    saved(tab)
    assert admin.get(PATH).data["logo"].startswith("data:image/png;base64,")
    large = tmp_path / "large.png"
    content = photo("image/png", side=300).partition(",")[2]
    large.write_bytes(base64.b64decode(content))  # more than 200 KB
    tab.choose(".logo input", [str(large)])
    wait_until(lambda: tab.attribute(LOGO, "src").startswith("data:image/jpeg"))
    saved(tab)
    assert admin.get(PATH).data["logo"].startswith("data:image/jpeg;base64,")
    text = tmp_path / "logo.txt"
    text.write_text("no picture")
    tab.choose(".logo input", [str(text)])
    see(tab, ".logo .field-fault", "cannot be opened")
    tab.click(".logo button")
    see(tab, ".logo", "No logo")
    saved(tab)
    assert admin.get(PATH).data["logo"] is None
    assert unexpected(chromium) == []


def test_reader_of_prices_changes_nothing(open_office, chromium, admin, workshop):
    admin.put(PATH, {"name": "โรงงานกระจกไทย", "logo": photo("image/png")})
    role = workshop.role(permissions=["pricing:view"])
    tab = open_office(workshop.worker(role=role), "workshop")
    tab.wait(LOGO)
    assert value(tab, "#field-name") == "โรงงานกระจกไทย"
    assert (tab.count(SAVE), tab.count(".logo :is(input, button)")) == (0, 0)
    assert unexpected(chromium) == []
