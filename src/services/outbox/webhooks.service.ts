/** Webhooks: created, changed, tested, and their deliveries. */
import type { SealedTexts } from "../../adapters/sealed-texts.ts";
import type { Clock, NewId } from "../../adapters/system.ts";
import type { WebhookClient } from "../../adapters/webhook-client.ts";
import { bodyError, conflict, forbidden, invalidInput, notFound } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import type { Author } from "../../repositories/change.ts";
import type { ChangeRecords, RecordRepositories, WriteRecords } from "../../repositories/index.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import type { WebhookRow } from "../../repositories/webhooks.repository.ts";
import { offsetOf, paginationOf } from "../../schemas/queries.ts";
import type {
  DeliveriesQuery,
  Webhook,
  WebhookCreation,
  WebhookUpdate,
} from "../../schemas/webhooks.schemas.ts";
import type { SessionActor } from "../shared/actor.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { Service } from "../shared/service.ts";
import { isErased } from "./event-contents.ts";
import type { OutboxDelivery } from "./outbox-delivery.ts";
import { presentDelivery, presentWebhook } from "./presenters.ts";
import { createWebhookSecret } from "./webhook-secrets.ts";

const MAX_WEBHOOKS = 10;
/** How long a secret signs along after its rotation. */
const FORMER_SECRET_MS = DAY;

interface WebhooksServiceDeps {
  /** They read committed data. */
  reads: Pick<RecordRepositories, "webhooks" | "deliveries">;
  write: WriteRecords;
  change: ChangeRecords;
  client: Pick<WebhookClient, "findTextError" | "findAddressError">;
  delivery: Pick<OutboxDelivery, "wake">;
  sealed: SealedTexts;
  /** Without it, what is sent could have no links. */
  publicBaseUrl: string | undefined;
  newId: NewId;
  clock: Clock;
}

export class WebhooksService extends Service<WebhooksServiceDeps> {
  async list(): Promise<{ webhooks: Webhook[] }> {
    const { webhooks, deliveries } = this.deps.reads;
    const [rows, events, open] = [
      await webhooks.list(),
      await webhooks.listEvents(),
      await deliveries.countOpen(),
    ];
    return {
      webhooks: rows.map((row) => presentWebhook(row, events.get(row.id) ?? [], open.get(row.id) ?? 0)),
    };
  }

  get(id: string): Promise<Webhook> {
    return readWebhook(this.deps.reads, id);
  }

  /**
   * The secret appears in this response only.
   * @throws AppError 400 `webhook_address_refused`, 403 without `view_contacts`, 409 without PUBLIC_BASE_URL and beyond
   * ten webhooks
   */
  async create(
    actor: SessionActor,
    { url, events, ...given }: WebhookCreation,
  ): Promise<Webhook & { secret: string }> {
    const { publicBaseUrl, newId, clock, sealed, change, client } = this.deps;
    rejectAddress(client.findTextError(url));
    if (publicBaseUrl === undefined)
      throw conflict(
        "public_base_url_missing",
        "Webhooks need PUBLIC_BASE_URL. Set it and restart the server.",
      );
    assertMayInclude(actor, given.includeContact);
    await this.#assertAddress(url);
    const [id, now, secret] = [newId(), clock.now(), createWebhookSecret()];
    const isActive = given.isActive ?? 1;
    const row: WebhookRow = {
      id,
      name: given.name ?? "",
      url: new URL(url).href,
      includeContact: given.includeContact ? 1 : 0,
      isActive,
      disabledReason: isActive ? null : "manual",
      secret: sealed.seal(secret, id),
      formerSecret: null,
      formerUntil: null,
      failingSince: null,
      lastAttemptAt: null,
      lastStatus: null,
      createdAt: now,
      updatedAt: now,
    };
    const created = await change(actor.author, async (repositories) => {
      const { webhooks } = repositories;
      if ((await webhooks.count()) >= MAX_WEBHOOKS)
        throw conflict("too_many_webhooks", `There are ${MAX_WEBHOOKS} webhooks already.`);
      await webhooks.insert(row);
      await webhooks.replaceEvents(id, events);
      const after = auditOf(row, events);
      const response = await readWebhook(repositories, id);
      return { response, change: { action: "create", object: webhookObject(row), after } };
    });
    return { ...created, secret };
  }

  /** @throws AppError 400 `webhook_address_refused`, 403 without `view_contacts`, 404, 412 */
  async update(
    actor: SessionActor,
    id: string,
    { events, includeContact, ...given }: WebhookUpdate,
    expected?: ExpectedVersions,
  ): Promise<Webhook> {
    assertMayInclude(actor, includeContact);
    if (given.url !== undefined) await this.#assertAddress(given.url);
    const updated = await this.deps.change(actor.author, async (repositories) => {
      const { webhooks } = repositories;
      const current = await readWebhook(repositories, id);
      assertVersion(expected, current);
      const before = await findWebhook(repositories, id);
      const after = await webhooks.update(id, {
        ...pickGivenFields(given),
        ...(given.url !== undefined && { url: new URL(given.url).href }),
        ...(includeContact !== undefined && ({ includeContact: includeContact ? 1 : 0 } as const)),
        ...activityOf(before, given.isActive),
        updatedAt: this.deps.clock.now(),
      });
      if (events !== undefined) await webhooks.replaceEvents(id, events);
      const states = {
        before: auditOf(before, current.events),
        after: auditOf(after, events ?? current.events),
      };
      const response = await readWebhook(repositories, id);
      return { response, change: { action: "update", object: webhookObject(after), ...states } };
    });
    this.deps.delivery.wake();
    return updated;
  }

