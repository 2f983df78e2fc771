/** Webhooks: the addresses of other systems, to which events are sent. */
import { z } from "zod";
import {
  addressText,
  booleanField,
  count,
  flag,
  flagField,
  recordId,
  success,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
} from "./atoms.ts";
import { clearable, creationOf, kept, required, updateOf } from "./fields.ts";
import { pagination, pagingFields } from "./queries.ts";

/** What others can subscribe to. */
export const SUBSCRIBED_EVENTS = [
  "download.requested",
  "download.redeemed",
  "contact.created",
  "contact.confirmed",
  "contact.consent_changed",
  "contact.erased",
  "book.changed",
  "catalogue.changed",
] as const;

/** `webhook.test` is sent on request, also without a subscription. */
export const WEBHOOK_EVENTS = [...SUBSCRIBED_EVENTS, "webhook.test"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const DISABLED_REASONS = ["gone", "failing", "manual"] as const;

/** The states of a delivery. A held one is `waiting`. */
export const DELIVERY_STATES = ["waiting", "delivered", "failed", "dropped"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(10)
  .transform((given) => WEBHOOK_EVENTS.filter((event) => given.includes(event)));

const EVENTS =
  "What is sent. `download.requested` and `download.redeemed`: a form, and the first download of its link. `contact.…`: changes of contacts; `contact.erased` has the identifier, and null as `contact` with `includeContact`. `book.changed`: the book as it is when the event is sent, so that several changes may be one event, also when it begins or ends by its dates. `catalogue.changed`: a language, channel or visibility has changed.";

const webhookFields = {
  url: required(
    addressText.min(1),
    "Address to which events are posted: `https`, at a public host, without user name and password. `WEBHOOK_ALLOW_HOSTS` permits others.",
  ),
  events: required(events, EVENTS),
  name: clearable(text({ max: 200 }), "", "Name in lists, such as that of the other system."),
  includeContact: kept(
    booleanField,
    "Whether events about a reader also have the reader's address, name and consent. Requires the permission `view_contacts`.",
    "The default is `false`.",
  ),
  isActive: kept(flagField, "1 if events are sent. 0: new events aren't kept for it.", "The default is 1."),
};

export const webhookCreation = creationOf(webhookFields).meta({
  id: "WebhookCreation",
  description: "A webhook to create.",
  example: {
    url: "https://crm.example.org/hooks/books",
    events: ["download.redeemed", "contact.erased"],
    name: "CRM",
  },
});
export type WebhookCreation = z.output<typeof webhookCreation>;

export const webhookUpdate = updateOf(webhookFields).meta({
  id: "WebhookUpdate",
  description: "Fields of a webhook to change; omitted fields keep their values.",
  example: { isActive: 0 },
});
export type WebhookUpdate = z.output<typeof webhookUpdate>;

export const webhookParams = z.object({ webhookId: recordId.describe("Identifier of the webhook.") });
export const deliveryParams = webhookParams.extend({
  deliveryId: recordId.describe("Identifier of the delivery: the `webhook-id` of its requests."),
});

const webhookExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a92",
  name: "CRM",
  url: "https://crm.example.org/hooks/books",
  events: ["download.redeemed" as const, "contact.erased" as const],
  includeContact: false,
  isActive: 1 as const,
  disabledReason: null,
  createdAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
  version: versionExample,
  lastDelivery: null,
  waiting: 0,
};

export const webhook = z
  .object({
    id: uuid.describe("Identifier of the webhook."),
    name: z.string().describe("Name in lists; may be empty."),
    url: z.string().describe("Address to which events are posted."),
    events: z.array(z.enum(WEBHOOK_EVENTS)).describe("What is sent."),
    includeContact: z
      .boolean()
      .describe("Whether events about a reader also have the reader's address, name and consent."),
    isActive: flag.describe("1 if events are sent."),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        "Why it is inactive. `gone`: it has responded with 410. `failing`: no delivery has succeeded for five days. `manual`: an administrator's decision. Null while it is active.",
      ),
    createdAt: timestamp.describe("When the webhook was created."),
    updatedAt: timestamp.describe("When the webhook was last changed."),
    version,
    lastDelivery: z
      .object({
        at: timestamp.describe("When it was sent."),
        status: z.int().nullable().describe("HTTP status of the response; null without one."),
      })
      .nullable()
      .describe("The latest attempt; null before the first one."),
    waiting: count.describe("Number of deliveries that wait, also for another attempt."),
  })
  .meta({ id: "Webhook", description: "A webhook, without its secret.", example: webhookExample });
export type Webhook = z.infer<typeof webhook>;

const secret = z
  .string()
  .describe("Signs each request (Standard Webhooks). Store it now: it can't be retrieved again.");
const secretExample = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq";

export const webhookCreated = webhook.extend({ secret }).meta({
  id: "WebhookCreated",
  description: "A new webhook with its secret, which is returned only once.",
  example: { ...webhookExample, secret: secretExample },
});

export const webhookList = z.object({
  webhooks: z.array(webhook).describe("All webhooks, in the order of their creation."),
});
export const webhookUpdated = success.extend({ webhook });

export const webhookSecret = z
  .object({
    secret,
    previousUntil: timestamp.describe("Until when the previous secret also signs."),
  })
  .meta({
    id: "WebhookSecret",
    description: "The new secret of a webhook.",
    example: { secret: secretExample, previousUntil: "2026-03-02T12:00:00.000Z" },
  });

export const deliveryAccepted = z.object({ deliveryId: uuid.describe("Identifier of the delivery.") }).meta({
  id: "DeliveryAccepted",
  description: "A delivery that is to be sent.",
  example: { deliveryId: "01a1fb60-1a34-772b-a309-dba157e20a93" },
});

export const deliveriesQuery = z.strictObject({
  ...pagingFields,
  state: z.enum(DELIVERY_STATES).optional().describe("Limits the result to deliveries in this state."),
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;

export const delivery = z
  .object({
    id: uuid.describe("Identifier of the delivery: the `webhook-id` of its requests."),
    event: z.enum(WEBHOOK_EVENTS).describe("What it is about."),
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        "`waiting`: for its first or another attempt. `delivered`: the response was 2xx. `failed`: all attempts failed. `dropped`: an operator has dropped it.",
      ),
    attempts: count.describe("Number of attempts so far."),
    lastAttemptAt: timestamp.nullable().describe("When it was last sent; null before the first attempt."),
    nextAttemptAt: timestamp.nullable().describe("When it is sent next; null if it isn't."),
    httpStatus: z.int().nullable().describe("HTTP status of the last response; null without one."),
    error: z.string().nullable().describe("Why the last attempt failed; null if it didn't."),
    durationMs: count.nullable().describe("How long the last attempt took, in milliseconds."),
  })
  .meta({
    id: "WebhookDelivery",
    description: "An event for a webhook, and how its attempts ended.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a93",
      event: "download.redeemed",
      state: "delivered",
      attempts: 1,
      lastAttemptAt: "2026-03-01T12:00:01.000Z",
      nextAttemptAt: null,
      httpStatus: 204,
      error: null,
      durationMs: 120,
    },
  });
export type Delivery = z.infer<typeof delivery>;

export const deliveryList = z.object({
  deliveries: z.array(delivery).describe("Deliveries on this page, newest first. Kept for 30 days."),
  pagination,
});
