/** Writes languages, books, files and covers through the API. */
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { sendJson } from "../api/send-form.ts";
import { coverPath, sendCover } from "../books/queries.ts";
import { readSent } from "../books/sent-remarks.ts";
import type { Plan, PlannedBook } from "./drafts.ts";
import { MAX_DETAILED, type PlanRequest, requestPlan } from "./plan.ts";
import { findFile } from "./upload-store.ts";
import type { WriteSteps } from "./write-drafts.ts";

const isFile = (body: unknown): body is Schemas["BookFile"] =>
  typeof body === "object" && body !== null && "id" in body && "fileType" in body;

/** Why the service doesn't write a book, in its words. */
export class RejectedBook extends Error {}

const isDirection = (text: string): text is Schemas["Direction"] => text === "ltr" || text === "rtl";

type PlannedLanguage = Plan["languages"][number];

async function addLanguage(language: { code: string } & Partial<PlannedLanguage>): Promise<void> {
  const { parentCode, direction, ...given } = language;
  const { languages } = await receive(api.GET("/api/admin/languages"));
  // Somebody else, or an attempt whose response was lost, has created it.
  if (languages.some(({ code }) => code === given.code)) return;
  const parentId = languages.find(({ code }) => code === parentCode)?.id;
  const body = {
    ...given,
    ...(direction !== undefined && isDirection(direction) && { direction }),
    ...(parentId !== undefined && { parentId }),
  };
  await receive(api.POST("/api/admin/languages", { body }));
}

async function readPlanned(request: PlanRequest, slugs: readonly string[]): Promise<PlannedBook[]> {
  const found: PlannedBook[] = [];
  for (let start = 0; start < slugs.length; start += MAX_DETAILED) {
    const { books } = await requestPlan(request, slugs.slice(start, start + MAX_DETAILED));
    found.push(...books.filter(({ details }) => details !== undefined));
  }
  return found;
}

/** @param request what the plan was made of; undefined for files of a known book */
export const createWriteSteps = (request: PlanRequest | undefined): WriteSteps => ({
  addLanguage,
  readPlanned: async (slugs) => (request ? readPlanned(request, slugs) : []),
  async upsertBook(book) {
    const { results } = await receive(api.POST("/api/admin/books/bulk", { body: { books: [book] } }));
    const [result] = results;
    if (!result?.bookId) throw new RejectedBook(result?.error?.replace(/^books\.0\.?/, ""));
    return result.bookId;
  },
  async listTranslations(bookId) {
    const details = await receive(api.GET("/api/admin/books/{bookId}", { params: { path: { bookId } } }));
    return "translations" in details ? details.translations.map(({ languageCode }) => languageCode) : [];
  },
  async addTranslation(bookId, languageCode, title) {
    const body = { languageCode, title };
    await receive(api.POST("/api/admin/books/{bookId}/translations", { params: { path: { bookId } }, body }));
  },
  async addCover(bookId, { languageCode = "default", source }) {
    const body =
      "itemId" in source
        ? await sendCover(bookId, languageCode, findFile(source.itemId))
        : await sendJson("PUT", coverPath(bookId, languageCode), source);
    return readSent(body)?.remarks ?? [];
  },
  async addFile(bookId, file) {
    const body = await sendJson("POST", `/api/admin/books/${encodeURIComponent(bookId)}/files`, file);
    if (!isFile(body)) throw new Problem(0, {});
    const { id, languageCode, fileType } = body;
    const place = { bookId, fileId: id, languageCode, fileType };
    return { place, remarks: readSent(body)?.remarks ?? [] };
  },
});
