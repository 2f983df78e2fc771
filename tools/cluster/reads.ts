/** Those who only read: lists and reports, which contain what any instance has answered. */
import { analyticsSummary } from "../../src/schemas/analytics-reports.schemas.ts";
import { publicBookList } from "../../src/schemas/public.schemas.ts";
import { CutOff, type Response, readJson } from "../lib/service-client.ts";
import type { BookState } from "../recorder/book-state.ts";
import { formatReported, type WorkerDeps } from "../recorder/ledger.ts";
import { UPLOAD_LANGUAGES } from "../recorder/load/books.ts";

/** The most that a page holds. */
const PAGE = 200;

/** Undefined if the database is away, which is right during its outage. */
async function read({ ledger, client }: WorkerDeps, path: string): Promise<Response | undefined> {
  const response = await client.send(path);
  if (response.status === 200) return response;
  if (ledger.isOfDisk(response, `GET ${path}`)) throw new CutOff(`GET ${path} was answered with 503`);
  if (!ledger.isLate(response, `GET ${path}`))
    ledger.unexpected.push(`GET ${path}: ${formatReported(response)}`);
  return undefined;
}

/** Reads the public list: a book that isn't changed meanwhile is in it exactly if it was answered so. */
export async function readList(deps: WorkerDeps): Promise<void> {
  const { ledger, roll } = deps;
  const languageCode = UPLOAD_LANGUAGES[roll(UPLOAD_LANGUAGES.length)] ?? "";
  const { books: states } = ledger;
  const before = new Map(states.keys.map((slug) => [slug, states.settle(slug)]));
  const path = `/api/books?languageCode=${languageCode}&limit=${PAGE}`;
  const response = await read(deps, path);
  if (!response) return;
  const { books } = readJson(response, publicBookList, `GET ${path}`);
  const shown = new Set(books.map(({ slug }) => slug));
  for (const [slug, book] of before) {
    if (book === undefined || states.settle(slug) !== book) continue;
    if (shown.has(slug) === isOffered(book, languageCode)) continue;
    const list = `the list in ${languageCode} of ${response.headers.get("x-instance")}`;
    ledger.unexpected.push(`${list} ${shown.has(slug) ? "has" : "lacks"} ${slug}: ${JSON.stringify(book)}`);
  }
}

const isOffered = ({ isActive, files }: BookState, languageCode: string): boolean =>
  isActive === 1 && files.some((file) => file.languageCode === languageCode && file.isActive === 1);

/** Reads the report: it counts each answered download, and no other. */
export async function readReport(deps: WorkerDeps): Promise<void> {
  const { ledger } = deps;
  const { events } = ledger;
  const least = events.keys.filter((key) => events.getState(key) !== undefined).length;
  const path = "/api/admin/analytics/summary";
  const response = await read(deps, path);
  if (!response) return;
  const { downloads } = readJson(response, analyticsSummary, `GET ${path}`).totals;
  const most = events.keys.length;
  if (downloads >= least && downloads <= most) return;
  const instance = response.headers.get("x-instance");
  ledger.unexpected.push(`the report of ${instance} counts ${downloads} downloads, not ${least} to ${most}`);
}
