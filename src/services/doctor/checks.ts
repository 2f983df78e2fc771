/** Checks that database rows and stored files match: none missing, modified or unreferenced. */
import { basename } from "node:path";
import { type CloudFetch, CloudFetchError } from "../../adapters/cloud-fetch.ts";
import type { FileStore, OpenedBlob, StoredBlob } from "../../adapters/files/file-store.ts";
import { hashFile } from "../../adapters/files/file-store-disk.ts";
import { readFailureOf } from "../../adapters/files/storage-errors.ts";
import { describeMissing, type MissingPart } from "../../db/schema-parts.ts";
import type { IndexLack } from "../../db/searched-texts.ts";
import { type DatabaseState, describe as describeObject, type SchemaObject } from "../../db/soundness.ts";
import { findDirectDownloadUrl } from "../../lib/cloud-links.ts";
import { DATABASE_FILE } from "../../lib/data-dir-names.ts";
import type { BookTexts, ComparedTexts } from "../../repositories/book-texts.ts";
import type { DoctorRepository, KeptRow, LinkRow } from "../../repositories/doctor.repository.ts";
import type { KeptBytesRepository } from "../../repositories/kept-bytes.repository.ts";
import { iterateStoredBatches } from "../files/stored-batches.ts";
import { isSuspicious, measureSetAside } from "../files/stored-files.ts";
import { readPages } from "../shared/export-pages.ts";
import { Service } from "../shared/service.ts";
import { openBytesIfThere } from "../shared/stored-bytes.ts";
import { fileTypeOf } from "../shared/stored-values.ts";
import type { Findings } from "./findings.ts";

interface ByteChecksDeps {
  rows: DoctorRepository;
  store: FileStore;
  files: Pick<KeptBytesRepository, "isReferred" | "findKnown">;
}

/** The examination to which a check belongs. */
export interface Watch {
  /** Once it is aborted, a check ends with its reason before the next object. */
  signal: AbortSignal;
  /** One more file, cover or link has been examined. */
  countExamined(): void;
}

/** Of a command, which ends with its process. */
const UNWATCHED: Watch = { signal: new AbortController().signal, countExamined: () => {} };

const SUSPECTS_AT_ONCE = 500;

export class ByteChecks extends Service<ByteChecksDeps> {
  /** @param isDeep whether files are read and hashed completely; otherwise only their sizes are compared */
  async checkRows(findings: Findings, isDeep: boolean, watch = UNWATCHED): Promise<void> {
    findings.begin("missing_bytes");
    findings.begin("unreadable_bytes");
    if (isDeep) findings.begin("changed_bytes");
    for await (const row of iterateRowsById((id, limit) => this.deps.rows.listFilesAfter(id, limit))) {
      findings.examined.files += 1;
      await this.#checkRow(findings, "file", row, { isDeep, watch });
    }
    for await (const row of iterateRowsById((id, limit) => this.deps.rows.listCoversAfter(id, limit))) {
      findings.examined.covers += 1;
      await this.#checkRow(findings, "cover", row, { isDeep, watch });
    }
    for await (const row of iterateRowsById((id, limit) => this.deps.rows.listReplacedAfter(id, limit)))
      await this.#checkRow(findings, row.kind, { ...row, id: row.placeId }, { isDeep, watch });
  }

  async checkOrphans(findings: Findings, { signal } = UNWATCHED): Promise<void> {
    findings.begin("orphaned_bytes");
    const addUnreadable = (path: string, reason: string) => {
      const name = basename(path);
      findings.add(
        "unreadable_bytes",
        { kind: "bytes", id: path, name },
        `${path} can't be read: ${reason}.`,
      );
    };
    const unknown = await this.#countOrphans(findings, addUnreadable, signal);
    findings.begin("many_orphaned_bytes");
    const total = findings.examined.bytes;
    if (!isSuspicious({ total, unknown })) return;
    findings.add(
      "many_orphaned_bytes",
      { kind: "bytes", id: "", name: "files" },
      `${unknown} of ${total} stored blobs belong to no file and no cover. A start sets none of them aside: most likely the database or the file store is another one.`,
    );
  }

