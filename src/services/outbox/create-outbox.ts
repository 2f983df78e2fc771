/** Creates the outbox with its delivery, the webhooks and the letters. */
import type { EventEmitter } from "node:events";
import type { Logger } from "../../adapters/logger.ts";
import { type Clock, type NewId, randomPart, type Scheduler } from "../../adapters/system.ts";
import { WebhookClient } from "../../adapters/webhook-client.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type {
  CatalogueRepositories,
  ChangeRecords,
  RecordRepositories,
  ReportRepositories,
  WriteRecords,
} from "../../repositories/index.ts";
import { createLetters, type LettersDeps } from "../letters/create-letters.ts";
import { DueBooks } from "./due-books.ts";
import { EventContents } from "./event-contents.ts";
import { OutboxDelivery } from "./outbox-delivery.ts";
import { createWebhookSeal } from "./webhook-secrets.ts";
import { WebhooksService } from "./webhooks.service.ts";

interface OutboxDeps extends Pick<LettersDeps, "links" | "confirmations" | "accounts" | "pageLanguages"> {
  config: Config;
  secret: string;
  database: Database;
  reads: RecordRepositories & CatalogueRepositories;
  reports: ReportRepositories;
  writeRecords: WriteRecords;
  changeRecords: ChangeRecords;
  /** Emits `outbox` after a commit that has added something. */
  committed: EventEmitter<{ outbox: [] }>;
  newId: NewId;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
}

export function createOutbox({ config, secret, reads, reports, ...deps }: OutboxDeps) {
  const client = new WebhookClient({ allowHosts: config.webhookAllowHosts });
  const sealed = createWebhookSeal(secret);
  const contents = new EventContents({ reads, consentStates: reports.consentStates, clock: deps.clock });
  const write = deps.writeRecords;
  const shared = { ...deps, reads, report: reports, write, change: deps.changeRecords, client, sealed };
  const letters = createLetters({ ...shared, config });
  const outbox = new OutboxDelivery({ ...shared, letters, contents, random: randomPart });
  deps.committed.on("outbox", () => outbox.wake());
  return {
    outbox,
    dueBooks: new DueBooks(shared),
    webhooks: new WebhooksService({ ...shared, delivery: outbox, publicBaseUrl: config.publicBaseUrl }),
  };
}
