/** Reads files: their metadata in a process of its own, which is ended if a file takes too much memory or time. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pLimit from "p-limit";
import type { Content } from "../../../adapters/file-types/content.ts";
import { recogniseContent } from "../../../adapters/file-types/recognise.ts";
import { readCompileCache } from "../../../db/workers/worker-thread.ts";
import { asMetadataType, type FileType, type MetadataType } from "../../../schemas/file-types.ts";
import { findBooksInside } from "../books-inside.ts";
import { type LocalFile, UnusableFileError } from "../local-files.ts";
import { type Metadata, NO_METADATA } from "./metadata.ts";
import { type Outcome, outcome, type Question, READY, type SheetTexts } from "./metadata-messages.ts";

const SCRIPT = fileURLToPath(new URL("./metadata-process.ts", import.meta.url));

export interface ReadingLimits {
  /** Resident memory of the process above that of its start. */
  memoryBytes: number;
  /** For one file. */
  timeMs: number;
}

type OnDetail = (place: string, detail: string) => void;

const LIMITS: ReadingLimits = { memoryBytes: 256 * 1024 * 1024, timeMs: 20_000 };

const START_LIMIT_MS = 20_000;

/** Inflating fills about 50 MB in this time. */
const WATCH_EVERY_MS = 100;

/** With a limit V8 collects earlier, so that the garbage of many files isn't taken for the memory of one. */
const HEAP_MEBIBYTES = 160;

/** The process starts with the first file that has metadata, and serves many. */
export class MetadataReader {
  readonly #limits: ReadingLimits;
  readonly #onDetail: OnDetail;
  /** One file at a time, so that the memory and time of the process are those of that file. */
  readonly #queue = pLimit(1);
  #process: Promise<ReadingProcess> | undefined;
  #isClosed = false;

  /** @param options.onDetail receives what libraries say of a file that they can't read */
  constructor({
    limits = LIMITS,
    onDetail = () => {},
  }: { limits?: ReadingLimits; onDetail?: OnDetail } = {}) {
    this.#limits = limits;
    this.#onDetail = onDetail;
  }

  /** What the content is; read in this process, because it is a bounded part. */
  recognise(file: LocalFile): Promise<Content> {
    return recogniseContent(file);
  }

  /** Why a ZIP isn't a book; undefined if it is one. */
  findBooksInside(file: LocalFile): Promise<string | undefined> {
    return findBooksInside(file);
  }

  /**
   * What can't be read of a book leaves its fields empty, with `unreadable`.
   * @throws UnusableFileError if the file can't be opened, or was replaced
   */
  async read(file: LocalFile, fileType: FileType): Promise<Metadata> {
    const type = asMetadataType(fileType);
    if (type === undefined) return NO_METADATA;
    const read = await this.#ask({ part: "metadata", fileType: type, ...sentOf(file) });
    if ("metadata" in read) {
      const { hasCover, ...metadata } = read.metadata;
      return { ...metadata, cover: hasCover ? () => this.#readCover(file, type) : undefined };
    }
    return { ...NO_METADATA, unreadable: `Its metadata can't be read. ${this.#explain(read, file)}` };
  }

  /**
   * The first sheet of an XLSX workbook.
   * @throws UnusableFileError if the file is damaged, or takes too much memory or time
   */
  async readSheet(file: LocalFile): Promise<SheetTexts> {
    const read = await this.#ask({ part: "sheet", ...sentOf(file) });
    if ("sheet" in read) return read.sheet;
    throw new UnusableFileError(this.#explain(read, file));
  }

  /** Ends the process; pending reads fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    (await this.#process?.catch(() => undefined))?.end();
  }

  async #readCover(file: LocalFile, type: MetadataType): Promise<Buffer> {
    const read = await this.#ask({ part: "cover", fileType: type, ...sentOf(file) });
    if ("cover" in read) return Buffer.from(read.cover);
    throw new UnusableFileError(this.#explain(read, file));
  }

  /**
   * A sentence. What libraries say goes to the log: it can have paths of this machine.
   * @throws UnusableFileError if it is about the file and not its content
   */
  #explain(read: Outcome, { place }: LocalFile): string {
    if (!("error" in read)) return NOT_UNDERSTOOD;
    const { error, isOfFile, detail } = read;
    if (isOfFile) throw new UnusableFileError(error);
    if (detail !== undefined) this.#onDetail(place, detail);
    return error;
  }

  async #ask(given: Question): Promise<Outcome> {
    try {
      const read = outcome.safeParse(await this.#queue(() => this.#askProcess(given)));
      return read.success ? read.data : { error: NOT_UNDERSTOOD };
    } catch (error) {
      if (error instanceof EndedError) return { error: error.message, isOfFile: this.#isClosed };
      throw error;
    }
  }

  async #askProcess(given: Question): Promise<unknown> {
    if (this.#isClosed) throw new EndedError("The reader of metadata has been closed.");
    const process = await this.#start();
    try {
      return await process.ask(given);
    } catch (error) {
      this.#process = undefined;
      // The memory of earlier files can be the reason: this one gets a process of its own.
      const isItsOwn = error instanceof EndedError && error.isByTime;
      if (process.hasServed && !isItsOwn) return this.#askProcess(given);
      throw error;
    }
  }

  async #start(): Promise<ReadingProcess> {
    this.#process ??= ReadingProcess.start(this.#limits);
    try {
      return await this.#process;
    } catch (error) {
      this.#process = undefined;
      throw error;
    }
  }
}

const sentOf = ({ path, sizeBytes, identity }: LocalFile) => ({ path, sizeBytes, identity });

const NOT_UNDERSTOOD = "The process that reads it has sent something else.";

/** The process has ended; the message is a sentence. */
class EndedError extends Error {
  readonly isByTime: boolean;

