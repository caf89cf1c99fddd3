// Where new records are made, for fields that name another record. The pages around say it.
let offered = {};
let add = null;

/**
 * By the list: the section of the office, the key that it takes, and the `form`, where it is shown in
 * place, by `load`, which imports the dialog of one.
 */
export function offerNewRecords(records, load) {
  offered = records;
  add = load;
}

/** {section, key, form} of a new record of a list; nothing where none is offered. */
export const newRecordOf = (resource) => offered[resource] ?? {};

/** Imports the dialog with the form of a new record. */
export const loadAddRecord = () => add();
