/** The tables in which the service records its own operation. */
import { describeTable } from "./describe-table.ts";

export const OPERATION_TABLES = {
  /** One row, which the migrations insert: the record of the installation. A move gives its target another one. */
  installation: describeTable(
    {
      id: "text",
      /** Numbers of the database, such as versions and ids of events, can be compared within an epoch only. */
      epoch: "text",
      /** Of the PostgreSQL server on which the epoch was written. Null on SQLite, and if the server doesn't reveal it. */
      systemIdentifier: "text?",
      /** The part of a server's history that began with its last promotion, as eight hexadecimal digits. */
      timeline: "text?",
      /** Also beside the files. Null before the first start. */
      serviceId: "text?",
      /** By which instances check that they have the same secret. Null on SQLite. */
      secretFingerprint: "text?",
      /** The source of a move into this database that isn't finished: no server accepts it. */
      movingFrom: "text?",
      /** The last one in which the service was running. */
      lastHour: "integer?",
    },
    { isMoved: false },
  ),
  /** The counts of rate limits, which their library reads and writes. Empty on SQLite. */
  rate_limits: describeTable(
    {
      key: "text",
      points: "integer",
      /** Epoch milliseconds. */
      expire: "integer?",
    },
    { isMoved: false },
  ),
  /** Long work with its progress and result. */
  jobs: describeTable(
    {
      /** In the order of the starts. */
      sequence: "integer=",
      /** The job's id in the API, a UUID. */
      id: "text",
      kind: "text",
      /** At most one job of a kind and a subject is `running`. Empty if there is one of the kind at all. */
      subject: "text=",
      status: "text",
      isCancelRequested: "flag",
      progressDone: "integer",
      progressOf: "integer",
      startedAt: "integer",
      finishedAt: "integer?",
      /** JSON, as the API returns it. */
      result: "text?",
      /** JSON: `{code, message}` */
      error: "text?",
    },
    { isMoved: false },
  ),
  /** Imports of folders that the service runs. */
  imports: describeTable({
    id: "text",
    /** The user; also for one that an API key has made. */
    ownerId: "text",
    state: "text",
    /** Whether new books are archived. */
    isArchived: "flag",
    /** JSON: files, catalogue and corrections. */
    request: "text",
    filesCount: "integer",
    /** The job that runs it, or ran it last. */
    jobId: "text?",
    /** JSON: the ids of the requests that have started it, by which the audit log has what it has changed. */
    requestIds: "text",
    progressFiles: "integer",
    progressBooks: "integer",
    createdAt: "integer",
    /** When bytes for it were received last. */
    lastByteAt: "integer",
    startedAt: "integer?",
    finishedAt: "integer?",
    /** JSON, as the API returns it. */
    result: "text?",
    /** JSON: `{code, message}` */
    error: "text?",
    /** JSON, as the API returns it. */
    undo: "text?",
  }),
  /** Examined bytes that are kept for an import, beyond the bounds of others. */
  import_bytes: describeTable(
    {
      importId: "text",
      sha256: "text",
    },
    { isMoved: false },
  ),
};
