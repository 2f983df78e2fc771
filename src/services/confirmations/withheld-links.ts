/** Links whose reader's address isn't confirmed yet, and the browsers in which one was. */
import type { Tokens } from "../../adapters/tokens.ts";
import { forbidden } from "../../errors.ts";
import { DAY } from "../../lib/time.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { CatalogueRepositories, RecordRepositories } from "../../repositories/index.ts";
import { Service } from "../shared/service.ts";
import type { ConfirmationRules } from "./confirmation-rules.ts";
import type { LetterDelays } from "./letter-delays.ts";

const COOKIE_MS = 90 * DAY;

/** A token that identifies a browser in which an address was confirmed. */
export interface ConfirmedBrowser {
  token: string;
  expiresAt: number;
}

/** Why a link delivers nothing yet, for its page. */
export interface Withheld {
  /** Whether the letter may wait for a limit. */
  isDelayed: boolean;
}

interface WithheldLinksDeps {
  rules: ConfirmationRules;
  tokens: Tokens;
  delays: LetterDelays;
  reads: Pick<RecordRepositories, "contacts"> & Pick<CatalogueRepositories, "languages">;
}

export class WithheldLinks extends Service<WithheldLinksDeps> {
  /**
   * @param browser the token of a browser in which an address was confirmed
   * @returns a new token for a browser that opens the link of a confirmed request
   * @throws AppError 403 `email_not_confirmed`
   */
  async admit(event: EventRow, browser: string | undefined): Promise<ConfirmedBrowser | undefined> {
    if (!(await this.#isRequired(event))) return undefined;
    const { contactId } = event;
    const contact = contactId === null ? undefined : await this.deps.reads.contacts.find(contactId);
    const isKnown = contact !== undefined && (await this.#isOf(contact, browser));
    if (event.isUnconfirmed === 1 && !isKnown)
      throw forbidden("email_not_confirmed", "Press the button in the letter, and open this link again.");
    if (event.isUnconfirmed === 1 || isKnown || !contact || contact.verifiedAt === null) return undefined;
    return this.issueTo(contact, contact.verifiedAt);
  }

  /** Undefined if the link delivers in every browser. @param address of the client */
  async describe(event: EventRow, address: string): Promise<Withheld | undefined> {
    if (event.isUnconfirmed === 0 || !(await this.#isRequired(event))) return undefined;
    return { isDelayed: await this.deps.delays.mayWait(address) };
  }

  /** For the browser in which the address was confirmed. */
  issueTo({ publicId }: Pick<ContactRow, "publicId">, verifiedAt: number): Promise<ConfirmedBrowser> {
    return this.deps.tokens.issue(nameBrowser(publicId, verifiedAt), COOKIE_MS);
  }

  /** Nothing is withheld where the rule has changed since the form. */
  async #isRequired({ languageId }: EventRow): Promise<boolean> {
    const { rules, reads } = this.deps;
    if (!rules.isPossible) return false;
    const language = await reads.languages.find(languageId);
    return language !== undefined && rules.ruleOf(language) === "required";
  }

  async #isOf({ publicId, verifiedAt }: ContactRow, browser: string | undefined): Promise<boolean> {
    if (browser === undefined || verifiedAt === null) return false;
    const check = await this.deps.tokens.check(browser);
    return check.kind === "valid" && check.claims.subject === nameBrowser(publicId, verifiedAt);
  }
}

/** Another address of the contact, confirmed later, is another mailbox. */
const nameBrowser = (publicId: string, verifiedAt: number): string => `${publicId}.${verifiedAt}`;
