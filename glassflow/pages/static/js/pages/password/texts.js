// The texts of the page on which a one-time password is changed.
export const texts = {
  th: {
    "password.title": "ตั้งรหัสผ่านใหม่",
    "password.why": "รหัสผ่านของคุณถูกตั้งใหม่และใช้ได้ชั่วคราว ตั้งรหัสผ่านของคุณเองก่อนใช้งานต่อ",
    "password.current": "รหัสผ่านชั่วคราว",
    "password.new": "รหัสผ่านใหม่",
    "password.repeated": "รหัสผ่านใหม่อีกครั้ง",
    "password.different": "รหัสผ่านใหม่สองช่องไม่ตรงกัน",
    "password.submit": "บันทึกและใช้งานต่อ",
  },
  en: {
    "password.title": "Set a new password",
    "password.why": "Your password was reset and is valid for this step only. Set one of your own to go on.",
    "password.current": "One-time password",
    "password.new": "New password",
    "password.repeated": "New password again",
    "password.different": "The two new passwords differ",
    "password.submit": "Save and go on",
  },
};
