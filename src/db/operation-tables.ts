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
  /** At most one job of a kind and a subject is `running`. Empty if there is one of the kind at all. */
  subject: Generated<string>;
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

/** Imports of folders that the service runs. */
export interface ImportsTable {
  id: string;
  /** The user; also for one that an API key has made. */
  ownerId: string;
  state: string;
  /** Whether new books are archived. */
  isArchived: 0 | 1;
  /** JSON: files, catalogue and corrections. */
  request: string;
  filesCount: number;
  /** The job that runs it, or ran it last. */
  jobId: string | null;
  /** JSON: the ids of the requests that have started it, by which the audit log has what it has changed. */
  requestIds: string;
  progressFiles: number;
  progressBooks: number;
  createdAt: number;
  /** When bytes for it were received last. */
  lastByteAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** JSON, as the API returns it. */
  result: string | null;
  /** JSON: `{code, message}` */
  error: string | null;
  /** JSON, as the API returns it. */
  undo: string | null;
}

/** Examined bytes that are kept for an import, beyond the bounds of others. */
export interface ImportBytesTable {
  importId: string;
  sha256: string;
}
