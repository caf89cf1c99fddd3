"""How many round trips to the store a frequent request takes, at most.

Those of the publisher are counted too, up to the commit that stores the events. The limits
are the present numbers, so that a test fails when one grows.
"""

from functools import partial

import pytest

from concurrency import create_clients, run_concurrently, run_in_queue
from glassflow.services.reports import to_do
from scenarios import claim_pane, order_with_panes, order_with_units, pass_station
from stock_api import create_lot


def test_recorder_records_every_kind_of_command(admin, worker, workshop, trips):
    job = order_with_panes(admin, workshop)
    commands = trips(lambda: worker.scan(job.numbers[0], "scan_in"))
    assert {"find", "update", "insert", "commitTransaction"} <= set(commands)
    # what the publisher does: the batch is removed, the events are stored
    assert commands[-3:] == ["delete", "insert", "commitTransaction"]


def test_scans_take_few_round_trips(admin, worker, manager, workshop, trips):
    job = order_with_panes(admin, workshop, steps=2, panes=2, assignedTo=manager.id)
    first, second = job.numbers
    worker.scan(second, "scan_in")  # the order has begun
    counts = {
        action: len(trips(partial(worker.scan, first, action), cached=True))
        for action in ("scan_in", "complete", "scan_out")
    }
    again = len(trips(lambda: worker.scan(first, "scan_out"), cached=True))
    # pane and order; pane, log, batch; commit; 3 of the publisher
    assert counts["scan_in"] <= 8
    assert counts["complete"] <= 8
    # besides: the order's count and its change, the notification and its recipient
    assert counts["scan_out"] <= 12
    # pane and order; log; commit
    assert again <= 3
    worker.scan(second, "complete")
    # worker, role and stations; the recipient is cached
    assert len(trips(lambda: worker.scan(second, "scan_out"))) <= 15


def test_undo_takes_few_round_trips(admin, worker, workshop, trips):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "complete")
    worker.scan(job.numbers[0], "scan_out")
    undo = partial(worker.post, f"/api/panes/{job.numbers[0]}/undo", {})
    # pane and order; log; stations, their locks; pane, correction; count, order; batch;
    # commit; 3 of the publisher
    assert len(trips(undo, cached=True)) <= 13


@pytest.mark.parametrize(
    ("populate", "limit"),
    [("false", 2), ("order,routing", 4), ("order.customer.shortName,request", 5)],
)
def test_next_step_of_a_pane_takes_few_round_trips(
    admin, worker, workshop, trips, populate, limit
):
    job = order_with_panes(admin, workshop, steps=3)
    worker.scan(job.numbers[0], "scan_in")
    path = f"/api/panes/{job.numbers[0]}/next?populate={populate}"
    worker.get(path)
    # pane and order; its newest log; what is populated
    assert len(trips(lambda: worker.get(path), cached=True)) <= limit


def test_price_of_a_request_takes_two_round_trips_and_one_for_a_price_list(
    admin, workshop, trips
):
    glass = {"glassType": "Clear", "thickness": 6}
    pane = {"dimensions": {"width": 500, "height": 500}, "rawGlass": glass}
    body = {"panes": [pane] * 20, "customer": str(workshop.customer().pk)}
    ask = partial(admin.post, "/api/requests/price", body)
    ask()
    # the price list, the customer's discount
    assert trips(ask, cached=True) == ["find", "find"]
    made = admin.post("/api/price-lists", {"name": "contractors"}).data["_id"]
    admin.patch(f"/api/customers/{body['customer']}", {"priceList": made})
    assert trips(ask, cached=True) == ["find"] * 3


def test_job_card_takes_one_query_a_collection(admin, workshop, trips):
    job = order_with_panes(admin, workshop, panes=5)
    read = partial(admin.get, f"/api/orders/{job.order['_id']}/job-card")
    # order, panes, request, customer, material, stations
    assert trips(read, cached=True) == ["find"] * 6


def test_idempotency_key_costs_two_round_trips(admin, worker, workshop, trips):
    """One looks for a kept answer, the other keeps it."""
    job = order_with_panes(admin, workshop, panes=3)
    first, second, third = (f"/api/panes/{number}/scan" for number in job.numbers)
    body, key = {"action": "scan_in"}, {"headers": {"Idempotency-Key": "k1"}}
    worker.post(first, body)  # the order has begun
    plain = trips(partial(worker.post, second, body), cached=True)
    once = partial(worker.post, third, body, **key)
    assert len(trips(once, cached=True)) == len(plain) + 2
    assert trips(once, cached=True) == ["find", "commitTransaction"]


