"""A short story of a workshop, from which the examples of the document are recorded."""

import json
import re

from bson import ObjectId
from flask import current_app
from werkzeug.exceptions import HTTPException

import cutting_api
from clients import Api
from factories import PASSWORD
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain.permissions import ACCOUNT_ROLES
from glassflow.models.worker import Worker
from glassflow.services.auth import badges, identity
from glassflow.web.operation import operation_of
from pictures import photo, to_data_url
from webhook_receiver import parked_delivery

MAX_ROWS = 1  # of a list in an example
HIDDEN = "not-shown"  # in place of a secret
#: The parts of a text that differ in each recording: ids and times.
VARIES = re.compile(r"[0-9a-f]{24}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?")
CUSTOMER = {
    "name": "บริษัท กระจกใส จำกัด",
    "phone": "02-555-0199",
    "address": "99 ถนนสุขุมวิท กรุงเทพฯ",
    "taxId": "0999990000010",
    "branch": "00000",
    "discount": 5,
}


class Recorder(Api):
    """A client that keeps the first body and answer of each operation.

    `bodies` and `answers` are by the id of the operation.
    """

    def __init__(self, app, api):
        super().__init__(api.url, api.token, api.worker)
        self._app = app
        self.bodies, self.answers = {}, {}

    def call(self, method, path, **options):
        answer = super().call(method, path, **options)
        assert answer.status < 300, (method, path, answer)
        name = self._operation(method, path)
        body = options.get("json")
        if body:
            self.bodies.setdefault(name, shortened(body))
        if isinstance(answer.body, dict):
            self.answers.setdefault(name, shortened(answer.body))
        return answer

    def _operation(self, method, path):
        with self._app.test_request_context(path, method=method):
            adapter = current_app.url_map.bind("")
            try:
                endpoint, _ = adapter.match(path.partition("?")[0], method=method)
            except HTTPException as error:
                raise AssertionError(path) from error
        return operation_of(self._app.view_functions[endpoint]).id


def shortened(value):
    """Return JSON with the first rows of lists of records, and without secrets."""
    if isinstance(value, dict):
        return {
            name: HIDDEN
            if name in ("token", "password", "currentPassword", "pin", "code", "secret")
            else shortened(one)
            for name, one in value.items()
        }
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [shortened(one) for one in value[:MAX_ROWS]]
    if isinstance(value, str) and value.startswith("gf_"):
        return HIDDEN
    if isinstance(value, str) and value.startswith("data:"):
        return value[:40] + "…"
    if isinstance(value, str) and "/floor/offer#" in value:
        return value.partition("#")[0] + "#…"
    if isinstance(value, str) and "signature=" in value:
        return value.partition("signature=")[0] + "signature=…"
    return value


