/** What the drill does, in this order. */
import { DATABASE_FAULTS } from "./faults/database.ts";
import type { Fault } from "./faults/fault.ts";
import { INSTANCE_FAULTS } from "./faults/instances.ts";
import { NETWORK_FAULTS } from "./faults/network.ts";
import { restarted } from "./faults/restarts.ts";
import { STORE_FAULTS } from "./faults/store.ts";
import { upgraded } from "./faults/upgrade.ts";

/** The upgrade is last: then the database is newer than this version. */
export const FAULTS: readonly Fault[] = [
  restarted,
  ...INSTANCE_FAULTS,
  ...NETWORK_FAULTS,
  ...STORE_FAULTS,
  ...DATABASE_FAULTS,
  upgraded,
];

const KILLS = { name: "kills", title: "an instance killed every 20 s" };
/** Leaves what the ledger doesn't know. */
const RESUMED = { name: "resumed-download", title: "download resumed at another instance" };

export const PHASES: readonly { name: string; title: string }[] = [KILLS, ...FAULTS, RESUMED];

/** In five minutes, of which two are the start of the store and the checks. */
export const PHASES_OF_CI = ["instance-stopped-with-lock", "half-open", "swallowed", "store-stopped"];
