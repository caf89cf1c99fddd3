// The texts of a name that another record has.
export const texts = {
  th: {
    "same.customers": "มีลูกค้าชื่อนี้อยู่แล้ว:",
    "same.materials": "มีวัสดุชื่อนี้อยู่แล้ว:",
    "same.people": "มีพนักงานชื่อนี้อยู่แล้ว:",
    "same.stations": "มีสถานีชื่อนี้อยู่แล้ว:",
    "same.station-templates": "มีแม่แบบสถานีชื่อนี้อยู่แล้ว:",
  },
  en: {
    "same.customers": "There is already a customer of this name:",
    "same.materials": "There is already a material of this name:",
    "same.people": "There is already a person of this name:",
    "same.stations": "There is already a station of this name:",
    "same.station-templates": "There is already a station template of this name:",
  },
};
