// Further attempts at what could not be read.
import { useEffect, useState } from "../../../vendor/ui.js";
import { connection } from "../../core/events.js";

/** [the number of the attempt, how to make another one], one more when the page is live again after an error. */
export function useAttempts(error) {
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt((before) => before + 1);
  const isLive = connection.value.state === "live";
  useEffect(() => {
    if (isLive && error) again();
  }, [isLive]);
  return [attempt, again];
}