def tell(api, workshop):
    """Let a workshop work for a moment; `api` is an administrator's."""

    def made(path, **body):
        return api.post(path, body).data

    customer = made("/api/customers", **CUSTOMER)["_id"]
    api.patch(f"/api/customers/{customer}", {"discount": 7.5})
    twin = made("/api/customers", name="กระจกใส จก.")["_id"]
    made(f"/api/customers/{customer}/merge", customers=[twin])
    material = made(
        "/api/materials",
        name="กระจกใส 6 มม.",
        unit="แผ่น",
        reorderPoint=10,
        specDetails={"thickness": "6", "glassType": "clear"},
    )["_id"]
    template = made("/api/station-templates", name="ตัด", uiSchema={})["_id"]
    stations = [
        made("/api/stations", name=name, templateId=template, position=n)["_id"]
        for n, name in enumerate(("โต๊ะตัด", "เจียรขอบ"))
    ]
    _tell_of_calls(api, made, stations[0])
    _tell_of_stock(api, made, material)
    made(
        "/api/requests/price",
        customer=customer,
        panes=[{"dimensions": {"width": 800, "height": 1200, "thickness": 6}}],
    )
    made(
        "/api/makeability/check",
        panes=[
            {
                "dimensions": {"width": 800, "height": 1200, "thickness": 6},
                "holes": [{"id": "h1", "x": 10, "y": 300, "diameter": 8}],
            }
        ],
    )
    _tell_of_quotes(api, made, customer)
    request = made(
        "/api/requests",
        customer=customer,
        details={"type": "หน้าต่าง", "quantity": 2, "estimatedPrice": 4500},
        deadline="2027-01-15T10:00:00.000Z",
        panes=[
            {
                "routing": stations,
                "dimensions": {"width": 800, "height": 1200, "thickness": 6},
                "glassTypeLabel": "กระจกใส",
            }
        ]
        * 2,
    )
    order = made(
        "/api/orders",
        request=request["_id"],
        customer=customer,
        material=material,
        quantity=2,
        assignedTo=api.id,
    )["_id"]
    api.get("/api/orders/due")
    first, second = api.get("/api/panes", request=request["_id"]).data
    wider = {"add": [{"routing": stations}], "reason": "ลูกค้าขอเพิ่ม",
             "change": [{"panes": [second["_id"]],
                         "values": {"dimensions": {"width": 900}}}]}  # fmt: skip
    made(f"/api/requests/{request['_id']}/changes/preview", **wider)
    made(f"/api/requests/{request['_id']}/changes", **wider)
    _tell_of_scans(
        api, made, order, first["paneNumber"], second["paneNumber"], stations
    )
    _tell_of_a_delivery(api, made, order, customer)
    made("/api/claims/from-pane", source="worker", paneNumber=second["paneNumber"],
         description="ขอบบิ่น", defectCode="chipped", reportedBy=api.id)  # fmt: skip
    made(f"/api/orders/{order}/claims", source="customer", material=material,
         description="มีรอยขีดข่วน", defectCode="scratch", reportedBy=api.id)  # fmt: skip
    made("/api/production-logs", pane=first["_id"], order=order, station=stations[0],
         action="start", operator=api.id)  # fmt: skip
    made(f"/api/requests/{request['_id']}/panes", order=order,
         panes=[{"routing": stations, "quantity": 1,
                 "dimensions": {"width": 600, "height": 500, "thickness": 6}}])  # fmt: skip
    made(f"/api/requests/{request['_id']}/attachments", name="PO-2027-014.pdf",
         file=to_data_url(b"%PDF-1.4\n%%EOF\n", "application/pdf"))  # fmt: skip
    _tell_of_cutting(api, made, customer, material, stations)
    _tell_of_the_office(api, made)
    api.post("/api/notifications/read")
    for path in ("/api/board", "/api/dashboard/stats", "/api/setup", "/api/search?q=PNE", "/api/events",
                 f"/api/panes/{first['paneNumber']}/related", "/api/label-layouts",
                 f"/api/pane-logs/timeline?paneNumber={first['paneNumber']}",
                 "/api/panes/pending-counts", "/api/roles/permissions", "/api/auth/me",
                 "/api/health", "/api/health/ready"):  # fmt: skip
        api.get(path)
    _tell_of_a_mistake(api, made)


def _tell_of_a_mistake(api, made):
    """Records are deleted by mistake, and restored."""
    bodies = {
        "customers": {"name": "บ้านกระจก"},
        "materials": {"name": "กระจกสีชา", "unit": "แผ่น", "reorderPoint": 1},
    }
    for resource, body in bodies.items():
        record = made(f"/api/{resource}", **body)["_id"]
        api.delete(f"/api/{resource}/{record}")
        made(f"/api/{resource}/{record}/restore")
    api.get("/api/activity", limit=2)


def _tell_of_stock(api, made, material):
    kind = {"material": material, "stockType": "Raw"}
    lot = made("/api/inventories", **kind, quantity=40, location="A-01")["_id"]
    made(f"/api/inventories/{lot}/move/preview", quantity=5, toLocation="B-02")
    made(f"/api/inventories/{lot}/move", quantity=5, toLocation="B-02")
    api.get(f"/api/materials/{material}/stock")
    made("/api/withdrawals/preview", **kind, quantity=2)
    made("/api/withdrawals", **kind, quantity=2, notes="สำหรับงานด่วน")
    made("/api/material-logs", material=material, actionType="cut", quantityChanged=-1)
    api.get(f"/api/materials/{material}/book")