  /** An upload stores its file before its row, so what isn't known is looked up again after all others. */
  async #countOrphans(
    findings: Findings,
    addUnreadable: (path: string, reason: string) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const { store, files } = this.deps;
    const findKnown = (hashes: readonly string[]) => files.findKnown(hashes);
    let suspects: StoredBlob[] = [];
    let unknown = 0;
    const report = async () => {
      const known = await findKnown(suspects.map(({ sha256 }) => sha256));
      for (const { sha256, sizeBytes } of suspects.filter((blob) => !known.has(blob.sha256))) {
        unknown += 1;
        const message = `The stored blob (${sizeBytes} bytes) belongs to no file and no cover.`;
        findings.add("orphaned_bytes", { kind: "bytes", id: sha256, name: sha256 }, message);
      }
      suspects = [];
    };
    for await (const found of iterateStoredBatches(store.list(addUnreadable), findKnown)) {
      signal.throwIfAborted();
      findings.examined.bytes += found.batch.length;
      suspects.push(...found.unknown);
      if (suspects.length >= SUSPECTS_AT_ONCE) await report();
    }
    await report();
    return unknown;
  }

  async measureSetAside({ examined }: Findings): Promise<void> {
    const { files, bytes } = await measureSetAside(this.deps.store);
    examined.removedFiles = files;
    examined.removedBytes = bytes;
  }

  async #checkRow(
    findings: Findings,
    kind: "file" | "cover",
    row: KeptRow,
    { isDeep, watch }: { isDeep: boolean; watch: Watch },
  ): Promise<void> {
    watch.signal.throwIfAborted();
    const object = { kind, id: row.id, name: row.name };
    try {
      const found = await this.#checkBytes(row, isDeep ? watch.signal : undefined);
      if (found !== undefined && kind === "file") findings.wrongContents.add(row.sha256);
      if (found === "missing_bytes") {
        const isSetAside = await this.deps.store.isSetAside(row.sha256);
        findings.add(
          found,
          object,
          isSetAside ? SET_ASIDE : "The stored bytes are missing or have another size.",
        );
      }
      if (found === "changed_bytes") findings.add(found, object, "The stored bytes don't match their hash.");
    } catch (error) {
      // An unreadable file doesn't affect the check of the others.
      const reason = readFailureOf(error);
      if (reason === undefined) throw error;
      findings.add("unreadable_bytes", object, `The stored bytes (${row.sha256}) can't be read: ${reason}.`);
    }
    watch.countExamined();
  }

  /** @param whileReading ends the reading of all bytes; undefined: only their size is compared */
  async #checkBytes(
    row: KeptRow,
    whileReading: AbortSignal | undefined,
  ): Promise<"missing_bytes" | "changed_bytes" | undefined> {
    const blob = (await openBytesIfThere(this.deps.store, row)) ?? (await this.#openAgain(row));
    if (blob === "gone") return undefined;
    if (blob === undefined) return "missing_bytes";
    try {
      if (!whileReading) return undefined;
      return (await hashFile(blob.handle, whileReading)) === row.sha256 ? undefined : "changed_bytes";
    } finally {
      await blob.handle.close();
    }
  }

  /** A file that was deleted together with its row after the row was read isn't missing. */
  async #openAgain(row: KeptRow): Promise<OpenedBlob | "gone" | undefined> {
    return (await this.deps.files.isReferred(row.sha256)) ? openBytesIfThere(this.deps.store, row) : "gone";
  }
}

const SET_ASIDE =
  "The stored bytes are set aside. They come back when the file is downloaded, or at the next start.";

/** Few enough that other hosts don't treat it as an attack. */
const AT_ONCE = 4;
const PATIENCE_MS = 20_000;

