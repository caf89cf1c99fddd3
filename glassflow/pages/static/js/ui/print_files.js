// How a browser prints a file that the service makes.
import { download } from "./files.js";

/**
 * Print the PDF that `file` promises, as `fetchFile` does: from a hidden frame, or in a new tab
 * where no frame shows it. Call it in the click that asks for it, since browsers open no tab
 * later. Throws what `file` throws.
 */
export async function printPdf(file) {
  // phones show no PDF inside of a page
  if (navigator.pdfViewerEnabled === true) return printInFrame((await file).blob);
  const tab = open("", "_blank");
  try {
    const { blob, name } = await file;
    if (tab) tab.location = URL.createObjectURL(blob);
    else download(blob, name || "glassflow.pdf"); // no tab was allowed
  } catch (error) {
    tab?.close();
    throw error;
  }
  return undefined;
}

function printInFrame(blob) {
  document.getElementById("print-frame")?.remove();
  const frame = document.createElement("iframe");
  Object.assign(frame, { id: "print-frame", src: URL.createObjectURL(blob) });
  frame.className = "visually-hidden";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.onload = () => {
    frame.contentWindow.focus();
    frame.contentWindow.print();
  };
  document.body.append(frame);
}
