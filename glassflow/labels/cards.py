"""What is printed besides the labels of panes: posters, badges, command cards, racks, lots.

Their templates are fixed. What the codes contain is read by the scan pages.
"""

from collections.abc import Mapping
from typing import Any

from glassflow.labels.template import Template, read_template

WORKER_PREFIX = "STDPLUS-WORKER:"  # before the secret of a badge
COMMAND_PREFIX = "STDPLUS-DO:"
# Command -> what its card says, in both languages of the workshop.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "NEXT": ("ทำขั้นต่อไป", "Next step"),
    "FAIL": ("ไม่ผ่าน", "Failed the check"),
    "UNDO-VIEW": ("ยกเลิก ล้างหน้าจอ", "Cancel, clear the screen"),
    "BACK": ("กลับไปแก้", "Back"),
    "CONFIRM": ("ยืนยัน", "Confirm"),
    "COPY": ("คัดลอกเป็น ใบรับงานใหม่", "Copy as a new request"),
    "DEFECT-BROKEN": ("แตก", "Broken"),
    "DEFECT-CHIPPED": ("บิ่น", "Chipped"),
    "DEFECT-DIMENSION-WRONG": ("ขนาดผิด", "Wrong size"),
    "DEFECT-SCRATCH": ("รอยขีดข่วน", "Scratched"),
    "DEFECT-STAIN": ("คราบ", "Stained"),
    "DEFECT-OTHER": ("เสียแบบอื่น", "Another defect"),
}


def _text(
    y: float, height: float, size: float, content: str, **more: Any
) -> dict[str, Any]:
    return {
        "type": "text",
        "y": y,
        "height": height,
        "fontSize": size,
        "content": content,
        **more,
    }


def _card(name: str, big: str, small: str, title: str) -> Template:
    """Return a card of the size of an identity card: the code beside its words."""
    right = {"x": 42, "width": 40}
    elements = [
        {
            "type": "rect",
            "x": 0.5,
            "y": 0.5,
            "width": 84.6,
            "height": 53,
            "thickness": 0.3,
        },
        {
            "type": "qr",
            "x": 2,
            "y": 7,
            "width": 40,
            "height": 40,
            "content": "{{qrCode}}",
        },
        _text(6, 6, 9, title, color="#475b67", **right),
        _text(13, 18, 17, big, bold=True, wrap=True, **right),
        _text(33, 12, 11, small, wrap=True, **right),
    ]
    return read_template(name=name, width=85.6, height=54, elements=elements)


POSTER = read_template(
    name="station-poster",
    width=148,
    height=210,
    elements=[
        _text(
            14,
            12,
            20,
            "สถานี · Station",
            x=10,
            width=128,
            align="center",
            color="#475b67",
        ),
        _text(
            27, 24, 44, "{{stationName}}", x=10, width=128, align="center", bold=True
        ),
        {
            "type": "qr",
            "x": 24,
            "y": 54,
            "width": 100,
            "height": 100,
            "content": "{{qrCode}}",
        },
        _text(158, 12, 18, "สแกนเพื่อเปิดหน้าสถานี", x=10, width=128, align="center"),
        _text(
            170,
            10,
            14,
            "Scan to open the station's page",
            x=10,
            width=128,
            align="center",
        ),
        _text(
            188,
            12,
            10,
            "{{qrCode}}",
            x=10,
            width=128,
            align="center",
            wrap=True,
            color="#475b67",
        ),
    ],
)
# Of the size A6, to be read from the other end of a trolley.
RACK = read_template(
    name="rack-label",
    width=105,
    height=148,
    elements=[
        _text(
            5, 8, 14, "ราวกระจก · Rack", x=5, width=95, align="center", color="#475b67"
        ),
        _text(14, 18, 44, "{{rackNumber}}", x=5, width=95, align="center", bold=True),
        {
            "type": "qr",
            "x": 17.5,
            "y": 34,
            "width": 70,
            "height": 70,
            "content": "{{qrCode}}",
        },
        _text(
            107,
            20,
            22,
            "{{rackName}}",
            x=5,
            width=95,
            align="center",
            bold=True,
            wrap=True,
        ),
        _text(129, 15, 15, "{{place}}", x=5, width=95, align="center", wrap=True),
    ],
)
# To be stuck on glass, and read from where the remnants stand.
LOT = read_template(
    name="lot-label",
    width=100,
    height=60,
    elements=[
        {
            "type": "qr",
            "x": 2,
            "y": 10,
            "width": 40,
            "height": 40,
            "content": "{{qrCode}}",
        },
        _text(3, 5, 9, "กระจกในสต็อก · Lot", x=44, width=54, color="#475b67"),
        _text(8, 12, 26, "{{inventoryNumber}}", x=44, width=54, bold=True),
        _text(21, 11, 22, "{{size}}", x=44, width=54, bold=True),
        _text(33, 14, 12, "{{materialName}}", x=44, width=54, wrap=True),
        _text(48, 9, 12, "{{location}}", x=44, width=54, wrap=True),
    ],
)
BADGE = _card("worker-badge", "{{workerName}}", "{{position}}", "บัตรพนักงาน · Badge")
COMMAND_CARD = _card(
    "command-card", "{{command}}", "{{commandEnglish}}", "บัตรคำสั่ง · Command"
)


def command_values(command: str) -> dict[str, str]:
    """Return the values of a command's card."""
    thai, english = COMMANDS[command]
    return {
        "qrCode": COMMAND_PREFIX + command,
        "command": thai,
        "commandEnglish": english,
    }
