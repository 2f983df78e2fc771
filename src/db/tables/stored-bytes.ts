/** The tables about stored bytes beside those of files and covers. */
import { describeTable } from "./describe-table.ts";

export const STORED_BYTES_TABLES = {
  /** Bytes that a file or a cover had before: they can come back. */
  replaced_bytes: describeTable({
    id: "text",
    /** The file or the cover that had them; the other one is null. */
    fileId: "text?",
    coverId: "text?",
    sha256: "text",
    fileName: "text",
    fileSizeBytes: "integer",
    /** Of a cover. */
    contentType: "text?",
    width: "integer?",
    height: "integer?",
    replacedAt: "integer",
    /** The name of the author. */
    replacedBy: "text",
    keptUntil: "integer",
  }),
  /** Bytes that rows have released, and those that are being removed. */
  released_bytes: describeTable({
    sha256: "text",
    state: "releasedState",
    /** `waiting`: from when on they may be removed; `removing`: from when on their removal has failed; `removed`: from when on the row isn't needed. */
    dueAt: "integer",
    /** The id of their last removal; null while they wait for it. */
    removal: "text?",
  }),
  /** When released bytes were removed last. */
  last_sweep: describeTable(
    {
      id: "text",
      /** Also beside the files: another one there means that the database or the files have gone back. */
      mark: "text",
      sweptAt: "integer",
    },
    { isMoved: false },
  ),
  /** What the content of a file says of itself. */
  contents: describeTable({
    sha256: "text",
    title: "text?",
    /** Canonical. */
    languageCode: "text?",
    /** The 13 digits. */
    isbn: "text?",
    isUnreadable: "flag",
    /** Whether it names a cover that it doesn't contain. */
    lacksCover: "flag",
  }),
  /** Files that aren't files of books yet, and whose bytes are kept for a while. */
  examined_files: describeTable(
    {
      sha256: "text",
      sizeBytes: "integer",
      /** JSON: what the bytes say. */
      examination: "text",
      examinedAt: "integer",
    },
    { isMoved: false },
  ),
};
