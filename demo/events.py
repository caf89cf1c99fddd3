"""Events: the rooms that each is sent to, and the key by which it is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class EventKey(NamedTuple):
    """One event as it is counted.

    `subject` is the record that the event is about; events about records of other
    clients are recognised by it and ignored. `detail` distinguishes events of the same
    kind about one subject.
    """

    event: str
    action: str
    subject: str
    detail: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


EVERYBODY = "everybody"  # the room of every connected client
PANE_ROOMS = ("dashboard", "pane", "production")
#: The shared rooms of each event; the rooms of stations are added to them.
ROOMS = {
    "request:updated": ("dashboard", "request"),
    "order:updated": ("dashboard", "order"),
    "pane:updated": PANE_ROOMS,
    "pane:laminated": PANE_ROOMS,
    "laminate:ready": PANE_ROOMS,
    "laminate:waiting": (),
    "station:pane_arrived": ("station",),
    "station:check_in": (),
    "scan-confirmed": (),
    "notification": (),
    "system_alert": (EVERYBODY,),
    "production-log:updated": ("dashboard", "production"),
    "claim:updated": ("dashboard", "claim"),
    "withdrawal:updated": ("dashboard", "withdrawal"),
    "inventory:updated": ("dashboard", "inventory"),
    "material:updated": ("dashboard", "inventory"),
    "log:updated": ("dashboard", "log"),
}
#: Events about a record, with the payload {action, data}.
RECORD_EVENTS = frozenset(
    {
        "request:updated",
        "order:updated",
        "pane:updated",
        "production-log:updated",
        "station:updated",
        "claim:updated",
        "withdrawal:updated",
        "inventory:updated",
        "material:updated",
    }
)
#: Concurrent requests change these records as a side effect, so a client cannot know
#: the version that an event will carry.
WITHOUT_VERSION = frozenset({"order:updated", "inventory:updated", "material:updated"})


def id_of(reference: Any) -> str:
    """The id of a reference, populated or not; the empty string for none."""
    if isinstance(reference, dict):
        reference = reference.get("_id")
    return str(reference or "")


def event_key(event: str, payload: Any) -> EventKey:
    """The key of a received event; a payload of unexpected shape gets its own key."""
    try:
        return _KEYS.get(event, _record)(event, payload)
    except (KeyError, TypeError, AttributeError) as error:
        return EventKey(event, f"unreadable ({error!r})", "")


def record_key(event: str, action: str, record: dict[str, Any]) -> EventKey:
    """The key of the event that reports an action on a record."""
    version = "" if event in WITHOUT_VERSION else f"v{record['version']}"
    return EventKey(event, action, record["_id"], version)


def moved_key(moved: dict[str, Any]) -> EventKey:
    """The key of the event that reports a move of part of a lot."""
    detail = f"{moved['quantity']} > {id_of(moved['target'])}"
    return EventKey("inventory:updated", "moved", id_of(moved["source"]), detail)


def laminated_key(survivor: str, retired: list[str], sheets: list[str]) -> EventKey:
    """The key of the event that reports that sheets have become one pane."""
    detail = f"{' '.join(sorted(sheets))} - {' '.join(sorted(retired))}"
    return EventKey("pane:laminated", "", survivor, detail)


def _record(event: str, payload: Any) -> EventKey:
    if event not in RECORD_EVENTS:
        action = str(payload.get("action", ""))
        return EventKey(event, action, id_of(payload.get("data")))
    return record_key(event, payload["action"], payload["data"])


def _lot(event: str, payload: Any) -> EventKey:
    if payload["action"] != "moved":
        return record_key(event, payload["action"], payload["data"])
    return moved_key(payload["data"])


def _sheets_present(event: str, payload: Any) -> EventKey:
    count = f"{payload['sheetsPresent']}/{payload['sheetsTotal']}"
    return EventKey(event, "", payload["parentPaneId"], count)


def _laminated(event: str, payload: Any) -> EventKey:
    survivor, parent = payload["survivor"], payload["parent"]
    if parent != survivor or survivor["laminateRole"] != "single":
        return EventKey(event, "with a wrong survivor", survivor["_id"])
    retired, sheets = payload["retiredPaneNumbers"], payload["sheets"]
    return laminated_key(survivor["_id"], retired, sheets)


def _log(event: str, payload: Any) -> EventKey:
    if payload["action"] != "pane_scanned":
        return EventKey(event, payload["action"], id_of(payload["data"]))
    log = payload["data"]["paneLog"]
    return EventKey(event, "pane_scanned", id_of(log["pane"]), log["_id"])


def _arrival(event: str, payload: Any) -> EventKey:
    move = f"{payload['fromStation'] or ''} > {payload['toStation']}"
    action = "remake" if payload.get("isRemake") else ""
    return EventKey(event, action, payload["paneId"], move)


def _check_in(event: str, payload: Any) -> EventKey:
    return EventKey(event, payload["action"], payload["orderId"], payload["stationId"])


def _notification(event: str, payload: Any) -> EventKey:
    recipient = id_of(payload.get("recipient"))
    reference = id_of(payload.get("referenceId"))
    return EventKey(event, payload["type"], reference, recipient and f"to {recipient}")


def _scan_confirmed(event: str, payload: Any) -> EventKey:
    return EventKey(event, "", payload["worker"])


def _system_alert(event: str, payload: Any) -> EventKey:
    return EventKey(event, "", payload["message"])


_KEYS: dict[str, Callable[[str, Any], EventKey]] = {
    "log:updated": _log,
    "inventory:updated": _lot,
    "laminate:ready": _sheets_present,
    "laminate:waiting": _sheets_present,
    "pane:laminated": _laminated,
    "station:pane_arrived": _arrival,
    "station:check_in": _check_in,
    "notification": _notification,
    "scan-confirmed": _scan_confirmed,
    "system_alert": _system_alert,
}
