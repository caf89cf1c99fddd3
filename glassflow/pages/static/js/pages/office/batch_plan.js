// What an action will do with the selected records, before it is done. Without a page.

/**
 * The records that an action is for, and those that are left out: {taken: [{record, to}],
 * left: [{record, why}]}. `to` is what they are afterwards, `reasonAgainst(record)` why one is
 * left out, "" for none. The service decides again.
 */
export function plan(records, to, reasonAgainst) {
  const judged = records.map((record) => ({ record, to, why: reasonAgainst(record) }));
  return { taken: judged.filter(({ why }) => !why), left: judged.filter(({ why }) => why) };
}
