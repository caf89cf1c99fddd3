// Files with a table that people choose: XLSX, and CSV in the encodings in which programs write it.

/** What a field for such files accepts. */
export const TABLES = ["xlsx", "csv"].map((one) => `.${one}`).join();
export const CSV = "text/csv";
const THAI_CSV = `${CSV}; charset=windows-874`;
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** The type of a file. Without Unicode it is as Thai Windows writes it; the reader shows what is read. */
export async function typeOf(file) {
  if (/\.xlsx$/i.test(file.name)) return XLSX;
  const bytes = await file.arrayBuffer();
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return CSV;
  } catch {
    return THAI_CSV;
  }
}
