// Photos of a defect on their way to the service. Loaded with the forms that take them.
import { send } from "../../core/outbox.js";
import * as photo from "../../scan/photo.js";

/** Send photos (data URLs) of a worker, kept where there is no network; returns their ids. */
export const sendPhotos = (photos, worker) => photo.sendPhotos(photos, async (path, body) => {
  const answer = await send(path, body, { worker });
  if (answer.kind === "refused") throw answer.error;
});
