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
    import("./scanned.js").then(({ follow, take }) => {
      if (isWanted)
        stop = follow((text, code) => {
          const isTaken = take(code, onPane);
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
