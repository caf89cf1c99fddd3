"""Texts about billing."""

from glassflow.domain.bilingual import Bilingual

ALREADY_BILLED = Bilingual(
    "{entries} is on the invoice {invoices} already",
    th="{entries} อยู่ในใบแจ้งหนี้ {invoices} แล้ว",
)
SEVERAL_CUSTOMERS = Bilingual(
    "An invoice has one customer", th="ใบแจ้งหนี้หนึ่งใบมีลูกค้าได้รายเดียว"
)
