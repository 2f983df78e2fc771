/** Random uploads, replacements, deletions, reads, sweeps, crashes and restores on two instances: every row keeps its bytes. */
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, vi } from "vitest";
import type { ByteHandle, FileStore, OpenedBlob } from "../../src/adapters/files/file-store.ts";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { createIdSource, type Scheduler } from "../../src/adapters/system.ts";
import type { Database } from "../../src/db/database.ts";
import { AppError, unavailable } from "../../src/errors.ts";
import { HOUR } from "../../src/lib/time.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { createWriters, readersOf } from "../../src/repositories/index.ts";
import { BookLifecycleService } from "../../src/services/books/book-lifecycle.service.ts";
import { createStoredFiles } from "../../src/services/files/create-stored-files.ts";
import { FilesService } from "../../src/services/files/files.service.ts";
import { FakeClock } from "./clock.ts";
import { createTxt, hashBytes } from "./stored-files.ts";

const BY = createSystemAuthor("walk");
/** Few, so that the same bytes are often at several places. */
const TEXTS = Array.from({ length: 3 }, (_, index) => `text ${index}`);
const HASHES = TEXTS.map((text) => hashBytes(createTxt(text)));
const BOOKS = ["book-a", "book-b"];
const LANGUAGES = ["es", "ar"];
const TABLES = ["book_files", "replaced_bytes", "released_bytes", "last_sweep"] as const;

/** A generator of numbers below 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What an instance does ends here, as by SIGKILL: it never hears of it. */
const never = new Promise<never>(() => {});

interface Life {
  /** Number of steps after which the instance is killed; undefined: not at all. */
  fuse: number | undefined;
  died: PromiseWithResolvers<void>;
}

type Instance = ReturnType<BytesWalk["start"]>;
type Step = <T>(work: () => Promise<T>) => Promise<T>;
type TableRows = Record<string, unknown>[];
interface Backup {
  rows: Map<string, TableRows>;
  hashes: string[];
}

interface WalkOptions {
  dataDir: string;
  /** One for each instance; a single one is shared. */
  databases: readonly [Database, Database];
  seed: number;
}

