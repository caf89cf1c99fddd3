// The scanner on the pages of the office and of labels: what it reads is opened, and printed
// command cards press the buttons of the page.
import { useLayoutEffect, useState } from "../../vendor/ui.js";

/**
 * Listen to the scanner while the page is shown. `onPane(number)` gets what a label says;
 * `onOther(text)` what is no code for these pages, or a card that has nothing to press.
 * Returns whether the last scan was that.
 */
export function useScanner(onPane, onOther) {
  const [isOther, setOther] = useState(false);
  useLayoutEffect(() => {
    let stop = () => {};
    let isWanted = true;
    Promise.all([import("../scan/wedge.js"), import("./scanned.js")]).then(([{ listen, parse }, { take }]) => {
      if (isWanted) stop = listen((text) => {
        const isTaken = take(parse(text), onPane);
        setOther(!isTaken);
        if (!isTaken) onOther?.(text);
      });
    });
    return () => {
      isWanted = false;
      stop();
    };
  }, []);
  return isOther;
}
