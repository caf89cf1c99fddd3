// The texts about a record that cannot be deleted, by its kind.
export const texts = {
  th: {
    "delete.forGood": "ลบแล้วเรียกคืนไม่ได้",
    "delete.restorable": "เรียกคืนได้ภายหลังที่หน้า “{page}”",
    "delete.restorableElsewhere": "ผู้ที่ดูหน้า “{page}” ได้ เรียกคืนให้ภายหลังได้",
    "delete.newPassword": "เมื่อเรียกคืนแล้วต้องตั้งรหัสผ่านใหม่",
    "delete.withoutFiles": "แต่ไฟล์แนบเรียกคืนไม่ได้",
    "deleteinstead.customers": "ลูกค้าที่มีคำขอหรืองานจะเก็บไว้ เพื่อให้ประวัติครบถ้วน",
    "deleteinstead.materials": "วัสดุที่มีประวัติจะเก็บไว้ ถ้าเลิกใช้แล้ว ให้ปิด “ใช้งานอยู่” แทนการลบ",
    "deleteinstead.inventories": "ตัดสินการเบิกเหล่านี้ก่อน แล้วจึงลบได้",
    "deleteinstead.workers": "พนักงานที่มีประวัติจะเก็บไว้ ถ้าไม่ให้เข้าใช้งานแล้ว ให้ปิด “เข้าสู่ระบบได้” แทนการลบ",
    "deleteinstead.stations": "ทำงานที่ยังไม่เสร็จให้เสร็จ หรือเปลี่ยนเส้นทางก่อน แล้วจึงลบสถานีได้",
    "deleteinstead.station-templates": "เลือกแม่แบบอื่นให้สถานีเหล่านี้ก่อน แล้วจึงลบได้",
    "deleteinstead.roles": "ให้บทบาทอื่นกับพนักงานเหล่านี้ก่อน แล้วจึงลบได้",
    "deleteinstead.others": "รายการที่มีประวัติจะเก็บไว้ เพื่อให้ประวัติครบถ้วน",
  },
  en: {
    "delete.forGood": "This cannot be undone.",
    "delete.restorable": "It can be restored later, on the page “{page}”.",
    "delete.restorableElsewhere": "Who may see the page “{page}” can restore it later.",
    "delete.newPassword": "They will need a new password then.",
    "delete.withoutFiles": "The attached files cannot be restored.",
    "deleteinstead.customers": "A customer with requests or orders is kept, so that their history stays whole.",
    "deleteinstead.materials": "A material with a history is kept. If it is no longer used, turn off “In use” instead.",
    "deleteinstead.inventories": "Decide these withdrawals first; then the lot can be deleted.",
    "deleteinstead.workers":
      "A worker with a history is kept. If they are to log in no more, turn off “May log in” instead.",
    "deleteinstead.stations": "Finish the open work or change its route first; then the station can be deleted.",
    "deleteinstead.station-templates":
      "Choose another template for these stations first; then this one can be deleted.",
    "deleteinstead.roles": "Give these people another role first; then this one can be deleted.",
    "deleteinstead.others": "A record with a history is kept, so that the history stays whole.",
  },
};
