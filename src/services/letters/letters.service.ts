/** What readers do with their letters: they stop them, or allow them again. */
import type { Clock } from "../../adapters/system.ts";
import type { MailSettings } from "../../config.ts";
import { notFound } from "../../errors.ts";
import { DAY } from "../../lib/time.ts";
import type { RecordRepositories, UnauditedRepositories, WriteRecords } from "../../repositories/index.ts";
import type { MailStatus } from "../../schemas/mail.schemas.ts";
import type { ConsentLedger } from "../contacts/consent-ledger.ts";
import type { MailPages } from "./mail-pages.ts";

interface LettersServiceDeps {
  /** Undefined: no letters are written. */
  settings: MailSettings | undefined;
  /** They read committed data. */
  reads: Pick<RecordRepositories, "contacts">;
  /** On a worker thread, for a statement on the letters of a month. */
  report: Pick<RecordRepositories, "letters">;
  write: WriteRecords;
  ledger: ConsentLedger;
  pages: MailPages;
  clock: Clock;
}

export class LettersService {
  readonly #deps: LettersServiceDeps;

  constructor(deps: LettersServiceDeps) {
    this.#deps = deps;
  }

  /**
   * A page after a letter: the same for every key.
   * @param wanted codes of languages by preference
   * @throws AppError 404 without letters
   */
  async showPage(name: "stopPage" | "stopped" | "resumed", wanted: readonly string[]) {
    this.#assertOn();
    const fields = name === "stopped" ? { undo: "true" } : {};
    return this.#deps.pages.show(name, wanted, { action: "stop", fields });
  }

  /**
   * Stops letters and withdraws the consent to marketing, or allows letters again. Does nothing for an unknown key.
   * @throws AppError 404 without letters
   */
  async setStopped(key: string, isStopped: boolean): Promise<void> {
    this.#assertOn();
    const found = await this.#deps.reads.contacts.findByMailKey(key);
    // Repeated presses write nothing.
    if (!found || (found.mailState === "stopped") === isStopped) return;
    await this.#deps.write(async (repositories) => {
      const contact = await repositories.contacts.findByMailKey(key);
      if (!contact || (contact.mailState === "stopped") === isStopped) return;
      const mailState = isStopped ? "stopped" : "ok";
      await repositories.contacts.update(contact.id, { mailState, mailFailures: 0 });
      if (isStopped) await this.#withdraw(repositories, contact.id);
    });
  }

  /** Adds a no to the ledger if the latest statement is a yes. */
  async #withdraw(repositories: UnauditedRepositories, contactId: number): Promise<void> {
    const last = (await repositories.consents.listCurrent(contactId)).at(-1);
    if (last?.marketing !== 1) return;
    const { textVersion, languageCode } = last;
    const said = { contactId, marketing: 0 as const, textVersion, languageCode, confirmation: null };
    const source = { eventId: null, ipAddress: null, userId: null, userName: null };
    await this.#deps.ledger.add(repositories, { ...said, ...source }, this.#deps.clock.now());
  }

  async readStatus(): Promise<MailStatus> {
    const { report, clock, settings } = this.#deps;
    const { waiting, held, sent, failed, lastError } = await report.letters.readState(clock.now() - DAY);
    const counts = { waiting, sentLast24h: sent, failedLast24h: failed };
    return { configured: settings !== undefined, ...counts, lastError, held };
  }

  #assertOn(): void {
    if (!this.#deps.settings) throw notFound("not_found", "Record not found.");
  }
}
