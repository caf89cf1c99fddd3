"""Photos of claims: stored as files, read as signed links."""

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.cli.photos import move_photos
from glassflow.core.access import link_signer
from glassflow.core.events import event_log
from glassflow.core.store import files
from glassflow.models.claim import Claim
from lookups import claim_of
from pictures import MAGIC, load, picture, to_data_url
from scenarios import claim_pane, claim_under_order, order_with_panes

URL = "https://example.com/a.jpg"


@pytest.fixture
def job(admin, workshop):
    return order_with_panes(admin, workshop)


def path_of(claim):
    return f"/api/claims/{claim['_id']}"


def stored_files(claim):
    """The ids of the files that a claim refers to, in the order of its photos."""
    photos = Claim.collection().find_one({"_id": ObjectId(claim["_id"])})["photos"]
    return [photo["file"] for photo in photos if isinstance(photo, dict)]


def old_claim(workshop, job, worker, photos):
    """A claim as the previous release stored it, with its photos inside."""
    made = workshop.make(
        "Claim",
        claim_number=workshop.next("CLM"),
        order=job.order["_id"],
        material=job.material,
        source="worker",
        description="x",
        reported_by=worker.worker.pk,
    )
    change = {"$set": {"photos": photos}, "$unset": {"nextPhoto": 1, "createdBy": 1}}
    Claim.collection().update_one({"_id": made.pk}, change)
    return {"_id": str(made.pk)}


@pytest.mark.parametrize("media_type", MAGIC)
def test_picture_is_read_by_a_link_without_a_token(worker, job, media_type):
    data_url, content = picture(media_type=media_type)
    made = claim_pane(worker, job.numbers[0], photos=[URL, data_url]).data
    url, link = made["photos"]
    assert url == URL
    assert link.startswith(f"{path_of(made)}/photos/1?signature=")
    answer = load(worker, link)
    assert (answer.status_code, answer.content) == (200, content)
    assert answer.headers["Content-Type"] == media_type
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["Cache-Control"].startswith("private, max-age=")
    assert "Content-Disposition" not in answer.headers


def test_every_read_of_a_claim_shows_the_same_link(worker, job):
    data_url, _ = picture()
    made = claim_under_order(worker, job, photos=[data_url])
    assert claim_of(worker, made) == made
    assert worker.get("/api/claims").data == [made]
    assert worker.get("/api/claims", fields="photos").data == [
        {"_id": made["_id"], "photos": made["photos"]}
    ]


@pytest.mark.slow
def test_photos_of_a_claim_may_fill_its_body_up_to_the_limit(worker, job):
    (first, content), (second, _) = picture(3_500_000), picture(3_500_000)
    made = claim_pane(worker, job.numbers[0], photos=[first, second]).data
    assert load(worker, made["photos"][0]).content == content
    third, _ = picture(7_900_000)
    assert worker.patch(path_of(made), {"photos": [third]}).status == 413
    assert claim_of(worker, made) == made


@pytest.mark.parametrize(
    "photo",
    [
        5,
        None,
        {},
        "",
        "x",
        "ftp://example.com/a.jpg",
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "data:image/png;base64,%%%%",
        to_data_url(b"<svg/>", "image/svg+xml"),
        to_data_url(b"<script>", "text/html"),
        "/api/claims/0123456789abcdef01234567/photos/0?signature=x",
    ],
)
def test_other_photos_are_refused_and_change_nothing(worker, job, photo):
    data_url, _ = picture()
    refused = claim_pane(worker, job.numbers[0], photos=[data_url, photo])
    assert set(refused.faults) == {"photos.1"}
    assert worker.get("/api/claims").data == []
    made = claim_pane(worker, job.numbers[0], photos=[data_url]).data
    refused = worker.patch(path_of(made), {"photos": [data_url, photo]})
    assert set(refused.faults) == {"photos.1"}
    assert claim_of(worker, made) == made


def test_refused_claim_leaves_no_file(worker, job):
    claim_pane(worker, job.numbers[0])
    before = get_db()[f"{files.BUCKET}.files"].count_documents({})
    data_url, _ = picture()
    assert claim_pane(worker, job.numbers[0], photos=[data_url]).status == 409
    assert get_db()[f"{files.BUCKET}.files"].count_documents({}) == before


def test_link_that_is_sent_back_keeps_its_picture(worker, job):
    (first, _), (second, content), (third, new_content) = (picture() for _ in range(3))
    made = claim_pane(worker, job.numbers[0], photos=[first, second]).data
    _, link = made["photos"]
    unsigned = f"{worker.url}{link.partition('?')[0]}"
    changed = worker.patch(path_of(made), {"photos": [URL, unsigned, third]}).data
    assert changed["photos"][:2] == [URL, link]
    assert load(worker, link).content == content
    assert load(worker, changed["photos"][2]).content == new_content


