// The texts of logging out.
export const texts = {
  th: {
    "leave.unsent":
      "ยังมีสแกนของคุณที่ไม่ได้ส่ง {count} รายการ ถ้าออกตอนนี้ สแกนจะค้างอยู่ในเครื่องนี้ และจะส่งเมื่อคุณเข้าสู่ระบบบนเครื่องนี้อีกครั้ง",
    "leave.sure": "ออกจากระบบเลย",
    "leave.failed": "ออกจากระบบไม่สำเร็จ เพราะติดต่อระบบไม่ได้",
  },
  en: {
    "leave.unsent":
      "Scans of yours that are not sent: {count}. If you log out now, they stay on this device and are sent when you log in on it again.",
    "leave.sure": "Log out anyway",
    "leave.failed": "You could not be logged out, because the service does not answer.",
  },
};
