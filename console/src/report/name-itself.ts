/** The name of a language in that language. */

/** Undefined where the browser doesn't know it. @param code BCP 47 */
export function nameItself(code: string): string | undefined {
  try {
    return new Intl.DisplayNames(code, { type: "language", fallback: "none" }).of(code);
  } catch {
    return undefined;
  }
}
