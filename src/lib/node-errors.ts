/** What Node's own errors say of themselves. */

/** The `code` of an error of the system, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** There is no such file or folder. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";
