/** The kinds of letters: to whom each goes, which texts it has, and where its link leads. A new kind is a row of the table. */
import { z } from "zod";
import type { MailSettings } from "../../config.ts";
import { HOUR } from "../../lib/time.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import type { LetterName } from "../../schemas/letter-texts.schemas.ts";
import type { ConfirmationLinks } from "../confirmations/confirmation-links.ts";
import type { DownloadLinks } from "../downloads/download-links.ts";
import type { PasswordLinksService } from "../users/password-links.service.ts";

/** What a letter needs besides its texts: read when it is sent. */
export interface LetterFacts {
  /** One address. */
  to: string;
  /** Codes of languages by preference. */
  languages: readonly string[];
  /** Of what the letter is about: never a text that a stranger has typed. */
  title: string;
  /** Whether that is the name of a language, of which all books were asked for. */
  isWholeLanguage?: boolean;
  /** Behind `PUBLIC_BASE_URL`, beginning with a slash. */
  path: string;
  /** Identifies the contact that can stop letters; undefined in letters to accounts. */
  stopKey?: string;
}

/** From what the kinds of letters read. */
export interface LetterSources {
  /** They read committed data. */
  reads: Pick<RecordRepositories, "contacts" | "events" | "users">;
  links: Pick<DownloadLinks, "create" | "findTitle">;
  confirmations: Pick<ConfirmationLinks, "create">;
  accounts: Pick<PasswordLinksService, "describe">;
  settings: Pick<MailSettings, "baseUrl">;
  /** The key of a contact, which is created for the first letter. */
  readMailKey: (contact: ContactRow) => Promise<string>;
}

interface LetterKind {
  texts: LetterName;
  /** Whose row it is: without this column the person was erased, and nothing is sent. */
  recipient: "contactId" | "userId";
  /** Undefined: it isn't sent any more. */
  read: (row: OutboxRow, sources: LetterSources) => Promise<LetterFacts | undefined>;
}

/** How long the link of a letter works: letters are read later than pages. */
const LINK_MS = 24 * HOUR;

/** By the value of `outbox.event`. */
export const LETTER_KINDS: Readonly<Record<string, LetterKind>> = {
  "letter.download": {
    texts: "download",
    recipient: "contactId",
    read: (row, sources) =>
      readForReader(
        row,
        sources,
        async (event) => (await sources.links.create(event, { lifeMs: LINK_MS })).downloadUrl,
      ),
  },
  "letter.confirmation": {
    texts: "confirmation",
    recipient: "contactId",
    read: (row, sources) =>
      readForReader(row, sources, (event, { mailKey }) => sources.confirmations.create(event, mailKey)),
  },
  "letter.invitation": { texts: "invitation", recipient: "userId", read: readForAccount },
  "letter.reset": { texts: "reset", recipient: "userId", read: readForAccount },
};

/** A letter to the reader who has requested a download. */
async function readForReader(
  { contactId, eventId }: OutboxRow,
  { reads, links, readMailKey }: LetterSources,
  createPath: (event: EventRow, contact: { mailKey: string }) => Promise<string>,
): Promise<LetterFacts | undefined> {
  if (contactId === null || eventId === null) return undefined;
  const contact = await reads.contacts.find(contactId);
  const event = await reads.events.find(eventId);
  if (!contact || event?.contactId !== contactId || contact.mailState !== "ok") return undefined;
  const stopKey = await readMailKey(contact);
  return {
    to: contact.email,
    languages: [event.languageCode],
    title: await links.findTitle(event),
    isWholeLanguage: event.isDownloadAll === 1,
    path: await createPath(event, { mailKey: stopKey }),
    stopKey,
  };
}

const linkDetails = z.object({ linkId: z.string(), languages: z.array(z.string()) });

/** A letter with a link that sets a password, to its user. Behind `#`, browsers send the token to no server. */
async function readForAccount(
  { details }: OutboxRow,
  { accounts, settings }: LetterSources,
): Promise<LetterFacts | undefined> {
  const { linkId, languages } = linkDetails.parse(JSON.parse(details));
  const link = await accounts.describe(linkId);
  if (!link) return undefined;
  const { host } = new URL(settings.baseUrl);
  return { to: link.email, languages, title: host, path: `/console/reset#${link.token}` };
}
