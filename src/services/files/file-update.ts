/** What an update changes of a file, and which of its fields don't apply to that file. */
import { type AppError, bodyError, conflict, type FieldError, invalidInput } from "../../errors.ts";
import type { CloudLinkCheck, CloudSource } from "../../lib/cloud-links.ts";
import type { FileRow } from "../../repositories/files.repository.ts";
import type { FieldErrorCode } from "../../schemas/error-codes.ts";
import type { FileUpdate } from "../../schemas/files.schemas.ts";
import { sourceTypeOf } from "./presenters.ts";

type GivenChange = Omit<FileUpdate, "languageCode">;
/** `cloudUrl: null` of an upload changes nothing. */
type Change = Omit<GivenChange, "cloudUrl"> & { cloudUrl?: string | undefined };

interface ResolvedUpdate {
  fields: Change;
  /** An error for each field that doesn't apply to the file. */
  errors: FieldError[];
}

/**
 * Completes an update: a new link of a cloud file also sets its provider, and clears the size of the previous target.
 * @throws AppError 409 `file_is_uploaded` if a link would replace uploaded bytes
 */
export function resolveFileUpdate(
  row: FileRow,
  update: GivenChange,
  checkLink: (url: string, source: CloudSource) => CloudLinkCheck,
): ResolvedUpdate {
  const { cloudUrl: givenUrl, ...given } = update;
  const cloudUrl = givenUrl ?? undefined;
  const change = { ...given, cloudUrl };
  const { sourceType } = change;
  if (sourceTypeOf(row) === "local") {
    if (cloudUrl !== undefined || (sourceType ?? "local") !== "local") throw fileIsUploaded();
    return { fields: change, errors: findUploadErrors(row, change) };
  }
  if (givenUrl === null)
    return { fields: change, errors: [bodyError("cloudUrl", "must be a string, not null", "invalid_type")] };
  if (sourceType === "local") {
    return {
      fields: change,
      errors: [bodyError("sourceType", "can't be set; upload the content with PUT", "not_changeable")],
    };
  }
  if (cloudUrl === undefined && sourceType === undefined) return { fields: change, errors: [] };
  const link = checkLink(cloudUrl ?? row.cloudUrl ?? "", sourceType ?? "url");
  if (!link.ok) return { fields: change, errors: [unfitCloudUrl(link)] };
  const knownSize = link.url === row.cloudUrl ? row.fileSizeBytes : 0;
  const { fileSizeBytes = knownSize } = change;
  return {
    fields: { ...change, sourceType: link.source, cloudUrl: link.url, fileSizeBytes },
    errors: [],
  };
}

const fileIsUploaded = () =>
  conflict(
    "file_is_uploaded",
    "This file was uploaded. Add the link as a separate file: it replaces the upload, which is kept but becomes inactive.",
  );

export const unfitCloudUrl = ({ message, code }: { message: string; code: FieldErrorCode }): FieldError =>
  bodyError("cloudUrl", message, code);

/** 400 with every error of a cloud link. The problem code is that of a folder link only if that is the only error. */
export function rejectCloudLink(errors: readonly FieldError[]): AppError {
  const [only, another] = errors;
  const isFolder = only?.code === "cloud_link_is_a_folder" && another === undefined;
  return invalidInput(errors, isFolder ? "cloud_link_is_a_folder" : undefined);
}

function findUploadErrors(row: FileRow, change: Change): FieldError[] {
  const errors: FieldError[] = [];
  if (change.fileSizeBytes !== undefined) {
    errors.push(bodyError("fileSizeBytes", "is determined by the uploaded content", "not_changeable"));
  }
  if (change.fileType !== undefined && change.fileType !== row.fileType) {
    errors.push(
      bodyError(
        "fileType",
        "is determined by the uploaded content; upload the file with that type",
        "not_changeable",
      ),
    );
  }
  return errors;
}
