// Which codes in the pictures of a camera are new.
const ABSENT_MS = 1500;

/**
 * A code that is held before the camera is in many pictures and counts once. It counts
 * again after no picture has shown it for 1.5 s.
 */
export class CodesInView {
  #absentSince = new Map(); // code -> when a picture first lacked it; null while it is there

  /**
   * Return the code that counts now, or null. `texts` are the codes of one picture, the one
   * in the middle first, `now` its time in ms.
   */
  next(texts, now) {
    const [middle] = texts;
    const isNew = texts.length > 0 && this.#isNew(middle, now);
    for (const [code, since] of this.#absentSince)
      if (!texts.includes(code) && since === null) this.#absentSince.set(code, now);
    for (const code of texts) if (code === middle || !this.#isNew(code, now)) this.#absentSince.set(code, null);
    return isNew ? middle : null;
  }

  #isNew(code, now) {
    const since = this.#absentSince.get(code);
    return since === undefined || (since !== null && now - since >= ABSENT_MS);
  }
}