export async function checkLinks(
  findings: Findings,
  { rows, cloud }: { rows: DoctorRepository; cloud: CloudFetch },
  watch: Watch,
): Promise<void> {
  findings.begin("cloud_link_broken");
  const links = iterateRowsById((id, limit) => rows.listLinksAfter(id, limit));
  const checkNext = async () => {
    for (let next = await links.next(); !next.done; next = await links.next()) {
      const row = next.value;
      findings.examined.cloudLinks += 1;
      const failure = await findLinkError(row, cloud, watch.signal);
      watch.countExamined();
      if (failure === undefined) continue;
      findings.add("cloud_link_broken", { kind: "file", id: row.id, name: row.name }, failure);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
}

/** Requests the file, and closes the connection before its body arrives. */
async function findLinkError(
  row: LinkRow,
  cloud: CloudFetch,
  ending: AbortSignal,
): Promise<string | undefined> {
  ending.throwIfAborted();
  try {
    const url = findDirectDownloadUrl(row.cloudUrl, fileTypeOf(row));
    const signal = AbortSignal.any([ending, AbortSignal.timeout(PATIENCE_MS)]);
    const body = await cloud.open(url, { acceptHtml: row.fileType === "html", signal });
    body.on("error", () => {}).destroy();
    return undefined;
  } catch (error) {
    if (error instanceof CloudFetchError) return error.message;
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return "The remote host did not respond in time.";
    }
    throw error;
  }
}

/** Compares the searched texts of each book with those of its row and its translations. */
export async function checkTexts(findings: Findings, texts: BookTexts, { signal }: Watch): Promise<void> {
  findings.begin("stale_search_texts");
  for await (const { id, slug } of findStaleTexts(texts)) {
    signal.throwIfAborted();
    const message = "The searched texts aren't those of its titles and descriptions: searches miss the book.";
    findings.add("stale_search_texts", { kind: "book", id, name: slug }, message);
  }
}

const INDEX_LACKS: Record<IndexLack["kind"], string> = {
  extension: "The database has no extension pg_trgm, so each search reads the texts of all books.",
  index: "The texts of books have no index of trigrams, so each search reads all of them.",
  ascii:
    "The database has the lc_ctype C, so its index of trigrams has words of ASCII only: searches in other scripts read the texts of all books.",
};

/** Searches find the same without the index, but take longer. */
export async function checkSearchIndex(findings: Findings, texts: BookTexts): Promise<void> {
  findings.begin("search_index_missing");
  const lack = await texts.findIndexLack();
  if (lack === undefined) return;
  const statement = lack.statement === "" ? "" : ` Statement: ${lack.statement}`;
  const object = { kind: "database", id: "book_texts_trigrams", name: "book_texts" } as const;
  findings.add("search_index_missing", object, `${INDEX_LACKS[lack.kind]}${statement}`);
}

/** The books whose searched texts aren't what follows from their rows. */
export async function* findStaleTexts(texts: BookTexts): AsyncGenerator<ComparedTexts> {
  for await (const book of iterateRowsById((id, limit) => texts.compareAfter(id, limit)))
    if (book.isStale) yield book;
}

/**
 * Checks the integrity of the database, and that it contains no triggers or views.
 * @returns false if pages are damaged: anything read from the database can then be wrong
 */
export function isDatabaseSound(
  findings: Findings,
  { damage, brokenReferences, foreign }: DatabaseState,
): boolean {
  findings.begin("damaged_database");
  for (const message of damage) {
    findings.add("damaged_database", { kind: "database", id: "", name: DATABASE_FILE }, message);
  }
  if (damage.length > 0) return false;
  findings.addAll("broken_reference", brokenReferences, ({ table, rowid, parent }) => ({
    object: { kind: "database", id: String(rowid ?? ""), name: table },
    message: `The row refers to a missing row of ${parent}.`,
  }));
  addForeign(findings, "foreign_trigger", foreign.programs);
  addForeign(findings, "foreign_table", foreign.data);
  return true;
}

/** Compares the indexes and constraints of the database with those that the migrations make. */
export function addMissing(findings: Findings, missing: readonly MissingPart[]): void {
  findings.begin("missing_constraint");
  findings.begin("missing_index");
  for (const part of missing) {
    const check = part.kind === "index" ? "missing_index" : "missing_constraint";
    findings.add(check, { kind: "database", id: part.name, name: part.table }, describeMissing(part));
  }
}

function addForeign(
  findings: Findings,
  check: "foreign_trigger" | "foreign_table",
  objects: readonly SchemaObject[],
): void {
  findings.begin(check);
  for (const each of objects) {
    const message = `This service did not create the ${describeObject(each)}.`;
    findings.add(check, { kind: "database", id: each.name, name: each.table }, message);
  }
}

const PAGE_ROWS = 500;

/** The rows of a table in the order of their ids. */
export async function* iterateRowsById<R extends { id: string }>(
  read: (afterId: string, limit: number) => Promise<readonly R[]>,
): AsyncGenerator<R> {
  for await (const rows of readPages<R>(PAGE_ROWS, (last) => read(last?.id ?? "", PAGE_ROWS))) yield* rows;
}
