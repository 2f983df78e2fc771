/** Counts in the plural forms of a language. */

/**
 * A function that puts a count into the form for it; `#` is the number as the language writes it.
 * @param forms one, other; languages with more forms: zero, one, two, few, many, other
 */
export function countOf(language: string) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (
    n: number,
    ...forms: [one: string, other: string] | [string, string, string, string, string, string]
  ) => {
    const [zero, one, two, few, many, other] =
      forms.length === 6 ? forms : ["", forms[0], "", "", "", forms[1]];
    const byCategory = { zero, one, two, few, many, other };
    return (byCategory[rules.select(n)] || other).replace("#", numbers.format(n));
  };
}
