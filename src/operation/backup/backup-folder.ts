/** A backup on disk: the manifest, a copy of the database, the files to which it refers, and the operator's icons. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { StoredBlob } from "../../adapters/files/file-store.ts";
import {
  hashFile,
  listNames,
  openBlob,
  READ_BYTES,
  syncFolder,
  writeDurably,
} from "../../adapters/files/file-store-disk.ts";
import { receiveInto } from "../../adapters/files/file-store-receive.ts";
import { FolderStore } from "../../adapters/files/folder-store.ts";
import { onDisk } from "../../adapters/files/storage-errors.ts";
import { conflict } from "../../errors.ts";
import {
  DATABASE_FILE,
  FAVICON_FILES,
  FILES_FOLDER,
  PAGE_FILE,
  PAGES_FOLDER,
} from "../../lib/data-dir-names.ts";
import { codeOf, isMissing } from "../../lib/node-errors.ts";
import {
  BACKUP_FORMAT,
  type BackupManifest,
  backupManifest,
  sealedManifest,
} from "../../schemas/system.schemas.ts";

const MANIFEST = "manifest.json";
/** Far more than the longest one, so that a wrong file isn't read into memory. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Something differs from what was written. Nothing of such a backup is used. */
export const damaged = (what: string) => conflict("backup_damaged", `The backup is damaged: ${what}.`);

export class BackupFolder {
  /** Absolute. */
  readonly path: string;
  readonly database: string;
  readonly store: FolderStore;

  constructor({ path, newId }: { path: string; newId: () => string }) {
    this.path = path;
    this.database = join(path, DATABASE_FILE);
    this.store = new FolderStore({ directory: join(path, FILES_FOLDER), newId });
  }

  /** Copies a file into the folder durably, accessible only to its owner. */
  async take(source: string, name: string): Promise<StoredBlob> {
    await mkdir(dirname(join(this.path, name)), { recursive: true, mode: 0o700 });
    const bytes = createReadStream(source, { highWaterMark: READ_BYTES });
    const options = { maxBytes: Number.POSITIVE_INFINITY, steadily: true };
    const { sha256, sizeBytes } = await receiveInto(join(this.path, name), bytes, options);
    return { sha256, sizeBytes };
  }

  /** @throws 409 `backup_damaged` if the file doesn't exist */
  async computeChecksum(name: string): Promise<StoredBlob> {
    try {
      const { handle, sizeBytes } = await openBlob(join(this.path, name));
      await using file = handle;
      return { sha256: await hashFile(file), sizeBytes };
    } catch (error) {
      throw isMissing(error) ? damaged(`${name} is missing`) : error;
    }
  }

  /** The last step: a folder without a manifest isn't a backup. */
  async seal(manifest: BackupManifest): Promise<void> {
    await onDisk(async () => {
      await writeDurably(join(this.path, MANIFEST), formatManifest(manifest), "wx");
      await syncFolder(this.path);
    });
  }

  /** @throws 409 `backup_damaged`, `backup_newer`, and 404 `backup_not_found` */
  async readManifest(): Promise<BackupManifest> {
    const text = await this.#readManifestText();
    const written = tryParse(text);
    if (newerManifest.safeParse(written).success) {
      throw conflict("backup_newer", "A newer version of this service created the backup. Use that version.");
    }
    const sealed = sealedManifest.safeParse(written);
    if (!sealed.success) throw damaged(`${MANIFEST} isn't one`);
    const { checksum: _, ...manifest } = sealed.data;
    if (text !== formatManifest(manifest)) throw damaged(`${MANIFEST} was changed`);
    return manifest;
  }

  /** The first path in the folder that isn't part of a backup. */
  async findUnexpected({ favicons, pages = [] }: BackupManifest): Promise<string | undefined> {
    const own = [MANIFEST, DATABASE_FILE, FILES_FOLDER, ...[...favicons, ...pages].map(({ name }) => name)];
    const folders = pages.length > 0 ? [PAGES_FOLDER] : [];
    const names = (await readdir(this.path)).filter((name) => !folders.includes(name));
    for (const folder of folders)
      names.push(...(await readdir(join(this.path, folder))).map((name) => `${folder}/${name}`));
    return names.find((name) => !own.includes(name)) ?? (await this.store.findUnexpected());
  }

  async #readManifestText(): Promise<string> {
    const path = join(this.path, MANIFEST);
    try {
      if ((await lstat(path)).size > MAX_MANIFEST_BYTES) throw damaged(`${MANIFEST} isn't one`);
      return await readFile(path, "utf8");
    } catch (error) {
      if (!isMissing(error) && codeOf(error) !== "ENOTDIR") throw error;
      throw conflict("backup_not_found", `${this.path} contains no backup: it has no ${MANIFEST}.`);
    }
  }
}

/** The names of the operator's icons in a data folder, and those of the texts of readers' pages. */
export async function listOperatorFiles(directory: string): Promise<Record<"favicons" | "pages", string[]>> {
  const names = await listNames(directory);
  const pages = (await listNames(join(directory, PAGES_FOLDER))).map((name) => `${PAGES_FOLDER}/${name}`);
  return {
    favicons: FAVICON_FILES.filter((name) => names.includes(name)),
    pages: pages.filter((name) => PAGE_FILE.test(name)).sort(),
  };
}

/**
 * The manifest with its own checksum. The fields are in the order of the schema, so that equal manifests have equal
 * text.
 */
function formatManifest(given: BackupManifest): string {
  const manifest = backupManifest.parse(given);
  const checksum = createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
  return `${JSON.stringify({ ...manifest, checksum }, undefined, 2)}\n`;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const newerManifest = z.looseObject({ format: z.number().gt(BACKUP_FORMAT) });
