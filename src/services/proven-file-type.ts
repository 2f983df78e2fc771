/** The type of an upload, as its bytes show it: what is claimed of it must be true. */
import { checkFileType, detectFileType } from "../adapters/file-type-check.ts";
import { unsupportedMediaType } from "../errors.ts";
import { type FileType, fileTypeOfName } from "../schemas/file-types.ts";

/**
 * The type that is claimed, or the one found where none is.
 * @throws AppError 415 when the content is of another type, or of none of ours
 */
export async function provenFileType(
  { path, originalName }: { path: string; originalName: string },
  claimed: FileType | undefined,
): Promise<FileType> {
  const fileType = claimed ?? (await detectFileType(path, originalName));
  if (fileType === undefined) {
    throw unsupportedMediaType(
      "unknown_file_type",
      "The file is none of the types that this service distributes.",
    );
  }
  await expectType(path, fileType);
  return fileType;
}

/**
 * A reader's system goes by the ending of a name.
 * @throws AppError 415 when the ending is that of another type; one that is no type's promises nothing
 */
export async function refuseMisnamed(path: string, fileName: string, fileType: FileType): Promise<void> {
  const promised = fileTypeOfName(fileName);
  if (promised !== undefined && promised !== fileType) await expectType(path, promised);
}

async function expectType(path: string, fileType: FileType): Promise<void> {
  const objection = await checkFileType(path, fileType);
  if (objection !== undefined) throw unsupportedMediaType("wrong_file_type", objection);
}
