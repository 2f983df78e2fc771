/** A language as people write it in a catalogue or an option: a BCP 47 code, or a name in English or in the language itself. */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { canonicalizeLanguageCode } from "../../lib/bcp47.ts";
import { askWhether, findLanguage, findLanguageAmong, findNearLanguage } from "../../lib/language-names.ts";
import { rawText } from "../../schemas/atoms.ts";
import { withCode } from "../../schemas/error-codes.ts";
import type { Remark } from "./remarks.ts";

const MAX_LENGTH = 64;

/** @param subject begins the message, where it is shown without the path of the value */
export const languageCodeOrName = (subject = "") =>
  rawText({ max: MAX_LENGTH }).transform((given, context) => {
    const text = given.trim();
    const code = canonicalizeLanguageCode(text) ?? findLanguage(text)?.code;
    if (code !== undefined) return code;
    const message = `${subject}must be the BCP 47 code of a language, such as en or pt-BR, or its name${questions.memo(text)}`;
    context.addIssue({ code: "custom", message, params: withCode("invalid_language_code") });
    return z.NEVER;
  });

/** By a text, which language it probably means, in brackets. A spreadsheet can have the same mistake in each of its rows. */
const questions = new LRUCache<string, string>({
  max: 1000,
  memoMethod(text) {
    const nearest = findLanguageAmong(text) ?? findNearLanguage(text);
    return nearest === undefined ? "" : ` (${askWhether(nearest)})`;
  },
});

/** The code for the name of a language, which the dry run then shows; any other text as it is. */
export function replaceName(text: string, remarks: Remark[]): string {
  const language = canonicalizeLanguageCode(text) === undefined ? findLanguage(text) : undefined;
  if (!language) return text;
  const isRemarked = remarks.some(({ kind, subject }) => kind === "languageName" && subject === text);
  if (!isRemarked) remarks.push({ kind: "languageName", subject: text, detail: language.code });
  return language.code;
}
