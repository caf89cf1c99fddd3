// The lots that withdrawals hold stock of.
import { api } from "../../../core/api.js";

const PAGE = 100; // ids in one address, and the most rows of one answer

/** The lots with these ids, by id, however many they are; without those that are deleted. */
export async function readLots(ids) {
  const lots = {};
  for (let at = 0; at < ids.length; at += PAGE) {
    const asked = { _id: ids.slice(at, at + PAGE).join(","), limit: String(PAGE) };
    const { data } = await api(`/inventories?${new URLSearchParams(asked)}`);
    for (const lot of data) lots[lot._id] = lot;
  }
  return lots;
}
