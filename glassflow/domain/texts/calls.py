"""Texts about calls for help and stops of machines."""

from collections.abc import Mapping

from glassflow.domain.bilingual import Bilingual

CALL_TAKEN = Bilingual(
    "{name} already goes to {number}", th="{name} กำลังไปตาม {number} แล้ว"
)
CALL_ENDED = Bilingual("{number} has ended already", th="{number} จบไปแล้ว")
MAINTENANCE_STANDS = Bilingual(
    "A station in maintenance has a machine that stands",
    th="สถานีที่อยู่ระหว่างซ่อมบำรุง ถือว่าเครื่องหยุดอยู่",
)
# Of notifications, which are stored in Thai.
CALL_KINDS: Mapping[str, Bilingual] = {
    "machine": Bilingual("เครื่องจักร", en="Machine"),
    "glass": Bilingual("กระจก/วัสดุ", en="Glass"),
    "question": Bilingual("มีคำถาม", en="Question"),
    "other": Bilingual("เรื่องอื่น", en="Other"),
}
MACHINE_STANDS = Bilingual("เครื่องหยุด", en="Machine stands")
CALL_AT_STATION = Bilingual("เรียกที่สถานี {station}", en="Call at {station}")
CALL_MESSAGE = Bilingual("{what}: {name} เรียก", en="{what}: {name} has called")
CALL_MESSAGE_WITH_REASON = Bilingual(
    "{what}: {name} เรียก: {reason}", en="{what}: {name} has called: {reason}"
)