  constructor(reason: string, { isByTime = false } = {}) {
    super(reason);
    this.isByTime = isByTime;
  }
}

class ReadingProcess {
  readonly #child: ChildProcess;
  readonly #limits: ReadingLimits;
  /** Undefined before the process is ready, and where the system doesn't report it. */
  #startBytes: number | undefined;
  /** Whether it has read a file. */
  hasServed = false;

  private constructor(child: ChildProcess, limits: ReadingLimits) {
    this.#child = child;
    this.#limits = limits;
  }

  static async start(limits: ReadingLimits): Promise<ReadingProcess> {
    const child = fork(SCRIPT, [], {
      execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`],
      // No secret of this process.
      env: readCompileCache(),
      // V8 writes pages when its heap is full.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    // Without a listener, one that comes between two files would end this process.
    child.on("error", () => {});
    const started = new ReadingProcess(child, limits);
    const ready = await started.#waitForMessage(START_LIMIT_MS);
    if (ready !== READY) throw new EndedError("The process that reads it hasn't started.");
    started.#startBytes = await readResidentBytes(child.pid);
    return started;
  }

  /** @throws EndedError */
  async ask(given: Question): Promise<unknown> {
    const message = this.#waitForMessage(this.#limits.timeMs);
    this.#child.send(given);
    const received = await message;
    this.hasServed = true;
    return received;
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  /** The next message. The process ends if it takes too much memory or time. */
  async #waitForMessage(timeMs: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const { memoryBytes } = this.#limits;
    const fail = (reason: string, isByTime = false) => reject(new EndedError(reason, { isByTime }));
    const onEnd = () => fail("The process that reads it has ended.");
    const timer = setTimeout(() => fail(`It takes more than ${timeMs / 1000} s.`, true), timeMs);
    const watch = setInterval(async () => {
      const grown =
        ((await readResidentBytes(this.#child.pid)) ?? 0) - (this.#startBytes ?? Number.POSITIVE_INFINITY);
      if (grown > memoryBytes) fail(`It takes more than ${memoryBytes / 1024 / 1024} MiB of memory.`);
    }, WATCH_EVERY_MS);
    this.#child.once("message", resolve).once("exit", onEnd).once("error", onEnd);
    try {
      return await promise;
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      this.#child.off("message", resolve).off("exit", onEnd).off("error", onEnd);
    }
  }
}

/** The memory of a process that is in use; undefined if it has ended, or where the system doesn't report it. */
async function readResidentBytes(pid: number | undefined): Promise<number | undefined> {
  try {
    const kibibytes =
      process.platform === "linux"
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
        : (await promisify(execFile)("ps", ["-o", "rss=", "-p", `${pid}`])).stdout;
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
