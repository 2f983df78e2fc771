/** What goes to the terminal when a start or a command fails, and with which exit code. */
import { inspect } from "node:util";
import { ConfigError } from "../config.ts";
import { DataDirInUseError } from "../db/data-dir-lock.ts";
import { NewerDatabaseError } from "../db/migrator.ts";
import { asDamage } from "../db/storage-fault.ts";
import { AppError } from "../errors.ts";

/** sysexits.h: something in the configuration is wrong, and another start would fail in the same way. */
const EX_CONFIG = 78;
const EX_USAGE = 64;

/** A command was called in a way that it doesn't know. */
export class UsageError extends Error {}

/** One clear line for what the operator can change, everything for what nobody expected. Answers with the exit code. */
export function reportFault(error: unknown): number {
  process.stderr.write(`${describe(asDamage(error))}\n`);
  if (error instanceof UsageError) return EX_USAGE;
  return isForOperator(error) ? EX_CONFIG : 1;
}

const isForOperator = (error: unknown): error is Error =>
  [ConfigError, DataDirInUseError, NewerDatabaseError].some((kind) => error instanceof kind);

function describe(error: unknown): string {
  if (isForOperator(error) || error instanceof UsageError) return error.message;
  if (error instanceof AppError) {
    return [error.message, ...error.faults.map(({ path, message }) => `  ${path}: ${message}`)].join("\n");
  }
  return error instanceof Error ? inspect(error) : String(error);
}
