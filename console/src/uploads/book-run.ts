/** Stores the files that were dropped on a book, one after the other, also while one looks at other pages. */
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { sendJson } from "../api/send-form.ts";
import { isPending, readSent, waitUntilRead } from "../books/sent-remarks.ts";
import { createCloseWarning } from "../forms/unsaved.ts";
import { createStore, useStore } from "../lib/store.ts";
import { type Draft, readFileName } from "./drafts.ts";
import type { Place } from "./queue.ts";
import { runner } from "./upload-store.ts";

interface BookRun {
  isRunning: boolean;
  isStopping: boolean;
  /** Whether the last run was stopped before its end. */
  wasStopped: boolean;
  hasEnded: boolean;
  done: number;
  of: number;
  /** Why the run ended before its first file. */
  error: unknown;
}

const IDLE: BookRun = {
  isRunning: false,
  isStopping: false,
  wasStopped: false,
  hasEnded: false,
  done: 0,
  of: 0,
  error: undefined,
};

const state = createStore(IDLE);
const change = (part: Partial<BookRun>): void => state.write({ ...state.read(), ...part });

const warn = createCloseWarning();

/** @param newLanguages codes that the service doesn't have */
export async function storeFiles(
  bookId: string,
  drafts: readonly Draft[],
  newLanguages: readonly string[],
): Promise<void> {
  if (state.read().isRunning) return;
  change({ ...IDLE, isRunning: true, of: drafts.length });
  warn(true);
  try {
    for (const code of newLanguages) await runner.repeat([], () => addLanguage(code));
    const titled = new Set(await runner.repeat([], () => listTitled(bookId)));
    for (const draft of drafts) {
      if (state.read().isStopping) break;
      await storeFile(bookId, draft, titled);
      change({ done: state.read().done + 1 });
    }
  } catch (error) {
    change({ error });
  } finally {
    warn(false);
    change({ isRunning: false, isStopping: false, wasStopped: state.read().isStopping, hasEnded: true });
  }
}

/** What is being stored is finished first. */
export const stopRun = (): void => change({ isStopping: true });

export const useBookRun = (): BookRun => useStore(state);

/** @param titled the languages in which the book has a title: none is replaced */
async function storeFile(bookId: string, draft: Draft, titled: Set<string>): Promise<void> {
  const { itemId, languageCode } = draft;
  const ids = [itemId];
  const title = draft.title.trim();
  runner.dispatch({ type: "started", ids, status: "storing" });
  try {
    if (title !== "" && !titled.has(languageCode)) {
      await runner.repeat(ids, () => addTranslation(bookId, languageCode, title));
      titled.add(languageCode);
    }
    const body = await addFile(bookId, draft);
    if (body === undefined) return;
    if (!isFile(body)) throw new Problem(0, {});
    const remarks = readSent(body)?.remarks ?? [];
    const place = { bookId, fileId: body.id, languageCode: body.languageCode, fileType: body.fileType };
    runner.dispatch({ type: "stored", id: itemId, place, remarks });
    if (isPending({ remarks })) void readLate(itemId, place);
  } catch (error) {
    runner.dispatch({ type: "failed", ids, error });
  }
}

const isFile = (body: unknown): body is Schemas["BookFile"] =>
  typeof body === "object" && body !== null && "id" in body && "fileType" in body;

/** The service keeps examined bytes for an hour, and fewer if there are many. */
const isLost = (error: unknown): boolean => error instanceof Problem && error.code === "content_unknown";

/** @returns undefined if the bytes had to be sent again, and that failed */
async function addFile(
  bookId: string,
  { itemId, path, languageCode, fileType, sha256 }: Draft,
): Promise<unknown> {
  const file = { languageCode, fileType, fileName: readFileName(path), sha256 };
  const add = () =>
    runner.repeat([itemId], () =>
      sendJson("POST", `/api/admin/books/${encodeURIComponent(bookId)}/files`, file),
    );
  try {
    return await add();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  if (!(await runner.sendAgain(itemId))) return undefined;
  runner.dispatch({ type: "started", ids: [itemId], status: "storing" });
  return add();
}

async function addLanguage(code: string): Promise<void> {
  const { languages } = await receive(api.GET("/api/admin/languages"));
  // Somebody else, or an attempt whose response was lost, has created it.
  if (languages.some((each) => each.code === code)) return;
  await receive(api.POST("/api/admin/languages", { body: { code } }));
}

async function listTitled(bookId: string): Promise<string[]> {
  const details = await receive(api.GET("/api/admin/books/{bookId}", { params: { path: { bookId } } }));
  return "translations" in details ? details.translations.map(({ languageCode }) => languageCode) : [];
}

async function addTranslation(bookId: string, languageCode: string, title: string): Promise<void> {
  const body = { languageCode, title };
  await receive(api.POST("/api/admin/books/{bookId}/translations", { params: { path: { bookId } }, body }));
}

/** What the service still reads is remarked later. */
async function readLate(id: number, { bookId, fileId }: Place): Promise<void> {
  const read = await waitUntilRead(bookId, fileId).catch(() => undefined);
  if (read) runner.dispatch({ type: "remarked", id, remarks: read.remarks });
}
