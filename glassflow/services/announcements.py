"""What the floor is told when a pane or an order arrives, and when one is finished."""

from typing import Any

from bson import ObjectId

from glassflow.core import outbox
from glassflow.models.claim import Claim
from glassflow.models.notification import Notification
from glassflow.models.order import Order
from glassflow.models.pane import Pane

ORDER_ARRIVED_NEW = "มีออเดอร์ใหม่เข้า"
ORDER_ARRIVED = "มีออเดอร์เข้า"
PANE_ARRIVED = "มีกระจกเข้าสถานี"
PANE_COMPLETED = "กระจกเสร็จสมบูรณ์"
PANE_REMADE = "ผลิตกระจกใหม่ทดแทน"
CLAIM_APPROVED = "เคลมได้รับการอนุมัติ"


def pane_arrived(
    pane: Pane,
    *,
    left: str | None,
    station: str,
    station_name: str,
    assigned_to: ObjectId | None = None,
    is_remake: bool = False,
) -> None:
    """Tell the station that a pane has come, and the one who is assigned its order.

    `left` is the id of the station that it came from; a remake comes from where the
    piece failed that it replaces.
    """
    payload: dict[str, Any] = {
        "paneNumber": pane.pane_number,
        "paneId": str(pane.pk),
        "fromStation": left,
        "toStation": station,
    }
    if pane.order:
        payload["orderId"] = str(pane.order)
    if is_remake:
        payload["isRemake"] = True
    outbox.tell("station:pane_arrived", payload, stations=[station])
    message = f"กระจก {pane.pane_number} เข้าสถานี {station_name} แล้ว"
    said = {"type": "pane_arrived", "title": PANE_ARRIVED, "message": message}
    about = {
        "referenceId": str(pane.pk),
        "referenceType": "Pane",
        "priority": "medium",
    }
    outbox.tell("notification", {**said, **about}, stations=[station])
    if assigned_to:
        _notify(assigned_to, pane, said, "medium")


def pane_completed(pane: Pane, *, assigned_to: ObjectId | None) -> None:
    """Tell the one who is assigned the order that a pane of it is finished."""
    if assigned_to:
        said = {
            "type": "pane_completed",
            "title": PANE_COMPLETED,
            "message": f"กระจก {pane.pane_number} ผ่านทุกสถานีแล้ว",
        }
        _notify(assigned_to, pane, said, "low")


def remade(remake: Pane, *, instead_of: Pane, recipient: ObjectId, notice: str) -> None:
    """Tell a worker that a pane is made again, under this type of notification."""
    numbers = f"{remake.pane_number} ทดแทน {instead_of.pane_number}"
    said = {"type": notice, "title": PANE_REMADE, "message": f"ผลิตกระจก {numbers}"}
    _notify(recipient, remake, said, "high")


def claim_approved(claim: Claim, *, recipient: ObjectId) -> None:
    """Tell a worker that a claim has been approved."""
    said = {
        "type": "claim_approved",
        "title": CLAIM_APPROVED,
        "message": f"เคลม {claim.claim_number} ได้รับการอนุมัติแล้ว",
    }
    _notify(recipient, claim, said, "high")


def _notify(
    recipient: ObjectId, about: Pane | Claim, said: dict[str, str], priority: str
) -> None:
    Notification(
        recipient=recipient,
        reference_id=str(about.pk),
        reference_type=about.label,
        priority=priority,
        **said,
    ).save()


def order_arrived(order: Order, station: ObjectId, *, new: bool) -> None:
    """Tell a station that an order has come to it, as a new one or from another."""
    outbox.tell(
        "notification",
        {
            "type": "order_arrived",
            "title": ORDER_ARRIVED_NEW if new else ORDER_ARRIVED,
            "message": f"ออเดอร์ {order.order_number} เข้าสถานีแล้ว",
            "referenceId": str(order.pk),
            "referenceType": "Order",
            "priority": "high",
            "readStatus": False,
        },
        stations=[str(station)],
    )


def order_checked_in(order: Order, station: str, action: str) -> None:
    """Tell a station that an order has `entered` or `exited` it."""
    outbox.tell(
        "station:check_in",
        {"orderId": str(order.pk), "stationId": station, "action": action},
        stations=[station],
    )


def sheets_mustered(parent: Pane, *, station: str, present: int, total: int) -> None:
    """Tell that sheets of a unit have come to be laminated: all of them, or some."""
    outbox.tell(
        "laminate:ready" if present == total else "laminate:waiting",
        {
            "parentPaneNumber": parent.pane_number,
            "parentPaneId": str(parent.pk),
            "sheetsPresent": present,
            "sheetsTotal": total,
        },
        stations=[station],
    )


def laminated(
    survivor: dict[str, Any], *, station: str, retired: list[str], sheets: list[str]
) -> None:
    """Tell that sheets have become one pane; `survivor` is in stored form."""
    outbox.tell(
        "pane:laminated",
        {
            "survivor": survivor,
            "parent": survivor,
            "retiredPaneNumbers": retired,
            "sheets": sheets,
        },
        stations=[station],
    )
