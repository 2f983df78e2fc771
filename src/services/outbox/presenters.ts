/** Webhooks and deliveries as the API has them. */
import { isoTime, isoTimeOrNull } from "../../lib/time.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import type { WebhookRow } from "../../repositories/webhooks.repository.ts";
import {
  DELIVERY_STATES,
  type Delivery,
  DISABLED_REASONS,
  WEBHOOK_EVENTS,
  type Webhook,
} from "../../schemas/webhooks.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { parseWord, timesOf } from "../shared/stored-values.ts";

export function presentWebhook(row: WebhookRow, events: readonly string[], waiting: number): Webhook {
  const { id, name, url, isActive, disabledReason, lastAttemptAt, lastStatus } = row;
  const subscribed = WEBHOOK_EVENTS.filter((event) => events.includes(event));
  return {
    id,
    name,
    url,
    events: subscribed,
    includeContact: row.includeContact === 1,
    isActive,
    disabledReason: disabledReason === null ? null : parseWord(DISABLED_REASONS, disabledReason),
    ...timesOf(row),
    version: versionOf(name, url, subscribed.join(" "), row.includeContact, isActive),
    lastDelivery: lastAttemptAt === null ? null : { at: isoTime(lastAttemptAt), status: lastStatus },
    waiting,
  };
}

export const presentDelivery = (row: OutboxRow): Delivery => ({
  id: row.id,
  event: parseWord(WEBHOOK_EVENTS, row.event),
  state: row.state === "held" ? "waiting" : parseWord(DELIVERY_STATES, row.state),
  attempts: row.attempts,
  lastAttemptAt: isoTimeOrNull(row.lastAttemptAt),
  nextAttemptAt: row.state === "waiting" ? isoTime(row.dueAt) : null,
  httpStatus: row.httpStatus,
  error: row.error,
  durationMs: row.durationMs,
});
