/** The one queue of this window. It goes on while one looks at other pages, and ends with the window. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { repeat } from "../api/retry.ts";
import { sendForm } from "../api/send-form.ts";
import { createCloseWarning } from "../forms/unsaved.ts";
import { createStore, useStore } from "../lib/store.ts";
import { waits } from "../session/session-end.ts";
import { addCatalogues, forgetCatalogues, readCatalogues } from "./catalogues.ts";
import { collect, dropCollecting, findCollecting, sendBytes, startCollected } from "./collecting.ts";
import type { FoundFile } from "./dropped-files.ts";
import { findFileKind, isCatalogue } from "./file-kinds.ts";
import { hashFile } from "./hash-file.ts";
import type { ImportRequest } from "./import-body.ts";
import {
  hasCorrections,
  isBusy,
  type NewFile,
  NOTHING,
  type Queue,
  type QueueItem,
  type Recognised,
} from "./queue.ts";
import { QueueRunner } from "./runner.ts";

/** References to files on the disk of the user: their bytes are read in pieces. */
const files = new Map<number, File>();
let lastId = 0;
const nextId = (): number => {
  lastId += 1;
  return lastId;
};

export function findFile(id: number): File {
  const file = files.get(id);
  if (!file) throw new Error(`There is no file ${id} in the queue`);
  return file;
}

const isExamined = (body: unknown): body is Schemas["ExaminedFile"] =>
  typeof body === "object" && body !== null && "fileType" in body && "metadata" in body && "errors" in body;

/** The service would take it to the end before it says so. */
export class TooLargeFile extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super();
    this.maxBytes = maxBytes;
  }
}

interface Limits {
  maxUploadBytes: number;
  fileTypes: readonly string[];
}

let limits: Limits | undefined;

async function readLimits(): Promise<Limits> {
  limits ??= (await receive(api.GET("/api/auth/session"))).limits;
  return limits;
}

/** @throws TooLargeFile */
async function assertSize({ size }: File): Promise<void> {
  const { maxUploadBytes } = await readLimits();
  if (size > maxUploadBytes) throw new TooLargeFile(maxUploadBytes);
}

async function examine(id: number, report: (part: number) => void): Promise<Recognised> {
  const file = findFile(id);
  const item = runner.queue.find((each) => each.id === id);
  await assertSize(file);
  const body = await (item?.bookId === undefined
    ? sendForImport(file, item, report)
    : sendAlone(file, report));
  // Whether an image is a cover, the plan says by its name.
  if (body === undefined || item?.kind === "image") return NOTHING;
  if (!isExamined(body)) throw new Problem(0, {});
  const { fileType, metadata, errors, errorCodes } = body;
  return {
    fileType,
    title: metadata?.title ?? null,
    languageCode: metadata?.languageCode ?? null,
    errors: errors.map((reason, index) => ({ code: errorCodes[index], reason })),
  };
}

function sendAlone(file: File, report: (part: number) => void): Promise<unknown> {
  const form = new FormData();
  form.set("file", file);
  return sendForm("POST", "/api/admin/files/examine", form, report);
}

/** @returns undefined if the service has the bytes */
async function sendForImport(
  file: File,
  item: QueueItem | undefined,
  report: (part: number) => void,
): Promise<unknown> {
  const sha256 = item?.sha256 ?? "";
  const { id, missing } = await (findCollecting(sha256) ?? collect(describeQueue()));
  // The service says why an empty file is of no use.
  if (!missing.has(sha256) && file.size > 0) return undefined;
  const body = await sendBytes(id, file, report);
  missing.delete(sha256);
  return body;
}

/** All files that were hashed for an import. */
function describeQueue(): ImportRequest {
  const { chosen: catalogue, ignoresColumns } = readCatalogues();
  const files = new Map(
    runner.queue.flatMap(({ path, bookId, sha256 }) =>
      bookId === undefined && sha256 !== undefined ? [[path, sha256] as const] : [],
    ),
  );
  return {
    files: [...files].map(([path, sha256]) => ({ path, sha256 })),
    corrections: [],
    catalogue,
    ignoresColumns,
    cells: [],
  };
}

/**
 * Starts the import of the files that were dropped on no book. Those that couldn't be sent stay in the queue.
 * @throws Problem
 */
export async function startImport(request: ImportRequest, archives: boolean): Promise<void> {
  await startCollected(request, archives, (lost) =>
    sendAgain(request.files.flatMap(({ path, sha256 }) => (lost.has(sha256) ? path : []))),
  );
  const left = ({ bookId, status, recognised }: QueueItem) =>
    bookId !== undefined || (status === "failed" && !recognised);
  forgetItems(runner.queue.filter((item) => !left(item)).map(({ id }) => id));
}

