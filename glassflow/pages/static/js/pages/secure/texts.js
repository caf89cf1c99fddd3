// The texts of the page that leads a device to https.
export const texts = {
  th: {
    "secure.title": "เปิดแบบปลอดภัย (https)",
    "secure.done": "หน้านี้เปิดผ่าน https แล้ว ใช้งานได้ทุกอย่าง",
    "secure.localhost": "เครื่องนี้คือเครื่องที่เปิดบริการอยู่ จึงใช้ได้ทุกอย่างโดยไม่ต้องมี https ส่วนเครื่องอื่นต้องมี",
    "secure.plain": "หน้านี้เปิดผ่าน http ธรรมดา",
    "secure.adds": "https เพิ่มอะไรบ้าง",
    "secure.camera": "สแกนด้วยกล้องสด (ถ้าไม่มี ใช้ถ่ายรูปโค้ดแทนได้)",
    "secure.start": "เปิดหน้าได้แม้ไม่มีเครือข่าย และติดตั้งเป็นแอปได้",
    "secure.awake": "จอไม่ดับเองระหว่างทำงาน",
    "secure.private": "ไม่มีใครในเครือข่ายแอบดูหรือแก้ข้อมูลได้",
    "secure.without":
      "ไม่มี https ก็ยังใช้ได้: เครื่องอ่านบาร์โค้ด พิมพ์เลข ถ่ายรูปโค้ด กระดานงาน และเก็บสแกนไว้ส่งเมื่อเครือข่ายกลับมา ตราบใดที่ยังเปิดหน้าไว้",
    "secure.steps": "ตั้งค่าเครื่องนี้",
    "secure.once": "ทำครั้งเดียวต่อเครื่อง ใช้เวลาไม่กี่นาที",
    "secure.download": "ดาวน์โหลดใบรับรองของโรงงาน",
    "secure.downloadButton": "ดาวน์โหลดใบรับรอง",
    "secure.fingerprint": "ลายนิ้วมือ SHA-256 ต้องตรงกับที่ผู้ดูแลมี:",
    "secure.install": "ติดตั้งใบรับรอง",
    "secure.iphone":
      "iPhone, iPad: การตั้งค่า › โหลดโปรไฟล์แล้ว › ติดตั้ง จากนั้น ทั่วไป › เกี่ยวกับ › การตั้งค่าใบรับรองที่เชื่อถือ › เปิด glassflow workshop",
    "secure.android":
      "Android: การตั้งค่า › ความปลอดภัย › การเข้ารหัสและข้อมูลรับรอง › ติดตั้งใบรับรอง › ใบรับรอง CA แล้วเลือกไฟล์ที่ดาวน์โหลด",
    "secure.computer": "Windows: เปิดไฟล์ › ติดตั้งใบรับรอง › เครื่องในระบบ › Trusted Root Certification Authorities",
    "secure.open": "เปิดที่อยู่ใหม่ แล้วเข้าสู่ระบบอีกครั้ง",
    "secure.until": "ใบรับรองใช้ได้ถึง {date}",
    "secure.none": "บริการนี้ยังไม่ได้เปิด https",
    "secure.noneHint": "ให้ผู้ดูแลรันคำสั่งนี้บนเครื่องที่เปิดบริการ ตั้งค่า HTTPS_PORT เช่น 8443 แล้วเปิดบริการใหม่:",
    "secure.other": "เครื่องอื่น",
    "secure.otherHint": "สแกนโค้ดนี้ด้วยกล้องของโทรศัพท์หรือแท็บเล็ต เพื่อเปิดหน้านี้",
    "secure.otherLocal": "เปิดหน้านี้ด้วยที่อยู่ในเครือข่ายของเครื่องนี้ก่อน เช่น {address} แล้วโค้ดสำหรับเครื่องอื่นจะแสดงที่นี่",
    "secure.code": "โค้ด QR ของ {address}",
    "secure.failed": "อ่านข้อมูลจากบริการไม่ได้ โปรดตรวจเครือข่าย แล้วโหลดหน้านี้ใหม่",
    "secure.home": "ไปหน้าแรก",
  },
  en: {
    "secure.title": "Open over https",
    "secure.done": "This page is open over https. Everything works.",
    "secure.localhost":
      "This is the computer that the service runs on, where everything works without https. Other devices need it.",
    "secure.plain": "This page is open over plain http.",
    "secure.adds": "What https adds",
    "secure.camera": "Scanning with the live camera (without it: a photo of the code)",
    "secure.start": "Pages that start without network, and can be installed as an app",
    "secure.awake": "A screen that stays on during work",
    "secure.private": "Nobody in the network can read or change what is sent",
    "secure.without":
      "Without https these still work: barcode scanners, typed numbers, photos of codes, the board, and scans that are kept until the network is back, while the page stays open.",
    "secure.steps": "Set up this device",
    "secure.once": "Once for each device; it takes a few minutes.",
    "secure.download": "Download the certificate of the workshop",
    "secure.downloadButton": "Download certificate",
    "secure.fingerprint": "Its SHA-256 fingerprint must be the one that the administrator has:",
    "secure.install": "Install the certificate",
    "secure.iphone":
      "iPhone, iPad: Settings › Profile Downloaded › Install; then General › About › Certificate Trust Settings › turn on glassflow workshop",
    "secure.android":
      "Android: Settings › Security › Encryption & credentials › Install a certificate › CA certificate, and choose the downloaded file",
    "secure.computer":
      "Windows: open the file › Install Certificate › Local Machine › Trusted Root Certification Authorities",
    "secure.open": "Open the new address, and log in again",
    "secure.until": "The certificate is valid until {date}",
    "secure.none": "This service does not serve https yet",
    "secure.noneHint":
      "Who operates it runs this command on its computer, sets HTTPS_PORT, for example to 8443, and starts the service again:",
    "secure.other": "Other devices",
    "secure.otherHint": "Scan this code with the camera of a phone or tablet to open this page there.",
    "secure.otherLocal":
      "Open this page by the address of this computer in the network first, such as {address}; then the code for other devices is shown here.",
    "secure.code": "QR code of {address}",
    "secure.failed": "The service cannot be read. Check the network, and load this page again.",
    "secure.home": "Go to the start page",
  },
};
