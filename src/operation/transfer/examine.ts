/** Examines the files of a library: content and metadata. */
import pLimit from "p-limit";
import { identifyFile } from "../../adapters/file-types/recognise.ts";
import { refusalOf } from "../../lib/node-errors.ts";
import { type FileType, findFileType } from "../../schemas/file-types.ts";
import type { Failure } from "./library.ts";
import { type LocalFile, UnusableFileError } from "./local-files.ts";
import type { Metadata } from "./metadata/metadata.ts";
import type { Remark } from "./remarks.ts";
import type { LibraryReader, SourceDeps } from "./source.ts";

/** While the metadata of one is read, the content of the next ones is. */
const FILES_AT_ONCE = 4;

interface Candidate {
  file: LocalFile;
  fileType: FileType | undefined;
  /** Found in a folder: an archive of books isn't a book, unless a catalogue names it. */
  isFound?: boolean;
}

/** @returns undefined in the place of each file that is added to `failures` */
export async function examineAll(
  candidates: readonly Candidate[],
  { reader, failures, remarks }: Pick<SourceDeps, "reader" | "failures" | "remarks">,
  onFile: () => void,
): Promise<(Examined | undefined)[]> {
  const limit = pLimit(FILES_AT_ONCE);
  const results = await limit.map(candidates, async ({ file, fileType, isFound }) => {
    try {
      const inside =
        isFound && findFileType(file.name) === "zip" ? await reader.findBooksInside(file) : undefined;
      if (inside !== undefined) throw new UnusableFileError(inside, "books_inside");
      return await examineFile(file, fileType, reader);
    } catch (error) {
      const found = explainFailure(error);
      if (found === undefined) throw error;
      failures.push({ subject: file.place, ...found });
      return undefined;
    } finally {
      onFile();
    }
  });
  remarks.push(...candidates.flatMap(({ file }, index) => remarkOnContent(file, results[index]?.metadata)));
  return results;
}

function remarkOnContent({ place: subject }: LocalFile, metadata: Metadata | undefined): Remark[] {
  const { unreadable, coverIsMissing } = metadata ?? {};
  return [
    ...(unreadable === undefined ? [] : [{ kind: "unreadable" as const, subject, detail: unreadable }]),
    ...(coverIsMissing ? [{ kind: "noCover" as const, subject }] : []),
  ];
}

function explainFailure(error: unknown): Pick<Failure, "reason" | "code"> | undefined {
  if (error instanceof UnusableFileError) return { reason: error.message, code: error.code };
  const reason = explainSystemError(error);
  return reason === undefined ? undefined : { reason };
}

export interface Examined {
  fileType: FileType;
  metadata: Metadata;
}

/**
 * @param claimed the type that a catalogue names; without it, the name says it, or else the content
 * @throws UnusableFileError
 */
export async function examineFile(
  file: LocalFile,
  claimed: FileType | undefined,
  reader: LibraryReader,
): Promise<Examined> {
  const content = await reader.recognise(file);
  const identified = identifyFile(content, file.name, claimed);
  if (identified.objection !== undefined) throw new UnusableFileError(identified.objection, "content_unfit");
  const { fileType } = identified;
  const metadata = await reader.read(file, fileType);
  const { title = metadata.title } = file.correction ?? {};
  return { fileType, metadata: { ...metadata, title } };
}

function explainSystemError(error: unknown): string | undefined {
  const reason = refusalOf(error);
  return reason && `The file can't be read: ${reason}.`;
}
