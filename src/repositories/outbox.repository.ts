/** The outbox: what is written with a change and delivered later. */
import { type Selectable, sql, type Updateable } from "kysely";
import { messageId } from "../adapters/system.ts";
import { createWriteYielder } from "../db/group-commit.ts";
import { createSilentAdd, readOncePerSavepoint } from "../db/rows.ts";
import type { Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import type { WebhookEvent } from "../schemas/webhooks.schemas.ts";
import { Repository } from "./repository.ts";

export type OutboxRow = Selectable<Schema["outbox"]>;

/** What has happened: ids, and no person. */
export interface OutboxEvent {
  event: WebhookEvent;
  /** Epoch milliseconds. */
  at: number;
  eventId?: number | undefined;
  contactId?: number | null | undefined;
  bookId?: string;
  /** What isn't personal and has no column. */
  details?: object;
}

/** Not delivered yet. */
export const OPEN = ["waiting", "held"] as const;

/** Of a row that waits for its first attempt at once. */
export const NEW_IN_OUTBOX = { state: "waiting", revision: 0, dueWithin: 0, attempts: 0 };

/** The other columns of such a row. */
export const createOutboxRow = ({ event, at, eventId, contactId, bookId, details = {} }: AddedRow) => ({
  id: messageId(),
  event,
  eventId: eventId ?? null,
  contactId: contactId ?? null,
  bookId: bookId ?? null,
  details: JSON.stringify(details),
  createdAt: at,
  dueAt: at,
});

/** Of an event, or of a letter. */
type AddedRow = Omit<OutboxEvent, "event"> & { event: string };

/** Each has a row for each of at most ten webhooks, and the parameters of a statement are limited. */
const EVENTS_AT_ONCE = 32;

export class OutboxRepository extends Repository {
  #hasNews = false;
  /** The active webhooks by event. Nothing else is read or written for events without subscribers. */
  readonly #listSubscribers = readOncePerSavepoint(async () =>
    Map.groupBy(await this.#subscribers(), ({ event }) => event),
  );
  readonly #subscribers = this.compile<{ event: string; webhookId: string }, []>(
    this.db
      .selectFrom("webhook_events")
      .innerJoin("webhooks", "webhooks.id", "webhook_events.webhookId")
      .select(["event", "webhookId"])
      .where("webhooks.isActive", "=", sql.lit(1))
      .compile(),
  );
  readonly #add = createSilentAdd(this.db, {
    table: "outbox",
    constants: NEW_IN_OUTBOX,
    end: sql`on conflict ("webhookId", "bookId") where state = 'waiting' and event = 'book.changed'
      do update set revision = outbox.revision + 1`,
  });

  /**
   * Call it in the transaction of the change. Adds a row for each active webhook that subscribes to an event. Of a book
   * that waits already it notes another change.
   */
  async add(...events: readonly OutboxEvent[]): Promise<void> {
    if (events.length === 0) return;
    const subscribers = await this.#listSubscribers();
    const yieldToEventLoop = createWriteYielder();
    const wanted = events.filter(({ event }) => subscribers.has(event));
    for (const batch of splitIntoBatches(wanted, EVENTS_AT_ONCE)) {
      await yieldToEventLoop();
      const rows = batch.flatMap((event) => {
        const row = createOutboxRow(event);
        return subscribers.get(event.event)?.map(({ webhookId }) => ({ ...row, webhookId })) ?? [];
      });
      await Promise.all(rows.map((row) => this.#add(row)));
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
  async addFor(webhookId: string, event: OutboxEvent): Promise<string> {
    const row = { ...createOutboxRow(event), webhookId };
    await this.#add(row);
    return row.id;
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
    // Of a book that has changed since, one row is enough: there can be several after a second restore or move.
    await this.db
      .deleteFrom("outbox")
      .where("state", "=", "held")
      .where("event", "=", "book.changed")
      .where((eb) => {
        const isWaiting = eb.exists(
          eb
            .selectFrom("outbox as newer")
            .select("newer.sequence")
            .where("newer.state", "=", "waiting")
            .where("newer.event", "=", "book.changed")
            .whereRef("newer.webhookId", "=", "outbox.webhookId")
            .whereRef("newer.bookId", "=", "outbox.bookId"),
        );
        const latest = eb
          .selectFrom("outbox as held")
          .select((held) => held.fn.max("held.sequence").as("sequence"))
          .where("held.state", "=", "held")
          .where("held.event", "=", "book.changed")
          .groupBy(["held.webhookId", "held.bookId"]);
        return eb.or([isWaiting, eb("sequence", "not in", latest)]);
      })
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
