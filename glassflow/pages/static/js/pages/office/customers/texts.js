// The texts of the customers' pages.
export const texts = {
  th: {
    "customers.one": "ลูกค้า",
    "customers.new": "เพิ่มลูกค้า",
    "customers.hint": "เพิ่มลูกค้ารายแรก แล้วสร้างคำขอในชื่อของเขา",
    "customers.name": "ชื่อ",
    "customers.phone": "โทรศัพท์",
    "customers.address": "ที่อยู่",
    "customers.discount": "ส่วนลด",
    "customers.notes": "หมายเหตุ",
    "customers.orders": "งานของลูกค้ารายนี้",
  },
  en: {
    "customers.one": "Customer",
    "customers.new": "New customer",
    "customers.hint": "Add the first customer, then make requests in their name",
    "customers.name": "Name",
    "customers.phone": "Phone",
    "customers.address": "Address",
    "customers.discount": "Discount",
    "customers.notes": "Notes",
    "customers.orders": "Orders of this customer",
  },
};
