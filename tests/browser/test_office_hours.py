"""The working hours in the office: proposed, filled in with holidays, saved, and taken back."""

import pytest

from browser.pages import (
    CORE,
    change_unheard,
    follow,
    press_at_once,
    see,
    unexpected,
)
from glassflow.core.process import clock
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PATH = "/api/working-hours"
SAVE = ".form .main-button"
STEP = ".set-up-steps li:has(strong:has-text('Working hours'))"
USUAL = [{"start": "08:00", "end": "12:00"}, {"start": "13:00", "end": "17:00"}]
#: Whether this page counts by working hours, as its session has them.
COUNTS = f"""
    const {{ session }} = await import("{CORE}/session.js");
    return session.value.workingHours !== null;
"""


def time_field(day, side, place=1):
    return f"#hours-{day} [aria-label*='{side}, {place}']"


def saved(tab):
    tab.click(SAVE)
    see(tab, ".form-buttons [role=status]", "Saved")


def test_proposed_week_and_holidays_are_saved_and_taken_back(
    open_office, chromium, admin
):
    tab = open_office(admin.worker, "setup")
    see(tab, f"{STEP} .step", "Not set: every hour counts")
    tab.click(f"{STEP} a")
    see(tab, ".hours", "Below is a proposal: until it is saved, every hour counts")
    see(tab, ".week-sum", "48 hours a week, a working day has 8 hours")
    assert admin.get(PATH).data["week"] is None

    # a night on Sunday, which ends on the next day
    tab.click("#hours-sunday input[type=checkbox]")
    tab.click("#hours-sunday .span:nth-of-type(2) button")
    tab.fill(time_field("sunday", "from"), "22:00")
    tab.fill(time_field("sunday", "until"), "04:00")
    see(tab, "#hours-sunday small", "until 04:00 the next day")
    see(tab, ".week-sum", "54 hours a week")

    offered = admin.get(f"{PATH}/holidays").data["holidays"]
    end = f"{clock.now().year + 1}-12-31"
    wanted = [one for one in offered if one["date"] <= end]
    tab.click('button:has-text("Thailand\'s holidays")')
    see(tab, ".holidays [role=status]", f"{len(wanted)} holidays until")
    tab.click(f"li:has([datetime='{wanted[0]['date']}']) button")
    tab.click('button:has-text("Thailand\'s holidays")')
    see(tab, ".holidays [role=status]", "1 holiday until")  # no other one twice
    tab.click(f"li:has([datetime='{wanted[0]['date']}']) button")
    saved(tab)
    stored = admin.get(PATH).data
    assert stored["week"]["saturday"] == USUAL
    assert stored["week"]["sunday"] == [{"start": "22:00", "end": "04:00"}]
    assert stored["daysOff"] == [
        {"date": one["date"], "name": one["name"]["en"]} for one in wanted[1:]
    ]
    see(tab, ".hours", "In force from")
    wait_until(lambda: tab.run(COUNTS))  # without a new load

    follow(tab, "office/setup")
    see(tab, f"{STEP} .step", "Set")
    tab.click(f"{STEP} a")
    tab.click("button:has-text('Hours no longer count')")
    see(tab, "dialog", "every hour counts again")
    tab.click("dialog .danger")
    see(tab, ".hours", "Below is a proposal")
    assert admin.get(PATH).data["week"] is None
    assert len(admin.get(PATH).data["daysOff"]) == len(wanted) - 1
    tab.click("summary:has-text('History of changes')")
    see(tab, ".changes", "Sunday")
    see(tab, ".changes", "22:00–04:00")
    assert unexpected(chromium) == []


def test_faults_are_at_their_days_and_an_older_form_overwrites_nothing(
    open_office, chromium, admin
):
    tab = open_office(admin.worker, "hours")
    tab.fill(time_field("monday", "from", 2), "11:00")
    tab.click("#hours-tuesday > button")
    tab.click(SAVE)
    see(tab, "#hours-tuesday .field-fault", "Not a time of day")
    see(tab, ".fault a", "Tuesday")
    tab.click("#hours-tuesday .span:nth-of-type(3) button")
    tab.click(SAVE)
    see(tab, "#hours-monday .field-fault", "Begins before the hours before it")
    tab.fill(time_field("monday", "from", 2), "13:30")
    assert tab.count(".week .field-fault") == 0
    see(tab, ".week-sum", "47 hours 30 minutes a week")

    tab.fill("#day-off-date", "2030-05-01")
    tab.click(SAVE)
    see(tab, "#day-off-fault", "Add this day off to the list")
    tab.fill("#day-off-name", "Labour Day")
    tab.press("Enter")
    see(tab, ".days-off li", "Wed, May 1, 2030 Labour Day")
    tab.fill("#day-off-date", "2020-05-01")
    tab.press("Enter")
    see(tab, "#day-off-fault", "This day is over")
    tab.fill("#day-off-date", "2030-05-01")
    tab.press("Enter")
    see(tab, "#day-off-fault", "This day is in the list")
    tab.fill("#day-off-date", "")
    saved(tab)
    assert admin.get(PATH).data["daysOff"] == [
        {"date": "2030-05-01", "name": "Labour Day"}
    ]

    tab.click("#hours-sunday input[type=checkbox]")
    theirs = {**admin.get(PATH).data["week"], "saturday": []}
    change_unheard("WorkingHours", admin.get(PATH).data, week=theirs)
    press_at_once(tab, SAVE)
    see(tab, ".conflict dd", "Saturday Not worked")
    tab.click(".conflict button:has-text('Overwrite with mine')")
    see(tab, ".form-buttons [role=status]", "Saved")
    week = admin.get(PATH).data["week"]
    assert week["saturday"] == week["sunday"] == USUAL
    tab.fill(time_field("monday", "until", 2), "18:00")
    tab.click("button:has-text('like Monday')")
    see(tab, ".week-sum", "59 hours 30 minutes a week")
    tab.click("button:has-text('Discard changes')")
    see(tab, ".week-sum", "55 hours 30 minutes a week")
    assert all("422" in one or "400" in one for one in unexpected(chromium))


def test_reader_of_stations_sees_the_hours_and_changes_nothing(
    open_office, chromium, admin, workshop
):
    role = workshop.role(permissions=["stations:view"])
    tab = open_office(workshop.worker(role=role), "hours")
    see(tab, ".hours", "No hours are set: every hour counts.")
    assert tab.count(".week") == 0
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
    week = {**dict.fromkeys(days, USUAL), "sunday": []}
    admin.put(PATH, {"week": week, "daysOff": [{"date": "2030-05-01", "name": "Ours"}]})
    see(tab, ".week li:first-child", "Monday 08:00–12:00, 13:00–17:00")  # live
    see(tab, ".week li:last-child", "Sunday Not worked")
    see(tab, ".days-off li", "Ours")
    assert tab.count(".hours :is(input, button)") == 0
    assert unexpected(chromium) == []
