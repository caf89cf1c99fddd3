// The texts of a list whose order matters.
export const texts = {
  th: {
    "ordered.up": "เลื่อน {name} ลำดับที่ {place} ขึ้น",
    "ordered.remove": "เอา {name} ลำดับที่ {place} ออก",
    "ordered.addStation": "เพิ่มสถานี",
  },
  en: {
    "ordered.up": "Move {name} up from position {place}",
    "ordered.remove": "Remove {name} from position {place}",
    "ordered.addStation": "Add a station",
  },
};
