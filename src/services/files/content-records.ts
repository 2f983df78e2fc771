/** Reads once what the contents of files say of themselves, and keeps it by hash. */
import { FairQueue, findPresentUser } from "../../adapters/fair-queue.ts";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import type { Cancel } from "../../adapters/system.ts";
import type { Database } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { HOUR } from "../../lib/time.ts";
import type { ContentRow, ContentsRepository } from "../../repositories/contents.repository.ts";
import type { Examination } from "../../schemas/examinations.schemas.ts";
import { asMetadataType, type FileType, METADATA_TYPES } from "../../schemas/file-types.ts";
import { type CommonDeps, Service } from "../shared/service.ts";
import { type Said, saidOf } from "./said.ts";
import type { StoredFiles } from "./stored-files.ts";

/** As the import reads it: undefined for what the file doesn't say. */
type MetadataOf = { readonly [Field in keyof Said]?: string | null | undefined } & {
  /** Why it can't be read. */
  readonly unreadable?: string | undefined;
  readonly coverIsMissing?: boolean | undefined;
};

interface ContentRecordsDeps extends Pick<CommonDeps, "write" | "schedule" | "log"> {
  reads: { contents: ContentsRepository };
  /** On a worker thread: statements on all files. */
  report: { contents: ContentsRepository };
  database: Pick<Database, "runAtOneInstance">;
  stored: Pick<StoredFiles, "findKnown">;
  examiner: { examine(bytes: Inspectable): Promise<Examination> };
}

/** More wait for the next look at what wasn't read. */
const MAX_WAITING = 200;
const UNREAD_AT_ONCE = 100;
/** Of one transaction: other writers wait for it. */
const FORGOTTEN_AT_ONCE = 500;
/** Between two files for which no request waits. */
const PAUSE_MS = 200;
/** Most likely the store has failed: the rest is read an hour later. */
const MOST_FAILURES = 5;

export class ContentRecords extends Service<ContentRecordsDeps> {
  /** One at a time: files that are examined before an import wait for one of these at most. Users take turns. */
  readonly #queue = new FairQueue();
  readonly #reading = new Map<string, Promise<ContentRow | undefined>>();
  #cancel: Cancel = () => {};
  #endPause = () => {};
  #isStopped = false;
  #sweeping: Promise<void> = Promise.resolve();

  /** Whether files of a type say anything of themselves. */
  isRead(fileType: FileType): boolean {
    return asMetadataType(fileType) !== undefined;
  }

  /** What is known of these contents, by hash. */
  async find(hashes: readonly string[]): Promise<Map<string, ContentRow>> {
    const rows = await this.deps.reads.contents.list([...new Set(hashes)]);
    return new Map(rows.map((row) => [row.sha256, row]));
  }

  /**
   * Like `find` for one content, which is read if it wasn't yet; undefined if that takes longer. Of many at once, as in
   * an import, only the first ones are waited for: it would last as long as reading them one by one.
   */
  async read(sha256: string, waitMs: number): Promise<ContentRow | undefined> {
    const known = (await this.find([sha256])).get(sha256);
    if (known) return known;
    const patience = this.#queue.countWaiting(findPresentUser()) > 0 ? 0 : waitMs;
    let cancel: Cancel = () => {};
    const late = new Promise<undefined>((resolve) => {
      cancel = this.deps.schedule(patience, () => resolve(undefined));
    });
    try {
      return await Promise.race([this.readSoon(sha256), late]);
    } finally {
      cancel();
    }
  }

  /** Never fails: what can't be read now is read later. */
  readSoon(sha256: string): Promise<ContentRow | undefined> {
    const known = this.#reading.get(sha256);
    if (known) return known;
    if (this.#isStopped || this.#reading.size >= MAX_WAITING) return Promise.resolve(undefined);
    const reading = this.#queue
      .run(findPresentUser(), () => this.#readNow(sha256))
      .finally(() => this.#reading.delete(sha256));
    this.#reading.set(sha256, reading);
    return reading;
  }

  /** For bytes whose metadata was read already. */
  async record(sha256: string, said: MetadataOf): Promise<void> {
    await this.#put({
      sha256,
      ...saidOf(said),
      isUnreadable: said.unreadable === undefined ? 0 : 1,
      lacksCover: said.coverIsMissing ? 1 : 0,
    });
  }

  async #readNow(sha256: string): Promise<ContentRow | undefined> {
    try {
      return await this.#examine(sha256);
    } catch (error) {
      if (!this.#isStopped)
        this.deps.log.warn({ err: error, sha256 }, "could not read what a file says of itself");
      return undefined;
    }
  }

  async #examine(sha256: string): Promise<ContentRow | undefined> {
    const { stored, examiner } = this.deps;
    if (this.#isStopped) return undefined;
    const bytes = await stored.findKnown(sha256).catch((error: unknown) => {
      // Deleted meanwhile, or lost: the doctor reports that.
      if (error instanceof AppError && error.status === 404) return undefined;
      throw error;
    });
    if (!bytes) return undefined;
    const { metadata, error, coverIsMissing } = await examiner.examine(bytes);
    const isUnreadable = error === null ? 0 : 1;
    const lacksCover = coverIsMissing ? 1 : 0;
    const row: ContentRow = { sha256, ...saidOf(metadata), isUnreadable, lacksCover };
    await this.#put(row);
    return row;
  }

  async #put(row: ContentRow): Promise<void> {
    await this.deps.write(({ contents }) => contents.put(row), { isStatement: true });
  }

  /** Reads what wasn't read, as the files of an earlier version, one by one; until `stop`. */
  start(): void {
    if (this.#isStopped) return;
    this.#sweeping = this.#sweep().then(() => {
      if (!this.#isStopped) this.#cancel = this.deps.schedule(HOUR, () => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#endPause();
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { database, log } = this.deps;
    try {
      await database.runAtOneInstance("contents", () => this.#readUnread());
    } catch (error) {
      if (!this.#isStopped) log.error({ err: error }, "could not read what files say of themselves");
    }
  }

  async #readUnread(): Promise<void> {
    const { report } = this.deps;
    let last = "";
    let failures = 0;
    while (!this.#isStopped) {
      const hashes = await report.contents.listUnread(METADATA_TYPES, last, UNREAD_AT_ONCE);
      for (const sha256 of hashes) {
        if (this.#isStopped) return;
        await this.#queue
          .run(findPresentUser(), () => this.#examine(sha256))
          .catch((error: unknown) => {
            failures += 1;
            if (failures === MOST_FAILURES) throw error;
          });
        await this.#pause();
      }
      const end = hashes.at(-1);
      if (end === undefined) break;
      last = end;
    }
    await this.#forgetUnused();
  }

  async #forgetUnused(): Promise<void> {
    const { report, write } = this.deps;
    while (!this.#isStopped) {
      const hashes = await report.contents.listUnused(FORGOTTEN_AT_ONCE);
      if (hashes.length === 0) return;
      await write(({ contents }) => contents.deleteUnused(hashes));
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#endPause = resolve;
      this.deps.schedule(PAUSE_MS, resolve);
    });
  }
}
