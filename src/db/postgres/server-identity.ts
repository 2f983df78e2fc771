/** Recognises another server by its identifier, and a promotion by the timeline: then the epoch of the database is renewed. */
import type pg from "pg";
import { z } from "zod";
import { codeOf } from "../../lib/node-errors.ts";
import { executeOn } from "./connection.ts";

/** Each may be withheld from the service's role, or be missing on servers that only speak the protocol of PostgreSQL. */
const SYSTEM_IDENTIFIER = "(select system_identifier::text from pg_control_system())";
/** That of the last checkpoint would be late: a promotion doesn't wait for one. */
const TIMELINE = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";
const WITHHELD = "null::text";

const READ_ONLY = "25006";
/** Of a standby, which has no timeline of its own yet. */
const IN_RECOVERY = "55000";

const found = z.tuple([z.object({ isInRecovery: z.boolean() })]);

export interface ServerIdentity {
  /**
   * Renews the epoch if the server isn't the one on which it was written. A value that the server doesn't reveal is no
   * difference. Changes nothing otherwise.
   */
  renewal: string;
  /** What the server doesn't reveal: then a fail-over is noticed only by numbers that are lower than before. */
  withheld: readonly string[];
}

export async function readServerIdentity(pool: pg.Pool): Promise<ServerIdentity> {
  const system = await isRevealed(pool, SYSTEM_IDENTIFIER);
  const timeline = await isRevealed(pool, TIMELINE);
  return {
    renewal: createRenewal(system ? SYSTEM_IDENTIFIER : WITHHELD, timeline ? TIMELINE : WITHHELD),
    withheld: [...(system ? [] : ["pg_control_system"]), ...(timeline ? [] : ["pg_walfile_name"])],
  };
}

async function isRevealed(pool: pg.Pool, expression: string): Promise<boolean> {
  try {
    await executeOn(pool, `select ${expression}`);
    return true;
  } catch (error) {
    if (codeOf(error) === IN_RECOVERY) return isInRecovery(pool);
    // Connections have other codes: without one, nothing else works either.
    if (/^(42...|0A000|55000|XX000)$/.test(codeOf(error) ?? "")) return false;
    throw error;
  }
}

async function isInRecovery(pool: pg.Pool): Promise<boolean> {
  const { rows } = await executeOn(pool, `select pg_is_in_recovery() as "isInRecovery"`);
  const [{ isInRecovery }] = found.parse(rows);
  return isInRecovery;
}

const createRenewal = (system: string, timeline: string): string => `
  update installation set epoch = gen_random_uuid()::text,
      "systemIdentifier" = coalesce(server.system, "systemIdentifier"), timeline = coalesce(server.timeline, installation.timeline)
    from (select ${system} as system, ${timeline} as timeline) as server
    where server.system <> coalesce("systemIdentifier", '') or server.timeline <> coalesce(installation.timeline, '')`;

/** On a server that can be written to: each connection that writes does it again, before it writes anything else. */
export async function renewEpochIfNeeded(pool: pg.Pool, { renewal }: ServerIdentity): Promise<void> {
  try {
    await executeOn(pool, renewal);
  } catch (error) {
    if (codeOf(error) !== READ_ONLY) throw error;
  }
}
