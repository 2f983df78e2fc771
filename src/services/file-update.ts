/** Which changes of a file's metadata go together: bytes and cloud links exclude each other. */
import { type Fault, invalidInput } from "../errors.ts";
import type { CloudSource } from "../lib/cloud-links.ts";
import type { FileRow } from "../repositories/files.repository.ts";
import type { FileUpdate } from "../schemas/files.schemas.ts";
import { sourceTypeOf } from "./presenters.ts";

type ResolvedUpdate = FileUpdate & { sha256?: null };

/**
 * Completes a change: a cloud link given to an uploaded file turns it into a cloud file.
 * @param checkUrl the checked address; throws when it isn't acceptable
 * @throws 400 naming every field that doesn't fit the file
 */
export function resolveFileUpdate(
  row: FileRow,
  change: FileUpdate,
  checkUrl: (url: string, source: CloudSource) => string,
): ResolvedUpdate {
  const stored = sourceTypeOf(row);
  const becomesCloud = change.cloudUrl !== undefined;
  if (stored === "local" && !becomesCloud) {
    refuse([
      change.sourceType !== undefined && fault("sourceType", "give cloudUrl with it", "missing_cloud_url"),
      change.fileSizeBytes !== undefined &&
        fault("fileSizeBytes", "is that of the uploaded bytes", "not_changeable"),
      change.fileType !== undefined &&
        change.fileType !== row.fileType &&
        fault("fileType", "is that of the uploaded bytes; upload the file as that type", "not_changeable"),
    ]);
    return change;
  }
  const source = change.sourceType ?? (stored === "local" ? "url" : stored);
  // A link is checked against its provider, also when only the provider changes.
  const cloudUrl = checkUrl(change.cloudUrl ?? row.cloudUrl ?? "", source);
  return { ...change, sourceType: source, cloudUrl, sha256: null };
}

const fault = (path: string, message: string, code: string): Fault => ({ in: "body", path, message, code });

function refuse(faults: readonly (Fault | false)[]): void {
  const real = faults.filter((candidate) => candidate !== false);
  if (real.length > 0) throw invalidInput(real);
}
