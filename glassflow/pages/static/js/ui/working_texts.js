// The texts about an action that is being carried out.
export const texts = {
  th: {
    "working.any": "กำลังทำงาน {age}แล้ว",
    "working.panes": "กำลังทำ {count} แผ่น {age}แล้ว",
    "working.labels": "กำลังทำฉลาก {count} ดวง {age}แล้ว",
  },
  en: {
    "working.any": "At work for {age}",
    "working.panes": "At work on {count} {count|pane|panes} for {age}",
    "working.labels": "At work on {count} {count|label|labels} for {age}",
  },
};
