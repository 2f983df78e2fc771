/** The error codes of what is delivered later: webhooks and their deliveries. */
import { on } from "./command-error-codes.ts";

export const OUTBOX_ERROR_CODES = {
  webhook_address_refused: on(
    400,
    "The address of the webhook is malformed, doesn't start with `https://`, or isn't on the public internet.",
    "Use a public address, or let the operator add the host to `WEBHOOK_ALLOW_HOSTS`.",
  ),
  delivery_not_found: on(
    404,
    "The webhook has no such delivery, or it ended more than 30 days ago.",
    "Check the id; the record may have been deleted.",
  ),
  email_not_confirmed: on(
    403,
    "The reader of the link has not confirmed the address yet.",
    "Let the reader press the button in the letter, and open the link again.",
  ),
  confirmation_unknown: on(
    404,
    "The link of the letter isn't valid, or its contact was erased or has another address.",
    "Request the download again.",
  ),
  confirmation_expired: on(410, "The link of the letter has expired.", "Request the download again."),
  webhook_not_found: on(404, "No webhook has this id.", "Check the id; the record may have been deleted."),
  contact_erased: on(
    409,
    "The contact was erased, so that nothing about it is sent.",
    "No action is needed.",
  ),
  letters_stopped: on(
    409,
    "The reader has stopped letters by a link in one of them.",
    "Only the reader can allow them again, by the same link.",
  ),
  delivery_waiting: on(409, "The delivery isn't over: it waits for an attempt.", "Wait for it."),
  public_base_url_missing: on(
    409,
    "What is sent to others needs the address of this service.",
    "Set `PUBLIC_BASE_URL` and restart the server.",
  ),
  too_many_webhooks: on(409, "There are ten webhooks already.", "Delete one first."),
} as const;
