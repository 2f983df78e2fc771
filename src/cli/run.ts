/** Finds the command and runs it; faults of the operator's making are one line, not a stack. */
import { constants, setPriority } from "node:os";
import { reportFault, UsageError } from "./operator-fault.ts";

/** A command answers with its exit code. */
type Command = (args: readonly string[]) => Promise<number>;

interface Known {
  /** Each loads only what it needs: beside a busy server on a small machine, loading is what costs most. */
  load(): Promise<Command>;
  /** The server goes first. */
  isPatient: boolean;
}

const COMMANDS: ReadonlyMap<string, Known> = new Map([
  ["create-admin", { load: async () => (await import("./create-admin.ts")).createAdmin, isPatient: false }],
  ["doctor", { load: async () => (await import("./doctor.ts")).doctor, isPatient: true }],
  ["backup", { load: async () => (await import("./backup.ts")).backup, isPatient: true }],
  ["restore", { load: async () => (await import("./restore.ts")).restore, isPatient: false }],
  ["check-data", { load: async () => (await import("./doctor.ts")).checkData, isPatient: true }],
]);

export async function runCommand([name = "", ...args]: readonly string[]): Promise<number> {
  try {
    const known = COMMANDS.get(name);
    if (!known) throw new UsageError(`Unknown command ${name}. Commands: ${[...COMMANDS.keys()].join(", ")}`);
    if (known.isPatient) setPriority(constants.priority.PRIORITY_LOW);
    const command = await known.load();
    return await command(args);
  } catch (error) {
    return reportFault(error);
  }
}
