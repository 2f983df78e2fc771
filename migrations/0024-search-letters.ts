/** Folded texts anew: letters that look alike, digits of all scripts, hyphens and apostrophes are each one for search. */
import type { Kysely } from "kysely";
import { renewSearchTexts } from "./support/search-texts.ts";

/** They would write texts that a search of this version doesn't find. */
export const stopsOlderVersions = true;

export const up = (db: Kysely<unknown>): Promise<void> => renewSearchTexts(db, replaceForms);

// What the search folding of this migration adds to the former one, applied to texts that the former one has folded.

const FORMS: Readonly<Record<string, string>> = {
  ...toForm("ي", "یى"),
  ...toForm("ك", "ک"),
  ...toForm("ه", "ہەة"),
  ...toForm("'", "‛ʻ׳"),
  ...toForm('"', "“”„‟״"),
};

function toForm(form: string, characters: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, form]));
}

const WITH_FORM = new RegExp(`[${Object.keys(FORMS).join("")}\\u2212[\\p{Nd}--[0-9]][\\p{Pd}--[\\-]]]`, "gv");

const replaceForms = (text: string): string =>
  text.replace(
    WITH_FORM,
    (character) => FORMS[character] ?? (DIGIT.test(character) ? findDigit(character) : "-"),
  );

const DIGIT = /^\p{Nd}$/u;

/** Unicode has the ten digits of a script one after the other, beginning with zero. */
function findDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
