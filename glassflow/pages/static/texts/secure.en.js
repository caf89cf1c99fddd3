// The texts of the page that leads a device to https, in English.
export default {
  // The page that leads a device to https
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
};
