/** Which changes of a file's metadata go together: bytes and cloud links exclude each other. */
import { bodyFault, type Fault } from "../errors.ts";
import type { CloudSource, CloudUrlCheck } from "../lib/cloud-links.ts";
import type { FileRow } from "../repositories/files.repository.ts";
import type { FieldErrorCode } from "../schemas/error-codes.ts";
import type { FileUpdate } from "../schemas/files.schemas.ts";
import { sourceTypeOf } from "./presenters.ts";

type Change = Omit<FileUpdate, "languageCode">;

interface ResolvedUpdate {
  fields: Change & { sha256?: null };
  /** Every field that doesn't fit the file. */
  faults: Fault[];
}

/** Completes a change: a cloud link given to an uploaded file turns it into a cloud file. */
export function resolveFileUpdate(
  row: FileRow,
  change: Change,
  checkUrl: (url: string, source: CloudSource) => CloudUrlCheck,
): ResolvedUpdate {
  const stored = sourceTypeOf(row);
  if (stored === "local" && change.cloudUrl === undefined) {
    return { fields: change, faults: faultsOfUploaded(row, change) };
  }
  if (change.cloudUrl === undefined && change.sourceType === undefined) return { fields: change, faults: [] };
  const sourceType = change.sourceType ?? (stored === "local" ? "url" : stored);
  // A link is checked against its provider, also when only the provider changes.
  const link = checkUrl(change.cloudUrl ?? row.cloudUrl ?? "", sourceType);
  if (!link.ok) return { fields: change, faults: [unfitCloudUrl(link)] };
  return { fields: { ...change, sourceType, cloudUrl: link.url, sha256: null }, faults: [] };
}

export const unfitCloudUrl = ({ message, code }: { message: string; code: FieldErrorCode }): Fault =>
  bodyFault("cloudUrl", message, code);

function faultsOfUploaded(row: FileRow, change: Change): Fault[] {
  const faults: Fault[] = [];
  if (change.sourceType !== undefined) {
    faults.push(bodyFault("sourceType", "give cloudUrl with it", "missing_cloud_url"));
  }
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
