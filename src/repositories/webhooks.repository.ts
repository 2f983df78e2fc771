/** Webhooks and what they subscribe to. */
import { type Selectable, sql } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { countSelectedRows, repositoryOf } from "./repository.ts";

export type WebhookRow = Selectable<Schema["webhooks"]>;

export class WebhooksRepository extends repositoryOf("webhooks") {
  /** In the order of their creation. Compiled once: it runs after each commit that adds something to the outbox. */
  readonly list = this.compile<WebhookRow, []>(
    this.db.selectFrom("webhooks").select(allOf("webhooks")).orderBy("createdAt").orderBy("id").compile(),
  );

  count(): Promise<number> {
    return countSelectedRows(this.db.selectFrom("webhooks"));
  }

  /** The events by webhook, in no order. */
  async listEvents(webhookId?: string): Promise<Map<string, string[]>> {
    const rows = await this.db
      .selectFrom("webhook_events")
      .select(["event", "webhookId"])
      .$if(webhookId !== undefined, (query) => query.where("webhookId", "=", webhookId ?? ""))
      .execute();
    const byWebhook = Map.groupBy(rows, (row) => row.webhookId);
    return new Map([...byWebhook].map(([id, found]) => [id, found.map(({ event }) => event)]));
  }

  async replaceEvents(webhookId: string, events: readonly string[]): Promise<void> {
    await this.db.deleteFrom("webhook_events").where("webhookId", "=", webhookId).execute();
    await this.db
      .insertInto("webhook_events")
      .values(events.map((event) => ({ event, webhookId })))
      .execute();
  }

  /** One that is active is disabled; one that was disabled meanwhile stays as it is. @returns whether it was */
  async disable(id: string, disabledReason: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("webhooks")
      .set({ isActive: 0, disabledReason, updatedAt: now })
      .where("id", "=", id)
      .where("isActive", "=", 1)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Records an attempt, and when failures began after the last success. @param status HTTP status; null without one */
  async noteAttempt(id: string, { at, status, isSuccess }: Attempt): Promise<void> {
    const failingSince = isSuccess ? null : sql<number>`coalesce(${sql.ref("failingSince")}, ${at})`;
    await this.db
      .updateTable("webhooks")
      .set({ failingSince, lastAttemptAt: at, lastStatus: status })
      .where("id", "=", id)
      .execute();
  }
}

interface Attempt {
  at: number;
  status: number | null;
  isSuccess: boolean;
}
