"""The live events of the service; `services.events.message_routes` has their routes."""

from dataclasses import dataclass
from typing import Any, ClassVar

from glassflow.core.store.live_events import LiveEvent
from glassflow.domain.notifications import NotificationPriority, NotificationType


@dataclass(frozen=True, kw_only=True)
class PaneArrived(LiveEvent):
    """A pane has arrived at a station; `from_station` is null for its first one."""

    event_name: ClassVar[str] = "station:pane_arrived"

    pane_number: str
    pane_id: str
    from_station: str | None
    to_station: str
    order_id: str | None = None
    is_remake: bool = False


@dataclass(frozen=True, kw_only=True)
class OrderCheckedIn(LiveEvent):
    """An order has moved: `action` is `entered` or `exited`."""

    event_name: ClassVar[str] = "station:check_in"

    order_id: str
    station_id: str
    action: str


@dataclass(frozen=True, kw_only=True)
class StationNotification(LiveEvent):
    """A notification for the screens of a station; it is not stored as a record.

    The notification of a worker is a stored `Notification`, which is sent when it is
    created.
    """

    event_name: ClassVar[str] = "notification"

    type: NotificationType
    title: str
    message: str
    reference_id: str
    reference_type: str
    priority: NotificationPriority
    read_status: bool | None = None


@dataclass(frozen=True, kw_only=True)
class _SheetPresence(LiveEvent):
    parent_pane_number: str
    parent_pane_id: str
    sheets_present: int
    sheets_total: int


@dataclass(frozen=True, kw_only=True)
class SheetsReady(_SheetPresence):
    """All sheets of a unit are at the lamination station."""

    event_name: ClassVar[str] = "laminate:ready"


@dataclass(frozen=True, kw_only=True)
class SheetsWaiting(_SheetPresence):
    """Some sheets of a unit are at the lamination station, others are missing."""

    event_name: ClassVar[str] = "laminate:waiting"


@dataclass(frozen=True, kw_only=True)
class PanesLaminated(LiveEvent):
    """Sheets have been merged into one pane.

    `survivor` and `parent` are that pane in stored form; it is sent populated.
    """

    event_name: ClassVar[str] = "pane:laminated"

    survivor: dict[str, Any]
    parent: dict[str, Any]
    retired_pane_numbers: list[str]
    sheets: list[str]


@dataclass(frozen=True, kw_only=True)
class CheckInConfirmed(LiveEvent):
    """A worker has checked in at a station from a phone; `time` is ISO 8601 UTC."""

    event_name: ClassVar[str] = "scan-confirmed"

    worker: str
    time: str


@dataclass(frozen=True, kw_only=True)
class SystemAlert(LiveEvent):
    """An administrator's message for every connected client."""

    event_name: ClassVar[str] = "system_alert"

    message: str
