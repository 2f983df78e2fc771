/** Which changes of a file's metadata go together: bytes and cloud links exclude each other. */
import { type AppError, bodyFault, conflict, type Fault, invalidInput } from "../errors.ts";
import type { CloudLinkCheck, CloudSource } from "../lib/cloud-links.ts";
import type { FileRow } from "../repositories/files.repository.ts";
import type { FieldErrorCode } from "../schemas/error-codes.ts";
import type { FileUpdate } from "../schemas/files.schemas.ts";
import { sourceTypeOf } from "./presenters.ts";

type Change = Omit<FileUpdate, "languageCode">;

interface ResolvedUpdate {
  fields: Change;
  /** Every field that doesn't fit the file. */
  faults: Fault[];
}

/**
 * Completes a change: a new link of a cloud file brings its provider with it, and forgets the size of the former one.
 * @throws AppError 409 `file_is_uploaded` for a link that would take the place of uploaded bytes
 */
export function resolveFileUpdate(
  row: FileRow,
  change: Change,
  checkLink: (url: string, source: CloudSource) => CloudLinkCheck,
): ResolvedUpdate {
  const { cloudUrl, sourceType } = change;
  if (sourceTypeOf(row) === "local") {
    if (cloudUrl !== undefined || (sourceType ?? "local") !== "local") throw fileIsUploaded();
    return { fields: change, faults: faultsOfUploaded(row, change) };
  }
  if (sourceType === "local") {
    return {
      fields: change,
      faults: [bodyFault("sourceType", "upload the bytes with PUT", "not_changeable")],
    };
  }
  if (cloudUrl === undefined && sourceType === undefined) return { fields: change, faults: [] };
  const link = checkLink(cloudUrl ?? row.cloudUrl ?? "", sourceType ?? "url");
  if (!link.ok) return { fields: change, faults: [unfitCloudUrl(link)] };
  const knownSize = link.url === row.cloudUrl ? row.fileSizeBytes : 0;
  const { fileSizeBytes = knownSize } = change;
  return {
    fields: { ...change, sourceType: link.source, cloudUrl: link.url, fileSizeBytes },
    faults: [],
  };
}

const fileIsUploaded = () =>
  conflict(
    "file_is_uploaded",
    "This file was uploaded. Add the link as a file of its own: it takes the place of the upload, which is kept.",
  );

export const unfitCloudUrl = ({ message, code }: { message: string; code: FieldErrorCode }): Fault =>
  bodyFault("cloudUrl", message, code);

/** 400 with every error of a cloud link. The code names a link to a folder when that is the only error. */
export function invalidCloudLink(faults: readonly Fault[]): AppError {
  const [only, another] = faults;
  const isFolder = only?.code === "cloud_link_is_a_folder" && another === undefined;
  return invalidInput(faults, isFolder ? "cloud_link_is_a_folder" : undefined);
}

function faultsOfUploaded(row: FileRow, change: Change): Fault[] {
  const faults: Fault[] = [];
  if (change.fileSizeBytes !== undefined) {
    faults.push(bodyFault("fileSizeBytes", "is that of the uploaded bytes", "not_changeable"));
  }
  if (change.fileType !== undefined && change.fileType !== row.fileType) {
    faults.push(
      bodyFault("fileType", "is that of the uploaded bytes; upload the file as that type", "not_changeable"),
    );
  }
  return faults;
}
