/** A language as people write it in a catalogue or an option: a BCP 47 code, or a name in English or in the language itself. */
import { z } from "zod";
import { canonicalizeLanguageCode } from "../../lib/bcp47.ts";
import { askWhether, findNamedLanguage, guessLanguage } from "../../lib/language-names.ts";
import { rawText } from "../../schemas/atoms.ts";
import { withCode } from "../../schemas/error-codes.ts";
import type { Remark } from "./remarks.ts";

const MAX_LENGTH = 64;

/** As in the names of folders, an underscore counts as a hyphen: `pt_BR`. */
const withHyphens = (text: string): string => {
  const written = text.replaceAll("_", "-");
  return canonicalizeLanguageCode(written) === undefined ? text : written;
};

/** @param subject begins the message, where it is shown without the path of the value */
export const languageCodeOrName = (subject = "") =>
  rawText({ max: MAX_LENGTH }).transform((given, context) => {
    const text = withHyphens(given.trim());
    const code = canonicalizeLanguageCode(text) ?? findNamedLanguage(text)?.code;
    if (code !== undefined) return code;
    const guess = guessLanguage(text);
    const question = guess === undefined ? "" : ` (${askWhether(guess)})`;
    const message = `${subject}must be the BCP 47 code of a language, such as en or pt-BR, or its name${question}`;
    context.addIssue({ code: "custom", message, params: withCode("invalid_language_code") });
    return z.NEVER;
  });

/**
 * Gives the code for the name of a language, which the dry run then shows once; any other text as it is. One for a whole
 * catalogue: it may have as many spellings as rows.
 */
export function createNameReplacer(remarks: Remark[]): (text: string) => string {
  const replaced = new Map<string, string>();
  return (given) => {
    const text = withHyphens(given);
    const known = replaced.get(text);
    if (known !== undefined) return known;
    const language = canonicalizeLanguageCode(text) === undefined ? findNamedLanguage(text) : undefined;
    if (language) remarks.push({ kind: "languageName", subject: text, detail: language.code });
    const code = language?.code ?? text;
    replaced.set(text, code);
    return code;
  };
}
