/** Takes back what an import has changed, book by book; what somebody has changed since stays, and is named. */
import type { Clock } from "../../../adapters/system.ts";
import { AppError, type Progress } from "../../../errors.ts";
import type { BookRow } from "../../../repositories/books.repository.ts";
import type { Author, Change } from "../../../repositories/change.ts";
import type { FileRow } from "../../../repositories/files.repository.ts";
import type {
  CatalogueRepositories,
  ChangeCatalogue,
  ReportRepositories,
} from "../../../repositories/index.ts";
import { DEFAULT_COVER } from "../../../schemas/covers.schemas.ts";
import { cloudFileCreation } from "../../../schemas/files.schemas.ts";
import type { ImportUndo, KeptCode } from "../../../schemas/import-runs.schemas.ts";
import { bookObject } from "../../../services/books/books.service.ts";
import { presentFile } from "../../../services/files/presenters.ts";
import type { Services } from "../../../services/index.ts";
import { type BookChanges, listChangedBooks } from "./import-changes.ts";
import { type ContentSpan, collectChanges, type KnownBookChanges, type LoggedContent } from "./known-book.ts";
import { type BookInWork, type Returned, returnEditions, returnFields, returnLinks } from "./return-texts.ts";
import { isSame } from "./spans.ts";

export interface ImportUndoDeps {
  reads: Pick<CatalogueRepositories, "books" | "files" | "covers" | "translations" | "languages">;
  /** On a worker thread. */
  report: Pick<ReportRepositories, "audit">;
  changeCatalogue: ChangeCatalogue;
  services: Pick<Services, "covers" | "files">;
  clock: Clock;
}

interface Run {
  author: Author;
  /** Of the requests that have started the import. */
  requestIds: readonly string[];
  /** Of an earlier undo that didn't reach its end; it is added to. */
  undo: ImportUndo;
  signal: AbortSignal;
  report(progress: Progress): void;
  /** Throws if who has started the undo has lost a right since. */
  assertPermitted(): Promise<void>;
}

const REASONS: Readonly<Record<KeptCode, string>> = {
  changed_since: "It was changed since the import.",
  content_gone: "Its former content is no longer kept.",
  not_recorded: "Its former texts are too long for the audit log.",
};

/** Ends between two books when the signal is aborted. */
export async function undoImport(deps: ImportUndoDeps, run: Run): Promise<void> {
  const { undo, signal } = run;
  undo.kept = [];
  const books = await listChangedBooks(deps, run.requestIds);
  for (const [done, changes] of books.entries()) {
    signal.throwIfAborted();
    run.report({ done, of: books.length });
    await run.assertPermitted();
    const book = await deps.reads.books.find(changes.bookId);
    if (!book) continue;
    const returned: Returned = {
      counts: { archived: 0, inactive: 0, restored: 0 },
      kept: new Set(),
      changes: [],
    };
    if (changes.madeIn === undefined) await undoKnown(deps, run, changes, returned);
    else await undoNew(deps, run, { book, madeIn: changes.madeIn, changes }, returned);
    undo.archived += returned.counts.archived;
    undo.inactive += returned.counts.inactive;
    undo.restored += returned.counts.restored;
    const { id: bookId, slug } = book;
    undo.kept.push(...[...returned.kept].map((code) => ({ bookId, slug, code, reason: REASONS[code] })));
  }
}

async function undoNew(
  { reads, report, changeCatalogue, clock }: ImportUndoDeps,
  { author, requestIds }: Run,
  { book, madeIn, changes }: { book: BookRow; madeIn: number; changes: BookChanges },
  { counts, kept }: Returned,
): Promise<void> {
  if (book.isActive === 0) return;
  const parts = [
    ...(await reads.files.listOfBook(book.id)),
    ...(await reads.translations.listOfBook(book.id)),
    ...(await reads.covers.listOfBook(book.id)),
  ];
  const ids = [...new Set([book.id, ...changes.addedFileIds, ...parts.map(({ id }) => id)])];
  if (await report.audit.isChangedByOthers(ids, madeIn, requestIds)) return void kept.add("changed_since");
  await changeCatalogue(author, async ({ books }) => {
    const before = await books.find(book.id);
    if (before?.isActive !== 1) return { response: undefined, change: undefined };
    if (before.updatedAt !== book.updatedAt) {
      kept.add("changed_since");
      return { response: undefined, change: undefined };
    }
    const now = clock.now();
    const archived = { isActive: 0, archivedAt: now, archivedBy: author.name, updatedAt: now } as const;
    const after = await books.update(book.id, archived);
    counts.archived += 1;
    const change: Change = { action: "archive", object: bookObject(after), before, after };
    return { response: undefined, change, reach: { bookId: book.id } };
  });
}

