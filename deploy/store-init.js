// Run by mongosh: makes the replica set of one member and the user of the service.
// A second run changes only the password of that user, if STORE_PASSWORD is another one.
const { STORE_PASSWORD, STORE_ROOT_PASSWORD } = process.env;
const INITIATION_TIMEOUT_S = 60;

const admin = connect(
  `mongodb://root:${STORE_ROOT_PASSWORD}@store:27017/admin?directConnection=true`,
);

try {
  admin.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  const members = [{ _id: 0, host: "store:27017" }];
  admin.adminCommand({ replSetInitiate: { _id: "rs0", members } });
}
for (let waited = 0; !admin.hello().isWritablePrimary; waited += 1) {
  if (waited === INITIATION_TIMEOUT_S) throw new Error("the store is not primary");
  sleep(1000);
}

const database = admin.getSiblingDB("glassflow");
// dbAdmin: for a changed EVENT_RETENTION; the other database: for `flask restore`
const roles = ["glassflow", "glassflow_restored"].flatMap((db) =>
  ["readWrite", "dbAdmin"].map((role) => ({ role, db })),
);
if (database.getUser("glassflow")) {
  database.updateUser("glassflow", { pwd: STORE_PASSWORD, roles });
} else {
  database.createUser({ user: "glassflow", pwd: STORE_PASSWORD, roles });
}
print("The store is ready.");
