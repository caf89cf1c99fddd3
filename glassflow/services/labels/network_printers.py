"""Labels to network printers, and when panes were labelled."""

import socket
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from bson import ObjectId

from glassflow.core.process import clock, deadlines, time_limit
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Busy, Conflict, Invalid
from glassflow.labels.printers import Printer
from glassflow.models.pane import Pane
from glassflow.services import records

PANES_AT_ONCE = 200  # in one transaction
# Of a print, with a time limit of its own: a printer reads as fast as it prints.
PART_BYTES = 64 * 1024


class PrinterAway(Busy):
    """A network printer cannot be reached."""

    code = "PRINTER_AWAY"


class PrintBroken(Conflict):
    """A network printer ended the connection, or read no more, before it had all labels."""

    code = "PRINT_BROKEN"


def find_printer(name: str, printers: Mapping[str, Printer]) -> Printer:
    """Return a printer of the setting by its name; raises `Invalid`."""
    found = printers.get(name)
    if found is None:
        names = ", ".join(printers) or "-"
        message = texts.LABEL_PRINTERS.format(printers=names)
        raise Invalid([{"field": "printer", "message": message}])
    return found


def send(
    printer: Printer, content: bytes, *, before: Callable[[], None] = lambda: None
) -> bool:
    """Send labels to a printer; return whether it has ended the connection after them.

    A printer that has read all ends the connection, or does so when it is idle for some
    time; a full buffer of the network looks the same as the latter. Whether it has paper
    is not told. `before` is called when it is connected. Raises `PrinterAway` before
    anything is sent, and `PrintBroken` afterwards.
    """
    with time_limit.paused():
        connection = _connect(printer)
    with connection:
        before()
        try:
            with time_limit.paused():
                connection.settimeout(deadlines.PRINTER_SEND_TIMEOUT_S)
                for begin in range(0, len(content), PART_BYTES):
                    connection.sendall(content[begin : begin + PART_BYTES])
                connection.shutdown(socket.SHUT_WR)
                return _has_read_all(connection)
        except OSError:
            message = texts.PRINT_BROKEN.format(printer=printer.name)
            raise PrintBroken(message) from None


def _connect(printer: Printer) -> socket.socket:
    address = (printer.host, printer.port)
    try:
        return socket.create_connection(address, deadlines.PRINTER_CONNECT_TIMEOUT_S)
    except OSError:
        raise PrinterAway(texts.PRINTER_AWAY.format(printer=printer.name)) from None


def _has_read_all(connection: socket.socket) -> bool:
    """Wait for the printer's end of the connection; its messages are ignored.

    One that ends it with a part unread resets it, which raises `OSError`.
    """
    connection.settimeout(deadlines.PRINTER_END_TIMEOUT_S)
    try:
        while connection.recv(1024):
            pass
    except TimeoutError:
        return False
    return True


def mark_labelled(pane_ids: Sequence[ObjectId]) -> datetime:
    """Record that the labels of panes have been printed now; return the time.

    A pane that has been deleted meanwhile is left out. It has a time limit of its own: a
    printer may have taken the caller's.
    """
    now = clock.now()
    with time_limit.extended(deadlines.LONG_WORK_TIMEOUT_S):
        for begin in range(0, len(pane_ids), PANES_AT_ONCE):
            _mark(list(pane_ids[begin : begin + PANES_AT_ONCE]), now)
    return now


@unit_of_work
def _mark(pane_ids: list[ObjectId], now: datetime) -> None:
    panes = list(Pane.objects(pk__in=pane_ids))
    for pane in panes:
        pane.labelled_at = now
    records.store(*panes)
