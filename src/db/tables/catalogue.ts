/** Languages, books with their translations, files and covers, channels and what is published in them. */
import { describeTable } from "./describe-table.ts";

export const CATALOGUE_TABLES = {
  languages: describeTable({
    id: "integer=",
    code: "text",
    /** The code in lower case, because codes are matched without regard to case; unique. */
    codeKey: "text",
    name: "text",
    nativeName: "text",
    direction: "direction",
    parentId: "integer?",
    customDomain: "text?",
    legacyDownloadCount: "integer",
    isActive: "flag",
    createdAt: "integer",
    updatedAt: "integer",
    /** `off`, `optional` or `required`; null: the setting. */
    emailConfirmation: "text?",
  }),
  books: describeTable({
    id: "text",
    slug: "text",
    titleEn: "text",
    description: "text",
    coverImagePath: "text?",
    sortOrder: "integer",
    legacyDownloadCount: "integer",
    isActive: "flag",
    archivedAt: "integer?",
    archivedBy: "text?",
    /** From when on readers get the book, and until when; in whole seconds. Null: always. */
    publishAt: "integer?",
    unpublishAt: "integer?",
    /** Folded texts, for search. */
    searchText: "text",
    /** JSON: a list of texts. */
    authors: "text=",
    /** JSON: a list of texts. */
    tags: "text=",
    /** JSON: `{name, position}` */
    series: "text?=",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  translations: describeTable({
    id: "text",
    bookId: "text",
    languageId: "integer",
    title: "text",
    description: "text?",
    searchText: "text",
    /** JSON: a list of texts. */
    authors: "text=",
    /** JSON: a list of `{name, role}` */
    contributors: "text=",
    publisher: "text?",
    license: "text?",
    /** The 13 digits. */
    isbn: "text?",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  /** The search texts of a book and its translations, which a search reads. They follow from these rows. */
  book_texts: describeTable({
    bookId: "text",
    searchText: "text",
  }),
  book_files: describeTable({
    id: "text",
    bookId: "text",
    languageId: "integer",
    fileType: "text",
    sourceType: "text",
    fileName: "text",
    fileSizeBytes: "integer",
    /** Content address of a local file in hex. */
    sha256: "text?",
    cloudUrl: "text?",
    downloadCount: "integer",
    isActive: "flag",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  covers: describeTable({
    id: "text",
    bookId: "text",
    languageId: "integer?",
    contentType: "text",
    width: "integer",
    height: "integer",
    fileSizeBytes: "integer",
    sha256: "text",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  channels: describeTable({
    id: "text",
    name: "text",
    slug: "text",
    description: "text",
    url: "text",
    sortOrder: "integer",
    isActive: "flag",
    createdAt: "integer",
    updatedAt: "integer",
    utmSource: "text?",
    utmMedium: "text?",
    utmCampaign: "text?",
    /** A template of the addresses of books; null: that of the service. */
    bookUrl: "text?",
  }),
  publications: describeTable({
    bookId: "text",
    channelId: "text",
    languageId: "integer",
    createdAt: "integer",
  }),
  /** An override of the inherited visibility of a book in a sub-language. */
  book_visibility: describeTable({
    languageId: "integer",
    bookId: "text",
    isVisible: "flag",
    createdAt: "integer",
  }),
  catalogue_version: describeTable({
    id: "integer",
    version: "integer",
    /** How many of all changes have raised the versions of single languages; the others count for all languages. */
    byLanguage: "integer=",
    /** The dates of books until then were reported to other systems. */
    announcedUntil: "integer=",
  }),
  /** How many changes readers of a language could see, of those that are counted by language. */
  language_versions: describeTable({
    languageId: "integer",
    version: "integer",
  }),
};
