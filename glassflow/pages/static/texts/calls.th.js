// The texts of the bar with the calls, in Thai.
export default {
  "callbar.label": "การเรียกให้ช่วย",
  "callbar.stands": "เครื่องหยุด",
  "callbar.kind_machine": "เครื่อง",
  "callbar.kind_glass": "กระจก/วัสดุ",
  "callbar.kind_question": "คำถาม",
  "callbar.kind_other": "เรียก",
  "callbar.called": "{name} เรียก",
  "callbar.youCalled": "คุณเป็นคนเรียก",
  "callbar.youGo": "คุณกำลังไป{station}",
  "callbar.take": "ฉันไปเอง",
  "callbar.end": "เรียบร้อยแล้ว",
  "callbar.release": "ไปไม่ได้",
  "callbar.taken": "{name} กำลังไปแล้ว",
  "callbar.ended": "การเรียกนี้จบแล้ว",
  "callbar.more": "อีก {count} เรื่อง",
  "callbar.background": "แจ้งแม้ไม่ได้เปิดหน้านี้",
};
