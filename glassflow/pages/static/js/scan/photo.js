// Photos as they are sent: small, and without what the camera notes in them (place, time).
const LONGEST_PX = 1600;
const MOST_BYTES = 2_000_000; // the service takes 2 MB
const QUALITIES = [0.85, 0.7, 0.5, 0.3];

/** Return the size, in pixels, of an image whose longest side is at most `longest`. */
export function fit(width, height, longest = LONGEST_PX) {
  const scale = Math.min(1, longest / Math.max(width, height));
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/**
 * Return an image file as a JPEG of at most `mostBytes` bytes, whose longest side is at most
 * `longest` pixels. Throws where it is no image.
 */
export async function shrink(file, longest = LONGEST_PX, mostBytes = MOST_BYTES) {
  const image = await createImageBitmap(file, { imageOrientation: "from-image" });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = fit(image.width, image.height, longest);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff"; // behind a picture that is transparent
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  for (const quality of QUALITIES) {
    const jpeg = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    if (!jpeg) break; // too little memory
    if (jpeg.size <= mostBytes) return jpeg;
  }
  throw new Error("The photo could not be made small enough");
}

/**
 * Send photos (data URLs) with `post(path, body)`; returns the ids under which a record
 * names them. The device chooses the ids, so that a request that is repeated, or kept
 * without network, still names the same photo.
 */
export async function sendPhotos(photos, post) {
  const ids = [];
  for (const photo of photos) {
    const id = [...crypto.getRandomValues(new Uint8Array(12))]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("");
    await post("/attachments", { photo, id });
    ids.push(id);
  }
  return ids;
}