export const runner = new QueueRunner({
  ...waits,
  hash: (id, report) => hashFile(id, findFile(id), report),
  lookUp: (hashes) => receive(api.POST("/api/admin/files/lookup", { body: { sha256: [...hashes] } })),
  send: examine,
});

/** To ask the size of a file takes the browser half a millisecond: some at a time, the page stays fluid. */
const ADDED_AT_ONCE = 50;

/** How many drops are being added. */
const adding = createStore(0);
export const useIsAdding = (): boolean => useStore(adding) > 0;

/** @param bookId on which they were dropped; without it, a file can describe the others */
export async function addFiles(found: readonly FoundFile[], bookId?: string): Promise<void> {
  adding.write(adding.read() + 1);
  try {
    await addSorted(found, bookId);
  } finally {
    adding.write(adding.read() - 1);
  }
}

async function addSorted(found: readonly FoundFile[], bookId: string | undefined): Promise<void> {
  const order = new Intl.Collator(undefined, { numeric: true });
  const sorted = found.toSorted((one, other) => order.compare(one.path, other.path));
  const describes = ({ path }: FoundFile) => bookId === undefined && isCatalogue(path);
  addCatalogues(sorted.filter(describes).map(({ path, file }) => ({ id: nextId(), name: path, file })));
  const files = sorted.filter((each) => !describes(each));
  const fileTypes = await readFileTypes();
  for (let start = 0; start < files.length; start += ADDED_AT_ONCE) {
    runner.dispatch({
      type: "added",
      files: files.slice(start, start + ADDED_AT_ONCE).map((each) => keepFile(each, bookId, fileTypes)),
    });
    forgetFiles();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/**
 * Sends files again whose bytes the service has dropped since it was asked for them.
 * @param paths of files that were dropped on no book
 * @returns whether it has some of them again
 */
export async function sendAgain(paths: readonly string[]): Promise<boolean> {
  const lost = new Set(paths);
  const items = runner.queue.filter(
    ({ path, bookId, status }) =>
      lost.has(path) && bookId === undefined && (status === "ready" || status === "known"),
  );
  const sent = await Promise.all(items.map(({ id }) => runner.sendAgain(id)));
  return sent.includes(true);
}

/** The queue waits for the service later: without its types, everything counts as a book. */
const readFileTypes = async (): Promise<readonly string[] | undefined> => {
  try {
    return (await repeat(readLimits, waits)).fileTypes;
  } catch {
    return undefined;
  }
};

function keepFile(
  { path, file }: FoundFile,
  bookId: string | undefined,
  fileTypes: readonly string[] | undefined,
): NewFile {
  const id = nextId();
  files.set(id, file);
  const kind = fileTypes ? findFileKind(path, fileTypes) : "book";
  // What is dropped on a book is meant for it.
  return {
    id,
    kind: bookId === undefined || kind === "other" ? kind : "book",
    path,
    bytes: file.size,
    modifiedAt: file.lastModified,
    bookId,
  };
}

export function removeItems(ids: readonly number[]): void {
  if (forgetItems(ids)) void dropCollecting();
}

/** @returns whether no file of an import is left */
function forgetItems(ids: readonly number[]): boolean {
  runner.dispatch({ type: "removed", ids });
  forgetFiles();
  const isLeft = runner.queue.some(({ bookId }) => bookId === undefined);
  // Nothing is left that it could describe.
  if (!isLeft) forgetCatalogues();
  return !isLeft;
}

/** Only files of the queue can be asked for. */
function forgetFiles(): void {
  const ids = new Set(runner.queue.map(({ id }) => id));
  for (const id of files.keys()) if (!ids.has(id)) files.delete(id);
}

/** Thousands of files report what they do: the page shows it a few times a second, and what is typed at once. */
const SHOWN_EVERY_MS = 250;

function subscribe(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = runner.subscribe(({ type }) => {
    if (type === "edited") return listener();
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, SHOWN_EVERY_MS);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

const warn = createCloseWarning();
runner.subscribe(() => warn(isBusy(runner.queue) || hasCorrections(runner.queue)));

/** The files of a book, or those of none. */
export function useQueue(bookId: string | undefined): Queue {
  const queue = useSyncExternalStore(subscribe, () => runner.queue);
  return useMemo(() => queue.filter((item) => item.bookId === bookId), [queue, bookId]);
}

const REFRESHED_AFTER_MS = 1000;

/** Books are read again when files of them were stored: once for those that are stored one after the other. */
export function useRefreshAfter(queue: Queue): void {
  const queries = useQueryClient();
  const stored = queue.filter(({ status }) => status === "stored").length;
  const [shown, setShown] = useState(stored);
  useEffect(() => {
    if (stored === shown) return;
    const timer = setTimeout(() => {
      setShown(stored);
      for (const queryKey of [["books"], ["publications"], ["languages"]])
        void queries.invalidateQueries({ queryKey });
    }, REFRESHED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [stored, shown, queries]);
}
