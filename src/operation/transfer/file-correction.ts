/** What somebody has decided of a file otherwise than by the rules. */
import type { FileType } from "../../schemas/file-types.ts";

export interface FileCorrection {
  languageCode?: string | undefined;
  fileType?: FileType | undefined;
  /** Of the edition in its language. */
  title?: string | undefined;
  /** The id of a book of the service, or `new`. */
  book?: string | undefined;
  /** False: it is imported although the service, or another file, has its bytes, or the book another file in its place. */
  leaveOut?: boolean | undefined;
}