def test_link_of_another_claim_or_number_is_refused(admin, worker, workshop, job):
    data_url, _ = picture()
    made = claim_pane(worker, job.numbers[0], photos=[data_url]).data
    other_job = order_with_panes(admin, workshop)
    other = claim_pane(worker, other_job.numbers[0]).data
    refused = worker.patch(path_of(other), {"photos": made["photos"]})
    assert refused.faults == {"photos.0": "The claim has no such photo"}
    unknown = made["photos"][0].replace("/photos/0", "/photos/7")
    assert worker.patch(path_of(made), {"photos": [unknown]}).status == 400


def test_claim_with_photos_that_is_sent_back_as_it_was_read_changes_nothing(
    worker, job, setting
):
    (first, _), (second, _) = picture(), picture()
    photos = [first, URL, second, first]  # one picture twice
    made = claim_pane(worker, job.numbers[0], photos=photos).data
    kept = stored_files(made)
    assert worker.patch(path_of(made), made).data == made
    setting(INLINE_PHOTOS=True)
    inline = claim_of(worker, made)
    assert inline["photos"] == photos
    assert worker.patch(path_of(made), inline).data == inline
    assert stored_files(made) == kept


def test_replaced_photo_is_gone_and_its_number_is_not_used_again(worker, job):
    first, second, third = (picture()[0] for _ in range(3))
    made = claim_pane(worker, job.numbers[0], photos=[first, second]).data
    removed = stored_files(made)[:1]
    links = [made["photos"]]
    for photos in ([made["photos"][1], third], [made["photos"][1]], [third]):
        links.append(worker.patch(path_of(made), {"photos": photos}).data["photos"])
    assert load(worker, links[0][0]).status_code == 404
    assert load(worker, links[0][1]).status_code == 404
    assert load(worker, links[1][1]).status_code == 404
    assert links[1][0] == links[2][0] == links[0][1]
    assert len({link for shown in links for link in shown}) == 4
    assert files.read_files(removed) == {}


def test_photos_that_a_patch_does_not_name_stay(worker, job):
    data_url, content = picture()
    made = claim_pane(worker, job.numbers[0], photos=[data_url]).data
    changed = worker.patch(path_of(made), {"description": "y"}).data
    assert changed["photos"] == made["photos"]
    assert load(worker, made["photos"][0]).content == content
    for nothing in ([], None):
        assert worker.patch(path_of(made), {"photos": nothing}).data["photos"] == []
    assert load(worker, made["photos"][0]).status_code == 404


def test_link_without_a_valid_signature_is_forbidden(worker, job, monkeypatch):
    (first, _), (second, _) = picture(), picture()
    made = claim_pane(worker, job.numbers[0], photos=[first, second]).data
    links = made["photos"]
    path, _, signature = links[0].partition("?signature=")
    for bad in (
        path,
        f"{path}?signature=",
        f"{path}?signature=x",
        f"{path}?signature={signature[:-1]}",
        f"{path}?signature={links[1].partition('=')[2]}",
        f"/api/claims/{'0' * 24}/photos/0?signature={signature}",
        f"/api/claims/x/photos/0?signature={signature}",
    ):
        for headers in ({}, {"Authorization": f"Bearer {worker.token}"}):
            answer = load(worker, bad, **headers)
            assert answer.status_code == 403, bad
            assert answer.json() == {
                "success": False,
                "message": "The link is not valid or has expired",
            }
    now, day = link_signer._now_s(), 24 * 3600
    monkeypatch.setattr(link_signer, "_now_s", lambda: now + day)
    assert load(worker, links[0]).status_code == 403
    fresh = claim_of(worker, made)["photos"]
    assert load(worker, fresh[0]).status_code == 200
    kept = worker.patch(
        path_of(made), {"photos": links}
    )  # expired ones keep theirs too
    assert kept.data["photos"] == fresh


def test_photos_of_a_deleted_claim_are_deleted(admin, worker, job):
    data_url, _ = picture(files.CHUNK_BYTES)
    made = claim_pane(worker, job.numbers[0], photos=[data_url]).data
    (file_id,) = stored_files(made)
    assert admin.delete(path_of(made)).status == 200
    answer = load(worker, made["photos"][0])
    assert (answer.status_code, answer.json()["success"]) == (404, False)
    assert files.read_files([file_id]) == {}


