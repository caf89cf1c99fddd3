"""Events of claims are small: they have links to the photos and no image data."""

import json

from pictures import load, picture
from scenarios import claim_pane, order_with_panes


def test_events_of_a_claim_with_a_large_photo_carry_its_link_only(
    admin, worker, workshop, screen
):
    job = order_with_panes(admin, workshop)
    watcher = screen(admin, "join_claim")
    data_url, content = picture(1_000_000)
    claims = []

    def act():
        claims.append(claim_pane(worker, job.numbers[0], photos=[data_url]).data)
        path = f"/api/claims/{claims[0]['_id']}"
        claims.append(worker.patch(path, {"description": "y"}).data)
        assert load(worker, claims[0]["photos"][0]).content == content
        admin.delete(path)

    events = watcher.events_during(admin, act)
    claims.append(claims[-1])
    actions = ("created", "updated", "deleted")
    assert events == [
        ("claim:updated", {"action": action, "data": claim})
        for action, claim in zip(actions, claims, strict=True)
    ]
    assert all(len(json.dumps(event)) < 3000 for event in events)
