// The texts of actions on several customers.
export const texts = {
  th: {
    "customers.mostExported": "ส่งออกที่เลือกได้ครั้งละไม่เกิน {count} ราย",
    "customers.merge": "รวมลูกค้า",
    "customers.mergeHow": "เลือกลูกค้าที่เป็นรายเดียวกัน 2 ถึง {count} ราย",
    "customers.mergeTitle": "รวมลูกค้าที่เป็นรายเดียวกัน",
    "customers.stays": "เลือกรายที่จะเก็บไว้",
    "customers.none": "ไม่มี",
    "customers.requests": "คำขอ",
    "customers.ordersOf": "งาน",
    "customers.mergeSay": "คำขอ {requests} รายการ และงาน {orders} รายการ จะย้ายไปที่ {name}",
    "customers.mergeFields": "ข้อมูลของ {name} ไม่เปลี่ยน แต่ช่องโทรศัพท์ ที่อยู่ และหมายเหตุที่ว่างจะเติมจากรายอื่น",
    "customers.mergeGone": "รายอื่นจะถูกลบ และเรียกคืนไม่ได้",
  },
  en: {
    "customers.mostExported": "At most {count} selected customers are exported at once",
    "customers.merge": "Merge",
    "customers.mergeHow": "Select 2 to {count} customers that are the same",
    "customers.mergeTitle": "Merge customers that are the same",
    "customers.stays": "Choose the one that stays",
    "customers.none": "None",
    "customers.requests": "Requests",
    "customers.ordersOf": "Orders",
    "customers.mergeSay": "{requests} {requests|request|requests} and {orders} {orders|order|orders} move to {name}.",
    "customers.mergeFields":
      "What {name} has stays as it is; an empty phone, address or note is filled from the others.",
    "customers.mergeGone": "The others are deleted. This cannot be undone.",
  },
};
