/** A folder of this machine as it is sent to a service: paths, hashes, and a catalogue if there is one. */

import { createHash } from "node:crypto";
import { basename, join, relative, sep } from "node:path";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { OperatorError } from "../../../errors.ts";
import type { ImportNotice } from "../../../schemas/import-notices.schemas.ts";
import { MAX_PLANNED_FILES } from "../../../schemas/imports.schemas.ts";
import type { Progress } from "../../progress.ts";
import type { Failure } from "../library.ts";
import { explainUnusable, hashFile, listFilesBelow, resolveFolder, runOrReject } from "../local-files.ts";
import { type Catalogue, findCatalogue, readCatalogueBytes, rejectOtherSpreadsheet } from "../open-source.ts";

export interface SentFile {
  /** Below the folder, with slashes. */
  path: string;
  sha256: string;
  content: (Inspectable & { name: string }) | File;
}

export interface SentFolder {
  files: SentFile[];
  catalogue: SentFile | undefined;
  /** Files that can't be read. */
  failures: Failure[];
  notices: ImportNotice[];
}

interface FolderOptions {
  folder: string;
  /** As the operator names it. */
  catalogue: string | undefined;
}

/** @throws OperatorError if the folder or the catalogue can't be read, or there are too many files for an import */
export async function readSentFolder(options: FolderOptions, progress: Progress): Promise<SentFolder> {
  const failures: Failure[] = [];
  const notices: ImportNotice[] = [];
  const found = await findCatalogue(options, { notices });
  const root = await findRoot(options.folder, found);
  const catalogue = found && (await explainUnusable(found.path, readCatalogue(root, found)));
  const reject = (subject: string, reason: string) => void failures.push({ subject, reason });
  const listed = (await listFilesBelow(root, reject)).filter(({ place }) => place !== catalogue?.path);
  if (listed.length > MAX_PLANNED_FILES)
    throw new OperatorError(
      `${root} has more than ${MAX_PLANNED_FILES} files, which are too many for one import over HTTP. Import its folders one by one.`,
    );
  const files: SentFile[] = [];
  progress.begin("Reading", listed.length, () => files.length);
  for (const file of listed) {
    const sha256 = await runOrReject(file.place, hashFile(file), reject);
    if (sha256 !== undefined) files.push({ path: file.place, sha256, content: file });
  }
  progress.end();
  return { files, catalogue, failures, notices };
}

/** The paths of a catalogue are relative to it: one beside the folder brings a folder of its own. */
async function findRoot(given: string, catalogue: Catalogue | undefined): Promise<string> {
  const folder = await resolveFolder(given);
  const isBelow = !catalogue || `${catalogue.folder}${sep}`.startsWith(join(folder, sep));
  return isBelow ? folder : catalogue.folder;
}

async function readCatalogue(root: string, catalogue: Catalogue): Promise<SentFile> {
  rejectOtherSpreadsheet(catalogue.path);
  const bytes = await readCatalogueBytes(catalogue);
  const name = basename(catalogue.path);
  return {
    path: relative(root, join(catalogue.folder, name)).split(sep).join("/"),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    content: new File([Uint8Array.from(bytes)], name),
  };
}
