/** The City database in the data folder, and how another takes its place. */
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import { isMissing } from "../../lib/node-errors.ts";
import { syncFolder } from "../files/file-store-disk.ts";
import { unpackDatabase } from "./archive.ts";
import { GeoIpDatabase, GeoIpFormatError } from "./database.ts";

const NAME = "GeoLite2-City.mmdb";
const UNFINISHED = /^GeoLite2-City\.mmdb\..+\.part$/;

export interface GeoIpFileFacts {
  sizeBytes: number;
  /** Epoch milliseconds; of a file that came from the provider, exactly what the provider said of it. */
  modifiedAt: number;
}

/** What the provider offers. */
export interface GeoIpRelease {
  archive: Readable;
  /** In lower-case hexadecimal digits. */
  sha256: string;
  /** Epoch milliseconds; undefined when the provider didn't say. */
  modifiedAt: number | undefined;
  /** Hears how much of the archive has come. */
  received(bytes: number): void;
}

interface GeoIpFileDeps {
  directory: string;
  newId: () => string;
}

export class GeoIpFile {
  /** Absolute. */
  readonly path: string;
  readonly #deps: GeoIpFileDeps;

  constructor(deps: GeoIpFileDeps) {
    this.#deps = deps;
    const { directory } = deps;
    this.path = join(directory, NAME);
  }

  /** Undefined when there is none. */
  async facts(): Promise<GeoIpFileFacts | undefined> {
    try {
      const stats = await stat(this.path);
      return stats.isFile() ? { sizeBytes: stats.size, modifiedAt: Math.floor(stats.mtimeMs) } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /**
   * Unpacks the release beside the file, tries it out, and renames it into place: until then the file stays byte for
   * byte, and afterwards nothing else is left, whatever happens.
   * @returns the database, opened
   * @throws GeoIpFormatError for what isn't a City database, 500 when it can't be stored, and what `archive` fails with
   */
  async replaceBy(release: GeoIpRelease): Promise<GeoIpDatabase> {
    const unfinished = join(this.#deps.directory, `${NAME}.${this.#deps.newId()}.part`);
    try {
      await receive(release, unfinished);
      const database = await stored(() => GeoIpDatabase.open(unfinished, "cities"));
      await stored(async () => {
        await rename(unfinished, this.path);
        await syncFolder(this.#deps.directory);
      });
      return database;
    } finally {
      release.archive.destroy();
      // What can't be removed now is found by the next start.
      await rm(unfinished, { force: true }).catch(() => {});
    }
  }

  /** Removes what a crash left half-done. To be called once, at the start. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#deps.directory)) {
      if (UNFINISHED.test(name)) await rm(join(this.#deps.directory, name), { force: true });
    }
  }
}

async function receive({ archive, sha256, modifiedAt, received }: GeoIpRelease, path: string): Promise<void> {
  const file = await stored(() => open(path, "wx", 0o600));
  try {
    const write = (piece: Uint8Array) => stored(() => file.writeFile(piece));
    if ((await unpackDatabase(archive, { write, received })) !== sha256) {
      throw new GeoIpFormatError("The archive doesn't match the provider's checksum.");
    }
    await stored(async () => {
      if (modifiedAt !== undefined) await file.utimes(modifiedAt / 1000, modifiedAt / 1000);
      await file.sync();
    });
  } finally {
    await file.close();
  }
}

/** Whatever the disk refuses. */
async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof GeoIpFormatError) throw cause;
    throw new AppError(500, "geoip_not_stored", "The City database could not be stored.", { cause });
  }
}