  /** Deletes the webhook with its deliveries. */
  async delete(by: Author, id: string, expected?: ExpectedVersions): Promise<void> {
    await this.deps.change(by, async (repositories) => {
      const current = await readWebhook(repositories, id);
      assertVersion(expected, current);
      const row = await findWebhook(repositories, id);
      await repositories.webhooks.delete(id);
      const before = auditOf(row, current.events);
      return { response: undefined, change: { action: "delete", object: webhookObject(row), before } };
    });
  }

  /** A secret of another AUTH_SECRET can't sign along. */
  async rotateSecret(by: Author, id: string): Promise<{ secret: string; previousUntil: string }> {
    const { clock, sealed, change, delivery } = this.deps;
    const secret = createWebhookSecret();
    const formerUntil = clock.now() + FORMER_SECRET_MS;
    await change(by, async (repositories) => {
      const before = await findWebhook(repositories, id);
      const renewed = { secret: sealed.seal(secret, id), formerSecret: before.secret, formerUntil };
      await repositories.webhooks.update(id, renewed);
      const states = { before: { secret: before.secret }, after: { secret: renewed.secret } };
      return { response: undefined, change: { action: "update", object: webhookObject(before), ...states } };
    });
    delivery.wake();
    return { secret, previousUntil: isoTime(formerUntil) };
  }

  async test(webhookId: string): Promise<{ deliveryId: string }> {
    const { clock, write, delivery } = this.deps;
    const deliveryId = await write(async (repositories) => {
      await findWebhook(repositories, webhookId);
      return repositories.outbox.addFor(webhookId, { event: "webhook.test", at: clock.now() });
    });
    delivery.wake();
    return { deliveryId };
  }

  async listDeliveries(webhookId: string, { state, ...page }: DeliveriesQuery) {
    await findWebhook(this.deps.reads, webhookId);
    const { rows, total } = await this.deps.reads.deliveries.list(webhookId, state, {
      limit: page.limit,
      offset: offsetOf(page),
    });
    return { deliveries: rows.map(presentDelivery), pagination: paginationOf(page, total) };
  }

  /** @throws AppError 404; 409 `delivery_waiting`, `contact_erased` */
  async resend(webhookId: string, deliveryId: string): Promise<{ deliveryId: string }> {
    const { write, clock, delivery } = this.deps;
    await write(async (repositories) => {
      await findWebhook(repositories, webhookId);
      const row = await repositories.deliveries.find(webhookId, deliveryId);
      if (!row) throw notFound("delivery_not_found", "The webhook has no such delivery.");
      await assertEnded(repositories, row);
      await repositories.deliveries.restart(row.sequence, clock.now());
    });
    delivery.wake();
    return { deliveryId };
  }

  async #assertAddress(url: string): Promise<void> {
    rejectAddress(await this.deps.client.findAddressError(url));
  }
}

type Deliveries = Pick<RecordRepositories, "deliveries">;
type Webhooks = Pick<RecordRepositories, "webhooks">;

async function findWebhook(
  { webhooks }: { webhooks: Pick<Webhooks["webhooks"], "find"> },
  id: string,
): Promise<WebhookRow> {
  const row = await webhooks.find(id);
  if (!row) throw notFound("webhook_not_found", "Webhook not found.");
  return row;
}

async function readWebhook(repositories: Webhooks & Deliveries, id: string): Promise<Webhook> {
  const row = await findWebhook(repositories, id);
  const events = await repositories.webhooks.listEvents(id);
  return presentWebhook(row, events.get(id) ?? [], await repositories.deliveries.countOpenOf(id));
}

function rejectAddress(error: ReturnType<WebhookClient["findTextError"]>): void {
  if (error) throw invalidInput([bodyError("url", error.message, error.code)], "webhook_address_refused");
}

/** What is sent about readers may be seen only by those who may see readers. */
function assertMayInclude({ permissions }: SessionActor, includeContact: boolean | undefined): void {
  if (includeContact && !permissions.includes("view_contacts"))
    throw forbidden("permission_missing", "`includeContact` requires the permission view_contacts.");
}

async function assertEnded({ deliveries }: Deliveries, row: OutboxRow): Promise<void> {
  const { webhookId, bookId, event } = row;
  const isBookWaiting =
    event === "book.changed" && (await deliveries.isBookWaiting(webhookId ?? "", bookId ?? ""));
  if (row.state === "waiting" || row.state === "held" || isBookWaiting)
    throw conflict("delivery_waiting", "The delivery still waits.");
  if (isErased(row)) throw conflict("contact_erased", "The contact was erased since.");
}

/** What is set again begins as if it had never failed. */
function activityOf(before: WebhookRow, isActive: 0 | 1 | undefined): Partial<WebhookRow> {
  if (isActive === undefined || isActive === before.isActive) return {};
  return isActive === 1
    ? { isActive, disabledReason: null, failingSince: null }
    : { isActive, disabledReason: "manual" };
}

const auditOf = ({ name, url, includeContact, isActive }: WebhookRow, events: readonly string[]) => ({
  name,
  url,
  events: events.join(" "),
  includeContact,
  isActive,
});

const webhookObject = ({ id, name, url }: WebhookRow) =>
  ({ kind: "webhook", id, name: name || new URL(url).host }) as const;
