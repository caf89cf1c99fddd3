// The texts of photos that are added to a record.
export const texts = {
  th: {
    "photos.one": "รูปที่ {number}",
    "photos.remove": "ลบรูปที่ {number}",
    "photos.take": "ถ่ายรูป",
    "photos.add": "เพิ่มรูป",
    "photos.unusable": "ใช้ไฟล์นี้เป็นรูปไม่ได้",
    "photos.heic": "เปิดรูป HEIC ไม่ได้ ให้บันทึกรูปเป็น JPEG ก่อน",
  },
  en: {
    "photos.one": "Photo {number}",
    "photos.remove": "Remove photo {number}",
    "photos.take": "Take a photo",
    "photos.add": "Add photos",
    "photos.unusable": "This file cannot be used as a photo.",
    "photos.heic": "HEIC photos cannot be read here: save the photo as a JPEG.",
  },
};
