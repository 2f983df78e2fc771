/** The audit log. Rows are never deleted, and only the counts of failed log-ins are updated. */

import type { Selectable } from "kysely";
import { createInsert } from "../db/rows.ts";
import { allOf, type Schema } from "../db/schema.ts";
import { countSelectedRows, hasRows, type Page, Repository } from "./repository.ts";

export interface AuditFilter {
  /** Epoch milliseconds, included. */
  from?: number | undefined;
  /** Epoch milliseconds, not included. */
  until?: number | undefined;
  actorKind?: string | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  objectKind?: string | undefined;
  objectId?: string | undefined;
  requestId?: string | undefined;
}

export type AuditRow = Selectable<Schema["audit_log"]>;

/** The position of a row in the log. */
export type AuditCursor = Pick<AuditRow, "at" | "id">;

/** Filters that match a single value. */
const EXACT = ["actorKind", "actorId", "action", "objectKind", "objectId", "requestId"] as const;

export class AuditRepository extends Repository {
  readonly insert = createInsert(this.db, "audit_log");

  count(filter: AuditFilter): Promise<number> {
    return countSelectedRows(this.#selectFiltered(filter));
  }

  /** Newest first. */
  list(filter: AuditFilter, { limit, offset }: Page): Promise<AuditRow[]> {
    return this.#selectNewestFirst(filter).limit(limit).offset(offset).execute();
  }

  /** The newest row of a change to a record itself. */
  findLastChange(objectId: string): Promise<AuditRow | undefined> {
    return this.#selectNewestFirst({ objectId })
      .where("action", "in", ["create", "update", "archive", "restore"])
      .limit(1)
      .executeTakeFirst();
  }

  /** What a request has changed of the records of some kinds, oldest first. @param after the row before, undefined for the first ones */
  listOfRequest(
    requestId: string,
    { kinds, after, limit }: { kinds: readonly string[]; after: AuditCursor | undefined; limit: number },
  ): Promise<AuditRow[]> {
    return this.#selectFiltered({ requestId })
      .select(allOf("audit_log"))
      .where("objectKind", "in", kinds)
      .$if(after !== undefined, (query) =>
        query.where((eb) => eb(eb.refTuple("at", "id"), ">", eb.tuple(after?.at ?? 0, after?.id ?? 0))),
      )
      .orderBy("at")
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  /** Oldest first. */
  listByIds(ids: readonly number[]): Promise<AuditRow[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.db
      .selectFrom("audit_log")
      .select(allOf("audit_log"))
      .where("id", "in", ids)
      .orderBy("id")
      .execute();
  }

  /** Whether another request than these has changed one of the records after a row. */
  isChangedByOthers(
    objectIds: readonly string[],
    afterId: number,
    requestIds: readonly string[],
  ): Promise<boolean> {
    return hasRows(
      this.db
        .selectFrom("audit_log")
        .where("objectId", "in", objectIds)
        .where("id", ">", afterId)
        .where((eb) => eb.or([eb("requestId", "is", null), eb("requestId", "not in", requestIds)])),
    );
  }

  /** The rows that follow a given row, newest first. */
  listAfter(filter: AuditFilter, { at, id }: AuditCursor, limit: number): Promise<AuditRow[]> {
    // The upper bound on the time lets the index scan begin at the row, for any requested dates.
    return this.#selectNewestFirst({ ...filter, until: at + 1 })
      .where((eb) => eb(eb.refTuple("at", "id"), "<", eb.tuple(at, id)))
      .limit(limit)
      .execute();
  }

  #selectNewestFirst(filter: AuditFilter) {
    return this.#selectFiltered(filter)
      .select(allOf("audit_log"))
      .orderBy("at", "desc")
      .orderBy("id", "desc");
  }

  #selectFiltered(filter: AuditFilter) {
    let query = this.db.selectFrom("audit_log");
    if (filter.from !== undefined) query = query.where("at", ">=", filter.from);
    if (filter.until !== undefined) query = query.where("at", "<", filter.until);
    for (const column of EXACT) {
      const value = filter[column];
      if (value !== undefined) query = query.where(column, "=", value);
    }
    return query;
  }
}

/** Failed log-ins: one row counts several. */
export class FailedLoginsRepository extends Repository {
  /** Inserts a row with its first failure. @param user the account, if it exists */
  async insert({ user, ...row }: FailedLoginRow): Promise<number> {
    const { id } = await this.db
      .insertInto("audit_log")
      .values({
        ...row,
        actorKind: "unknown",
        actorId: null,
        actorName: "",
        action: FAILED,
        objectKind: "user",
        objectId: user?.id ?? "",
        objectName: user?.role ?? "",
        changes: countOf(1),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async updateCount(id: number, count: number): Promise<void> {
    await this.db
      .updateTable("audit_log")
      .set({ changes: countOf(count) })
      .where("id", "=", id)
      .where("action", "=", FAILED)
      .execute();
  }
}

interface FailedLoginRow extends Pick<AuditRow, "at" | "ipAddress" | "requestId"> {
  user: { id: string; role: string } | undefined;
}

const FAILED = "login_failed";

const countOf = (count: number): string => JSON.stringify({ count: { after: count } });
