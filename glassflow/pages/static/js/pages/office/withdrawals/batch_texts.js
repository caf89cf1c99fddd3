// The texts of decisions on several withdrawals.
export const texts = {
  th: {
    "withdrawalsbatch.approved": "อนุมัติใบเบิกที่เลือก",
    "withdrawalsbatch.rejected": "ไม่อนุมัติใบเบิกที่เลือก",
    "withdrawalssay.approved": "จะอนุมัติ {count} ใบทีละใบ สต็อกถูกตัดไปแล้วตอนเบิก ยอดสต็อกจะไม่เปลี่ยน",
    "withdrawalssay.rejected": "จะไม่อนุมัติ {count} ใบทีละใบ วัสดุจะคืนเข้าสต็อกที่เดิม",
    "withdrawalswhy.decided": "ตัดสินไปแล้ว",
  },
  en: {
    "withdrawalsbatch.approved": "Approve the selected withdrawals",
    "withdrawalsbatch.rejected": "Reject the selected withdrawals",
    "withdrawalssay.approved":
      "{count} {count|withdrawal is|withdrawals are} approved one after the other. The material has left the stock already: the stock does not change.",
    "withdrawalssay.rejected":
      "{count} {count|withdrawal is|withdrawals are} rejected one after the other. The material goes back to where it was taken from.",
    "withdrawalswhy.decided": "It was decided already",
  },
};
