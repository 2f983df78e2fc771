/** The names of languages as pages show them. */

/** A name of the catalogue that somebody has corrected is shown everywhere; otherwise that of CLDR in the console's language. */
export function createLanguageNames(language: string) {
  const names = readNames(language);
  const english = readNames("en");
  return ({ code, name }: { code: string; name?: string }): string => {
    const isCorrected = name !== undefined && name !== english(code);
    return isCorrected ? name : (names(code) ?? code);
  };
}

function readNames(language: string) {
  const names = new Intl.DisplayNames(language, { type: "language", fallback: "none" });
  return (code: string): string | undefined => {
    try {
      return names.of(code);
    } catch {
      return undefined;
    }
  };
}
