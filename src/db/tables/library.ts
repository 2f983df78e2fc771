/** The library for readers. */
import { describeTable } from "./describe-table.ts";

export const LIBRARY_TABLES = {
  /** One row, or none as long as nothing was set. */
  library: describeTable({
    id: "text",
    name: "text",
    /** `#rrggbb` */
    accentColor: "text",
    /** What the form asks for: `off`, `optional` or `required`; likewise the two others. */
    lastName: "text",
    phone: "text",
    country: "text",
    offersAll: "flag",
    /** The channel that is shown; null for all books. */
    channelId: "text?",
    updatedAt: "integer",
  }),
  /** The texts in a language. What is empty is taken from another language. */
  library_texts: describeTable({
    languageId: "integer",
    name: "text",
    introduction: "text",
    footer: "text",
    about: "text",
    privacy: "text",
    consent: "text",
    consentVersion: "text",
    updatedAt: "integer",
  }),
  /** Every version of a consent text. Its rows are never changed, and outlive their language. */
  library_consents: describeTable({
    languageId: "integer",
    version: "text",
    /** The code of the language when the version was new. */
    languageCode: "text",
    text: "text",
    createdAt: "integer",
  }),
  /** One row, or none. */
  library_logo: describeTable({
    id: "text",
    sha256: "text",
    width: "integer",
    height: "integer",
    fileSizeBytes: "integer",
    /** The picture in base64. */
    png: "text",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  /** A slug that a book had. Each has one row, for the last book that had it. */
  former_slugs: describeTable({
    slug: "text",
    bookId: "text",
    leftAt: "integer",
  }),
  /** A code that a language had, likewise. */
  former_codes: describeTable({
    codeKey: "text",
    languageId: "integer",
    leftAt: "integer",
  }),
};
