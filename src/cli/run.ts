/** Finds the command and runs it; faults of the operator's making are one line, not a stack. */
import { backup } from "./backup.ts";
import { createAdmin } from "./create-admin.ts";
import { checkData, doctor } from "./doctor.ts";
import { reportFault, UsageError } from "./operator-fault.ts";
import { restore } from "./restore.ts";

/** A command answers with its exit code. */
type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["create-admin", createAdmin],
  ["doctor", doctor],
  ["backup", backup],
  ["restore", restore],
  ["check-data", checkData],
]);

export async function runCommand([name = "", ...args]: readonly string[]): Promise<number> {
  try {
    const command = COMMANDS.get(name);
    if (command) return await command(args);
    throw new UsageError(`Unknown command ${name}. Commands: ${[...COMMANDS.keys()].join(", ")}`);
  } catch (error) {
    return reportFault(error);
  }
}
