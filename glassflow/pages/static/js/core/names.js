// Names as people compare them: letter case and the number of spaces do not count.
import { api } from "./api.js";

const MOST = 100;

const wordsOf = (name) => (name ?? "").normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);

/** The form in which names are compared; "" for none. */
export const plainName = (name) => wordsOf(name).join(" ");

/** The records of a list of the API that have a name; `query` has further parameters. */
export async function recordsNamed(resource, name, query = {}) {
  // a search compares the spaces too, so it looks for the word that finds the fewest
  const search = wordsOf(name).sort((one, other) => other.length - one.length)[0];
  const { data } = await api(`/${resource}?${new URLSearchParams({ ...query, search, limit: String(MOST) })}`);
  return data.filter((one) => plainName(one.name) === plainName(name));
}
