/** Which codes are languages of a library: those of the service, and those that CLDR has a name for. */
import { OperatorError } from "../../errors.ts";
import { findLanguageNames } from "../../lib/bcp47.ts";

/** The codes of a service's languages. */
export interface LanguageDirectory {
  /** Those of these canonical codes that are languages of the service. */
  findExisting(codes: readonly string[]): Promise<string[]>;
}

export class Languages {
  readonly #directory: LanguageDirectory;
  readonly #asked = new Set<string>();
  readonly #existing = new Set<string>();

  constructor(directory: LanguageDirectory) {
    this.#directory = directory;
  }

  /** Call it with the codes before the other methods. */
  async learn(codes: readonly string[]): Promise<void> {
    const unknown = [...new Set(codes)].filter((code) => !this.#asked.has(code));
    if (unknown.length === 0) return;
    for (const code of unknown) this.#asked.add(code);
    for (const code of await this.#directory.findExisting(unknown)) this.#existing.add(code);
  }

  exists(code: string): boolean {
    return this.#existing.has(code);
  }

  /** Whether a code in a path means a language. */
  isKnown(code: string): boolean {
    return this.exists(code) || findLanguageNames(code).name !== code;
  }

  /**
   * The language for a code in metadata, where `en-US` mostly says which machine wrote it: without its region, unless
   * the service has that very language.
   */
  resolve(code: string): string {
    return this.exists(code) ? code : findBaseCode(code);
  }
}

/** Without the region, unless that implies another script: `en-GB` is `en`, and `zh-TW` stays. */
export function findBaseCode(code: string): string {
  const locale = new Intl.Locale(code);
  const { language, script } = locale;
  if (locale.region === undefined || code.includes("-x-")) return code;
  const base = [language, script].filter((part) => part !== undefined).join("-");
  return locale.maximize().script === new Intl.Locale(base).maximize().script ? base : code;
}

/** Languages are missing that the credential can't create. */
export class MissingLanguagesError extends OperatorError {
  readonly codes: readonly string[];

  constructor(codes: readonly string[], command: string) {
    super(explainMissingLanguages(codes, command));
    this.codes = codes;
  }
}

/** @param command creates the languages */
export const explainMissingLanguages = (codes: readonly string[], command: string): string =>
  `These languages don't exist yet, and an API key can't create languages: ${codes.join(", ")}.
An editor or administrator creates them, and nothing else, by this command:
  ${command}`;
