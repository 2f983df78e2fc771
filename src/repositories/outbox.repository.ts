/** The outbox: what is written with a change and delivered later. */
import { type Selectable, sql, type Updateable } from "kysely";
import { randomId } from "../adapters/system.ts";
import { createWriteYielder } from "../db/group-commit.ts";
import { readOncePerSavepoint } from "../db/rows.ts";
import type { Schema } from "../db/schema.ts";
import type { WebhookEvent } from "../schemas/webhooks.schemas.ts";
import { Repository } from "./repository.ts";

export type OutboxRow = Selectable<Schema["outbox"]>;

/** What has happened: ids, and no person. */
export interface OutboxEvent {
  event: WebhookEvent;
  /** Epoch milliseconds. */
  at: number;
  eventId?: number;
  contactId?: number | null;
  bookId?: string;
  /** What isn't personal and has no column. */
  details?: object;
}

/** Not delivered yet. */
export const OPEN = ["waiting", "held"] as const;

const parameters = ({ event, at, eventId, contactId, bookId, details = {} }: OutboxEvent) =>
  [
    randomId(),
    event,
    eventId ?? null,
    contactId ?? null,
    bookId ?? null,
    JSON.stringify(details),
    at,
    at,
    event,
  ] as const;

type Parameters = ReturnType<typeof parameters>;

export class OutboxRepository extends Repository {
  #hasNews = false;
  /** Nothing else is read or written for events without subscribers. */
  readonly #listSubscribed = readOncePerSavepoint(async () => {
    const rows = await this.#subscribed();
    return new Set(rows.map(({ event }) => event));
  });
  readonly #subscribed = this.compile<{ event: string }, []>(
    this.db
      .selectFrom("webhook_events")
      .innerJoin("webhooks", "webhooks.id", "webhook_events.webhookId")
      .select("event")
      .distinct()
      .where("webhooks.isActive", "=", sql.lit(1))
      .compile(),
  );
  readonly #add = this.compile<never, Parameters>(
    sql<never>`insert into outbox
      (id, "webhookId", event, "eventId", "contactId", "bookId", details, state, revision, "createdAt", "dueAt",
        "dueWithin", attempts)
      select cast(${""} as text), webhooks.id, cast(${""} as text), cast(${0} as integer), cast(${0} as integer),
        cast(${""} as text), cast(${""} as text), 'waiting', 0, cast(${0} as bigint), cast(${0} as bigint), 0, 0
      from webhook_events join webhooks on webhooks.id = webhook_events."webhookId"
      where webhook_events.event = ${""} and webhooks."isActive" = 1
      on conflict ("webhookId", "bookId") where state = 'waiting' and event = 'book.changed'
      do update set revision = outbox.revision + 1`.compile(this.db),
  );

  /**
   * Call it in the transaction of the change. Adds a row for each active webhook that subscribes to an event. Of a book
   * that waits already it notes another change.
   */
  async add(...events: readonly OutboxEvent[]): Promise<void> {
    if (events.length === 0) return;
    const subscribed = await this.#listSubscribed();
    const yieldToEventLoop = createWriteYielder();
    for (const event of events) {
      if (!subscribed.has(event.event)) continue;
      await yieldToEventLoop();
      await this.#add(...parameters(event));
      this.#hasNews = true;
    }
  }

  /** Whether something was added since the last call. */
  takeNews(): boolean {
    const hadNews = this.#hasNews;
    this.#hasNews = false;
    return hadNews;
  }

  /** For one webhook, without a subscription. @returns the id */
  async addFor(webhookId: string, { event, at }: OutboxEvent): Promise<string> {
    const id = randomId();
    await this.db
      .insertInto("outbox")
      .values({
        id,
        webhookId,
        event,
        details: "{}",
        state: "waiting",
        revision: 0,
        createdAt: at,
        dueAt: at,
        dueWithin: 0,
        attempts: 0,
      })
      .execute();
    return id;
  }

  /** Adds to the number of events that were dropped, which the doctor reports. */
  async countDropped(more: number, lastAt: number): Promise<void> {
    await this.db
      .insertInto("outbox_dropped")
      .values({ id: "dropped", events: more, lastAt })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((eb) => ({ events: eb("outbox_dropped.events", "+", more), lastAt })),
      )
      .execute();
  }

  /** Events for which there was no room, and when the last ones were dropped; undefined if there was room for all. */
  readDropped(): Promise<{ events: number; lastAt: number } | undefined> {
    return this.db.selectFrom("outbox_dropped").select(["events", "lastAt"]).executeTakeFirst();
  }

  /** What isn't delivered yet about these readers is never delivered. Call it before they are deleted. */
  async forgetContacts(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.db.deleteFrom("outbox").where("contactId", "in", ids).where("state", "in", OPEN).execute();
  }

  /** Deletes rows that ended before. @returns how many */
  async deleteEnded(before: number, limit: number): Promise<number> {
    const old = this.db
      .selectFrom("outbox")
      .select("sequence")
      .where("endedAt", "<", before)
      .orderBy("endedAt")
      .limit(limit);
    const { numDeletedRows } = await this.db
      .deleteFrom("outbox")
      .where("sequence", "in", old)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Rows of a copy of the database: what waits was maybe delivered from the original. @returns how many */
  hold(): Promise<number> {
    return this.#moveAll("waiting", { state: "held" });
  }

  /** @returns how many */
  async release(now: number): Promise<number> {
    // Of a book that has changed since, one row is enough.
    await this.db
      .deleteFrom("outbox")
      .where("state", "=", "held")
      .where("event", "=", "book.changed")
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("outbox as newer")
            .select("newer.sequence")
            .where("newer.state", "=", "waiting")
            .where("newer.event", "=", "book.changed")
            .whereRef("newer.webhookId", "=", "outbox.webhookId")
            .whereRef("newer.bookId", "=", "outbox.bookId"),
        ),
      )
      .execute();
    return this.#moveAll("held", { state: "waiting", dueAt: now, dueWithin: 0 });
  }

  /** @returns how many */
  drop(now: number): Promise<number> {
    return this.#moveAll("held", { state: "dropped", endedAt: now });
  }

  async #moveAll(state: (typeof OPEN)[number], change: Updateable<Schema["outbox"]>): Promise<number> {
    const { numUpdatedRows } = await this.db
      .updateTable("outbox")
      .set(change)
      .where("state", "=", state)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }
}
