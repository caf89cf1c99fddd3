// The texts of the pages of station templates.
export const texts = {
  th: {
    "templates.one": "แม่แบบสถานี",
    "templates.new": "เพิ่มแม่แบบสถานี",
    "templates.hint": "แม่แบบบอกว่าหน้าจอของสถานีชนิดหนึ่งมีอะไรบ้าง ทุกสถานีต้องมีแม่แบบ เพิ่มแม่แบบแรกก่อนเพิ่มสถานี",
    "templates.name": "ชื่อแม่แบบ",
    "templates.nameHint": "เช่น ตัด เจียร อบ ลามิเนต",
    "templates.title": "หัวข้อบนจอ",
    "templates.steps": "ขั้นตอนที่สถานีทำ",
    "templates.members": "ค่าที่ตั้ง",
    "templates.schema": "หน้าจอ (JSON)",
    "templates.schemaHint": "ปล่อยไว้ตามเดิมได้ สถานีจะใช้หน้าจอธรรมดา มีไว้ให้โปรแกรมอื่นที่วาดจอสถานีเองเท่านั้น",
    "templates.noObject": "ต้องเป็น JSON แบบ {…} ตรวจเครื่องหมายคำพูด จุลภาค และปีกกา",
    "templates.stations": "สถานีที่ใช้แม่แบบนี้",
    "templates.noStations": "ยังไม่มีสถานีที่ใช้แม่แบบนี้",
    "templates.noStationsHint": "เพิ่มสถานีจากแม่แบบนี้ได้ที่ปุ่มด้านล่าง",
    "templates.newStation": "เพิ่มสถานีจากแม่แบบนี้",
  },
  en: {
    "templates.one": "Station template",
    "templates.new": "New station template",
    "templates.hint":
      "A station template says what the screen of a kind of station has. Every station needs one: add the first before the first station.",
    "templates.name": "Name",
    "templates.nameHint": "As “Cutting”, “Oven” or “Lamination”.",
    "templates.title": "Heading on the screen",
    "templates.steps": "Steps at the station",
    "templates.members": "Settings",
    "templates.schema": "Screen (JSON)",
    "templates.schemaHint":
      "Leave it as it is: the station gets the plain screen. Only other programs that draw the screens of stations read it.",
    "templates.noObject": "Must be JSON of the form {…}: check quotation marks, commas and braces.",
    "templates.stations": "Stations with this template",
    "templates.noStations": "No station has this template",
    "templates.noStationsHint": "Add one with the button below.",
    "templates.newStation": "New station from this template",
  },
};
