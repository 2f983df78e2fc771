/** A database that runs and refuses the instances: what an operator mends without a restart of any of them. */
import type { DatabaseAccess } from "../database-access.ts";
import { type Context, type Fault, RECOVERS } from "./fault.ts";

type Change = (access: DatabaseAccess, database: Context["servers"]["database"]) => Promise<void>;

const refused = (name: string, title: string, change: Change, mend: Change): Fault => ({
  name,
  title,
  seconds: 12,
  away: "database",
  named: "database",
  limits: { others: RECOVERS },
  async begin({ servers: { access, database }, repairs }) {
    repairs.defer(() => mend(access, database));
    await change(access, database);
  },
});

const present =
  (certificate: Parameters<DatabaseAccess["present"]>[1]): Change =>
  async (access, database) => {
    await access.present(database, certificate);
    await access.endConnections(database);
  };

export const REFUSALS: readonly Fault[] = [
  refused("certificate-expired", "certificate of PostgreSQL expired", present("expired"), present("valid")),
  refused(
    "certificate-unknown",
    "certificate of PostgreSQL from an unknown authority",
    present("of another authority"),
    present("valid"),
  ),
  refused(
    "hba-refused",
    "pg_hba.conf refuses the instances (28000)",
    (access, database) => access.refuse(database),
    (access, database) => access.allow(database),
  ),
  refused(
    "password-wrong",
    "password of the instances changed (28P01)",
    (access, database) => access.setPassword(database, { isRight: false }),
    (access, database) => access.setPassword(database, { isRight: true }),
  ),
  refused(
    "database-gone",
    "database has another name (3D000)",
    (access, database) => access.takeAway(database),
    (access, database) => access.bringBack(database),
  ),
];
