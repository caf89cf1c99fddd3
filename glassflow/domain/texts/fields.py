"""Texts about fields of bodies and queries."""

from glassflow.domain.bilingual import Bilingual

REQUIRED = Bilingual("This field is required.", th="ต้องกรอกช่องนี้")
NOT_NULL = Bilingual("This field must not be empty.", th="ช่องนี้ว่างไม่ได้")
NOT_EMPTY = Bilingual("Must not be empty", th="ต้องไม่ว่าง")
INVALID_VALUE = Bilingual("Invalid value.", th="ค่าไม่ถูกต้อง")
NOT_CHOSEN = Bilingual(
    "This field is required. Choose one.", th="ยังไม่ได้เลือก ให้เลือกจากรายการ"
)
INVALID_TYPE = Bilingual("Invalid type.", th="ชนิดข้อมูลไม่ถูกต้อง")
INVALID_INPUT_TYPE = Bilingual("Invalid input type.", th="ชนิดข้อมูลที่ส่งมาไม่ถูกต้อง")
NOT_A_STRING = Bilingual("Not a valid string.", th="ต้องเป็นข้อความ")
NOT_UTF8 = Bilingual("Not a valid utf-8 string.", th="ต้องเป็นข้อความ UTF-8")
NOT_A_LIST = Bilingual("Not a valid list.", th="ต้องเป็นรายการ")
NOT_A_MAPPING = Bilingual("Not a valid mapping type.", th="ต้องเป็นออบเจกต์")
NOT_A_BOOLEAN = Bilingual("Not a valid boolean.", th="ต้องเป็น true หรือ false")
NOT_A_NUMBER = Bilingual("Not a valid number", th="ต้องเป็นตัวเลข")
NOT_AN_INTEGER = Bilingual("Not a valid integer", th="ต้องเป็นจำนวนเต็ม")
NOT_A_TIME = Bilingual(
    "Not a valid date-time (ISO 8601)", th="ต้องเป็นวันเวลาตาม ISO 8601"
)
BUDDHIST_YEAR = Bilingual(
    "The year {year} seems to be a Buddhist year: was {meant} meant?",
    th="ปี {year} น่าจะเป็นปี พ.ศ. หมายถึงปี ค.ศ. {meant} หรือไม่",
)
DATE_TOO_EARLY = Bilingual(
    "The date {date} is before {year}: check the year",
    th="วันที่ {date} อยู่ก่อนปี ค.ศ. {year} ตรวจสอบปีอีกครั้ง",
)
DATE_TOO_LATE = Bilingual(
    "The date {date} is more than {years} years ahead: check the year",
    th="วันที่ {date} อยู่ในอนาคตเกิน {years} ปี ตรวจสอบปีอีกครั้ง",
)
BEFORE_BEGIN = Bilingual("Must not be before {begin}", th="ต้องไม่ก่อน {begin}")
NO_SUCH_EVENT = Bilingual("There is no event {name}", th="ไม่มีเหตุการณ์ชื่อ {name}")
NOT_AN_ID = Bilingual("Not a valid id", th="รหัสไม่ถูกต้อง")
NOT_AN_OBJECT = Bilingual("Must be an object", th="ต้องเป็นออบเจกต์")
NOT_AN_ARRAY = Bilingual("Must be an array", th="ต้องเป็นรายการ")
NUMBER_RANGE = Bilingual(
    "Must be a finite number between -2^63 and 2^63",
    th="ต้องเป็นตัวเลขระหว่าง -2^63 ถึง 2^63",
)
NOT_TRUE_OR_FALSE = Bilingual("Must be true or false", th="ต้องเป็น true หรือ false")
NOT_COUNTABLE = Bilingual(
    "Must be an integer of 0 or more.", th="ต้องเป็นจำนวนเต็มตั้งแต่ 0 ขึ้นไป"
)
CONTROL_CHARACTER = Bilingual("Contains a control character", th="มีอักขระควบคุมที่ใช้ไม่ได้")
NOTHING_VISIBLE = Bilingual(
    "Must contain a character that can be seen", th="ต้องมีตัวอักษรที่มองเห็นได้อย่างน้อยหนึ่งตัว"
)
KEY_NOT_STORABLE = Bilingual(
    "Keys must not be empty, start with $ or hold control characters",
    th="ชื่อคีย์ต้องไม่ว่าง ไม่ขึ้นต้นด้วย $ และไม่มีอักขระควบคุม",
)
NO_DOLLAR = Bilingual("Must not start with $", th="ต้องไม่ขึ้นต้นด้วย $")
INTEGER_TOO_LARGE = Bilingual(
    "Holds an integer that is too large", th="มีจำนวนเต็มที่ใหญ่เกินไป"
)
ONE_OF = Bilingual("Must be one of: {choices}.", th="ต้องเป็นค่าใดค่าหนึ่งใน: {choices}")
TOO_SHORT = Bilingual(
    "Shorter than minimum length {min}.", th="ความยาวต้องไม่น้อยกว่า {min}"
)
TOO_LONG = Bilingual("Longer than maximum length {max}.", th="ความยาวต้องไม่เกิน {max}")
LENGTH_BETWEEN = Bilingual(
    "Length must be between {min} and {max}.", th="ความยาวต้องอยู่ระหว่าง {min} ถึง {max}"
)
LENGTH_EQUAL = Bilingual("Length must be {equal}.", th="ความยาวต้องเป็น {equal}")
# filled in twice: with the comparisons, then with the limits
AT_LIMIT = Bilingual("Must be {min_op} {{min}}.", th="ต้อง{min_op} {{min}}")
BELOW_LIMIT = Bilingual("Must be {max_op} {{max}}.", th="ต้อง{max_op} {{max}}")
BETWEEN_LIMITS = Bilingual(
    "Must be {min_op} {{min}} and {max_op} {{max}}.",
    th="ต้อง{min_op} {{min}} และ{max_op} {{max}}",
)
GREATER_OR_EQUAL = Bilingual("greater than or equal to", th="ไม่น้อยกว่า")
GREATER = Bilingual("greater than", th="มากกว่า")
LESS_OR_EQUAL = Bilingual("less than or equal to", th="ไม่เกิน")
LESS = Bilingual("less than", th="น้อยกว่า")
UNKNOWN_FIELD_OF_TABLE = Bilingual("Unknown field.", th="ไม่รู้จักช่องนี้")
UNKNOWN_FIELD = Bilingual("Unknown field", th="ไม่รู้จักช่องนี้")
UNKNOWN_PARAMETER = Bilingual(
    "The list has no such parameter or filter", th="รายการนี้ไม่มีตัวกรองนี้"
)
SERVER_OWNED_FIELD = Bilingual("Set by the service", th="ระบบกำหนดช่องนี้เอง")
IGNORED = Bilingual("{reason}, ignored", th="{reason} จึงไม่ได้ใช้")
VALUE_TWICE = Bilingual("Two rows begin at the same value", th="มีสองแถวที่เริ่มจากค่าเดียวกัน")
