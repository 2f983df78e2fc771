/** The one queue of this window. It goes on while one looks at other pages, and ends with the window. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { sendForm, sendJson } from "../api/send-form.ts";
import { sendCover } from "../books/queries.ts";
import { announceEnd, waitForSession } from "../session/session-end.ts";
import type { FoundFile } from "./dropped-files.ts";
import { hashFile } from "./hash-file.ts";
import { isBusy, type Queue, type Recognised } from "./queue.ts";
import { QueueRunner } from "./runner.ts";
import type { WriteSteps } from "./write-drafts.ts";

/** References to files on the disk of the user: their bytes are read in pieces. */
const files = new Map<number, File>();
let lastId = 0;

function findFile(id: number): File {
  const file = files.get(id);
  if (!file) throw new Error(`There is no file ${id} in the queue`);
  return file;
}

const isExamined = (body: unknown): body is Schemas["ExaminedFile"] =>
  typeof body === "object" && body !== null && "fileType" in body && "metadata" in body && "errors" in body;

const isFile = (body: unknown): body is Schemas["BookFile"] =>
  typeof body === "object" && body !== null && "id" in body && "fileType" in body;

/** The service would take it to the end before it says so. */
export class TooLargeFile extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super();
    this.maxBytes = maxBytes;
  }
}

let maxBytes: number | undefined;

/** @throws TooLargeFile */
async function assertSize({ size }: File): Promise<void> {
  maxBytes ??= (await receive(api.GET("/api/auth/session"))).limits.maxUploadBytes;
  if (size > maxBytes) throw new TooLargeFile(maxBytes);
}

async function examine(id: number, report: (part: number) => void): Promise<Recognised> {
  const file = findFile(id);
  await assertSize(file);
  const form = new FormData();
  form.set("file", file);
  const body = await sendForm("POST", "/api/admin/files/examine", form, report);
  if (!isExamined(body)) throw new Problem(0, {});
  const { fileType, metadata, errors } = body;
  return {
    fileType,
    title: metadata?.title ?? null,
    languageCode: metadata?.languageCode ?? null,
    errors,
  };
}

export const runner = new QueueRunner({
  hash: (id, report) => hashFile(id, findFile(id), report),
  async lookUp(hashes) {
    const body = { sha256: [...hashes] };
    return (await receive(api.POST("/api/admin/files/lookup", { body }))).files;
  },
  send: examine,
  waitForSession() {
    announceEnd();
    return waitForSession();
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** To ask the size of a file takes the browser half a millisecond: some at a time, the page stays fluid. */
const ADDED_AT_ONCE = 50;

/** @param bookId on which they were dropped */
export async function addFiles(found: readonly FoundFile[], bookId?: string): Promise<void> {
  const order = new Intl.Collator(undefined, { numeric: true });
  const sorted = found.toSorted((one, other) => order.compare(one.path, other.path));
  for (let start = 0; start < sorted.length; start += ADDED_AT_ONCE) {
    const added = sorted.slice(start, start + ADDED_AT_ONCE).map(({ path, file }) => {
      lastId += 1;
      files.set(lastId, file);
      return { id: lastId, path, bytes: file.size, modifiedAt: file.lastModified, bookId };
    });
    runner.dispatch({ type: "added", files: added });
    forgetFiles();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

export function removeItems(ids: readonly number[]): void {
  runner.dispatch({ type: "removed", ids });
  forgetFiles();
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

/** The browser asks before a window closes in which something is being uploaded. */
const warn = (event: BeforeUnloadEvent): void => {
  if (isBusy(runner.queue)) event.preventDefault();
};
runner.subscribe(() => {
  if (isBusy(runner.queue)) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
});

/** The files of a book, or those of none. */
export function useQueue(bookId: string | undefined): Queue {
  const queue = useSyncExternalStore(subscribe, () => runner.queue);
  return useMemo(() => queue.filter((item) => item.bookId === bookId), [queue, bookId]);
}

/** Books are read again when files of them were stored. */
export function useRefreshAfter(queue: Queue): void {
  const queries = useQueryClient();
  const stored = queue.filter(({ status }) => status === "stored").length;
  const [shown, setShown] = useState(stored);
  useEffect(() => {
    if (stored === shown) return;
    setShown(stored);
    for (const queryKey of [["books"], ["publications"], ["languages"]])
      void queries.invalidateQueries({ queryKey });
  }, [stored, shown, queries]);
}

const nameOf = (code: string, language: string): string => {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
};

const RTL_SCRIPTS: ReadonlySet<string> = new Set(["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"]);

/** Of the service, through its API. */
export const writeSteps: WriteSteps = {
  async addLanguage(code) {
    const script = new Intl.Locale(code).maximize().script ?? "";
    const body = {
      code,
      name: nameOf(code, "en"),
      nativeName: nameOf(code, code),
      direction: RTL_SCRIPTS.has(script) ? ("rtl" as const) : ("ltr" as const),
    };
    await receive(api.POST("/api/admin/languages", { body }));
  },
  async createBook({ titleEn, slug }) {
    const body = { titleEn: titleEn.trim(), ...(slug !== undefined && { slug }) };
    return (await receive(api.POST("/api/admin/books", { body }))).id;
  },
  async findBook(slug) {
    const query = { search: slug, status: "all" as const, limit: 200 };
    const { books } = await receive(api.GET("/api/admin/books", { params: { query } }));
    return books.find((book) => book.slug === slug)?.id;
  },
  async listTranslations(bookId) {
    const details = await receive(api.GET("/api/admin/books/{bookId}", { params: { path: { bookId } } }));
    return "translations" in details ? details.translations.map(({ languageCode }) => languageCode) : [];
  },
  async addTranslation(bookId, languageCode, title) {
    const body = { languageCode, title };
    await receive(api.POST("/api/admin/books/{bookId}/translations", { params: { path: { bookId } }, body }));
  },
  async addCover(bookId, languageCode, itemId) {
    await sendCover(bookId, languageCode ?? "default", findFile(itemId));
  },
  async addFile(bookId, file) {
    const body = await sendJson("POST", `/api/admin/books/${encodeURIComponent(bookId)}/files`, file);
    if (!isFile(body)) throw new Problem(0, {});
    const { id, languageCode, fileType } = body;
    return { bookId, fileId: id, languageCode, fileType };
  },
};
