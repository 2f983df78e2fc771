/** The tables of the library for readers, for `schema.ts`. */

/** One row, or none as long as nothing was set. */
export interface LibraryTable {
  id: string;
  name: string;
  /** `#rrggbb` */
  accentColor: string;
  /** What the form asks for: `off`, `optional` or `required`; likewise the two others. */
  lastName: string;
  phone: string;
  country: string;
  offersAll: 0 | 1;
  /** The channel that is shown; null for all books. */
  channelId: string | null;
  updatedAt: number;
}

/** The texts in a language. What is empty is taken from another language. */
export interface LibraryTextsTable {
  languageId: number;
  name: string;
  introduction: string;
  footer: string;
  about: string;
  privacy: string;
  consent: string;
  consentVersion: string;
  updatedAt: number;
}

/** Every version of a consent text. Its rows are never changed, and outlive their language. */
export interface LibraryConsentsTable {
  languageId: number;
  version: string;
  /** The code of the language when the version was new. */
  languageCode: string;
  text: string;
  createdAt: number;
}

/** One row, or none. */
export interface LibraryLogoTable {
  id: string;
  sha256: string;
  width: number;
  height: number;
  fileSizeBytes: number;
  /** The picture in base64. */
  png: string;
  createdAt: number;
  updatedAt: number;
}

/** A slug that a book had. Each has one row, for the last book that had it. */
export interface FormerSlugsTable {
  slug: string;
  bookId: string;
  leftAt: number;
}

/** A code that a language had, likewise. */
export interface FormerCodesTable {
  codeKey: string;
  languageId: number;
  leftAt: number;
}

export interface LibraryTables {
  library: LibraryTable;
  library_texts: LibraryTextsTable;
  library_consents: LibraryConsentsTable;
  library_logo: LibraryLogoTable;
  former_slugs: FormerSlugsTable;
  former_codes: FormerCodesTable;
}