def _tell_of_scans(api, made, order, first, second, stations):
    made("/api/sticker-templates", name="มาตรฐาน", width=60, height=40, elements=[])
    api.get(f"/api/panes/{first}/next", station=stations[0])
    made(f"/api/panes/{first}/scan", action="scan_in", station=stations[0])
    made(f"/api/panes/{first}/undo", reason="สแกนผิดแผ่น")
    made("/api/panes/batch-scan", paneNumbers=[first, second], action="scan_in",
         station=stations[0])  # fmt: skip
    made("/api/panes/batch-fail", paneNumbers=[first, second], reason="broken",
         station=stations[0], description="เตาดับ")  # fmt: skip
    made("/api/panes/batch-undo", paneNumbers=[first, second], reason="แผ่นยังดี")
    _tell_of_racks(api, made, [first, second], stations[0])
    made("/api/attachments", photo=photo())
    made("/api/labels", panes=[first], template="มาตรฐาน", format="json")
    made("/api/labels/print", panes=[first], template="มาตรฐาน")
    made("/api/sticker-templates/preview", width=30, height=20, pane=first, elements=[
         {"type": "text", "x": 2, "y": 2, "content": "{{paneNumber}}"}])  # fmt: skip
    made("/api/panes", order=order, routing=stations)


def _tell_of_the_office(api, made):
    role = made("/api/roles", name="หัวหน้ากะ", permissions=["panes:view", "panes:scan"])
    worker = made("/api/workers", name="สมหญิง ใจดี", username="somying",
                  password="glass-2026", position="ช่างตัด", role=role["_id"])  # fmt: skip
    made("/api/job-types", name="เทมเปอร์", code="tempered")
    saved = made("/api/saved-exports", name="แผ่นที่รอ", resource="panes",
                 query="status=pending&fields=paneNumber,order", shared=True)  # fmt: skip
    api.get(f"/api/saved-exports/{saved['_id']}")
    api.patch(f"/api/saved-exports/{saved['_id']}", {"format": "csv"})
    api.get("/api/saved-exports", populate="owner")
    api.delete(f"/api/saved-exports/{saved['_id']}")
    made(
        "/api/notifications", recipient=worker["_id"], type="note", title="ประชุมบ่ายสอง"
    )
    hook = made("/api/webhooks", url="https://erp.example.com/glassflow",
                events=["order:updated", "pane:updated"], isActive=False)["_id"]  # fmt: skip
    api.patch(f"/api/webhooks/{hook}", {"events": ["order:updated"]})
    made(f"/api/webhooks/{hook}/secret", secret="whsec_" + "c2VjcmV0" * 4)
    made(f"/api/webhooks/{hook}/deliveries/{parked_delivery(hook)}/resend")
    api.get(f"/api/webhooks/{hook}/deliveries")
    api.put("/api/pricing-settings", {"holePriceEach": 60})
    made("/api/price-lists", name="ผู้รับเหมา", percent=-8, edgeRates={"arris": 12})
    api.put("/api/makeability", {"limits": {"heaviest": 80}})
    rules = {"common": {"edgeTrim": 15}, "byThickness": [{"thickness": 12, "kerf": 1}]}
    api.put("/api/cutting-rules", rules)
    week = {"monday": [{"start": "08:00", "end": "17:00"}]}
    api.put("/api/working-hours", {"week": week})
    api.get("/api/working-hours/holidays")
    api.get("/api/dashboard/today")
    api.get("/api/dashboard/flow")
    api.get("/api/dashboard/losses")
    api.get("/api/dashboard/on-time")
    api.get("/api/dashboard/stock-use")
    api.put("/api/workshop", {"name": "กระจกไทย", "taxId": "0999990000010"})
    api.patch("/api/auth/me", {"notificationPreferences": {"volume": 0.4}})
    _tell_of_devices(api, made, worker["_id"])
    _tell_of_access(api, made, worker)
    api.delete("/api/workers", {"ids": [worker["_id"]]})
    api.post("/api/auth/login", {"username": api.worker.username, "password": PASSWORD})


