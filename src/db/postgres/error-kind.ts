/** Which errors of PostgreSQL come from its disk, its load or the connection. */
import { codeOf } from "../../lib/node-errors.ts";
import type { StorageErrorKind } from "../database.ts";

/** The code of errors that `pg` throws without one when a connection ends. */
export const CONNECTION_LOST = "08006";

/** The code of errors while connecting, such as an expired certificate, a role that may not log in, or a missing database. */
export const CANNOT_CONNECT = "08001";

/** The code of errors of statements that ran into their limit on this side: the server is silent, or slow. */
export const NO_RESPONSE = "ETIMEDOUT";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function classifyPostgresError(error: unknown): StorageErrorKind | undefined {
  const code = codeOf(error) ?? "";
  if (code === "53100") return "full";
  if (BUSY.has(code)) return "busy";
  if (INCOMPLETE.has(code)) return "failing";
  return FAILING.test(code) ? "failing" : undefined;
}

/** A statement was prepared before a migration changed what it returns: "cached plan must not change result type". */
const PLAN_OUTDATED = "0A000";

/** Deadlock, serialization failure, lock not available, cancelled by a timeout, too many connections, outdated plan. */
const BUSY = new Set(["40P01", "40001", "55P03", "57014", "53300", PLAN_OUTDATED]);

export const isPlanOutdated = (error: unknown): boolean => codeOf(error) === PLAN_OUTDATED;

/**
 * A table, its schema, the permission to use it, or a unique index is missing: while a dump is restored below the service,
 * after a restore by another role, or until an operator has made the index again. Neither needs a restart.
 */
const INCOMPLETE = new Set(["42P01", "3F000", "42501", "42P10"]);

/** Connection exceptions, resources, the server's shutdown or start, a server that became read-only, and Node's own. */
const FAILING =
  /^(08...|53...|57P0[1-5]|58...|25006|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Whether the connection has ended, or counts as ended, before the response to its last statement. */
export const isConnectionLost = (error: unknown): boolean =>
  /^(08...|57P0[1-5]|25P03|E[A-Z]+)$/.test(codeOf(error) ?? "");
