// The roles of a new store (seeds/roles.json). Their names are stored in English, and their
// descriptions in Thai: the texts below in these languages are the stored ones.
export const texts = {
  th: {
    "rolename.admin": "ผู้ดูแลระบบ",
    "rolename.manager": "ผู้จัดการโรงงาน",
    "rolename.worker": "พนักงานหน้างาน",
    "rolename.screen": "จอกระดาน",
    "rolename.device": "แท็บเล็ตส่วนกลาง",
    "roledescription.admin": "ผู้ดูแลระบบ ทำได้ทุกอย่าง",
    "roledescription.manager": "ผู้จัดการโรงงาน ดูแลงานทั้งหมด ยกเว้นพนักงานและสิทธิ์",
    "roledescription.worker": "พนักงานหน้างาน ดูข้อมูลและสแกนกระจก",
    "roledescription.screen": "บัญชีของจอกระดาน ดูกระดานอย่างเดียว",
    "roledescription.device": "บัญชีของแท็บเล็ตส่วนกลาง พนักงานสแกนบัตรหรือใส่ PIN ก่อนทำงาน",
  },
  en: {
    "rolename.admin": "Admin",
    "rolename.manager": "Manager",
    "rolename.worker": "Worker",
    "rolename.screen": "Screen",
    "rolename.device": "Shared device",
    "roledescription.admin": "Administrator: may do everything",
    "roledescription.manager": "Manager of the workshop: all work, but not workers and roles",
    "roledescription.worker": "Worker at the stations: sees the data and scans panes",
    "roledescription.screen": "Account of a wall screen: sees the board only",
    "roledescription.device": "Account of a shared tablet: workers scan their badge or type their PIN before they work",
  },
};