def _tell_of_quotes(api, made, customer):
    """Offer panes; customers take one offer, accept another by its link, and reject one."""
    panes = [
        {
            "dimensions": {"width": 800, "height": 1200},
            "rawGlass": {"glassType": "Clear", "thickness": 6},
            "quantity": 12,
        }
    ]
    made("/api/quotes/price", customer=customer, panes=panes, discountPercent=5)
    offer = {"customer": customer, "panes": panes, "project": "อาคาร A"}
    first, other, linked, declined = (
        made("/api/quotes", **offer)["_id"] for _ in range(4)
    )
    api.patch(f"/api/quotes/{first}", {"leadTime": "7 วันทำการ", "discountPercent": 5})
    made(f"/api/quotes/{first}/forecast", whatIf={"extraShifts": 5, "first": True})
    for one in (first, other, linked, declined):
        made(f"/api/quotes/{one}/send", overrideReason="")
    second = made(f"/api/quotes/{first}/revise")["_id"]
    made(f"/api/quotes/{second}/send")
    api.get(f"/api/quotes/{second}/mail")
    words = {"subject": "ใบเสนอราคากระจก อาคาร A", "message": "ตามที่คุยกันครับ"}
    made(f"/api/quotes/{second}/mail", to=["ann@example.com"], **words)
    accepted = made(f"/api/quotes/{second}/accept", referenceId="PO-2027-014")
    made(f"/api/requests/{accepted['request']}/forecast", whatIf={"first": True})
    wanted = {"request": accepted["request"], "notes": "ตามที่คุยกันทางโทรศัพท์"}
    made("/api/quotes/confirmations", language="th", **wanted)
    made(f"/api/quotes/{other}/reject", reason="ราคาสูงไป")
    of_link, of_declined = (
        {"X-Offer-Secret": made(f"/api/quotes/{one}/link")["url"].rpartition(".")[2]}
        for one in (linked, declined)
    )
    api.call("GET", f"/api/offers/{linked}", headers=of_link)
    wish = {"name": "สมศรี ใจดี", "text": "ขอบานซ้ายกว้างขึ้น 20 มม."}
    api.post(f"/api/offers/{linked}/change", wish, headers=of_link)
    body = {"name": "สมศรี ใจดี", "note": "โทรก่อนส่ง", "referenceId": "PO-2027-015"}
    api.post(f"/api/offers/{linked}/accept", body, headers=of_link)
    body = {"name": "Ann Lee", "note": "เลื่อนโครงการไปปีหน้า"}
    api.post(f"/api/offers/{declined}/decline", body, headers=of_declined)
    api.get(f"/api/quotes/{linked}/lines", language="en")
    api.delete(f"/api/quotes/{linked}/link")
    api.get("/api/quotes", populate="true")
    api.get("/api/quotes/figures")
    assert api.get(f"/api/quotes/{second}/pdf").status == 200


def _tell_of_a_lost_pane(api, made):
    """Cancel a pane of a quote, charge it nevertheless, and take that back."""
    panes = api.get("/api/panes", status="pending", limit=100).data
    lost = next(one for one in panes if one["agreedPrice"])
    api.patch(f"/api/panes/{lost['_id']}", {"currentStatus": "cancelled"})
    body = {"panes": [lost["_id"]], "reason": "ตัดกระจกแล้ว"}
    charged = made("/api/billing-entries", **body)["_id"]
    api.get(f"/api/requests/{lost['request']}/agreed-price")
    made(f"/api/billing-entries/{charged}/void")


