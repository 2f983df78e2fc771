/** Books for a bulk upsert, and how a bare transaction writes them. */
import { idsFrom, systemClock } from "../../src/adapters/system.ts";
import { openWriter } from "../../src/db/connection.ts";
import { foldForSearch } from "../../src/lib/text.ts";
import { LANGUAGES } from "./service-process.ts";

const BOOKS = 1000;

export type BulkBook = ReturnType<typeof bookNumber>;

/** Books that no other round has. */
export const bulkBooks = (round: number): BulkBook[] =>
  Array.from({ length: BOOKS }, (_, index) => bookNumber(`${round}-${index}`));

const DESCRIPTION = "De lo que había en el fondo del pozo y de quien bajó a buscarlo. ".repeat(4).trim();

const bookNumber = (number: string) => ({
  slug: `bulk-${number}`,
  titleEn: `Bulk book ${number}`,
  description: DESCRIPTION,
  translations: LANGUAGES.map((languageCode) => ({
    languageCode,
    title: `Título ${number} en ${languageCode}`,
    description: DESCRIPTION,
  })),
  files: LANGUAGES.map((languageCode) => ({
    languageCode,
    fileType: "pdf",
    sourceType: "url",
    cloudUrl: `https://files.example.org/${number}/${languageCode}.pdf`,
    fileName: `bulk-${number}-${languageCode}.pdf`,
    fileSizeBytes: 1_000_000,
  })),
});

/** The statements by which the service makes a book, with the same values, as somebody would prepare them by hand. */
export function rawBulk(file: string) {
  const raw = openWriter(file);
  for (const code of LANGUAGES) {
    raw
      .prepare(
        "insert into languages (code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt) values (?, ?, ?, ?, 'ltr', 0, 1, 0, 0)",
      )
      .run(code, code, code, code);
  }
  const newId = idsFrom(systemClock);
  const marks = (columns: number) => `(${Array(columns).fill("?").join(", ")})`;
  const rows = (columns: number) => LANGUAGES.map(() => marks(columns)).join(", ");
  const languages = raw.prepare(`select * from languages where codeKey in ${marks(LANGUAGES.length)}`);
  const book = raw.prepare("select * from books where slug = ?");
  const lastPlace = raw.prepare("select max(sortOrder) as last from books").pluck();
  const addBook = raw.prepare(`insert into books values ${marks(13)}`);
  const addTranslations = raw.prepare(`insert into translations values ${rows(8)}`);
  const addFiles = raw.prepare(`insert into book_files values ${rows(13)}`);
  const addAuditLine = raw.prepare(
    `insert into audit_log (at, actorKind, actorId, actorName, ipAddress, requestId, action, objectKind, objectId, objectName, changes) values ${marks(11)}`,
  );
  const raiseVersion = raw.prepare("update catalogue_version set version = version + 1");

  function writeBook(given: BulkBook, now: number): void {
    const id = newId();
    languages.all(...LANGUAGES);
    if (book.get(given.slug) !== undefined) throw new Error(`There is a book ${given.slug}`);
    const { slug, titleEn, description } = given;
    const place = Number(lastPlace.get() ?? 0) + 1;
    const searchText = foldForSearch(`${titleEn}\n${description}`);
    addBook.run(id, slug, titleEn, description, null, place, 0, 1, null, null, searchText, now, now);
    const translations = given.translations.flatMap((each, index) => [
      newId(),
      id,
      index + 1,
      each.title,
      each.description,
      foldForSearch(`${each.title}\n${each.description}`),
      now,
      now,
    ]);
    addTranslations.run(translations);
    const files = given.files.flatMap((each, index) => [
      newId(),
      id,
      index + 1,
      each.fileType,
      each.sourceType,
      each.fileName,
      each.fileSizeBytes,
      null,
      each.cloudUrl,
      0,
      1,
      now,
      now,
    ]);
    addFiles.run(files);
    const changes = JSON.stringify(given);
    addAuditLine.run(now, "user", id, "admin", "127.0.0.1", id, "create", "book", id, titleEn, changes);
    raiseVersion.run();
  }

  return {
    /** @returns milliseconds */
    async write(books: readonly BulkBook[]): Promise<number> {
      const start = performance.now();
      raw.exec("begin immediate");
      for (const given of books) writeBook(given, Date.now());
      raw.exec("commit");
      return performance.now() - start;
    },
    close: () => raw.close(),
  };
}
