// What scan/decoder.js imports from vendor/zxing.js: reading QR codes of pictures.
export { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
