/** Deliveries: what the outbox has for each receiver, and how its attempts ended. */
import { sql, type Updateable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import type { DeliveryState } from "../schemas/webhooks.schemas.ts";
import { OPEN, type OutboxRow } from "./outbox.repository.ts";
import {
  countSelectedRows,
  hasRows,
  type Page,
  Repository,
  ROWS_PER_STATEMENT,
  splitTotal,
} from "./repository.ts";

/** A webhook; of letters there is one, which has neither. */
interface OutboxTarget {
  name: string | null;
  url: string | null;
  waiting: number;
  held: number;
  /** When the oldest was written. */
  since: number;
}

export class DeliveriesRepository extends Repository {
  /** What is due at a webhook, the longest due first. */
  listDue(webhookId: string, now: number, limit: number): Promise<OutboxRow[]> {
    return this.#select()
      .where("webhookId", "=", webhookId)
      .where("state", "=", "waiting")
      .where("dueAt", "<=", now)
      .orderBy("dueAt")
      .limit(limit)
      .execute();
  }

  /** Rows that are due later than their schedule allows, because a clock was wrong. */
  async listMisplaced(now: number, limit: number): Promise<number[]> {
    const rows = await this.db
      .selectFrom("outbox")
      .select("sequence")
      .where("state", "=", "waiting")
      .where((eb) => eb("dueAt", ">", eb(eb.val(now), "+", eb.ref("dueWithin"))))
      .limit(limit)
      .execute();
    return rows.map(({ sequence }) => sequence);
  }

  /** Makes waiting rows due. */
  async makeDue(sequences: readonly number[], now: number): Promise<void> {
    for (const batch of splitIntoBatches(sequences, ROWS_PER_STATEMENT)) {
      await this.db
        .updateTable("outbox")
        .set({ dueAt: now, dueWithin: 0 })
        .where("sequence", "in", batch)
        .where("state", "=", "waiting")
        .execute();
    }
  }

  /**
   * Records how an attempt ended. A row that was erased, dropped or held meanwhile stays as it is; a book that changed
   * meanwhile is sent once more.
   */
  async recordAttempt(
    { sequence, revision }: OutboxRow,
    change: Updateable<Schema["outbox"]>,
  ): Promise<void> {
    const { numUpdatedRows } = await this.#updateWaiting(sequence, change)
      .where("revision", "=", revision)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
    const { lastAttemptAt = null, httpStatus = null, durationMs = null } = change;
    const again = { attempts: 0, lastAttemptAt, httpStatus, durationMs };
    await this.#updateWaiting(sequence, again).execute();
  }

  #select() {
    return this.db.selectFrom("outbox").select(allOf("outbox"));
  }

  async deleteWaiting(sequence: number): Promise<void> {
    await this.db
      .deleteFrom("outbox")
      .where("sequence", "=", sequence)
      .where("state", "=", "waiting")
      .execute();
  }

  #updateWaiting(sequence: number, change: Updateable<Schema["outbox"]>) {
    return this.db
      .updateTable("outbox")
      .set(change)
      .where("sequence", "=", sequence)
      .where("state", "=", "waiting");
  }

  find(webhookId: string, id: string): Promise<OutboxRow | undefined> {
    return this.#select().where("id", "=", id).where("webhookId", "=", webhookId).executeTakeFirst();
  }

  /** Whether a change of the book waits for the webhook already. */
  async isBookWaiting(webhookId: string, bookId: string): Promise<boolean> {
    return hasRows(
      this.db
        .selectFrom("outbox")
        .where("webhookId", "=", webhookId)
        .where("bookId", "=", bookId)
        .where("event", "=", "book.changed")
        .where("state", "in", OPEN),
    );
  }

  /** An ended delivery is sent once more. */
  async restart(sequence: number, now: number): Promise<void> {
    const again = { state: "waiting", dueAt: now, dueWithin: 0, attempts: 0, endedAt: null };
    await this.db.updateTable("outbox").set(again).where("sequence", "=", sequence).execute();
  }

  /** Newest first. */
  async list(
    webhookId: string,
    state: DeliveryState | undefined,
    page: Page,
  ): Promise<{ rows: OutboxRow[]; total: number }> {
    const states: readonly string[] | undefined = state === "waiting" ? OPEN : state && [state];
    const all = this.db
      .selectFrom("outbox")
      .where("webhookId", "=", webhookId)
      .$if(states !== undefined, (query) => query.where("state", "in", [...(states ?? [])]));
    const found = await all
      .select(allOf("outbox"))
      .select((eb) => eb.fn.countAll<number>().over().as("total"))
      .orderBy("sequence", "desc")
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return splitTotal(found, page, all);
  }

  /** The number of open deliveries by webhook. */
  async countOpen(): Promise<Map<string, number>> {
    const rows = await this.db
      .selectFrom("outbox")
      .select((eb) => ["webhookId", eb.fn.countAll<number>().as("count")])
      .where("state", "in", OPEN)
      .where("webhookId", "is not", null)
      .groupBy("webhookId")
      .execute();
    return new Map(rows.map(({ webhookId, count }) => [webhookId ?? "", count]));
  }

  /** What is open, by receiver. */
  listTargets(): Promise<OutboxTarget[]> {
    return this.db
      .selectFrom("outbox")
      .leftJoin("webhooks", "webhooks.id", "outbox.webhookId")
      .select(["webhooks.name", "webhooks.url"])
      .select((eb) => [
        eb.fn.min("outbox.createdAt").as("since"),
        sql<number>`sum(case when state = 'waiting' then 1 else 0 end)`.as("waiting"),
        sql<number>`sum(case when state = 'held' then 1 else 0 end)`.as("held"),
      ])
      .where("state", "in", OPEN)
      .groupBy(["webhooks.id", "webhooks.name", "webhooks.url"])
      .orderBy("since")
      .execute();
  }

  countOpenOf(webhookId: string): Promise<number> {
    return countSelectedRows(
      this.db.selectFrom("outbox").where("webhookId", "=", webhookId).where("state", "in", OPEN),
    );
  }

  countWaiting(): Promise<number> {
    return countSelectedRows(this.db.selectFrom("outbox").where("state", "=", "waiting"));
  }

  /**
   * Deletes waiting rows beyond a number: the newest of the receiver for which most are waiting, so that one that is away costs
   * others nothing. @returns how many
   */
  async deleteBeyond(limit: number, atOnce: number): Promise<number> {
    const counts = await this.db
      .selectFrom("outbox")
      .select((eb) => ["webhookId", eb.fn.countAll<number>().as("count")])
      .where("state", "=", "waiting")
      .groupBy("webhookId")
      .orderBy("count", "desc")
      .execute();
    const [longest] = counts;
    const surplus = counts.reduce((sum, { count }) => sum + count, 0) - limit;
    if (!longest || surplus <= 0) return 0;
    const { webhookId } = longest;
    const newest = this.db
      .selectFrom("outbox")
      .select("sequence")
      .where("state", "=", "waiting")
      .where((eb) => (webhookId === null ? eb("webhookId", "is", null) : eb("webhookId", "=", webhookId)))
      .orderBy("sequence", "desc")
      .limit(Math.min(surplus, atOnce));
    const { numDeletedRows } = await this.db
      .deleteFrom("outbox")
      .where("sequence", "in", newest)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
