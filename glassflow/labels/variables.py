"""Variables of templates: `{{paneNumber}}` is replaced by the pane's value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

VARIABLE = re.compile(r"\{\{\s*([\w.\-]{1,80})\s*\}\}")
MAX_FILLED = 2000  # characters

# Other names for the same variable, as templates of other programs have them.
ALIASES: Mapping[str, str] = {
    "orderCode": "orderNumber",
    "order.orderNumber": "orderNumber",
    "order.code": "orderNumber",
    "requestCode": "requestNumber",
    "request.requestNumber": "requestNumber",
    "customer": "customerName",
    "customer.name": "customerName",
    "order.customer.name": "customerName",
    "code": "paneNumber",
    "paneCode": "paneNumber",
    "pane.paneNumber": "paneNumber",
    "qr": "qrCode",
    "pane.qrCode": "qrCode",
    "glass": "glassTypeLabel",
    "glassLabel": "glassTypeLabel",
    "dimensions.width": "width",
    "dimensions.height": "height",
    "dimensions.thickness": "thickness",
    "parentNumber": "parentPane.paneNumber",
    "station": "stationName",
    "currentStation.name": "stationName",
    "request.deliveryLocation": "deliveryLocation",
    "material.name": "materialName",
    "material": "materialName",
    "worker.name": "workerName",
}

# All variables of panes with an example of each, for whoever designs a template.
EXAMPLES: Mapping[str, str] = {
    "paneNumber": "PNE-0107",
    "qrCode": "STDPLUS:PNE-0107",
    "mark": "W01",
    "sheetLabel": "A",
    "parentPane.paneNumber": "PNE-0106",
    "stationName": "ตัดกระจก",
    "width": "1200",
    "height": "850",
    "thickness": "6",
    "dimensionTolerance": "±1",
    "cornerSpec": "R10",
    "glassTypeLabel": "กระจกนิรภัยใส 6 มม.",
    "glassType": "Clear",
    "color": "Clear",
    "sheetsPerPane": "1",
    "materialName": "กระจกใส 6 มม.",
    "jobType": "tempered",
    "notes": "ระวังมุมบิ่น",
    "orderNumber": "ORD-0015",
    "requestNumber": "REQ-0012",
    "customerName": "คุณวราภรณ์ ศรีสุข",
    "deliveryLocation": "99/1 ถนนพหลโยธิน กรุงเทพฯ",
}


@dataclass(slots=True)
class Filled:
    """A text with its variables filled in; `is_empty` if all of them were empty."""

    text: str
    is_empty: bool = False
    unknown: list[str] = field(default_factory=list)


def fill(content: str, values: Mapping[str, str]) -> Filled:
    """Fill in the variables of a text; an unknown one becomes empty."""
    filled: list[str] = []
    unknown: list[str] = []

    def value_of(match: re.Match[str]) -> str:
        name = match[1]
        value = values.get(name, values.get(ALIASES.get(name, "")))
        if value is None:
            unknown.append(name)
        filled.append(value or "")
        return value or ""

    text = VARIABLE.sub(value_of, content)[:MAX_FILLED]
    return Filled(text, bool(filled) and not any(filled), unknown)
