/** Where covers are found. */

/** As it is kept, for administrators. @param code of a language, or `default` */
export const coverPath = (bookId: string, code: string): string =>
  `/api/admin/books/${bookId}/covers/${code}`;

/** As readers are shown it. */
export const publicCoverPath = (slug: string): string => `/api/books/${slug}/cover`;
