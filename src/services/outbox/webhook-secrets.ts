/** The secrets of webhooks, and the headers that they sign. */
import { SealedTexts } from "../../adapters/sealed-texts.ts";
import { randomBase64 } from "../../adapters/system.ts";
import { type EventMessage, signEvent } from "../../adapters/webhook-client.ts";
import type { WebhookRow } from "../../repositories/webhooks.repository.ts";

const SECRET_BYTES = 32;

/** In the notation of Standard Webhooks. */
export const createWebhookSecret = (): string => `whsec_${randomBase64(SECRET_BYTES)}`;

/** @param secret AUTH_SECRET */
export const createWebhookSeal = (secret: string): SealedTexts =>
  new SealedTexts({ secret, purpose: "webhook" });

/** Whether the secret was sealed with the AUTH_SECRET of this service. */
export const isReadable = (sealed: SealedTexts, { id, secret }: WebhookRow): boolean =>
  sealed.open(secret, id) !== undefined;

/** The headers of a request; undefined if the secret can't be opened. */
export async function signMessage(
  sealed: SealedTexts,
  { id, secret, formerSecret, formerUntil }: WebhookRow,
  message: EventMessage,
): Promise<Record<string, string> | undefined> {
  const current = sealed.open(secret, id);
  if (current === undefined) return undefined;
  const isFormerUsed = formerSecret !== null && formerUntil !== null && message.at < formerUntil;
  const former = isFormerUsed ? sealed.open(formerSecret, id) : undefined;
  return signEvent(former === undefined ? [current] : [current, former], message);
}
