// The texts of the page for an address that names none.
export const texts = {
  th: {
    "missing.title": "ไม่มีหน้านี้",
    "missing.text": "ไม่พบอะไรที่ {path} อาจพิมพ์ที่อยู่ผิด หรือหน้านี้ย้ายไปแล้ว",
    "missing.home": "ไปหน้าแรก",
  },
  en: {
    "missing.title": "There is no page here",
    "missing.text": "Nothing is at {path}. The address may be mistyped, or the page may have moved.",
    "missing.home": "Go to the start page",
  },
};
