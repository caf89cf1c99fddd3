"""Photos that are uploaded first, and named by a failed check or a claim."""

import io
from datetime import timedelta
from functools import partial

import pytest
from bson import ObjectId
from PIL import Image

from concurrency import count_refusals, run_concurrently, successes
from glassflow.core.process import clock, images
from glassflow.core.store import files
from glassflow.domain.panes.scan_times import OLDEST_SCAN
from glassflow.services.attachments import KEPT_FOR
from lookups import claim_of, pane_actions, pane_of
from pictures import load, photo, picture, to_data_url
from scenarios import claim_pane, order_with_panes
from screens import Screen

URL = "https://example.com/a.jpg"


def upload(api, **body):
    return api.post("/api/attachments", {"photo": photo(), **body})


def uploaded(api, count=1):
    return [upload(api).data["_id"] for _ in range(count)]


@pytest.fixture
def number(admin, worker, workshop):
    """The number of a pane that can fail its check."""
    (number,) = order_with_panes(admin, workshop).numbers
    worker.scan(number, "complete")
    return number


def fail(api, number, **fields):
    return api.scan(number, "qc_fail", reason="scratch", **fields)


def make_older(file_id, age):
    """Let a file have been stored so long ago."""
    moment = {"metadata.unusedSince": clock.now() - age}
    files.documents().update_one({"_id": ObjectId(file_id)}, {"$set": moment})


@pytest.mark.parametrize("media_type", ["image/jpeg", "image/png", "image/webp"])
def test_photo_of_a_failed_check_is_read_by_a_link_of_its_log(
    worker, admin, number, media_type
):
    made = upload(worker, photo=photo(media_type)).data
    assert made["type"] == media_type
    log = fail(worker, number, photos=[made["_id"]]).data["log"]
    (link,) = log["photos"]
    assert link.startswith(f"/api/pane-logs/{log['_id']}/photos/0?signature=")
    answer = load(worker, link)
    assert answer.status_code == 200
    assert len(answer.content) == made["size"]
    assert answer.headers["Content-Type"] == media_type
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert Image.open(io.BytesIO(answer.content)).size == (32, 32)
    assert load(worker, link.split("?")[0]).status_code == 403
    (listed,) = admin.get("/api/pane-logs", action="qc_fail").data
    assert listed["photos"] == [link]


def test_failed_check_has_three_photos_at_most(worker, admin, number):
    ids = uploaded(worker, 4)
    assert list(fail(worker, number, photos=ids).faults) == ["photos"]
    log = fail(worker, number, photos=ids[2::-1]).data["log"]
    pictures = [load(worker, link).content for link in log["photos"]]
    assert len(set(pictures)) == 3
    again = fail(worker, number, photos=ids[2::-1]).data["log"]  # a duplicate
    assert again == log


def test_only_a_failed_check_takes_photos(worker, admin, number):
    answer = worker.scan(number, "scan_out", photos=uploaded(worker))
    assert list(answer.faults) == ["photos"]
    assert worker.scan(number, "scan_out", photos=[]).status == 200


def test_photos_are_in_the_event_of_the_scan_as_links(worker, admin, number):
    screen = Screen(admin).join("join_dashboard")
    ids = uploaded(worker)
    events = screen.events_during(admin, lambda: fail(worker, number, photos=ids))
    logs = [data["data"] for name, data in events if name == "log:updated"]
    (sent,) = [log for log in logs if "paneLog" in log]
    (link,) = sent["paneLog"]["photos"]
    assert load(worker, link).status_code == 200
    screen.close()


def test_attachment_of_another_worker_cannot_be_used(worker, manager, number):
    (theirs,), (own,) = uploaded(manager), uploaded(worker)
    gone = str(ObjectId())
    answer = fail(worker, number, photos=[own, theirs, gone])
    assert (answer.status, answer.errors["code"]) == (400, "UNKNOWN_ATTACHMENT")
    assert answer.errors["photos"] == [theirs, gone]
    assert pane_of(worker, number)["currentStatus"] == "awaiting_scan_out"
    assert fail(worker, number, photos=[own]).status == 200


