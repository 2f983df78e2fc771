/** Writes a letter from its row, when it is sent: rows have neither persons nor links. */
import type { Letter } from "../../adapters/mail-client.ts";
import { randomBase62 } from "../../adapters/system.ts";
import { writeLetter } from "../../library/letter-page.ts";
import type { PageLanguages } from "../../library/page-languages.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { WriteRecords } from "../../repositories/index.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import { Service } from "../shared/service.ts";
import { LETTER_KINDS, type LetterSources } from "./letter-kinds.ts";

/** 131 bits. */
const MAIL_KEY_LENGTH = 22;

interface LetterContentsDeps extends Omit<LetterSources, "readMailKey"> {
  write: WriteRecords;
  languages: PageLanguages;
}

export class LetterContents extends Service<LetterContentsDeps> {
  readonly #sources: LetterSources;

  constructor(deps: LetterContentsDeps) {
    super(deps);
    this.#sources = { ...deps, readMailKey: (contact) => this.#readMailKey(contact) };
  }

  /** Undefined: it isn't sent any more. */
  async compose(row: OutboxRow): Promise<Omit<Letter, "signal"> | undefined> {
    const kind = LETTER_KINDS[row.event];
    if (!kind || row[kind.recipient] === null) return undefined;
    const facts = await kind.read(row, this.#sources);
    if (!facts) return undefined;
    const { settings, languages } = this.deps;
    const { to, title, isWholeLanguage = false, path, stopKey } = facts;
    const stopLink = stopKey === undefined ? undefined : `${settings.baseUrl}/api/mail/${stopKey}/stop`;
    const draft = { kind: kind.texts, languages: facts.languages, title, isWholeLanguage, stopLink };
    const link = `${settings.baseUrl}${path}`;
    const written = writeLetter({ ...draft, link, host: new URL(settings.baseUrl).host }, languages);
    return { id: row.id, to, ...written, headers: stopLink === undefined ? {} : stopHeaders(stopLink) };
  }

  async #readMailKey({ id, mailKey }: ContactRow): Promise<string> {
    if (mailKey !== null) return mailKey;
    const created = randomBase62(MAIL_KEY_LENGTH);
    return this.deps.write(async ({ contacts }) => (await contacts.keepMailKey(id, created)) ?? created);
  }
}

/** One click stops letters (RFC 8058). */
const stopHeaders = (link: string): Record<string, string> => ({
  "List-Unsubscribe": `<${link}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});
