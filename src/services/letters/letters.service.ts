/** What readers do with their letters: they stop them, or allow them again. */
import type { Clock } from "../../adapters/system.ts";
import type { MailSettings } from "../../config.ts";
import { DAY } from "../../lib/time.ts";
import type { ConsentRow } from "../../repositories/consents.repository.ts";
import type { RecordRepositories, UnauditedRepositories, WriteRecords } from "../../repositories/index.ts";
import type { MailStatus } from "../../schemas/mail.schemas.ts";
import type { ConsentLedger } from "../contacts/consent-ledger.ts";
import { Service } from "../shared/service.ts";
import type { MailPages } from "./mail-pages.ts";

interface LettersServiceDeps {
  /** Undefined: no letters are written. */
  settings: MailSettings | undefined;
  /** They read committed data. */
  reads: Pick<RecordRepositories, "contacts" | "consents">;
  /** On a worker thread, for a statement on the letters of a month. */
  report: Pick<RecordRepositories, "letters">;
  write: WriteRecords;
  ledger: ConsentLedger;
  pages: MailPages;
  clock: Clock;
}

export class LettersService extends Service<LettersServiceDeps> {
  /**
   * A page after a letter: the same for every key, also where letters aren't written any more.
   * @param wanted codes of languages by preference
   */
  async showPage(name: "stopPage" | "stopped" | "resumed", wanted: readonly string[]) {
    const fields = name === "stopped" ? { undo: "true" } : {};
    return this.deps.pages.show(name, wanted, { action: "stop", fields });
  }

  /**
   * Stops letters and withdraws the consent to marketing, or allows letters again. Does nothing for an unknown key. What
   * letters have promised holds without a mail server, too.
   */
  async setStopped(key: string, isStopped: boolean): Promise<void> {
    const { reads, write } = this.deps;
    // Repeated presses write nothing.
    if (!(await findChange(reads, key, isStopped))) return;
    await write(async (repositories) => {
      const change = await findChange(repositories, key, isStopped);
      if (!change) return;
      const { contactId, mailState, said } = change;
      if (mailState) await repositories.contacts.update(contactId, { mailState, mailFailures: 0 });
      if (said) await this.#withdraw(repositories, said);
    });
  }

  /** Adds a no after a yes. */
  async #withdraw(repositories: UnauditedRepositories, said: ConsentRow): Promise<void> {
    const { contactId, textVersion, languageCode } = said;
    const no = { contactId, marketing: 0 as const, textVersion, languageCode, confirmation: null };
    const source = { eventId: null, ipAddress: null, userId: null, userName: null };
    await this.deps.ledger.add(repositories, { ...no, ...source }, this.deps.clock.now());
  }

  async readStatus(): Promise<MailStatus> {
    const { report, clock, settings } = this.deps;
    const { waiting, held, sent, failed, lastError } = await report.letters.readState(clock.now() - DAY);
    const counts = { waiting, sentLast24h: sent, failedLast24h: failed };
    return { configured: settings !== undefined, ...counts, lastError, held };
  }
}

/** What a press changes: the state of letters, and a yes that it withdraws. */
interface StopChange {
  contactId: number;
  mailState: "stopped" | "ok" | undefined;
  said: ConsentRow | undefined;
}

/** @returns undefined if nothing changes: the key is unknown, or all was done before and no yes has come since */
async function findChange(
  { contacts, consents }: Pick<RecordRepositories, "contacts" | "consents">,
  key: string,
  isStopped: boolean,
): Promise<StopChange | undefined> {
  const contact = await contacts.findByMailKey(key);
  if (!contact) return undefined;
  const last = isStopped ? (await consents.listCurrent(contact.id)).at(-1) : undefined;
  const said = last?.marketing === 1 ? last : undefined;
  const isDone = (contact.mailState === "stopped") === isStopped;
  if (isDone && !said) return undefined;
  const mailState = isStopped ? "stopped" : "ok";
  return { contactId: contact.id, mailState: isDone ? undefined : mailState, said };
}
