/** What there is to give away: languages, books, their translations, files and covers. */
import type { Generated } from "kysely";
import type { Flag } from "./flag.ts";

export interface LanguagesTable {
  id: Generated<number>;
  code: string;
  /** The code in lower case, because codes are matched without regard to case; unique. */
  codeKey: string;
  name: string;
  nativeName: string;
  direction: "ltr" | "rtl";
  parentId: number | null;
  customDomain: string | null;
  legacyDownloadCount: number;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface BooksTable {
  id: string;
  slug: string;
  titleEn: string;
  description: string;
  coverImagePath: string | null;
  sortOrder: number;
  legacyDownloadCount: number;
  isActive: Flag;
  archivedAt: number | null;
  archivedBy: string | null;
  /** Folded title and description, for search. */
  searchText: string;
  createdAt: number;
  updatedAt: number;
}

export interface TranslationsTable {
  id: string;
  bookId: string;
  languageId: number;
  title: string;
  description: string | null;
  searchText: string;
  createdAt: number;
  updatedAt: number;
}

export interface BookFilesTable {
  id: string;
  bookId: string;
  languageId: number;
  fileType: string;
  sourceType: string;
  fileName: string;
  fileSizeBytes: number;
  /** Content address of a local file in hex. */
  sha256: string | null;
  cloudUrl: string | null;
  downloadCount: number;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface CoversTable {
  id: string;
  bookId: string;
  languageId: number | null;
  contentType: string;
  width: number;
  height: number;
  fileSizeBytes: number;
  sha256: string;
  createdAt: number;
  updatedAt: number;
}

export interface CatalogueVersionTable {
  id: number;
  version: number;
}
