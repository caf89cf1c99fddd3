// Claims, and photos of defects, on their way to the service.
import { send } from "../../core/outbox.js";
import * as photo from "../../scan/photo.js";

/** The path of claims, which the outbox keeps as it does scans. */
export const CLAIM = "/claims/from-pane";

/** Send photos (data URLs) of a worker, kept where there is no network; returns their ids. */
export const sendPhotos = (photos, worker) =>
  photo.sendPhotos(photos, async (path, body) => {
    const answer = await send(path, body, { worker });
    if (answer.kind === "refused") throw answer.error;
  });
