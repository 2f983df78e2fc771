/** What the drill does, in this order: kills and restarts, faults, and what leaves more than its ledger knows. */
import { DATABASE_FAULTS } from "./faults/database.ts";
import type { Fault } from "./faults/fault.ts";
import { INSTANCE_FAULTS } from "./faults/instances.ts";
import { NETWORK_FAULTS } from "./faults/network.ts";
import { STORE_FAULTS } from "./faults/store.ts";

export const FAULTS: readonly Fault[] = [
  ...INSTANCE_FAULTS,
  ...NETWORK_FAULTS,
  ...STORE_FAULTS,
  ...DATABASE_FAULTS,
];

const BEFORE = [
  { name: "kills", title: "an instance killed every 20 s" },
  { name: "restarts", title: "all instances restarted in turn" },
];
const AFTER = [
  { name: "upgrade", title: "all instances upgraded in turn, and a marked migration refused" },
  // Leaves what the ledger doesn't know.
  { name: "resumed-download", title: "download resumed at another instance" },
];

export const PHASES: readonly { name: string; title: string }[] = [...BEFORE, ...FAULTS, ...AFTER];

/** In five minutes, of which two are the start of the store and the checks. */
export const PHASES_OF_CI = ["instance-stopped-with-lock", "half-open", "swallowed", "store-stopped"];

export const isPhase = (name: string): boolean => PHASES.some((phase) => phase.name === name);
