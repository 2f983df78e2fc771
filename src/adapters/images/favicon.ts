/** The favicon: the operator's own image in DATA_DIR or the built-in one, and a PNG for link previews. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FAVICON_FILES } from "../../lib/data-dir-names.ts";
import { isMissing } from "../../lib/node-errors.ts";
import type { Logger } from "../logger.ts";
import type { Picture } from "./pictures.ts";

const SHIPPED = fileURLToPath(new URL("../../../assets/favicon.svg", import.meta.url));
const SIDE = 256;
const MAX_BYTES = 1024 * 1024;

type FaviconPicture = Picture<"image/png">;

/** A version of a file, identified by its modification time and size. */
interface Source {
  path: string;
  modifiedAt: number;
  sizeBytes: number;
}

interface FaviconDeps {
  directory: string;
  log: Logger;
}

export class Favicon {
  readonly #deps: FaviconDeps;
  #made: { source: Source | undefined; picture: Promise<FaviconPicture> } | undefined;

  constructor(deps: FaviconDeps) {
    this.#deps = deps;
  }

  /** 256 × 256 pixels, with transparent margins if the image isn't square. Created once per version of the file. */
  async picture(): Promise<FaviconPicture> {
    const source = await this.#ownSource();
    if (!this.#made || !isSame(this.#made.source, source)) {
      this.#made = { source, picture: this.#make(source) };
    }
    return this.#made.picture;
  }

  async #ownSource(): Promise<Source | undefined> {
    for (const name of FAVICON_FILES) {
      const path = join(this.#deps.directory, name);
      const stats = await stat(path).catch(undefinedIfMissing);
      if (stats?.isFile()) return { path, modifiedAt: stats.mtimeMs, sizeBytes: stats.size };
    }
    return undefined;
  }

  async #make(source: Source | undefined): Promise<FaviconPicture> {
    if (!source) return pictureOf(SHIPPED);
    try {
      if (source.sizeBytes > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
      return await pictureOf(source.path);
    } catch (error) {
      this.#deps.log.warn({ err: error, file: source.path }, "can't read the favicon; using the default one");
      return pictureOf(SHIPPED);
    }
  }
}

const isSame = (one: Source | undefined, other: Source | undefined): boolean =>
  one?.path === other?.path && one?.modifiedAt === other?.modifiedAt && one?.sizeBytes === other?.sizeBytes;

/** sharp is loaded when the favicon is first requested. */
async function pictureOf(path: string): Promise<FaviconPicture> {
  const { decoded, encoded, fitted } = await import("./pictures.ts");
  return encoded(fitted(decoded(await readFile(path)), SIDE), "image/png", "sending");
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
