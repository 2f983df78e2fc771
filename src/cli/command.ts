/** The interface of commands, and their errors. */
import { inspect, styleText } from "node:util";
import { convertDamage } from "../db/storage-error.ts";
import { AppError, OperatorError } from "../errors.ts";
import { isForbidden, refusalOf } from "../lib/node-errors.ts";

/** The arguments of a command; each command parses its options itself. */
export interface Call {
  args: readonly string[];
  options: unknown;
}

/** Runs a command. @returns the exit code of the process */
export type Run = (call: Call) => Promise<number>;

/** sysexits.h: the configuration is invalid, and another start would fail in the same way. */
const EX_CONFIG = 78;
export const EX_USAGE = 64;
/** sysexits.h: this installation can't do it, such as a backup of a database on a server; the message says what can. */
export const EX_UNAVAILABLE = 69;
/** The exit status that shells report for a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Ctrl-C while a command waited for input. No message is printed. */
export class InterruptedError extends Error {}

/** For standard error: plain text where it isn't a terminal, or with `NO_COLOR`. */
export const colourRed = (text: string): string => styleText("red", text, { stream: process.stderr });

/** Prints one line for errors that the operator can fix, and all details of unexpected errors. Returns the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof InterruptedError) return INTERRUPTED;
  process.stderr.write(colourRed(`${describe(convertDamage(error))}\n`));
  return error instanceof OperatorError || findForbiddenPath(error) !== undefined ? EX_CONFIG : 1;
}

/** The path of a file operation that the system doesn't permit. The operator has to fix this, wherever it occurs. */
function findForbiddenPath(error: unknown): string | undefined {
  if (!isForbidden(error) || !(error instanceof Error)) return undefined;
  const path = "path" in error ? String(error.path) : "";
  return `Can't open ${path}: ${refusalOf(error)}. Check the owner and the permissions of the file, or run as another user.`;
}

function describe(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const forbidden = findForbiddenPath(error);
  if (forbidden !== undefined) return forbidden;
  if (error instanceof AppError) {
    return [error.message, ...error.errors.map(({ path, message }) => `  ${path}: ${message}`)].join("\n");
  }
  return error instanceof Error ? inspect(error) : String(error);
}
