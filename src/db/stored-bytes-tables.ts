/** The tables about stored bytes beside those of files and covers, for `schema.ts`. */

/** Files that aren't files of books yet, and whose bytes are kept for a while. */
export interface ExaminedFilesTable {
  sha256: string;
  sizeBytes: number;
  /** JSON: what the bytes say. */
  examination: string;
  examinedAt: number;
}

/** Bytes that a file or a cover had before: they can come back. */
export interface ReplacedBytesTable {
  id: string;
  /** The file or the cover that had them; the other one is null. */
  fileId: string | null;
  coverId: string | null;
  sha256: string;
  fileName: string;
  fileSizeBytes: number;
  /** Of a cover. */
  contentType: string | null;
  width: number | null;
  height: number | null;
  replacedAt: number;
  /** The name of the author. */
  replacedBy: string;
  keptUntil: number;
}

/** Bytes that rows have released, and those that are being removed. */
export interface ReleasedBytesTable {
  sha256: string;
  state: ReleasedState;
  /** `waiting`: from when on they may be removed; `removing`: from when on their removal has failed; `removed`: from when on the row isn't needed. */
  dueAt: number;
  /** The id of their last removal; null while they wait for it. */
  removal: string | null;
}

export type ReleasedState = "waiting" | "removing" | "removed";

/** When released bytes were removed last. */
export interface LastSweepTable {
  id: string;
  /** Also beside the files: another one there means that the database or the files have gone back. */
  mark: string;
  sweptAt: number;
}

/** What the content of a file says of itself. */
export interface ContentsTable {
  sha256: string;
  title: string | null;
  /** Canonical. */
  languageCode: string | null;
  /** The 13 digits. */
  isbn: string | null;
  isUnreadable: 0 | 1;
  /** Whether it names a cover that it doesn't contain. */
  lacksCover: 0 | 1;
}

export interface StoredBytesTables {
  contents: ContentsTable;
  examined_files: ExaminedFilesTable;
  replaced_bytes: ReplacedBytesTable;
  released_bytes: ReleasedBytesTable;
  last_sweep: LastSweepTable;
}