async function undoKnown(
  deps: ImportUndoDeps,
  run: Run,
  { bookId, rowIds }: BookChanges,
  returned: Returned,
): Promise<void> {
  const changes = collectChanges(await deps.report.audit.listByIds(rowIds));
  if (changes.isCut) returned.kept.add("not_recorded");
  for (const content of changes.contents.values()) await returnContent(deps, run, bookId, content, returned);
  await deps.changeCatalogue(run.author, async (repositories) => {
    const book = await repositories.books.find(bookId);
    if (!book) return { response: undefined, change: undefined };
    const now = deps.clock.now();
    const work: BookInWork = { repositories, book, files: [], now };
    work.files = await repositories.files.listOfBook(bookId);
    await deactivateAdded(work, changes, returned);
    await returnLinks(work, changes, returned);
    work.files = await repositories.files.listOfBook(bookId);
    await returnFields(work, changes, returned);
    await returnEditions(work, changes, returned);
    return { response: undefined, change: returned.changes };
  });
}

async function deactivateAdded(
  { repositories, files, now }: BookInWork,
  { contents }: KnownBookChanges,
  { counts, kept, changes }: Returned,
): Promise<void> {
  for (const { id, kind, before, after } of contents.values()) {
    const file = files.find((each) => each.id === id);
    if (kind !== "file" || before || file?.isActive !== 1) continue;
    if (!hasContent(file, after)) {
      kept.add("changed_since");
      continue;
    }
    const row = await repositories.files.update(id, { isActive: 0, updatedAt: now });
    const object = { kind: "file", id, name: row.fileName } as const;
    const { languageCode } = file;
    changes.push({ action: "update", object, before: file, after: { ...row, languageCode } });
    counts.inactive += 1;
  }
}

type Content = Pick<FileRow, "sha256"> & Partial<Pick<FileRow, "fileName" | "cloudUrl">>;

/** Whether a place has what the import has put there. */
const hasContent = (current: Content, { sha256, fileName = current.fileName, cloudUrl }: LoggedContent) =>
  current.sha256 === sha256 && current.fileName === fileName && isSame(current.cloudUrl, cloudUrl ?? null);

/** Gives a place its former bytes. They are no part of the transaction: they are stored before. */
async function returnContent(
  deps: ImportUndoDeps,
  run: Run,
  bookId: string,
  span: ContentSpan,
  { counts, kept }: Returned,
): Promise<void> {
  const work = span.kind === "file" ? returnFile : returnCover;
  try {
    const outcome = await work(deps, run.author, bookId, span);
    if (outcome === "restored") counts.restored += 1;
    else if (outcome) kept.add(outcome);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    kept.add(error.status === 412 ? "changed_since" : "content_gone");
  }
}

type Outcome = "restored" | KeptCode | undefined;

async function returnFile(
  { reads, services }: ImportUndoDeps,
  author: Author,
  bookId: string,
  { id: fileId, before, after }: ContentSpan,
): Promise<Outcome> {
  const file = before && (await reads.files.findOfBook(bookId, fileId));
  if (!file || file.sha256 === before.sha256) return undefined;
  if (!hasContent(file, after)) return "changed_since";
  const { sha256, cloudUrl, fileName = file.fileName } = before;
  if (typeof sha256 === "string") {
    const expected = [presentFile(file).version];
    await services.files.replaceWithStored(author, { bookId, fileId }, { sha256, fileName }, expected);
    return "restored";
  }
  if (typeof cloudUrl !== "string") return "content_gone";
  // A link can't take the place of bytes: it becomes a file beside them, which then are inactive.
  const { languageCode, fileType } = presentFile(file);
  const { sourceType, fileSizeBytes } = before;
  const link = { languageCode, fileType, sourceType, cloudUrl, fileName, fileSizeBytes };
  await services.files.addCloudLink(author, bookId, cloudFileCreation.parse(link));
  return "restored";
}

async function returnCover(
  { reads, services }: ImportUndoDeps,
  author: Author,
  bookId: string,
  { id, before, after }: ContentSpan,
): Promise<Outcome> {
  const cover = (await reads.covers.listOfBook(bookId)).find((each) => each.id === id);
  if (!cover || (before && cover.sha256 === before.sha256)) return undefined;
  if (cover.sha256 !== after.sha256) return "changed_since";
  const code = cover.languageCode ?? DEFAULT_COVER;
  if (!before) await services.covers.delete(author, bookId, code);
  else if (typeof before.sha256 === "string")
    await services.covers.putStored(author, bookId, code, before.sha256);
  else return "content_gone";
  return "restored";
}