def test_photos_are_deleted_with_claims_that_a_cascade_takes_along(
    admin, worker, job, set_policy
):
    data_url, _ = picture()
    made = claim_pane(worker, job.numbers[0], photos=[data_url]).data
    (file_id,) = stored_files(made)
    set_policy(delete_policy="cascade")
    assert admin.delete(f"/api/requests/{job.request['_id']}").status == 200
    assert files.read_files([file_id]) == {}


def test_inline_photos_are_in_single_reads_and_answers_to_changes(
    admin, worker, workshop, job, setting
):
    setting(INLINE_PHOTOS=True)
    (first, _), (second, _) = picture(), picture()
    made = claim_pane(worker, job.numbers[0], photos=[URL, first]).data
    assert made["photos"] == [URL, first]
    assert claim_of(worker, made)["photos"] == [URL, first]
    changed = worker.patch(path_of(made), {"photos": [first, second]}).data
    assert changed["photos"] == [first, second]
    (listed,) = worker.get("/api/claims").data
    assert [one.partition("?")[0] for one in listed["photos"]] == [
        f"{path_of(made)}/photos/{n}" for n in (1, 2)
    ]
    under = order_with_panes(admin, workshop)
    assert claim_under_order(worker, under, photos=[first])["photos"] == [first]
    assert "photos" not in worker.get(path_of(made), fields="description").data


def test_neither_a_list_nor_the_outbox_contains_image_data(
    admin, worker, job, app, monkeypatch
):
    batches, running = [], app.extensions["runtime"]
    monkeypatch.setattr(running, "publish_soon", batches.extend)
    data_url, _ = picture(100_000)
    made = claim_pane(worker, job.numbers[0], photos=[data_url]).data
    worker.patch(path_of(made), {"description": "y"})
    admin.patch(f"/api/orders/{job.order['_id']}", {"claim": made["_id"]})
    lists = [
        worker.get("/api/claims").text,
        worker.get("/api/orders", populate="true").text,
    ]
    admin.delete(path_of(made))
    outbox = [entry for batch in batches for entry in batch.entries]
    changes = [entry for entry in outbox if getattr(entry, "kind", "") == "Claim"]
    assert [one.action for one in changes] == ["created", "updated", "deleted"]
    for text in (*lists, *map(repr, changes)):
        assert made["_id"] in text
        assert len(text) < 10_000
        assert "base64" not in text


def test_photos_inside_a_claim_of_an_earlier_release_are_read_as_links(
    worker, workshop, job, setting
):
    data_url, content = picture()
    junk = to_data_url(b"<script>", "text/html")
    old = old_claim(workshop, job, worker, [data_url, URL, junk])
    shown = claim_of(worker, old)["photos"]
    assert shown[1] == URL
    assert "data:" not in worker.get("/api/claims").text
    for _ in ("inside the claim", "as files"):
        assert claim_of(worker, old)["photos"] == shown
        assert load(worker, shown[0]).content == content
        answer = load(worker, shown[2])
        assert (answer.content, answer.headers["Content-Type"]) == (
            b"<script>",
            "application/octet-stream",
        )
        assert answer.headers["Content-Disposition"] == "attachment"
        setting(INLINE_PHOTOS=True)
        assert claim_of(worker, old)["photos"] == [data_url, URL, shown[2]]
        setting(INLINE_PHOTOS=False)
        worker.patch(path_of(old), {"description": "y"})
    assert len(stored_files(old)) == 2


def test_photos_of_an_earlier_release_can_be_kept_by_their_links(worker, workshop, job):
    (first, _), (second, content) = picture(), picture()
    old = old_claim(workshop, job, worker, [first, second])
    _, link = claim_of(worker, old)["photos"]
    assert worker.patch(path_of(old), {"photos": [link]}).data["photos"] == [link]
    assert load(worker, link).content == content


def test_command_moves_photos_out_of_claims_without_an_event(
    app, admin, worker, workshop, job
):
    (first, content), (second, _) = picture(), picture()
    old = old_claim(workshop, job, worker, [first])
    new = claim_pane(worker, job.numbers[0], photos=[second]).data
    shown = claim_of(worker, old)["photos"]
    publisher = app.extensions["realtime"].publisher
    assert publisher.flush()
    last = event_log.last()
    runner = app.test_cli_runner()
    for count in (1, 0):
        assert f"out of {count} claims" in runner.invoke(move_photos).output
    assert files.read_files(stored_files(old)) == {stored_files(old)[0]: content}
    assert claim_of(worker, old)["photos"] == shown
    assert claim_of(worker, new) == new
    assert publisher.flush()
    # the history has a number of the log, whose entry is sent to nobody
    assert [event.rooms for event in event_log.after(last)] in ([], [()])
