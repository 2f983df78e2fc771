/** Webhooks, letters and the outbox. */
import { describeTable } from "./describe-table.ts";

export const OUTBOX_TABLES = {
  webhooks: describeTable({
    id: "text",
    name: "text",
    url: "text",
    includeContact: "flag",
    isActive: "flag",
    /** `gone`, `failing` or `manual`; null while it is active. */
    disabledReason: "text?",
    /** Sealed. */
    secret: "text",
    /** The one before a rotation, sealed, which signs along until `formerUntil`. */
    formerSecret: "text?",
    formerUntil: "integer?",
    /** Of the first failed attempt after the last success; null after a success. */
    failingSince: "integer?",
    lastAttemptAt: "integer?",
    /** The HTTP status of the last attempt; null without a response. */
    lastStatus: "integer?",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  webhook_events: describeTable({ event: "text", webhookId: "text" }),
  /** What is delivered to other systems and people: ids, and no person. The content is read when it is sent. */
  outbox: describeTable({
    /** In the order of the changes. */
    sequence: "integer=",
    /** The same for all attempts, and for all receivers of an event. */
    id: "text",
    /** Null for a letter. */
    webhookId: "text?",
    /** The event, or the kind of a letter. */
    event: "text",
    eventId: "integer?",
    /** Of an event about a reader; null after the erasure. */
    contactId: "integer?",
    bookId: "text?",
    /** JSON: what isn't in a column of its own, and isn't personal. */
    details: "text",
    /** `waiting`, `held` (as after a restore), `delivered`, `failed` or `dropped`. */
    state: "text",
    /** Grows with each change of a book that is waiting already: one that is being sent is sent again. */
    revision: "integer",
    createdAt: "integer",
    /** When the next attempt is due. */
    dueAt: "integer",
    /** How long before `dueAt` it was set: a row that is due later than that has been set by another clock. */
    dueWithin: "integer",
    attempts: "integer",
    lastAttemptAt: "integer?",
    /** When it was delivered, failed for good or was dropped. */
    endedAt: "integer?",
    /** Of the last attempt: the status of HTTP, for a letter that of SMTP. */
    httpStatus: "integer?",
    error: "text?",
    durationMs: "integer?",
    /** To whom a letter goes that isn't for a reader. */
    userId: "text?",
    /** A keyed hash of the address from which a letter was asked for; null an hour after it has left. */
    sender: "text?",
  }),
  /** One row, or none as long as there was room: events that were dropped. */
  outbox_dropped: describeTable({ id: "text", events: "integer", lastAt: "integer" }),
  /** When an address, as a keyed hash, was written to: the last ten times, the newest first; 0 for none. */
  mail_recipients: describeTable({
    recipient: "text",
    /** To whom the last letter went: the row is erased with the contact or the account. */
    contactId: "integer?",
    userId: "text?",
    at1: "integer",
    at2: "integer",
    at3: "integer",
    at4: "integer",
    at5: "integer",
    at6: "integer",
    at7: "integer",
    at8: "integer",
    at9: "integer",
    at10: "integer",
  }),
};
