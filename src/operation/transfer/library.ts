/** A library as a source describes it: what is declared, and which local files belong to it. */
import type { BookTranslation, BookUpdate } from "../../schemas/books.schemas.ts";
import type { FileType } from "../../schemas/file-types.ts";
import type { CloudFileCreation } from "../../schemas/files.schemas.ts";
import type { LeftOutCode } from "../../schemas/imports.schemas.ts";
import type { LanguageCreation } from "../../schemas/languages.schemas.ts";
import type { LocalFile } from "./local-files.ts";
import type { Metadata } from "./metadata/metadata.ts";

/** A language, and the code of its parent. */
export interface DeclaredLanguage extends Omit<LanguageCreation, "parentId"> {
  parentCode?: string | undefined;
}

/** An examined file of a book. */
export interface BookFile {
  file: LocalFile;
  fileType: FileType;
  languageCode: string;
  metadata: Metadata;
}

/** An edition that a catalogue describes. Without a title, it has that of its file, or the one in the service. */
export interface SourceTranslation extends Omit<BookTranslation, "title"> {
  title?: string | undefined;
  /** Where it is described, for messages. */
  place: string;
}

export interface CoverFile {
  file: LocalFile;
  /** Undefined for the default cover. */
  languageCode: string | undefined;
}

/** What a slug is derived from. */
export interface DerivedFrom {
  /** Of the file or folder without its language, or the title in a catalogue. */
  name: string;
  /** The name with the folders above, as the rule before had it in slugs of names that it couldn't spell. */
  key: string;
}

/** A book before its empty fields are filled from the metadata of its files. */
export interface SourceBook {
  slug: string;
  /** Undefined if the slug was sent: only then it is a key by itself. */
  derivedFrom?: DerivedFrom | undefined;
  /** For the title, if nothing else has one. */
  name: string;
  declared: BookUpdate;
  translations: SourceTranslation[];
  links: CloudFileCreation[];
  files: BookFile[];
  covers: CoverFile[];
  /** Where a catalogue describes it. */
  place?: string | undefined;
  /** A correction: the id of a book of the service, or `new`. */
  chosen?: string | undefined;
}

export interface Library {
  languages: DeclaredLanguage[];
  books: SourceBook[];
  /** The slugs of books that would be empty, because none of their files can be imported. */
  skipped: string[];
  /** Where the source takes an English title from; undefined without a catalogue. */
  titleField?: string | undefined;
  /** Files that are left out, each with the one that has the same bytes. */
  identical?: ReadonlyMap<LocalFile, LocalFile>;
}

/** A cell of a spreadsheet, as people find it. */
export interface CellPlace {
  /** Counted from 1, the header being 1. */
  line: number;
  /** Its header. */
  column?: string | undefined;
  value?: string | undefined;
}

/** A book of a catalogue that can't be imported as it is described. */
export interface FailedBook {
  /** Where it is described. */
  place: string;
  /** Empty if it is unknown. */
  slug: string;
  titleEn: string;
}

/** What could not be imported: a file or a book, and why. */
export interface Failure {
  subject: string;
  reason: string;
  /** The files, if the subject isn't the path of one. */
  places?: readonly string[];
  /** What distinguishes it from other failures for the same reason. */
  detail?: string | undefined;
  /** For plans: of the reason. */
  code?: LeftOutCode | undefined;
  /** The file in whose place it would be. */
  by?: string;
  /** Of a write: the book. */
  written?: { slug: string; bookId: string | undefined } | undefined;
  /** For plans: the book of a catalogue that it concerns, what is wrong with it, and where. */
  book?: FailedBook | undefined;
  problem?: string | undefined;
  cell?: CellPlace | undefined;
  /** Of the value in a catalogue of JSON. */
  path?: string | undefined;
}
