/** What a file says of itself. */

/** What the content of a file says; null for what it doesn't. */
export interface Said {
  title: string | null;
  languageCode: string | null;
  isbn: string | null;
}

/** Of the metadata of a file, which leaves out what the file doesn't say. */
export const saidOf = (
  metadata: { readonly [Field in keyof Said]?: string | null | undefined } | null | undefined,
): Said => ({
  title: metadata?.title ?? null,
  languageCode: metadata?.languageCode ?? null,
  isbn: metadata?.isbn ?? null,
});
