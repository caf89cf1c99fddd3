// The texts of dialogs.
export const texts = {
  th: {
    "dialog.close": "ปิด",
  },
  en: {
    "dialog.close": "Close",
  },
};
