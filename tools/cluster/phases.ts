/** What the drill does, in this order. */
import { FAULTS } from "./faults/table.ts";

const KILLS = { name: "kills", title: "an instance killed every 20 s" };
/** Leaves what the ledger doesn't know. */
const RESUMED = { name: "resumed-download", title: "download resumed at another instance" };

export const PHASES: readonly { name: string; title: string }[] = [KILLS, ...FAULTS, RESUMED];

/** In five minutes, of which two are the start of the store and the checks. */
export const PHASES_OF_CI = ["instance-stopped-with-lock", "half-open", "swallowed", "store-stopped"];
