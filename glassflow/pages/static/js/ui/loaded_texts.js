// The texts in place of what is not read yet.
export const texts = {
  th: {
    "loaded.loading": "กำลังโหลด",
    "loaded.forbidden": "บทบาทของคุณไม่มีสิทธิ์ดูข้อมูลนี้ ขอสิทธิ์จากผู้ดูแลระบบได้",
  },
  en: {
    "loaded.loading": "Loading",
    "loaded.forbidden": "Your role may not see this. An administrator can allow it.",
  },
};
