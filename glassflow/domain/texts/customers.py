"""Texts about customers."""

from glassflow.domain.bilingual import Bilingual

TAX_ID_NOT_DIGITS = Bilingual(
    "A Thai tax id has digits only", th="เลขประจำตัวผู้เสียภาษีของไทยมีแต่ตัวเลข"
)
TAX_ID_LENGTH = Bilingual(
    "A Thai tax id has {digits} digits, this one has {count}",
    th="เลขประจำตัวผู้เสียภาษีของไทยมี {digits} หลัก แต่ที่กรอกมี {count} หลัก",
)
TAX_ID_CHECK_DIGIT = Bilingual(
    "The last digit does not fit the other digits of this tax id: check all of them",
    th="เลขหลักสุดท้ายไม่ตรงกับหลักอื่นของเลขประจำตัวผู้เสียภาษี ตรวจสอบทุกหลักอีกครั้ง",
)
BRANCH_NOT_DIGITS = Bilingual(
    "A branch in Thailand has up to {digits} digits; {head_office} is the head office",
    th="เลขสาขาในไทยมีไม่เกิน {digits} หลัก สำนักงานใหญ่คือ {head_office}",
)
NOT_AN_EMAIL = Bilingual(
    "Not an e-mail address, such as name@example.com",
    th="ไม่ใช่ที่อยู่อีเมล เช่น name@example.com",
)
MERGED_TWICE = Bilingual(
    "Names each customer once, and not the one that stays",
    th="ระบุลูกค้าแต่ละรายครั้งเดียว และไม่รวมรายที่เก็บไว้",
)