def test_attachment_is_used_once(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    for one in job.numbers:
        worker.scan(one, "complete")
    (photo_id,) = uploaded(worker)
    twice = fail(worker, job.numbers[0], photos=[photo_id, photo_id])
    assert twice.errors["photos"] == [photo_id]
    scans = [partial(fail, worker, one, photos=[photo_id]) for one in job.numbers]
    answers = run_concurrently(scans)
    assert len(successes(answers)) == 1
    assert count_refusals(answers) == {(400, "UNKNOWN_ATTACHMENT"): 1}
    claimed = claim_pane(worker, job.numbers[0], photos=[photo_id])
    assert claimed.status == 400


def test_attachment_waits_for_as_long_as_a_kept_scan_and_is_deleted_then(
    worker, number
):
    late, in_time = uploaded(worker, 2)
    make_older(late, KEPT_FOR + timedelta(seconds=1))
    make_older(in_time, OLDEST_SCAN)
    assert fail(worker, number, photos=[late]).errors["photos"] == [late]
    upload(worker)
    assert files.read_files([ObjectId(late)]) == {}
    used = fail(worker, number, photos=[in_time]).data["log"]
    upload(worker)
    assert load(worker, used["photos"][0]).status_code == 200


def test_client_may_choose_the_id_and_send_the_photo_again(worker, manager, number):
    chosen, data_url = str(ObjectId()), photo()
    first = upload(worker, photo=data_url, id=chosen)
    assert first.data["_id"] == chosen
    assert upload(worker, photo=data_url, id=chosen).data == first.data
    for other in (
        upload(worker, id=chosen),
        upload(manager, photo=data_url, id=chosen),
    ):
        assert (other.status, other.errors["code"]) == (409, "ATTACHMENT_EXISTS")
    assert fail(worker, number, photos=[chosen]).status == 200
    again = upload(worker, photo=data_url, id=chosen)
    assert again.errors["code"] == "ATTACHMENT_EXISTS"  # it is the picture of the log


def test_what_is_no_picture_is_refused(worker, client_with_keys):
    broken, _ = picture(media_type="image/jpeg")
    gif, _ = picture(media_type="image/gif")
    for data_url in (broken, gif):
        answer = upload(worker, photo=data_url)
        assert (answer.status, answer.errors["code"]) == (400, "NOT_A_PICTURE")
    for value in (
        None,
        5,
        URL,
        "0" * 24,
        "data:image/png;base64,!",
        "data:text/html,x",
    ):
        assert list(upload(worker, photo=value).faults) == ["photo"]
    assert list(upload(worker, id="x").faults) == ["id"]
    # both texts name the types that are accepted
    message = "Must be a JPEG, PNG or WebP picture in a base64 data URL"
    assert upload(worker, photo="data:text/html,x").faults == {"photo": message}
    large, _ = picture(2 * 1024 * 1024, "image/jpeg")
    answer = upload(worker, photo=large)
    assert (answer.status, answer.errors["code"]) == (400, "PICTURE_TOO_LARGE")
    assert answer.errors["maximum"] == 2 * 1024 * 1024
    assert upload(client_with_keys("panes:view")).status == 403
    assert upload(client_with_keys("claims:create")).status == 201


def test_picture_with_too_many_pixels_is_refused_with_their_limit(worker):
    written = io.BytesIO()
    side = int(images.MAX_PIXELS**0.5) + 1
    Image.new("1", (side, side)).save(written, "PNG")
    answer = upload(worker, photo=to_data_url(written.getvalue()))
    assert (answer.status, answer.errors["code"]) == (400, "PICTURE_TOO_LARGE")
    assert answer.errors["maximumPixels"] == images.MAX_PIXELS
    assert answer.message == "The photo has more than 50,000,000 pixels"


def test_claim_takes_attachments_beside_other_photos(worker, admin, number):
    data_url, _ = picture()
    first, second = uploaded(worker, 2)
    made = claim_pane(worker, number, photos=[URL, first, data_url]).data
    url, link, other = made["photos"]
    assert url == URL
    assert load(worker, link).status_code == load(worker, other).status_code == 200
    path = f"/api/claims/{made['_id']}"
    changed = worker.patch(path, {"photos": [link, second.upper()]}).data
    assert changed["photos"][0] == link
    assert load(worker, changed["photos"][1]).status_code == 200
    answer = worker.patch(path, {"photos": uploaded(admin)})
    assert (answer.status, answer.errors["code"]) == (400, "UNKNOWN_ATTACHMENT")
    assert claim_of(worker, changed) == changed


def test_undone_failed_check_keeps_its_photos_in_the_log(worker, admin, number):
    link = fail(worker, number, photos=uploaded(worker)).data["log"]["photos"][0]
    assert worker.post(f"/api/panes/{number}/undo", {}).status == 200
    assert pane_actions(admin, number)[-2:] == ["qc_fail", "correction"]
    assert load(worker, link).status_code == 200