def test_eight_scanners_at_once_take_few_round_trips(
    app, admin, worker, workshop, server, trips
):
    """The events of several scans are published together."""
    job = order_with_panes(admin, workshop, panes=9)
    worker.scan(job.numbers[8], "scan_in")  # the order has begun
    clients = create_clients(server, workshop, count=8)
    for client in clients:
        client.get("/api/auth/me")
    actions = ("scan_in", "start", "complete")
    publisher = app.extensions["realtime"].publisher

    def scan_all():
        answers = []
        for action in actions:
            pairs = zip(clients, job.numbers[:8], strict=True)
            scans = [partial(client.scan, number, action) for client, number in pairs]
            with publisher._one_at_a_time:  # on a quick store it published some alone
                answers += run_concurrently(scans)
        return answers

    assert len(trips(scan_all, cached=True)) <= 6 * 8 * len(actions)


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
def test_eight_scans_at_once_that_change_the_figures_of_orders_take_few_round_trips(
    app, admin, worker, workshop, server, trips, action
):
    """The count of the order's panes and the change of the order are added."""
    orders = [order_with_panes(admin, workshop, panes=2, steps=2) for _ in range(8)]
    for number in (number for job in orders for number in job.numbers):
        worker.scan(number, "complete")
    for job in orders:
        worker.scan(job.numbers[1], action)
    clients = create_clients(server, workshop, count=8)
    for client in clients:
        client.get("/api/auth/me")
    publisher = app.extensions["realtime"].publisher

    def scan_all():
        pairs = zip(clients, orders, strict=True)
        scans = [partial(client.scan, job.numbers[0], action) for client, job in pairs]
        with publisher._one_at_a_time:  # on a quick store it published some alone
            return run_concurrently(scans)

    # pane and order; count; pane, order, log, batch; commit; 3 of the publisher for all
    assert len(trips(scan_all, cached=True)) <= 7 * 8 + 3


def test_eight_scanners_of_one_order_write_nothing_in_vain(
    admin, worker, workshop, server, trips
):
    """A scan waits for the others of its order before it reads anything."""
    job = order_with_panes(admin, workshop, panes=8, steps=2)
    for action in ("scan_in", "complete"):
        body = {"paneNumbers": job.numbers, "action": action}
        assert worker.post("/api/panes/batch-scan", body).status == 200
    clients = create_clients(server, workshop, count=8)
    pairs = zip(clients, job.numbers, strict=True)
    scans = [partial(client.scan, number, "scan_out") for client, number in pairs]
    order = ("orders", job.order["_id"])
    commands = trips(lambda: run_in_queue(order, scans), cached=True)
    assert commands.count("update") == 2 * 8  # the pane and the order
    assert commands.count("aggregate") == 2 * 8  # the pane with its order; the figures
    assert commands.count("abortTransaction") == 0
    # as alone; fewer of the publisher
    assert len(commands) <= 12 * 8


def test_failed_checks_of_one_material_at_once_are_not_begun_twice(
    admin, worker, workshop, server, trips
):
    """Each takes a unit of the material for its remake, so they wait for each other."""
    job = order_with_panes(admin, workshop)
    other = order_with_panes(admin, workshop, material=job.material)
    numbers = [job.numbers[0], other.numbers[0]]
    for number in numbers:
        worker.scan(number, "complete")
    clients = create_clients(server, workshop, count=2)
    scans = [
        partial(client.scan, number, "qc_fail", reason="broken")
        for client, number in zip(clients, numbers, strict=True)
    ]
    commands = trips(lambda: run_concurrently(scans), cached=True)
    assert commands.count("abortTransaction") == 0


def test_own_record_takes_one_round_trip(worker, trips):
    worker.get("/api/auth/me")
    assert trips(lambda: worker.get("/api/auth/me"), cached=True) == ["find"]


def test_change_of_a_station_takes_few_round_trips(admin, workshop, trips):
    path = f"/api/stations/{workshop.station().pk}"
    admin.get("/api/auth/me")
    # the station, for its rules again; station, batch; commit; 3 of the publisher
    change = partial(admin.patch, path, {"status": "online"})
    assert len(trips(change, cached=True)) <= 8


@pytest.mark.slow
def test_batch_of_50_takes_few_round_trips(admin, worker, workshop, trips):
    job = order_with_panes(admin, workshop, panes=50)
    worker.scan(job.numbers[0], "scan_in")
    body = {"paneNumbers": job.numbers, "action": "start"}
    scan = partial(worker.post, "/api/panes/batch-scan", body)
    assert len(trips(scan, cached=True)) <= 9


