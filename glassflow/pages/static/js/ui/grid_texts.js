// The texts of grids.
export const texts = {
  th: {
    "grid.cell": "{column} แถวที่ {row}",
    "grid.add": "เพิ่มแถว",
    "grid.duplicate": "ทำซ้ำแถวที่ {row}",
    "grid.remove": "ลบแถวที่ {row}",
    "grid.row": "แถว",
    "grid.actions": "จัดการแถว",
  },
  en: {
    "grid.cell": "{column}, row {row}",
    "grid.add": "Add a row",
    "grid.duplicate": "Duplicate row {row}",
    "grid.remove": "Remove row {row}",
    "grid.row": "Row",
    "grid.actions": "Row actions",
  },
};