def _tell_of_a_delivery(api, made, order, customer):
    """Hand over a finished pane, take that back, and plan another day."""
    pane, broken = (made("/api/panes", order=order) for _ in range(2))
    for one in (pane, broken):
        api.patch(f"/api/panes/{one['_id']}", {"currentStatus": "completed"})
    planned = made("/api/deliveries", customer=customer, panes=[pane["_id"], broken["_id"]],
                   recipient="ไซต์งานคลอง 5", vehicle="กข 1234")["_id"]  # fmt: skip
    numbers = [pane["paneNumber"]]
    for action in ("load", "unload"):
        made(f"/api/deliveries/{planned}/{action}", paneNumbers=numbers)
    api.get("/api/deliveries/open")
    api.get(f"/api/deliveries/{planned}/checklist")
    signature = made("/api/attachments", photo=photo("image/png"))["_id"]
    made(f"/api/deliveries/{planned}/hand-over", paneNumbers=numbers,
         receivedBy="สมชาย", signature=signature,
         left=[{"paneNumber": broken["paneNumber"], "reason": "broken"}])  # fmt: skip
    api.get("/api/deliveries", populate="true")
    [entry] = api.get("/api/billing-entries", populate="true").data
    api.patch(f"/api/billing-entries/{entry['_id']}", {"adjustment": 450})
    api.get("/api/billing-entries/figures")
    api.get("/api/billing-entries/accounts")
    of_accounts = {"rows": "panes", "language": "th", "format": "xlsx"}
    assert api.post("/api/billing-entries/accounts", of_accounts).status == 200
    api.get("/api/sales", months="3")
    api.get(f"/api/customers/{customer}/account")
    entries = [entry["_id"]]
    made("/api/billing-entries/bill", ids=entries, invoiceNumber="INV-6911-014")
    credit = made(f"/api/billing-entries/{entry['_id']}/credit", amount=120,
                  reason="ขอบบิ่นเล็กน้อย ลูกค้ารับไว้")["_id"]  # fmt: skip
    made(f"/api/billing-entries/{credit}/void")
    paid = made("/api/payments", customer=customer, amount=500, way="cash",
                invoiceNumber="INV-6911-014", note="มัดจำหน้างาน")["_id"]  # fmt: skip
    api.get("/api/payments", populate="true")
    api.get("/api/standing", order=order)
    api.get(f"/api/customers/{customer}/account")
    made(f"/api/payments/{paid}/void", reason="บันทึกซ้ำ")
    made("/api/billing-entries/unbill", ids=entries)
    _tell_of_a_lost_pane(api, made)
    made(f"/api/deliveries/{planned}/undo", handOver=1, reason="ส่งผิดที่")
    api.patch(f"/api/deliveries/{planned}", {"plannedFor": "2027-01-16"})
    assert api.get(f"/api/deliveries/{planned}/pdf").status == 200


def _tell_of_devices(api, made, worker):
    """Let a worker identify on a shared tablet, with a badge and with a PIN."""
    keys = list(ACCOUNT_ROLES["device"])
    role = made("/api/roles", name="แท็บเล็ต", slug="device", permissions=keys)
    tablet = made("/api/workers", name="แท็บเล็ต 1", username="tablet1",
                  password="glass-2026", position="สถานีตัด", role=role["_id"])  # fmt: skip
    made("/api/workers/badges", ids=[worker])
    made(f"/api/workers/{worker}/badge")
    api.put(f"/api/workers/{worker}/pin", {"pin": "2580"})
    own = {"pin": "2580", "currentPassword": PASSWORD}
    api.put("/api/auth/me/pin", own)
    headers = dict(api.session.headers)
    api.session.headers["Authorization"] = f"Bearer {identity.issue(tablet['_id'])}"
    api.get("/api/auth/people")
    badge = Worker.collection().find_one({"_id": ObjectId(worker)})
    made("/api/auth/badge", code=badges.code_of(badge))
    made("/api/auth/pin", worker=worker, pin="2580")
    api.session.headers.update(headers)
    made(f"/api/workers/{tablet['_id']}/logout")
    api.delete("/api/auth/me/pin", {"currentPassword": PASSWORD})
    api.delete(f"/api/workers/{worker}/pin")
    api.delete(f"/api/workers/{worker}/badge")
    api.delete(f"/api/workers/{tablet['_id']}")
    api.delete(f"/api/roles/{role['_id']}")


def _tell_of_access(api, made, worker):
    """Look at sessions and API keys, end them, and reset a password."""
    own = {"username": api.worker.username, "password": PASSWORD}
    theirs = {"username": worker["username"], "password": "glass-2026"}
    for credentials in (own, theirs):
        Api(api.url).post("/api/auth/login", credentials)
    key = {"name": "โปรแกรมบัญชี", "scopes": ["orders:view", "panes:view"],
           "expiresAt": "2030-01-01T00:00:00.000Z"}  # fmt: skip
    for path, fields in (
        ("/api/auth", {"currentPassword": PASSWORD}),
        (f"/api/workers/{worker['_id']}", {}),
    ):
        (session,) = api.get(f"{path}/sessions").data
        api.delete(f"{path}/sessions/{session['_id']}")
        keys = {**key, "scopes": ["panes:view"]} if not fields else key
        made(f"{path}/api-keys", **keys, **fields)
        (stored,) = api.get(f"{path}/api-keys").data
        api.delete(f"{path}/api-keys/{stored['_id']}")
    api.delete("/api/auth/sessions")
    made(f"/api/workers/{worker['_id']}/reset-password")


