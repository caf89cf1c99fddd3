"""Texts of the export of billing for the accounts: its heads, and the words in its cells."""

from glassflow.domain.bilingual import Bilingual

# By the names of the columns, in their order.
ACCOUNTS_HEADS = {
    "invoiceNumber": Bilingual("Invoice number", th="เลขที่ใบแจ้งหนี้"),
    "billedAt": Bilingual("Invoice date", th="วันที่ใบแจ้งหนี้"),
    "entryNumber": Bilingual("Entry", th="เลขที่รายการ"),
    "kind": Bilingual("Kind", th="ประเภท"),
    "deliveredAt": Bilingual("Delivered or charged on", th="วันที่ส่งของหรือเรียกเก็บ"),
    "deliveryNumber": Bilingual("Delivery note", th="เลขที่ใบส่งของ"),
    "customerName": Bilingual("Customer", th="ชื่อลูกค้า"),
    "taxId": Bilingual("Tax ID", th="เลขประจำตัวผู้เสียภาษี"),
    "branch": Bilingual("Branch", th="สาขา"),
    "address": Bilingual("Address", th="ที่อยู่"),
    "country": Bilingual("Country", th="ประเทศ"),
    "requestNumber": Bilingual("Request", th="เลขที่ใบรับงาน"),
    "orderNumber": Bilingual("Order", th="เลขที่ออเดอร์"),
    "referenceId": Bilingual("Customer’s PO number", th="เลขที่ใบสั่งซื้อของลูกค้า"),
    "paneNumber": Bilingual("Pane", th="เลขแผ่น"),
    "size": Bilingual("Size (mm)", th="ขนาด (มม.)"),
    "glass": Bilingual("Glass and work", th="กระจกและงาน"),
    "paneCount": Bilingual("Panes", th="จำนวนแผ่น"),
    "net": Bilingual("Before VAT", th="ยอดก่อน VAT"),
    "vatPercent": Bilingual("VAT %", th="อัตรา VAT (%)"),
    "vat": Bilingual("VAT", th="ภาษีมูลค่าเพิ่ม"),
    "gross": Bilingual("With VAT", th="ยอดรวม VAT"),
    "reason": Bilingual("Reason", th="เหตุผล"),
    "notes": Bilingual("Notes", th="หมายเหตุ"),
    "status": Bilingual("Status", th="สถานะ"),
    "exportedAt": Bilingual("Exported before", th="ส่งออกครั้งก่อนเมื่อ"),
    "changed": Bilingual("Changed since", th="เปลี่ยนหลังส่งออก"),
}
ACCOUNTS_KINDS = {
    "delivery": Bilingual("Delivery", th="ส่งของ"),
    "charge": Bilingual("Charge without delivery", th="เรียกเก็บโดยไม่ส่งของ"),
    "credit": Bilingual("Credit", th="ลดหนี้"),
    "adjustment": Bilingual("Adjustment", th="ปรับยอด"),
}
ACCOUNTS_STATUSES = {
    "open": Bilingual("Not billed", th="ยังไม่วางบิล"),
    "billed": Bilingual("Billed", th="วางบิลแล้ว"),
    "void": Bilingual("Void", th="ยกเลิก"),
}
ACCOUNTS_NET_WAS = Bilingual("{amount} before", th="เดิม {amount}")
ACCOUNTS_INVOICE_WAS = Bilingual("invoice {number} before", th="เดิมใบแจ้งหนี้ {number}")
