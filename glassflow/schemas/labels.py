"""The query and the bodies of requests for labels."""

from marshmallow import fields

from glassflow.labels.printers import DPI
from glassflow.schemas.base import Choice, Integer, Number, RecordSchema, Text
from glassflow.schemas.library_messages import OneOf

FORMATS = ("pdf", "png", "zpl", "json")
MAX_COPIES = 50
MAX_NUDGE_MM = 20


def _names() -> fields.List[str]:
    return fields.List(Text(minimum=1, maximum=100))


class LabelsSchema(RecordSchema):
    """What labels are of, their template and paper; `skip` and `nudge` are of sheets.

    `request` and `order` name a single one, as clients of earlier releases do.
    """

    panes = _names()
    requests = _names()
    orders = _names()
    request = Text(maximum=100)
    order = Text(maximum=100)
    stations = _names()
    racks = _names()
    lots = _names()
    workers = _names()
    commands = _names()
    template = Text(maximum=200)
    layout = Text(maximum=40)
    format = Choice(*FORMATS)
    skip = Integer(minimum=0, maximum=499)
    copies = Integer(minimum=1, maximum=MAX_COPIES)
    dpi = Integer(validate=OneOf(DPI))
    page = Integer(minimum=1, maximum=100_000)
    nudge_x = Number(minimum=-MAX_NUDGE_MM, maximum=MAX_NUDGE_MM)
    nudge_y = Number(minimum=-MAX_NUDGE_MM, maximum=MAX_NUDGE_MM)


class PrintSchema(LabelsSchema):
    """The same, and a network printer; without one, a browser has printed them."""

    printer = Text(maximum=40)
