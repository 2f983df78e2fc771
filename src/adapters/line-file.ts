/** A small file of lines in the data folder that only the service reads, appended to and replaced durably. */
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UNWRITTEN_FILE } from "../lib/data-dir-names.ts";
import { createYielder } from "../lib/event-loop.ts";
import { ifExists } from "../lib/node-errors.ts";
import { syncFolder } from "./files/file-store-disk.ts";
import { unfinished } from "./files/named-file.ts";

const OWNER_ONLY = 0o600;
/** Lines that are written together. */
const CHUNK_CHARACTERS = 64 * 1024;

export class LineFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The lines, also the last one if it is cut off; none if the file doesn't exist. */
  async *read(): AsyncGenerator<string> {
    const opened = await ifExists(open(this.path, "r"));
    if (!opened) return;
    await using file = opened;
    let rest = "";
    for await (const chunk of file.createReadStream({ encoding: "utf8", autoClose: false })) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  }

  /** Resolves once the lines are on the disk. After an error, a part of them may be in the file. */
  async append(lines: Iterable<string>): Promise<void> {
    await using file = await open(this.path, "a", OWNER_ONLY);
    await file.writeFile(joinLines(lines));
    await file.datasync();
  }

  /** After an error or a crash, the file is as before. */
  async replace(lines: Iterable<string>): Promise<void> {
    const part = unfinished(this.path);
    try {
      await this.#writeAll(part, lines);
      await rename(part, this.path);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolder(dirname(this.path));
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  async #writeAll(path: string, lines: Iterable<string>): Promise<void> {
    await using file = await open(path, "w", OWNER_ONLY);
    await file.writeFile(joinLines(lines));
    await file.sync();
  }
}

/** The file of the redemptions that wait for the database. */
export const openUnwrittenFile = (dataDir: string) => new LineFile(join(dataDir, UNWRITTEN_FILE));

/** Yields to the event loop, because ten thousand lines take longer to become text than it may be blocked. */
async function* joinLines(lines: Iterable<string>): AsyncGenerator<string> {
  const yieldToEventLoop = createYielder();
  let chunk = "";
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = "";
    }
    await yieldToEventLoop();
  }
  if (chunk !== "") yield chunk;
}
