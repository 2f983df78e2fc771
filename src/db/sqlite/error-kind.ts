/** Which errors of SQLite come from its disk. */
import { codeOf, isForbidden, messageOf } from "../../lib/node-errors.ts";
import type { StorageErrorKind } from "../database.ts";

/** Recognised by code, because an error from a worker thread arrives without its class. */
export function classifySqliteError(error: unknown): StorageErrorKind | undefined {
  const code = codeOf(error) ?? "";
  if (code === "SQLITE_FULL") return "full";
  if (code.startsWith("SQLITE_BUSY")) return "busy";
  const isFailing = isForbidden(error) || /^SQLITE_(IOERR|READONLY|CANTOPEN|NOMEM)/.test(code);
  return isFailing || isUniqueIndexMissing(error, code) ? "failing" : undefined;
}

/** Until an operator has made it again (`doctor --repair-indexes`), which needs no restart. */
const isUniqueIndexMissing = (error: unknown, code: string): boolean =>
  code === "SQLITE_ERROR" && messageOf(error).startsWith("ON CONFLICT clause does not match");
