/** The links in letters that confirm an address. */
import { type DownloadIds, isOfEvent, type Tokens } from "../../adapters/tokens.ts";
import { gone, notFound } from "../../errors.ts";
import { PENDING_MS } from "../../repositories/consents.repository.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import type { RequestedEvent } from "../downloads/download-links.ts";
import { Service } from "../shared/service.ts";

interface ConfirmationLinksDeps {
  tokens: Tokens;
  ids: DownloadIds;
  reads: Pick<RecordRepositories, "contacts" | "events">;
}

/** The request of a letter, and the contact whose mailbox has got it. */
export interface Confirmable {
  event: EventRow;
  contact: ContactRow;
}

export const unknownConfirmation = () => notFound("confirmation_unknown", "This link confirms no address.");

export class ConfirmationLinks extends Service<ConfirmationLinksDeps> {
  /**
   * The path of a link. It works as long as a consent waits for it.
   * @param mailKey ends the link when the contact gets another address
   */
  async create({ id, downloadedAt: writtenAt }: RequestedEvent, mailKey: string): Promise<string> {
    const { tokens, ids } = this.deps;
    const { token } = await tokens.issue(`${ids.seal(id)}.${mailKey}`, PENDING_MS, { writtenAt });
    return `/api/mail/${token}/confirm`;
  }

  /** @throws AppError 410 if it has expired; 404 if it isn't valid, or its contact was erased or has another address */
  async open(token: string): Promise<Confirmable> {
    const { tokens, ids, reads } = this.deps;
    const check = await tokens.check(token);
    if (check.kind === "refused") throw unknownConfirmation();
    if (check.kind === "expired")
      throw gone("confirmation_expired", "This link has expired. Request the download again.");
    const [sealed = "", mailKey] = check.claims.subject.split(".");
    const eventId = ids.open(sealed);
    const event = eventId === undefined ? undefined : await reads.events.find(eventId);
    if (!event || !isOfEvent(check.claims, event) || event.contactId === null) throw unknownConfirmation();
    const contact = await reads.contacts.find(event.contactId);
    if (!contact || contact.mailKey !== mailKey) throw unknownConfirmation();
    return { event, contact };
  }
}
