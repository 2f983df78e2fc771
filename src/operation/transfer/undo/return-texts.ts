/** Gives a known book back the texts and links that it had before an import, in one transaction. */
import { z } from "zod";
import { pickGivenFields } from "../../../lib/collections.ts";
import { isoTime } from "../../../lib/time.ts";
import type { BookRow } from "../../../repositories/books.repository.ts";
import { type Change, listValues } from "../../../repositories/change.ts";
import type { FileRow } from "../../../repositories/files.repository.ts";
import type { Repositories } from "../../../repositories/index.ts";
import type { TranslationRow } from "../../../repositories/translations.repository.ts";
import { storedContributors, storedSeries, storedTexts } from "../../../schemas/credits.schemas.ts";
import type { ImportUndo, KeptCode } from "../../../schemas/import-runs.schemas.ts";
import { findDateErrors } from "../../../services/books/book-dates.ts";
import { bookObject, changeBook } from "../../../services/books/books.service.ts";
import { createTranslationRow } from "../../../services/books/translations.service.ts";
import { readKnownCredits } from "../../../services/shared/credits.ts";
import type { EditionSpan, KnownBookChanges, LinkSpan } from "./known-book.ts";
import { isSame, planReturn } from "./spans.ts";

/** What was done for a book. */
export interface Returned {
  counts: Pick<ImportUndo, "archived" | "inactive" | "restored">;
  kept: Set<KeptCode>;
  changes: Change[];
}

/** A book in the transaction. */
export interface BookInWork {
  repositories: Repositories;
  book: BookRow;
  files: readonly FileRow[];
  now: number;
}

/** The log has the stored form. */
const loggedTime = z.number().transform(isoTime).nullable();

const bookFields = z
  .object({
    titleEn: z.string(),
    description: z.string(),
    sortOrder: z.number(),
    legacyDownloadCount: z.number(),
    publishAt: loggedTime,
    unpublishAt: loggedTime,
    authors: storedTexts,
    tags: storedTexts,
    series: storedSeries
      .transform(({ name, position }) => ({ name, position: position ?? undefined }))
      .nullable(),
  })
  .partial();

const editionFields = z
  .object({
    title: z.string(),
    description: z.string(),
    authors: storedTexts,
    contributors: storedContributors,
    publisher: z.string(),
    license: z.string(),
    isbn: z.string(),
  })
  .partial();

const LISTS = ["authors", "tags", "contributors"];
const NULLS = ["series", "publishAt", "unpublishAt"];

/** As services take values: the log has none for a credit that was empty. */
const withEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      value ?? (LISTS.includes(field) ? [] : NULLS.includes(field) ? null : ""),
    ]),
  );

export async function returnFields(
  { repositories, book, now }: BookInWork,
  { fields }: KnownBookChanges,
  { counts, kept, changes }: Returned,
): Promise<void> {
  const { publishAt, unpublishAt, ...texts } = bookFields.parse(
    withEmpty(planReturn(fields, listValues(book), kept)),
  );
  const dates = pickGivenFields({ publishAt, unpublishAt });
  // One of them was changed since, and the other one no longer fits.
  const isUnfit = findDateErrors(dates, book).length > 0;
  if (isUnfit) kept.add("changed_since");
  const given = isUnfit ? texts : { ...texts, ...dates };
  const { length } = Object.keys(given);
  if (length === 0) return;
  const after = await repositories.books.update(book.id, changeBook(book, given, now));
  changes.push({ action: "update", object: bookObject(after), before: book, after });
  counts.restored += length;
}

/** Call it when the files are inactive that are to be: an edition of the import keeps its title as long as its files. */
export async function returnEditions(
  work: BookInWork,
  changes: KnownBookChanges,
  returned: Returned,
): Promise<void> {
  const { editions } = changes;
  if (editions.size === 0) return;
  const keptLanguages = listKeptLanguages(work.files, changes);
  const rows = await work.repositories.translations.listOfBook(work.book.id);
  for (const row of rows) {
    const span = editions.get(row.languageCode);
    const isRead = keptLanguages.has(row.languageCode);
    if (span) await returnEdition(work, row, { ...span, isRead }, returned);
  }
}