def dump(recorder, earlier):
    """Return the recorded examples as the text of their file.

    An id or a time of the `earlier` examples stays, so that a diff shows changes of the API
    only.
    """
    found = {
        "bodies": dict(sorted(recorder.bodies.items())),
        "answers": dict(sorted(recorder.answers.items())),
    }
    found = _with_earlier_values(found, earlier)
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _with_earlier_values(value, earlier):
    if isinstance(value, dict) and isinstance(earlier, dict):
        return {
            name: _with_earlier_values(one, earlier.get(name))
            for name, one in value.items()
        }
    if isinstance(value, list) and isinstance(earlier, list):
        return [*map(_with_earlier_values, value, earlier), *value[len(earlier) :]]
    texts = isinstance(value, str) and isinstance(earlier, str)
    return (
        earlier if texts and VARIES.sub("", value) == VARIES.sub("", earlier) else value
    )


def _tell_of_racks(api, made, numbers, station):
    path = f"/api/racks/{made('/api/racks', name='ราวล้อ A', place='ข้างโต๊ะตัด')['_id']}"
    made(f"{path}/put", paneNumbers=numbers, station=station)
    made(f"{path}/scan", paneNumbers=numbers, station=station, action="complete")
    made("/api/panes/batch-undo", paneNumbers=numbers)
    made(f"{path}/take-off", paneNumbers=numbers)
    api.patch(path, {"notes": "ล้อฝืด"})
    api.get("/api/racks")


def _tell_of_cutting(api, made, customer, material, stations):
    api.patch(f"/api/stations/{stations[0]}", {"isCuttingStation": True})
    sheet = {"width": 2438, "height": 1829}
    api.patch(f"/api/materials/{material}", {"sheetSizes": [sheet]})
    glass = {"width": 800, "height": 1200, "thickness": 6}
    pane = {"routing": stations, "material": material, "dimensions": glass}
    request = made("/api/requests", customer=customer, panes=[pane] * 3,
                   details={"type": "ตู้", "quantity": 3})["_id"]  # fmt: skip
    made("/api/orders", customer=customer, request=request, material=material,
         quantity=3)  # fmt: skip
    panes = [one["_id"] for one in api.get("/api/panes", request=request).data]
    api.get("/api/cutting-plans/waiting")
    made("/api/inventories", material=material, stockType="Raw", quantity=5,
         location="A-02")  # fmt: skip
    plan = made("/api/cutting-plans", material=material, panes=panes)["_id"]
    path = f"/api/cutting-plans/{plan}"
    cutting_api.search()
    made(f"{path}/improve", seconds=10)
    cutting_api.search()
    made(f"{path}/stop")
    api.get(path)
    made(f"{path}/release")
    api.patch(path, {"notes": "ตัดก่อนเที่ยง"})
    sheets = api.get(f"{path}/sheets").data["sheets"]
    broken = [sheets[0]["panes"][0]["_id"]]
    made(f"{path}/sheets/1/cut", broken=broken, station=stations[0], location="B-01")
    made(f"{path}/sheets/1/undo", reason="ผิดแผ่น")
    made(f"{path}/cancel")
    api.get("/api/cutting-plans", material=material)


def _tell_of_calls(api, made, station):
    called = made("/api/calls", station=station, kind="machine", machineStands=True,
                  reason="ใบมีดตัดสึก")["_id"]  # fmt: skip
    for act in ("take", "release", "take"):
        made(f"/api/calls/{called}/{act}")
    made(f"/api/calls/{called}/end", occurredAt=iso(clock.now()))
    api.patch(f"/api/calls/{called}", {"reason": "เปลี่ยนใบมีดแล้ว"})
    api.get("/api/calls", station=station)
    api.get("/api/calls/pareto", days=7)