export class BytesWalk {
  readonly #options: WalkOptions;
  readonly #random: () => number;
  readonly #clock = new FakeClock();
  readonly #newId = createIdSource(this.#clock);
  readonly #store: FolderStore;
  readonly #reads: ReturnType<typeof readersOf>["reads"];
  /** Removals that the store does only after it has reported an error. */
  readonly #late: (() => Promise<void>)[] = [];
  /** Those of killed instances would be closed when their memory is freed. */
  readonly #handles: ByteHandle[] = [];
  /** Tasks that run at one instance, with those that run them. */
  readonly #tasks = new Map<string, Life>();
  #lives: Life[] = [];
  #instances: Instance[] = [];
  /** How often the store fails, of a hundred requests. */
  #sickness = 0;
  #waitedMs = 0;
  /** Most works of a round are about the same bytes. */
  #focus = "";
  #backup: Backup | undefined;
  readonly done = new Map<string, number>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    const directory = join(options.dataDir, "files");
    this.#store = new FolderStore({ directory, newId: this.#newId });
    this.#reads = readersOf(options.databases[0], []).reads;
  }

  async prepare(): Promise<void> {
    const [database] = this.#options.databases;
    // Waiting takes no time.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + this.#waitedMs);
    const times = { createdAt: 1, updatedAt: 1, isActive: 1, legacyDownloadCount: 0 } as const;
    await database.commit(async () => {
      for (const [index, code] of LANGUAGES.entries()) {
        const names = { code, codeKey: code, name: code, nativeName: code, direction: "ltr" } as const;
        await database.writer
          .insertInto("languages")
          .values({ id: index + 1, ...names, ...times })
          .execute();
      }
      for (const [index, id] of BOOKS.entries()) {
        const book = { id, slug: id, titleEn: id, description: "", sortOrder: index, searchText: "" };
        await database.writer
          .insertInto("books")
          .values({ ...book, ...times })
          .execute();
      }
      await database.writer
        .updateTable("installation")
        .set({ serviceId: "walk" })
        .where("serviceId", "is", null)
        .execute();
    });
    for (const index of [0, 1]) await this.restart(index);
    await this.#instance(0).released.recordFirst();
  }

  #roll(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #choose<T>(items: readonly T[]): T | undefined {
    return items[this.#roll(items.length)];
  }

  #instance(index: number): Instance {
    const instance = this.#instances[index];
    if (!instance) throw new Error("There is no instance");
    return instance;
  }

  readonly #schedule: Scheduler = (delayMs, work) => {
    let isCancelled = false;
    setImmediate(() => {
      this.#waitedMs += delayMs;
      if (!isCancelled) work();
    });
    return () => {
      isCancelled = true;
    };
  };

  /** A step of an instance, before and after which it can be killed. */
  #step(life: Life): Step {
    const burn = () => {
      if (life.fuse !== undefined) life.fuse -= 1;
      if (life.fuse === undefined || life.fuse > 0) return undefined;
      life.died.resolve();
      return never;
    };
    return async (work) => {
      // Some steps are slow, so that others happen between two of them.
      const turns = this.#roll(6) === 0 ? this.#roll(60) : this.#roll(4);
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      await burn();
      const result = await work();
      await burn();
      return result;
    };
  }

  /** The store as an instance sees it: it can fail before or after it has done something, or do it much later. */
  #sickStore(step: Step): FileStore {
    const failure = () => unavailable("storage_unavailable", "The store is sick.");
    const visit = <T>(name: string, work: () => Promise<T>): Promise<T> =>
      step(async () => {
        if (this.#roll(100) >= this.#sickness) return work();
        const kind = this.#roll(3);
        if (kind === 0 && (name === "remove" || name === "removeSetAside"))
          this.#late.push(async () => void (await work()));
        else if (kind === 1) await work();
        throw failure();
      });
    return new Proxy<FileStore>(this.#store, {
      get: (store, name) => {
        const member: unknown = Reflect.get(store, name, store);
        if (typeof member !== "function") return member;
        if (name === "open")
          return (sha256: string) => visit("open", async () => this.#track(await store.open(sha256)));
        const method = member.bind(store);
        const isAtOnce = ["list", "listSetAside", "isNamed", "nameToProxy"].includes(String(name));
        return isAtOnce ? method : (...given: unknown[]) => visit(String(name), () => method(...given));
      },
    });
  }

  #track(blob: OpenedBlob): OpenedBlob {
    this.#handles.push(blob.handle);
    return blob;
  }

  /** Unless another instance that lives is doing so. */
  async #runAlone(life: Life, name: string, work: (lost: AbortSignal) => Promise<void>): Promise<boolean> {
    const holder = this.#tasks.get(name);
    if (holder && (holder.fuse ?? 1) > 0) return false;
    this.#tasks.set(name, life);
    await work(new AbortController().signal).finally(
      () => this.#tasks.get(name) === life && this.#tasks.delete(name),
    );
    return true;
  }

  start(index: number) {
    const life: Life = { fuse: undefined, died: Promise.withResolvers() };
    this.#lives[index] = life;
    const step = this.#step(life);
    const database = this.#options.databases[index] ?? this.#options.databases[0];
    const { reads } = readersOf(database, []);
    const clock = this.#clock;
    const writers = createWriters({ database, clock, addressStorage: "full" });
    const write: typeof writers.writeRecords = (work) => step(() => writers.writeRecords(work));
    const change: typeof writers.changeCatalogue = (by, work) =>
      step(() => writers.changeCatalogue(by, work));
    const common = { clock, newId: this.#newId, reads, report: { ...reads }, change };
    const bytes = createStoredFiles({
      ...common,
      config: { replacedFilesDays: this.#options.seed % 2 === 0 ? 2 : 0 },
      store: this.#sickStore(step),
      write,
      database: { ...database, runAtOneInstance: (name, work) => this.#runAlone(life, name, work) },
      schedule: this.#schedule,
      log: pino({ enabled: false }),
      isClockTrusted: () => true,
    });
    const files = new FilesService({ ...common, ...bytes, cloudAllowHosts: [] });
    const books = new BookLifecycleService({ ...common, ...bytes });
    return { ...bytes, files, books, life, reads };
  }

  /** A new process in the place of one that has ended. */
  async restart(index: number): Promise<void> {
    const started = this.start(index);
    this.#instances[index] = started;
    await started.stored.sweep().catch(rejectUnexpected);
  }

  /** Some works at once, after which every row has its bytes. */
  async walkOn(): Promise<void> {
    this.#sickness = this.#roll(4) === 0 ? 30 : 0;
    this.#focus = this.#choose(TEXTS) ?? "";
    if (this.#roll(4) === 0) this.#light(this.#roll(2));
    const works = Array.from({ length: 1 + this.#roll(8) }, () => this.#work(this.#roll(2)));
    await Promise.all(works);
    if (this.#roll(2) === 0) for (const work of this.#late.splice(0)) await work();
    this.#sickness = 0;
    for (const [index, { fuse }] of this.#lives.entries())
      if (fuse !== undefined && fuse <= 0) await this.restart(index);
      else this.#instance(index).life.fuse = undefined;
    await this.expectBytes();
    if (this.#roll(5) === 0) await this.#pause();
  }

  #light(index: number): void {
    this.#instance(index).life.fuse = 1 + this.#roll(40);
  }

  async #work(index: number): Promise<void> {
    const { life } = this.#instance(index);
    const rows = (await Promise.all(BOOKS.map((id) => this.#reads.files.listOfBook(id)))).flat();
    const row = this.#choose(rows);
    const [name, work] =
      this.#choose(this.#listWorks(index, row && { bookId: row.bookId, fileId: row.id })) ?? [];
    if (name === undefined || work === undefined) return;
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
    await Promise.race([work().catch(rejectUnexpected), life.died.promise]);
  }

  #listWorks(index: number, place: { bookId: string; fileId: string } | undefined) {
    const instance = this.#instance(index);
    const { files, books, released, stored, reads } = instance;
    const text = this.#roll(5) === 0 ? (this.#choose(TEXTS) ?? "") : this.#focus;
    const sha256 = hashBytes(createTxt(text));
    const bookId = this.#choose(BOOKS) ?? "";
    const languageCode = this.#choose(LANGUAGES) ?? "";
    const fields = { languageCode, fileType: "txt" } as const;
    const works: [string, () => Promise<unknown>][] = [
      ["upload", () => this.#receive(text, (upload) => files.addUpload(BY, bookId, fields, upload))],
      ["addKnown", () => files.addDescribed(BY, bookId, { ...fields, fileName: "a.txt", sha256 })],
      ["sweep", () => released.run()],
      ["sweepUnknown", () => stored.setAsideUnknown()],
    ];
    if (!place) return works;
    const deleteForEver = async () => {
      await books.remove(BY, place.bookId);
      await this.#addBook(place.bookId);
    };
    const removeReplaced = async () => {
      const [last] = await reads.replacedBytes.listOf({ fileId: place.fileId });
      if (last) await files.removeReplaced(BY, { ...place, sha256: last.sha256 });
    };
    return [
      ...works,
      ["replace", () => this.#receive(text, (upload) => files.replaceContent(BY, place, upload))],
      ["replace", () => this.#receive(text, (upload) => files.replaceContent(BY, place, upload))],
      [
        "undo",
        async () => {
          const [last] = await reads.replacedBytes.listOf({ fileId: place.fileId });
          if (last) await files.replaceWithStored(BY, place, { sha256: last.sha256 });
        },
      ],
      ["known", () => files.replaceWithStored(BY, place, { sha256 })],
      ["removeReplaced", removeReplaced],
      ["delete", () => files.delete(BY, place)],
      ["deleteForEver", deleteForEver],
      ["deleteForEver", deleteForEver],
      ["read", () => this.#read(instance, place)],
    ] satisfies [string, () => Promise<unknown>][];
  }

  async #receive(
    text: string,
    work: (upload: Awaited<ReturnType<BytesWalk["receive"]>>) => Promise<unknown>,
  ) {
    const upload = await this.receive(text);
    // A crash leaves it, and the next start deletes it.
    await work(upload).finally(() => upload.discard());
  }

  async receive(text: string) {
    const received = await this.#store.receive(Readable.from([createTxt(text)]), { maxBytes: 100 });
    const open = async () => {
      const handle = await received.open();
      this.#handles.push(handle);
      return handle;
    };
    return { ...received, open, originalName: "a.txt" };
  }

  /** An open file is read to its end. */
  async #read({ stored }: Instance, { bookId, fileId }: { bookId: string; fileId: string }): Promise<void> {
    const row = await this.#reads.files.findOfBook(bookId, fileId);
    if (!row?.sha256) return;
    const { handle, sizeBytes } = await stored.open(row.sha256);
    await using opened = handle;
    const bytes = Buffer.alloc(sizeBytes);
    await opened.read(bytes, 0, 2, 0);
    for (let turns = this.#roll(20); turns > 0; turns -= 1) await new Promise(setImmediate);
    await opened.read(bytes, 2, sizeBytes - 2, 2);
    expect(hashBytes(bytes)).toBe(row.sha256);
  }

  async #addBook(id: string): Promise<void> {
    const [database] = this.#options.databases;
    const book = { id, slug: id, titleEn: id, description: "", sortOrder: 1, searchText: "" };
    const times = { createdAt: 1, updatedAt: 1, isActive: 1, legacyDownloadCount: 0 } as const;
    await database.commit(async () => {
      await database.writer
        .insertInto("books")
        .values({ ...book, ...times })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  /** Time passes, or an older state of the database comes back, with the bytes of its backup. */
  async #pause(): Promise<void> {
    // What a store does late, it does within minutes.
    for (const work of this.#late.splice(0)) await work();
    const kind = this.#roll(6);
    if (kind === 0) this.#backup = await this.#backUp();
    else if (kind === 1 && this.#backup) await this.#restore(this.#backup);
    else this.#clock.advance(this.#choose([60_000, 6 * 60_000, HOUR, 2 * HOUR, 25 * HOUR, 50 * HOUR]) ?? 0);
    await this.expectBytes();
  }

  async #backUp(): Promise<Backup> {
    const [{ read }] = this.#options.databases;
    const rows = new Map<string, TableRows>();
    for (const table of TABLES) rows.set(table, await read.selectFrom(table).selectAll().execute());
    return { rows, hashes: [...(await this.#listNamed())] };
  }

  async #restore({ rows, hashes }: Backup): Promise<void> {
    for (const book of BOOKS) await this.#addBook(book);
    const [database] = this.#options.databases;
    await database.commit(async () => {
      for (const table of TABLES.toReversed()) await database.writer.deleteFrom(table).execute();
      for (const table of TABLES)
        for (const row of rows.get(table) ?? []) await insertRow(database, table, row);
    });
    for (const text of TEXTS) {
      if (hashes.includes(hashBytes(createTxt(text)))) await this.#store.keep(await this.receive(text));
    }
    for (const index of [0, 1]) await this.restart(index);
  }

  async #listNamed(): Promise<ReadonlySet<string>> {
    return this.#reads.keptBytes.findReferred(HASHES);
  }

  async expectBytes(): Promise<void> {
    for (const sha256 of await this.#listNamed()) {
      const isThere = (await this.#store.has(sha256)) || (await this.#store.isSetAside(sha256));
      expect(isThere, `seed ${this.#options.seed}: a row names ${sha256}, whose bytes are gone`).toBe(true);
    }
  }

  /** After a start and two sweeps with the clock set on, only bytes are left that rows name. */
  async end(): Promise<void> {
    for (const handle of this.#handles.splice(0)) await handle.close();
    for (const work of this.#late.splice(0)) await work();
    await this.restart(0);
    await this.#instance(0).stored.setAsideUnknown();
    for (const _ of [1, 2]) {
      this.#clock.advance(HOUR);
      await this.#instance(0).released.run();
      await this.expectBytes();
    }
    const left = (await Array.fromAsync(this.#store.list())).map(({ sha256 }) => sha256).toSorted();
    const named = await this.#listNamed();
    expect(
      left.filter((sha256) => !named.has(sha256)),
      `seed ${this.#options.seed}`,
    ).toEqual([]);
  }
}

async function insertRow({ writer }: Database, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  const values = sql.join(Object.values(row));
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(writer);
}

/** The errors that a client may see. */
function rejectUnexpected(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