/** The languages of files that the import has added, and that stay active because somebody has changed them. */
const listKeptLanguages = (files: readonly FileRow[], { contents, links }: KnownBookChanges): Set<string> =>
  new Set(
    files.flatMap(({ id, isActive, languageCode, fileType }) => {
      const added = contents.get(id) ?? links.get(`${languageCode} ${fileType}`);
      return isActive === 1 && added && added.before === undefined ? [languageCode] : [];
    }),
  );

async function returnEdition(
  { repositories, now }: BookInWork,
  row: TranslationRow,
  { isNew, fields, isRead }: EditionSpan & { isRead: boolean },
  returned: Returned,
): Promise<void> {
  const { counts, kept, changes } = returned;
  const current = new Map<string, unknown>(
    Object.entries({ title: row.title, description: row.description, ...readKnownCredits(row) }),
  );
  const object = { kind: "translation", id: row.id, name: row.title } as const;
  if (isNew) {
    const isChanged = [...fields].some(([field, { after }]) => !isSame(current.get(field), after));
    if (isChanged || isRead) return void kept.add("changed_since");
    await repositories.translations.delete(row.id);
    changes.push({ action: "delete", object, before: row });
    counts.restored += 1;
    return;
  }
  const given = editionFields.parse(withEmpty(planReturn(fields, current, kept)));
  const { length } = Object.keys(given);
  if (length === 0) return;
  const { id, bookId, languageId, languageCode } = row;
  const place = { id, bookId, languageId, before: row, now };
  const after = createTranslationRow({ ...given, title: given.title ?? row.title }, place);
  await repositories.translations.update(id, after);
  changes.push({ action: "update", object, before: row, after: { ...after, languageCode } });
  counts.restored += length;
}

export async function returnLinks(
  work: BookInWork,
  { links }: KnownBookChanges,
  returned: Returned,
): Promise<void> {
  for (const span of links.values()) await returnLink(work, span, returned);
}

async function returnLink(
  { repositories, files, now }: BookInWork,
  { before, after }: LinkSpan,
  { counts, kept, changes }: Returned,
): Promise<void> {
  const here = files.filter(
    (file) => file.languageCode === after.languageCode && file.fileType === after.fileType,
  );
  const active = here.find(({ isActive }) => isActive === 1);
  if (!active) return;
  if (before && isSame(active.cloudUrl, before.cloudUrl) && active.fileName === before.fileName) return;
  if (active.cloudUrl !== after.cloudUrl || active.fileName !== after.fileName)
    return void kept.add("changed_since");
  const put = async (file: FileRow, change: Partial<FileRow>) => {
    const row = await repositories.files.update(file.id, { ...change, updatedAt: now });
    const object = { kind: "file", id: file.id, name: row.fileName } as const;
    changes.push({
      action: "update",
      object,
      before: file,
      after: { ...row, languageCode: file.languageCode },
    });
  };
  const upload = here.find(
    ({ isActive, cloudUrl, fileName, fileSizeBytes }) =>
      isActive === 0 &&
      cloudUrl === null &&
      fileName === before?.fileName &&
      fileSizeBytes === before.fileSizeBytes,
  );
  if (before && before.cloudUrl !== null) {
    const { cloudUrl, sourceType, fileName, fileSizeBytes } = before;
    await put(active, { cloudUrl, sourceType, fileName, fileSizeBytes });
    counts.restored += 1;
  } else if (!before) {
    await put(active, { isActive: 0 });
    counts.inactive += 1;
  } else if (upload) {
    await put(active, { isActive: 0 });
    await put(upload, { isActive: 1 });
    counts.restored += 1;
  } else kept.add("content_gone");
}