def test_scan_of_a_rack_takes_two_round_trips_more_than_of_its_panes(
    admin, worker, workshop, trips
):
    counts = []
    for path in ("batch-scan", "rack"):
        job = order_with_panes(admin, workshop, panes=12)
        worker.scan(job.numbers[0], "scan_in")
        rack = admin.post("/api/racks", {"name": "A"}).data["_id"]
        body = {"paneNumbers": job.numbers, "station": job.stations[0]}
        assert worker.post(f"/api/racks/{rack}/put", body).status == 200
        body["action"] = "complete"
        admin.patch(f"/api/racks/{rack}", {"station": None})
        path = (
            "/api/panes/batch-scan"
            if path == "batch-scan"
            else f"/api/racks/{rack}/scan"
        )
        counts.append(len(trips(partial(worker.post, path, body), cached=True)))
    # the rack, and its station
    assert counts[1] - counts[0] == 2, counts


@pytest.mark.slow
@pytest.mark.parametrize("populate", ["false", "true"])
def test_batch_of_40_panes_takes_as_many_round_trips_as_one_of_5(
    admin, worker, workshop, trips, populate
):
    counts = []
    for panes in (5, 40):
        job = order_with_panes(admin, workshop, panes=panes)
        body = {"paneNumbers": job.numbers, "action": "scan_in"}
        path = f"/api/panes/batch-scan?populate={populate}"
        counts.append(len(trips(lambda path=path, body=body: worker.post(path, body))))
    assert counts[0] == counts[1], counts


@pytest.mark.slow
def test_loss_of_20_panes_takes_as_many_round_trips_as_of_5(
    admin, worker, manager, workshop, trips
):
    lost, undone = [], []
    for panes in (5, 20):
        job = order_with_panes(admin, workshop, panes=panes, assignedTo=manager.id)
        worker.scan(job.numbers[0], "scan_in")  # the caches know the worker
        body = {"paneNumbers": job.numbers, "reason": "broken"}
        fail = partial(worker.post, "/api/panes/batch-fail", body)
        undo = partial(worker.post, "/api/panes/batch-undo", body)
        lost.append(len(trips(fail, cached=True)))
        undone.append(len(trips(undo, cached=True)))
    assert lost[0] == lost[1] <= 20, lost
    assert undone[1] - undone[0] == 15, undone  # the newest log of each pane


