// The texts of the labels to try, which only a demo workshop shows.
export const texts = {
  th: {
    "try.title": "ลองสแกนโดยไม่ต้องมีเครื่องสแกน",
    "try.hint": "สแกนฉลากจากหน้าจอนี้ หรือกดที่ฉลาก สถานีจะเปิดพร้อมกระจกแผ่นนั้น",
    "try.pending": "รออยู่ที่{station}",
    "try.in_progress": "กำลังทำที่{station}",
    "try.awaiting_scan_out": "รอส่งต่อจาก{station}",
  },
  en: {
    "try.title": "Try a scan, without a scanner",
    "try.hint": "Scan a label from this screen, or click it: its station opens with that pane.",
    "try.pending": "waiting at {station}",
    "try.in_progress": "in work at {station}",
    "try.awaiting_scan_out": "to hand on from {station}",
  },
};
