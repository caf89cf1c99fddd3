"""Texts about tables: exports and imports."""

from glassflow.domain.bilingual import Bilingual

TABLE_NOT_UTF8 = Bilingual(
    "The file is not in UTF-8; save it as CSV UTF-8 or as XLSX",
    th="ไฟล์ไม่ใช่ UTF-8 ให้บันทึกเป็น CSV UTF-8 หรือ XLSX",
)
TABLE_ENCRYPTED = Bilingual(
    "The workbook is protected with a password; save it without one",
    th="ไฟล์นี้ตั้งรหัสผ่านไว้ ให้บันทึกใหม่โดยไม่มีรหัสผ่าน",
)
TABLE_OTHER_WORKBOOK = Bilingual(
    "The file is a workbook of another kind ({kind}); save it as XLSX",
    th="ไฟล์นี้เป็นเวิร์กบุ๊กชนิดอื่น ({kind}) ให้บันทึกเป็น XLSX",
)
TABLE_BROKEN = Bilingual(
    "The file cannot be read ({reason})", th="เปิดอ่านไฟล์ไม่ได้ ({reason})"
)
TABLE_TOO_LONG = Bilingual(
    "The file has more than {rows} rows", th="ไฟล์มีเกิน {rows} แถว"
)
TABLE_TOO_WIDE = Bilingual(
    "The file has more than {columns} columns", th="ไฟล์มีเกิน {columns} คอลัมน์"
)
TABLE_TOO_LARGE = Bilingual(
    "The file, or what it contains unpacked, has more than {bytes} bytes",
    th="ไฟล์หรือเนื้อหาข้างในใหญ่เกิน {bytes} ไบต์",
)
TABLE_TYPE_UNKNOWN = Bilingual(
    "Send the file as text/csv or as XLSX, with its Content-Type",
    th="ต้องส่งไฟล์เป็น text/csv หรือ XLSX พร้อม Content-Type",
)
EXPORT_TOO_LONG = Bilingual(
    "The list has more than {rows} rows; narrow it with filters",
    th="รายการมีเกิน {rows} แถว ให้กรองให้น้อยลง",
)
EXPORT_CELL_TOO_LONG = Bilingual(
    "A cell of XLSX cannot hold this value; leave the field out, or export CSV",
    th="ค่านี้ยาวเกินช่องของ XLSX ให้ตัดคอลัมน์นี้ออก หรือส่งออกเป็น CSV",
)
TABLE_EMPTY = Bilingual(
    "The file has no row with the names of the columns", th="ไฟล์ไม่มีแถวชื่อคอลัมน์"
)
COLUMN_UNKNOWN = Bilingual("Unknown column: {name}", th="ไม่รู้จักคอลัมน์: {name}")
COLUMN_TWICE = Bilingual("There are several columns {name}", th="มีคอลัมน์ {name} ซ้ำกัน")
COLUMN_UNNAMED = Bilingual(
    "Column {column} has no name, but row {row} has something in it",
    th="คอลัมน์ {column} ไม่มีชื่อ แต่แถว {row} มีข้อมูลในคอลัมน์นี้",
)
TEXT_REWRITTEN = Bilingual(
    "A spreadsheet has rewritten this text: {was} became {now}. Export XLSX, which keeps "
    "texts as they are, or enter {was} again",
    th="โปรแกรมตารางเปลี่ยนข้อความนี้เอง: {was} กลายเป็น {now} ให้ส่งออกเป็น XLSX "
    "ซึ่งเก็บข้อความไว้ตามเดิม หรือกรอก {was} ใหม่",
)
CELL_SHOWS_ERROR = Bilingual(
    "The spreadsheet shows an error in this cell: {error}",
    th="ช่องนี้ขึ้นข้อผิดพลาดของสเปรดชีต: {error}",
)
CELL_NOT_COMPUTED = Bilingual(
    "The file has no value for this formula ({formula}); open and save it with a "
    "spreadsheet program, or enter the value",
    th="สูตรในช่องนี้ ({formula}) ยังไม่มีผลลัพธ์ในไฟล์ ให้เปิดและบันทึกด้วยโปรแกรมสเปรดชีต หรือกรอกค่าแทน",
)
ROW_TWICE = Bilingual("Row {row} is the same record", th="ซ้ำกับแถว {row}")
KEY_NOT_UNIQUE = Bilingual(
    "Several records are named {key}; give the _id", th="มีหลายรายการชื่อ {key} ให้ระบุ _id"
)
ROW_STALE = Bilingual(
    "The record has changed since it was exported; export it again",
    th="รายการนี้เปลี่ยนไปแล้วหลังส่งออก ให้ส่งออกใหม่",
)
COLUMN_OF_SERVICE = Bilingual(
    "Set by the service; leave the column out or as it was exported",
    th="ระบบกำหนดคอลัมน์นี้เอง ให้ตัดออกหรือปล่อยไว้ตามที่ส่งออก",
)
REFERENCE_CONTRADICTS = Bilingual(
    "Names another record than {field}", th="ระบุคนละรายการกับ {field}"
)
IMPORT_REFUSED = Bilingual(
    "Nothing was imported; {count} faults", th="ยังไม่ได้นำเข้า พบข้อผิดพลาด {count} จุด"
)
IMPORT_MAY_NOT_CHANGE = Bilingual(
    "Not authorized to change this record", th="บัญชีนี้ไม่มีสิทธิ์แก้ไขรายการนี้"
)
IMPORT_MAY_NOT_CREATE = Bilingual(
    "Not authorized to create records", th="บัญชีนี้ไม่มีสิทธิ์เพิ่มรายการ"
)
IMPORT_DUPLICATE = Bilingual(
    "A value of this or a later row is already taken", th="ค่าของแถวนี้หรือแถวถัดไปมีอยู่แล้ว"
)
IMPORTS_BUSY = Bilingual(
    "Another import is running; please try again", th="มีการนำเข้าอื่นอยู่ กรุณาลองอีกครั้ง"
)
EXPORTS_BUSY = Bilingual(
    "Too many exports at once; please try again",
    th="มีการส่งออกพร้อมกันมากเกินไป กรุณาลองอีกครั้ง",
)
TOO_MANY_PARTS = Bilingual("too many parts", th="มีส่วนย่อยมากเกินไป")
TABLE_MOSTLY_EMPTY = Bilingual("too many empty cells", th="มีช่องว่างมากเกินไป")
LIST_UNKNOWN = Bilingual(
    "There is no list of this name that can be exported", th="ไม่มีรายการชื่อนี้ที่ส่งออกได้"
)
SAVED_EXPORTS_FULL = Bilingual(
    "You have {count} saved exports already; delete one first",
    th="บันทึกการส่งออกไว้ครบ {count} รายการแล้ว ให้ลบบางรายการก่อน",
)
PARTS_OF_NEW_ONLY = Bilingual(
    "Can be imported only along with a new record", th="นำเข้าได้เฉพาะพร้อมรายการใหม่"
)