@pytest.mark.slow
@pytest.mark.parametrize("populate", ["false", "true"])
def test_batch_of_many_orders_and_units_takes_as_many_round_trips_as_of_one(
    admin, worker, workshop, trips, populate
):
    path, counts = f"/api/panes/batch-scan?populate={populate}", []
    for orders in (1, 6):
        jobs = [order_with_units(admin, workshop, before=0) for _ in range(orders)]
        numbers = [number for job in jobs for sheets in job.sheets for number in sheets]
        body = {"paneNumbers": numbers, "action": "scan_in"}
        counts.append(len(trips(lambda body=body: worker.post(path, body))))
    assert counts[0] == counts[1], counts


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["orders", "requests"])
def test_cancelling_and_restoring_40_panes_takes_as_many_round_trips_as_5(
    admin, worker, workshop, trips, kind
):
    counts = []
    for panes in (5, 40):
        job = order_with_panes(admin, workshop, panes=panes)
        for number in job.numbers[:: panes // 5]:
            assert claim_pane(worker, number).status == 201
        record = job.order if kind == "orders" else job.request
        path = f"/api/{kind}/{record['_id']}"
        counts.append(
            [
                len(trips(lambda path=path, body=body: admin.patch(path, body)))
                for body in ({"status": "cancelled"}, {"status": "pending"})
            ]
        )
    assert counts[0] == counts[1], counts


@pytest.mark.parametrize(
    ("kind", "limit"),
    # number, unit of work with references, records, batch; commit; 3 of the publisher;
    # besides for lots: material, its lots before and after, ledger; for panes: order and
    # request open, stations, lot, cuts, order, its panes, its figures; limits of making and
    # job types
    [("customers", 6), ("inventories", 15), ("panes", 23)],
)
def test_bulk_create_of_40_records_takes_as_many_round_trips_as_of_2(
    admin, workshop, trips, kind, limit
):
    job = order_with_panes(admin, workshop)
    lot = {"material": job.material, "stockType": "Raw", "quantity": 1, "location": "A"}
    cut_from = admin.post("/api/inventories", lot).data["_id"]
    glass = {"sheetsPerPane": 1}
    pane = {"order": job.order["_id"], "routing": job.stations, "rawGlass": glass}
    item = {
        "customers": {"name": "Aek"},
        "inventories": lot,
        "panes": {**pane, "inventory": cut_from},
    }[kind]
    counts = [
        trips(
            partial(admin.post, f"/api/{kind}", {"items": [item] * count}), cached=True
        )
        for count in (2, 40)
    ]
    assert len(counts[0]) == len(counts[1]) <= limit, counts


def test_request_with_20_panes_takes_few_round_trips(admin, workshop, trips):
    station, customer = str(workshop.station().pk), str(workshop.customer().pk)
    body = {
        "customer": customer,
        "details": {"type": "window", "quantity": 20},
        "panes": [{"routing": [station]}] * 20,
    }
    admin.get("/api/auth/me")
    # two counters; customer, station, lock; request, panes, batch; commit; 3 of the
    # publisher
    assert len(trips(partial(admin.post, "/api/requests", body), cached=True)) <= 12


@pytest.mark.slow
def test_order_and_cancellation_take_as_many_round_trips_for_20_panes_as_for_one(
    admin, workshop, trips
):
    counts = []
    for panes in (1, 20):
        job = order_with_panes(admin, workshop, panes=panes)
        admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
        body = {
            "customer": job.customer,
            "details": {"type": "window", "quantity": panes},
            "panes": [{"routing": job.stations}] * panes,
        }
        request = admin.post("/api/requests", body).data["_id"]
        order = {
            "customer": job.customer,
            "material": job.material,
            "quantity": panes,
            "request": request,
        }
        adopting = trips(partial(admin.post, "/api/orders", order), cached=True)
        cancel = partial(
            admin.patch, f"/api/requests/{request}", {"status": "cancelled"}
        )
        cancelling = trips(cancel, cached=True)
        counts.append((len(adopting), len(cancelling)))
    assert counts[0] == counts[1]
    # with the quote of the request, for the priority of the order
    assert max(counts[1]) <= 16, counts


def test_lists_take_few_round_trips(admin, workshop, trips):
    job = order_with_panes(admin, workshop, panes=20)
    # worker, role, count, page
    assert len(trips(lambda: admin.get("/api/panes"))) <= 4
    # and order, request, material, stations
    assert len(trips(lambda: admin.get("/api/panes", populate="true"))) <= 8
    of_order = partial(admin.get, "/api/panes", order=job.order["_id"], populate="true")
    # count, page; order, request, material
    assert len(trips(of_order, cached=True)) <= 5


def test_search_takes_as_many_round_trips_for_many_records_as_for_one(
    admin, workshop, trips
):
    counts = []
    for panes in (2, 10):
        job = order_with_panes(admin, workshop, panes=panes)
        claim_pane(admin, job.numbers[0])
        texts = ("PNE", "0001", f"STDPLUS:{job.numbers[0]}")
        searches = [partial(admin.get, "/api/search", q=text) for text in texts]
        counts.append([len(trips(search, cached=True)) for search in searches])
    # a query for each of 8 kinds; order and station of the panes
    # two more kinds, for a digit; besides: 9 numbers; pane and order of claims, customer of orders and of requests,
    # twice where both exact and other records are found
    # a pane, its order
    assert counts[0] == counts[1], counts
    assert counts[1][0] <= 10, counts
    assert counts[1][1] <= 22, counts
    assert counts[1][2] <= 2, counts


def test_orders_by_deadline_take_four_round_trips(admin, workshop, trips):
    for _ in range(3):
        order_with_panes(admin, workshop)
    admin.get("/api/orders/due")
    # open orders, deadlines, page, the count of all
    assert len(trips(lambda: admin.get("/api/orders/due"), cached=True)) == 4


def test_what_is_to_do_takes_eight_round_trips(admin, workshop, trips):
    for _ in range(3):
        job = order_with_panes(admin, workshop)
        body = {"customer": job.customer, "panes": [job.panes[0]["_id"]]}
        planned = admin.post("/api/deliveries", body).data
        back = [{"paneNumber": job.numbers[0], "reason": "absent"}]
        path = f"/api/deliveries/{planned['_id']}/hand-over"
        assert admin.post(path, {"paneNumbers": [], "left": back}).status == 200

    def read():
        to_do.read(lambda _: True)
        return []

    # open orders, their requests; new requests, their customers and their number
    # deliveries with panes that came back, these panes, and the customers
    assert len(trips(read)) == 8


def test_reading_the_price_list_opens_no_transaction_once_it_exists(admin, trips):
    assert "commitTransaction" in trips(lambda: admin.get("/api/pricing-settings"))
    # worker, role, price list
    assert trips(lambda: admin.get("/api/pricing-settings")) == ["find"] * 3


def test_populating_two_levels_takes_as_many_round_trips_for_40_rows_as_for_5(
    admin, workshop, trips
):
    order_with_panes(admin, workshop, panes=40)
    names = "order.request,order.customer,request.customer,request,material,routing"
    counts = [
        trips(lambda rows=rows: admin.get("/api/panes", populate=names, limit=rows))
        for rows in (5, 40)
    ]
    # worker, role, page, count; orders, requests; customers, materials, stations
    assert [len(one) for one in counts] == [9, 9], counts


@pytest.mark.slow
def test_deleting_20_panes_costs_no_more_than_5(admin, workshop, trips):
    """Neither the number of panes counts nor that of their orders."""
    counts = []
    for orders, panes in ((1, 5), (1, 20), (4, 5), (8, 5)):
        jobs = [order_with_panes(admin, workshop, panes=panes) for _ in range(orders)]
        body = {"ids": [pane["_id"] for job in jobs for pane in job.panes]}
        delete = partial(admin.delete, "/api/panes", body)
        counts.append(len(trips(delete, cached=True)))
    assert len(set(counts)) == 1, counts
    # panes, and the end of that attempt; the locks and their commit; panes; 3 rules;
    # 6 references; delete; orders, their panes, their update; batch; commit; the end of the
    # locks and its commit; 3 of the publisher
    assert counts[0] <= 25, counts


@pytest.mark.slow
@pytest.mark.slow
def test_deleting_20_claimed_panes_under_cascade_costs_no_more_than_5(
    admin, workshop, trips, set_policy
):
    counts = []
    set_policy(delete_policy="cascade")
    for panes in (5, 20):
        job = order_with_panes(admin, workshop, panes=panes)
        claim = {
            "source": "worker",
            "material": job.material,
            "description": "แตก",
            "reportedBy": admin.id,
        }
        path = f"/api/orders/{job.order['_id']}/claims"
        ids = [pane["_id"] for pane in job.panes]
        for pane in ids:
            assert admin.post(path, {**claim, "pane": pane}).status == 201
        body = {"ids": ids}
        counts.append(len(trips(lambda body=body: admin.delete("/api/panes", body))))
    assert counts[0] == counts[1], counts


@pytest.mark.slow
def test_deleting_20_lots_costs_no_more_than_5(admin, workshop, trips):
    counts = []
    for lots in (5, 20):
        lot = {"material": str(workshop.material().pk), "stockType": "Raw"}
        lot = {**lot, "quantity": 2, "location": "A"}
        made = [admin.post("/api/inventories", lot).data["_id"] for _ in range(lots)]
        body = {"ids": made}
        counts.append(
            len(trips(lambda body=body: admin.delete("/api/inventories", body)))
        )
    assert counts[0] == counts[1], counts


def test_board_takes_few_round_trips_however_much_it_shows(
    admin, worker, workshop, trips
):
    for _ in range(3):
        job = order_with_panes(admin, workshop, steps=3, panes=5)
        pass_station(worker, job.numbers[0], job.stations[0])
    admin.get("/api/board")
    pass_station(worker, job.numbers[1], job.stations[0])
    first, again = (
        trips(lambda: admin.get("/api/board"), cached=True) for _ in range(2)
    )
    # the last event, the working hours, the figures with those since then; stations, panes; orders, their
    # requests and customers; calls; deliveries; failed panes; materials
    assert len(first) <= 16
    assert first == again


def test_stock_and_book_take_the_same_round_trips_for_many_rows(admin, workshop, trips):
    glass = workshop.material()
    paths = ("/api/materials/stock", f"/api/materials/{glass.pk}/book")
    counts = []
    for _ in range(2):
        for _ in range(3):
            create_lot(admin, glass, 5)
            create_lot(admin, workshop.material(), 5)
        calls = [partial(admin.get, path) for path in paths]
        for call in calls:
            call()
        counts.append([len(trips(call, cached=True)) for call in calls])
    assert counts[0] == counts[1]
    stock, book = counts[0]
    assert stock <= 3  # materials, how many, lots
    assert book <= 4  # rows, how many, the sum before them, the entries between them


def test_panes_of_a_customer_take_three_round_trips_more(admin, workshop, trips):
    job = order_with_panes(admin, workshop)
    plain = len(trips(lambda: admin.get("/api/panes"), cached=True))
    of_customer = partial(admin.get, "/api/panes", customer=job.customer)
    # the requests, the orders, and whether an order has panes of no request
    assert len(trips(of_customer, cached=True)) <= plain + 3
