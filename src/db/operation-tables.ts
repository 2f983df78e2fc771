/** The tables in which the service records its own operation, for `schema.ts`. */
import type { Generated } from "kysely";

export interface RecordedHourTable {
  id: string;
  recordedAt: number;
}

/** One row: the database itself. */
export interface InstallationTable {
  id: string;
  /** Numbers of the database, such as versions and ids of events, can be compared within an epoch only. */
  epoch: string;
  /** Of the PostgreSQL server on which the epoch was written. Null on SQLite, and if the server doesn't reveal it. */
  systemIdentifier: string | null;
  /** The part of a server's history that began with its last promotion, as eight hexadecimal digits. */
  timeline: string | null;
}

/** The id that is also beside the files. */
export interface ServiceIdTable {
  id: string;
  serviceId: string;
}

/** With this fingerprint the instances check that they have the same secret. Empty on SQLite. */
export interface SecretFingerprintTable {
  id: string;
  fingerprint: string;
}

/** The counts of rate limits, which their library reads and writes. Empty on SQLite. */
export interface RateLimitsTable {
  key: string;
  points: number;
  /** Epoch milliseconds. */
  expire: number | null;
}

/** Long work with its progress and result. */
export interface JobsTable {
  /** In the order of the starts. */
  sequence: Generated<number>;
  /** The job's id in the API, a UUID. */
  id: string;
  kind: string;
  /** At most one job of a kind is `running`. */
  status: string;
  isCancelRequested: 0 | 1;
  progressDone: number;
  progressOf: number;
  startedAt: number;
  finishedAt: number | null;
  /** JSON, as the API returns it. */
  result: string | null;
  /** JSON: `{code, message}` */
  error: string | null;
}
