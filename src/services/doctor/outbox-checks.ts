/** The doctor's checks of what is delivered to other systems. */
import type { MailClient } from "../../adapters/mail-client.ts";
import type { SealedTexts } from "../../adapters/sealed-texts.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import type { DeliveriesRepository } from "../../repositories/deliveries.repository.ts";
import type { OutboxRepository } from "../../repositories/outbox.repository.ts";
import type { WebhooksRepository } from "../../repositories/webhooks.repository.ts";
import { isReadable } from "../outbox/webhook-secrets.ts";
import type { Findings } from "./findings.ts";

/** How long dropped events are reported. */
const DROPPED_REPORTED_MS = 7 * DAY;

export interface OutboxChecks {
  webhooks: Pick<WebhooksRepository, "list">;
  deliveries: Pick<DeliveriesRepository, "listTargets">;
  outbox: Pick<OutboxRepository, "readDropped">;
  sealed: SealedTexts;
  /** Undefined: no letters are written. */
  mail: Pick<MailClient, "check" | "close"> | undefined;
}

const CHECKS = [
  "webhook_disabled",
  "webhook_secret",
  "outbox_held",
  "outbox_dropped",
  "mail_server",
] as const;

async function checkMailServer(findings: Findings, mail: OutboxChecks["mail"]): Promise<void> {
  if (!mail) return;
  const { kind, error } = await mail.check(new AbortController().signal);
  await mail.close();
  if (kind === "sent") return;
  const object = { kind: "setting", id: "SMTP_URL", name: "SMTP_URL" } as const;
  const what = kind === "login" ? "The mail server refuses the log-in" : "The mail server isn't reached";
  findings.add("mail_server", object, `${what}: ${error}`);
}

export async function checkOutbox(
  findings: Findings,
  { webhooks, deliveries, outbox, sealed, mail }: OutboxChecks,
  now: number,
): Promise<void> {
  for (const check of CHECKS) findings.begin(check);
  await checkMailServer(findings, mail);
  for (const webhook of await webhooks.list()) {
    const object = { kind: "webhook", id: webhook.id, name: webhook.name || webhook.url } as const;
    if (!isReadable(sealed, webhook))
      findings.add(
        "webhook_secret",
        object,
        "Its secret was sealed with another AUTH_SECRET: nothing is sent.",
      );
    if (webhook.disabledReason === "gone")
      findings.add("webhook_disabled", object, "It is disabled, because it has responded with 410.");
    if (webhook.disabledReason === "failing")
      findings.add("webhook_disabled", object, "It is disabled: no delivery has succeeded for five days.");
  }
  const targets = await deliveries.listTargets();
  const held = targets.reduce((sum, target) => sum + target.held, 0);
  const object = { kind: "outbox", id: "", name: "Outbox" } as const;
  if (held > 0) findings.add("outbox_held", object, `${held} deliveries are held since a restore or a move.`);
  const dropped = await outbox.readDropped();
  if (dropped && now - dropped.lastAt < DROPPED_REPORTED_MS) {
    const message = `${dropped.events} events were dropped, the last ones at ${isoTime(dropped.lastAt)}: too many were waiting.`;
    findings.add("outbox_dropped", object, message);
  }
}
