/** Readers confirm that an address is theirs, by the button in a letter. */
import type { Clock } from "../../adapters/system.ts";
import { type AddressStorage, reduceAddress } from "../../lib/ip-address.ts";
import { DAY } from "../../lib/time.ts";
import type { UnauditedRepositories, WriteRecords } from "../../repositories/index.ts";
import type { Confirmed } from "../../schemas/mail.schemas.ts";
import type { ConsentLedger } from "../contacts/consent-ledger.ts";
import type { DownloadLinks } from "../downloads/download-links.ts";
import type { MailPages } from "../letters/mail-pages.ts";
import { Service } from "../shared/service.ts";
import { type Confirmable, type ConfirmationLinks, unknownConfirmation } from "./confirmation-links.ts";
import type { ConfirmedBrowser, WithheldLinks } from "./withheld-links.ts";

/** Requests that a press confirms, besides that of the letter: one of them had maybe no letter of its own. */
const CONFIRMED_MS = DAY;
/** How long the link works to which the button leads. */
const LINK_MS = DAY;

interface ConfirmationsServiceDeps {
  links: ConfirmationLinks;
  downloads: Pick<DownloadLinks, "create">;
  withheld: Pick<WithheldLinks, "issueTo">;
  ledger: ConsentLedger;
  write: WriteRecords;
  pages: MailPages;
  addressStorage: AddressStorage;
  clock: Clock;
}

/** A press, and what its page and its response need. */
interface Press {
  confirmed: Confirmed;
  languageCode: string;
  browser: ConfirmedBrowser;
}

export class ConfirmationsService extends Service<ConfirmationsServiceDeps> {
  /** The page with the button. It changes nothing. @throws AppError 404, 410 */
  async ask(token: string, acceptedLanguages: readonly string[]) {
    const { links, pages } = this.deps;
    const { event } = await links.open(token);
    return pages.show("confirmPage", [event.languageCode, ...acceptedLanguages], { action: "confirm" });
  }

  /**
   * Confirms the address, the requests of the last day and a consent that waits for it. Again: the same.
   * @param address of the client
   * @throws AppError 404, 410
   */
  async confirm(token: string, address: string): Promise<Press> {
    const { links, downloads, withheld, write } = this.deps;
    const opened = await links.open(token);
    const verifiedAt = await write((repositories) => this.#write(repositories, opened, address));
    const { event, contact } = opened;
    const link = await downloads.create(event, { lifeMs: LINK_MS });
    return {
      confirmed: { confirmed: true, ...link },
      languageCode: event.languageCode,
      browser: await withheld.issueTo(contact, verifiedAt),
    };
  }

  /** The page after the button, with the download. */
  showConfirmed({ confirmed, languageCode }: Press, acceptedLanguages: readonly string[]) {
    const path = confirmed.downloadUrl.slice(1);
    return this.deps.pages.show("confirmed", [languageCode, ...acceptedLanguages], { link: path });
  }

  /** @returns when the address was confirmed for the first time */
  async #write(
    repositories: UnauditedRepositories,
    { event, contact: { id, mailKey } }: Confirmable,
    address: string,
  ): Promise<number> {
    const { contacts, events, outbox } = repositories;
    const { ledger, clock, addressStorage } = this.deps;
    const at = clock.now();
    const contact = await contacts.find(id);
    // Erased or corrected since.
    if (!contact || contact.mailKey !== mailKey) throw unknownConfirmation();
    await events.confirm(id, { eventId: event.id, since: at - CONFIRMED_MS });
    await ledger.confirm(repositories, {
      contactId: id,
      at,
      ipAddress: reduceAddress(address, addressStorage),
    });
    if (contact.verifiedAt !== null) return contact.verifiedAt;
    await contacts.update(id, { verifiedAt: at });
    await outbox.add({ event: "contact.confirmed", at, contactId: id });
    return at;
  }
}
