/** The favicon: the operator's own image in DATA_DIR or the built-in one, and a PNG for link previews. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "../../errors.ts";
import { FAVICON_FILES } from "../../lib/data-dir-names.ts";
import { ifExists } from "../../lib/node-errors.ts";
import type { Logger } from "../logger.ts";
import type { CoverImages } from "./cover-images.ts";
import type { Picture } from "./pictures.ts";

const SHIPPED = fileURLToPath(new URL("../../../assets/favicon.svg", import.meta.url));
const MAX_BYTES = 1024 * 1024;

type FaviconPicture = Picture<"image/png">;

interface Source {
  path: string;
  sizeBytes: number;
  /** Changes with the file. */
  version: string;
}

/** How long the default one stands for one that couldn't be drawn at the moment. */
const RETRY_MS = 60_000;

interface Made {
  version: string | undefined;
  picture: Promise<FaviconPicture>;
  /** By `performance.now()`: when it is made again. */
  until: number;
}

interface FaviconDeps {
  images: Pick<CoverImages, "drawFavicon">;
  directory: string;
  log: Logger;
}

export class Favicon {
  readonly #deps: FaviconDeps;
  #made: Made | undefined;

  constructor(deps: FaviconDeps) {
    this.#deps = deps;
  }

  /**
   * 256 × 256 pixels, with transparent margins if the image isn't square. Created once per version of the file; after an
   * error of the system, again.
   */
  async readPicture(): Promise<FaviconPicture> {
    const source = await this.#findOwnSource();
    const version = source?.version;
    const known = this.#made;
    if (known && known.version === version && performance.now() < known.until) return known.picture;
    const retrySoon = () => {
      made.until = performance.now() + RETRY_MS;
    };
    const made: Made = { version, picture: this.#make(source, retrySoon), until: Number.POSITIVE_INFINITY };
    this.#made = made;
    try {
      return await made.picture;
    } catch (error) {
      made.until = 0;
      throw error;
    }
  }

  async #findOwnSource(): Promise<Source | undefined> {
    for (const name of FAVICON_FILES) {
      const path = join(this.#deps.directory, name);
      const stats = await ifExists(stat(path));
      if (!stats?.isFile()) continue;
      const { size: sizeBytes, mtimeMs } = stats;
      return { path, sizeBytes, version: `${path} ${mtimeMs} ${sizeBytes}` };
    }
    return undefined;
  }

  async #make(source: Source | undefined, retrySoon: () => void): Promise<FaviconPicture> {
    if (!source) return this.#draw(SHIPPED);
    try {
      if (source.sizeBytes > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
      return await this.#draw(source.path);
    } catch (error) {
      if (error instanceof AppError && error.status >= 500) retrySoon();
      this.#deps.log.warn({ err: error, file: source.path }, "can't read the favicon; using the default one");
      return this.#draw(SHIPPED);
    }
  }
  async #draw(path: string): Promise<FaviconPicture> {
    return this.#deps.images.drawFavicon(await readFile(path));
  }
}
