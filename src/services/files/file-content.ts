/** Whether the content of a file is of the type that it claims. */
import type { Content } from "../../adapters/file-types/content.ts";
import { findObjection, identifyFile } from "../../adapters/file-types/recognise.ts";
import { unsupportedMediaType } from "../../errors.ts";
import { type FileType, findFileType } from "../../schemas/file-types.ts";

/** @throws AppError 415 if the content has another type than the claimed one or the name's, or an unsupported one */
export function proveFileType(content: Content, name: string, claimed: FileType | undefined): FileType {
  const identified = identifyFile(content, name, claimed);
  if (identified.objection === undefined) return identified.fileType;
  const isUnknown = claimed === undefined && content.types.length === 0;
  throw unsupportedMediaType(isUnknown ? "unknown_file_type" : "wrong_file_type", identified.objection);
}

/**
 * The reader's system determines the type by the file extension.
 * @throws AppError 415 if the extension belongs to another supported type; unknown extensions are accepted
 */
export function rejectMisnamed(content: Content, fileName: string, fileType: FileType): void {
  const promised = findFileType(fileName);
  if (promised !== undefined && promised !== fileType) expectType(content, promised);
}

/** @throws AppError 415 */
export function expectType(content: Content, fileType: FileType): void {
  const objection = findObjection(content, fileType);
  if (objection !== undefined) throw unsupportedMediaType("wrong_file_type", objection);
}
