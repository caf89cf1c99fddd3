// How a browser prints a file that the service has made.

// Where a browser shows PDFs inside of a page; phones do not.
const SHOWS_PDF = navigator.pdfViewerEnabled === true;

/** Print a PDF from a hidden frame; where no frame shows it, open it in a new tab. */
export function printPdf(blob) {
  const url = URL.createObjectURL(blob);
  if (!SHOWS_PDF) return void open(url, "_blank");
  document.getElementById("print-frame")?.remove();
  const frame = Object.assign(document.createElement("iframe"), { id: "print-frame", src: url });
  frame.className = "visually-hidden";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.onload = () => {
    frame.contentWindow.focus();
    frame.contentWindow.print();
  };
  document.body.append(frame);
}
