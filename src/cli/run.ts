/** Finds the command and runs it; faults of the operator's making are one line, not a stack. */
import { createAdmin } from "./create-admin.ts";
import { reportFault } from "./operator-fault.ts";

/** A command answers with its exit code. */
type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: ReadonlyMap<string, Command> = new Map([["create-admin", createAdmin]]);

const EX_USAGE = 64;

export async function runCommand([name = "", ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS.get(name);
  if (!command) {
    process.stderr.write(`Unknown command ${name}. Commands: ${[...COMMANDS.keys()].join(", ")}\n`);
    return EX_USAGE;
  }
  try {
    return await command(args);
  } catch (error) {
    return reportFault(error);
  }
}
