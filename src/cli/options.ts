/** What a command was called with. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./operator-fault.ts";

/** @throws UsageError with `usage` for whatever the command doesn't know */
export function optionsOf<C extends ParseArgsConfig>(usage: string, config: C) {
  try {
    return parseArgs(config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason}\nUsage: ${usage}`);
  }
}
