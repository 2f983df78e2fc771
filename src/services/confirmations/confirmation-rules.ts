/** Whether readers confirm that an address is theirs: by the setting, or a language's own rule. */
import type { MailSettings } from "../../config.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import {
  CONFIRMATION_RULES,
  type Confirmation,
  type ConfirmationRule,
} from "../../schemas/confirmations.schemas.ts";
import { parseWord } from "../shared/stored-values.ts";

type Ruled = Pick<LanguageRow, "emailConfirmation">;

/** What responses to forms say of a rule, where confirmation is on. */
const NAMES: Readonly<Record<ConfirmationRule, Confirmation>> = {
  off: "none",
  optional: "sent",
  required: "required",
};

export class ConfirmationRules {
  /** Undefined: no letters are written, so that nothing can be confirmed. */
  readonly #setting: ConfirmationRule | undefined;

  constructor(mail: Pick<MailSettings, "confirmation"> | undefined) {
    this.#setting = mail?.confirmation;
  }

  /** Whether letters are written. */
  get isPossible(): boolean {
    return this.#setting !== undefined;
  }

  ruleOf({ emailConfirmation }: Ruled): ConfirmationRule {
    if (this.#setting === undefined || emailConfirmation === null) return this.#setting ?? "off";
    return parseWord(CONFIRMATION_RULES, emailConfirmation);
  }

  /** Whether readers of one of the languages confirm. @param list is called only if that depends on it */
  async isOn(list: () => Promise<readonly Ruled[]>): Promise<boolean> {
    if (this.#setting === undefined || this.#setting !== "off") return this.#setting !== undefined;
    return (await list()).some((language) => this.ruleOf(language) !== "off");
  }

  /** What the response to a form says; undefined while confirmation is off everywhere. */
  async describe(language: Ruled, list: () => Promise<readonly Ruled[]>): Promise<Confirmation | undefined> {
    const rule = this.ruleOf(language);
    return rule !== "off" || (await this.isOn(list)) ? NAMES[rule] : undefined;
  }
}
