"""Labels to network printers, and when panes were labelled."""

import socket
from collections.abc import Mapping, Sequence
from datetime import datetime

from bson import ObjectId

from glassflow.core import clock, deadlines, time_limit
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Busy, Invalid
from glassflow.labels.printers import Printer
from glassflow.models.pane import Pane
from glassflow.services import records

PANES_AT_ONCE = 200  # in one transaction


class PrinterAway(Busy):
    """A network printer does not take the labels."""

    code = "PRINTER_AWAY"


def find_printer(name: str, printers: Mapping[str, Printer]) -> Printer:
    """Return a printer of the setting by its name; raises `Invalid`."""
    found = printers.get(name)
    if found is None:
        names = ", ".join(printers) or "-"
        message = texts.LABEL_PRINTERS.format(printers=names)
        raise Invalid([{"field": "printer", "message": message}])
    return found


def send(printer: Printer, content: bytes) -> None:
    """Send labels to a printer; raises `PrinterAway`.

    That all is sent means that the printer has taken it, not that it has paper.
    """
    try:
        with time_limit.paused(), _connect(printer) as connection:
            connection.settimeout(deadlines.PRINTER_SEND_TIMEOUT_S)
            connection.sendall(content)
            connection.shutdown(socket.SHUT_WR)
    except OSError:
        raise PrinterAway(texts.PRINTER_AWAY.format(printer=printer.name)) from None


def _connect(printer: Printer) -> socket.socket:
    address = (printer.host, printer.port)
    return socket.create_connection(address, deadlines.PRINTER_CONNECT_TIMEOUT_S)


def mark_labelled(pane_ids: Sequence[ObjectId]) -> datetime:
    """Record that the labels of panes have been printed now; return the time.

    A pane that has been deleted meanwhile is left out.
    """
    now = clock.now()
    for begin in range(0, len(pane_ids), PANES_AT_ONCE):
        _mark(list(pane_ids[begin : begin + PANES_AT_ONCE]), now)
    return now


@unit_of_work
def _mark(pane_ids: list[ObjectId], now: datetime) -> None:
    panes = list(Pane.objects(pk__in=pane_ids))
    for pane in panes:
        pane.labelled_at = now
    records.save_all(panes)
