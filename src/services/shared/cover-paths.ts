/** Where covers are served. */

/** The stored cover, for administrators. @param code of a language, or `default` */
export const coverPath = (bookId: string, code: string): string =>
  `/api/admin/books/${bookId}/covers/${code}`;

/** The public cover. */
export const publicCoverPath = (slug: string): string => `/api/books/${slug}/cover`;
