/** Finds labels by some of their letters. */

/** Without case and marks above and below letters, also those of Arabic. */
const fold = (text: string, language: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLocaleLowerCase(language);

/** Whether a label holds all words, in any order. */
export function holdsWords(label: string, words: string, language: string): boolean {
  const folded = fold(label, language);
  return fold(words, language)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
