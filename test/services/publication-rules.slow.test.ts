/** The rules of publication, held against a plain restatement of them over random catalogues. */
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import type { Db } from "../../src/db/kysely.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import {
  type CatalogueRepositories,
  createCatalogueRepositories,
  publicRepositories,
} from "../../src/repositories/index.ts";
import { PublicCatalogueService } from "../../src/services/catalogue/public-catalogue.service.ts";
import { ArchivePlans } from "../../src/services/downloads/archive-plan.ts";
import { CatalogueVersions } from "../../src/services/shared/catalogue-versions.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";

/** More of them: `WALKS=500`. */
const CATALOGUES = Number(process.env.WALKS ?? 30);
/** Languages 1 and 2; 3 and 4 inherit from 1. Books and channels are numbered too. */
const PARENTS = new Map([
  [1, null],
  [2, null],
  [3, 1],
  [4, 1],
]);
const LANGUAGES = [...PARENTS.keys()];
const BOOKS = ["book-1", "book-2", "book-3"];
const CHANNEL = "channel-1";
const codeOf = (id: number) => ["", "aa", "bb", "aa-AA", "aa-BB"][id] ?? "";

const place = fc.record({ bookId: fc.constantFrom(...BOOKS), languageId: fc.constantFrom(...LANGUAGES) });
const flag = fc.constantFrom(0 as const, 1 as const);
const unique = <T extends { bookId: string; languageId: number }>(item: fc.Arbitrary<T>) =>
  fc.uniqueArray(item, { maxLength: 8, selector: ({ bookId, languageId }) => `${bookId} ${languageId}` });

/** A catalogue in which most things are switched on. */
const catalogue = fc.record({
  inactiveLanguages: fc.subarray(LANGUAGES, { maxLength: 2 }),
  archivedBooks: fc.subarray(BOOKS, { maxLength: 1 }),
  files: unique(
    fc.record({
      bookId: fc.constantFrom(...BOOKS),
      languageId: fc.constantFrom(...LANGUAGES),
      isActive: flag,
    }),
  ),
  // Languages without a parent may be left with overrides from when they had one.
  visibility: unique(
    fc.record({
      bookId: fc.constantFrom(...BOOKS),
      languageId: fc.constantFrom(...LANGUAGES),
      isVisible: flag,
    }),
  ),
  publications: unique(place),
});
type Catalogue = typeof catalogue extends fc.Arbitrary<infer C> ? C : never;

const { path: folder, remove } = temporaryFolder("bds-rules");
let database: Database;
let reads: CatalogueRepositories;
let service: PublicCatalogueService;
let plans: ArchivePlans;

beforeAll(async () => {
  database = await openSqlite(join(folder, "database.sqlite"), join(folder, "backups"));
  reads = createCatalogueRepositories(database.read);
  const versions = new CatalogueVersions({ publication: reads.publication, clock: { now: () => 0 } });
  const catalogue = publicRepositories(database.catalogue);
  service = new PublicCatalogueService({ reads, versions, catalogue });
  plans = new ArchivePlans({ catalogue, versions });
});

afterAll(async () => {
  await database.close();
  remove();
});

const times = { createdAt: 0, updatedAt: 0 };

async function store(db: Db, given: Catalogue): Promise<void> {
  for (const table of [
    "publications",
    "book_visibility",
    "book_files",
    "books",
    "channels",
    "languages",
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  for (const [id, parentId] of PARENTS) {
    const code = codeOf(id);
    const isActive = given.inactiveLanguages.includes(id) ? 0 : 1;
    const names = {
      code,
      codeKey: code.toLowerCase(),
      name: code,
      nativeName: code,
      direction: "ltr" as const,
    };
    const rest = { customDomain: null, legacyDownloadCount: 0, isActive, ...times } as const;
    await db
      .insertInto("languages")
      .values({ id, parentId, ...names, ...rest })
      .execute();
  }
  for (const [index, id] of BOOKS.entries()) {
    const isActive = given.archivedBooks.includes(id) ? 0 : 1;
    const texts = { slug: id, titleEn: id, description: "", searchText: id, coverImagePath: null };
    const rest = { legacyDownloadCount: 0, archivedAt: null, archivedBy: null, isActive, ...times } as const;
    await db
      .insertInto("books")
      .values({ id, sortOrder: index, ...texts, ...rest })
      .execute();
  }
  const channel = {
    name: "",
    slug: "channel",
    description: "",
    url: "",
    sortOrder: 0,
    isActive: 1,
    ...times,
  } as const;
  await db
    .insertInto("channels")
    .values({ id: CHANNEL, ...channel })
    .execute();
  for (const [index, file] of given.files.entries()) {
    const content = {
      fileName: "x",
      fileSizeBytes: 1,
      sha256: "0".repeat(64),
      cloudUrl: null,
      downloadCount: 0,
    };
    const kind = { fileType: "txt", sourceType: "local" };
    await db
      .insertInto("book_files")
      .values({ id: `file-${index}`, ...file, ...kind, ...content, ...times })
      .execute();
  }
  for (const row of given.visibility)
    await db
      .insertInto("book_visibility")
      .values({ ...row, createdAt: 0 })
      .execute();
  for (const row of given.publications) {
    await db
      .insertInto("publications")
      .values({ ...row, channelId: CHANNEL, createdAt: 0 })
      .execute();
  }
  await db
    .updateTable("catalogue_version")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .execute();
}

/**
 * The rules in words: active book and language, a file there or in the parent, on the channel if asked, and not hidden
 * by a sub-language.
 */
function isPublished(given: Catalogue, bookId: string, languageId: number, onChannel = false): boolean {
  const scope = [languageId, PARENTS.get(languageId)];
  const hasHere = (rows: readonly { bookId: string; languageId: number }[]) =>
    rows.some((row) => row.bookId === bookId && scope.includes(row.languageId));
  const isHidden = given.visibility.some(
    (row) =>
      row.bookId === bookId &&
      row.languageId === languageId &&
      row.isVisible === 0 &&
      PARENTS.get(languageId) !== null,
  );
  return (
    !given.archivedBooks.includes(bookId) &&
    !given.inactiveLanguages.includes(languageId) &&
    hasHere(given.files.filter(({ isActive }) => isActive === 1)) &&
    !isHidden &&
    (!onChannel || hasHere(given.publications))
  );
}

const paging = { page: 1, limit: 50 };

/** What a list says: the books with their languages, in one page or in many, and the total. */
async function listed(query: object) {
  const pageOf = async (page: { page: number; limit: number }) =>
    JSON.parse((await service.list({ ...page, ...query }, "")).bytes.toString());
  const { books, pagination } = await pageOf(paging);
  expect(pagination.total).toBe(books.length);
  for (const [index, book] of books.entries()) {
    expect((await pageOf({ page: index + 1, limit: 1 })).books).toEqual([book]);
  }
  return books.map(({ id, languages }: { id: string; languages: string[] }) => [id, languages]);
}

async function expectRules(given: Catalogue): Promise<void> {
  const active = LANGUAGES.filter((id) => !given.inactiveLanguages.includes(id));
  for (const onChannel of [false, true]) {
    const channel = onChannel ? { channel: "channel" } : {};
    const languagesOf = (bookId: string) => active.filter((id) => isPublished(given, bookId, id, onChannel));
    // Lists are by name; so are the codes here.
    const shown = (bookId: string) => [bookId, languagesOf(bookId).map(codeOf).sort()];
    const anywhere = BOOKS.filter((bookId) => languagesOf(bookId).length > 0);
    expect(await listed(channel)).toEqual(anywhere.map(shown));
    for (const id of active) {
      const there = BOOKS.filter((bookId) => isPublished(given, bookId, id, onChannel));
      expect(await listed({ ...channel, languageCode: codeOf(id) })).toEqual(there.map(shown));
    }
  }
  for (const bookId of BOOKS) {
    const languages = active.filter((id) => isPublished(given, bookId, id)).map(codeOf);
    const shown = await service.readDetails(bookId).then(
      ({ bytes }) => JSON.parse(bytes.toString()).languages,
      () => [],
    );
    expect(shown).toEqual(languages.sort());
  }
  const counts = JSON.parse((await service.listLanguages()).bytes.toString()).languages;
  const expected = active.map((id) => [
    codeOf(id),
    BOOKS.filter((bookId) => isPublished(given, bookId, id)).length,
  ]);
  expect(counts.map(({ code, booksCount }: Record<string, unknown>) => [code, booksCount])).toEqual(
    expected.filter(([, count]) => count !== 0).sort(),
  );
  for (const id of active) await expectDownloads(given, id);
  for (const id of LANGUAGES) await expectAdministration(given, id);
}

/** What administrators see as visible is what is listed; beside it stand the overrides as they are stored. */
async function expectAdministration(given: Catalogue, languageId: number): Promise<void> {
  const overrideOf = (bookId: string) =>
    given.visibility.find((row) => row.bookId === bookId && row.languageId === languageId)?.isVisible ?? null;
  const due = (bookId: string) => ({
    bookId,
    slug: bookId,
    titleEn: bookId,
    override: overrideOf(bookId),
    isVisible: isPublished(given, bookId, languageId) ? 1 : 0,
  });
  const active = BOOKS.filter((bookId) => !given.archivedBooks.includes(bookId));
  expect(await reads.visibility.list(languageId, 0)).toEqual(active.map(due));
  const named = await reads.visibility.listOf(languageId, [...BOOKS, "unknown"], 0);
  expect(named.toSorted((one, other) => (one.bookId < other.bookId ? -1 : 1))).toEqual(BOOKS.map(due));
}

/** What can be asked for is what is listed: alone, and with all the rest of the language. */
async function expectDownloads(given: Catalogue, id: number): Promise<void> {
  const version = await service.readVersion();
  const language = await service.findActiveLanguage(codeOf(id), version);
  const there = BOOKS.filter((bookId) => isPublished(given, bookId, id));
  for (const bookId of BOOKS) {
    const edition = await service.findEdition(bookId, language, version);
    expect((edition?.files.length ?? 0) > 0, `${bookId} in ${codeOf(id)}`).toBe(there.includes(bookId));
  }
  const plan = await plans.getPlan(language);
  expect(plan.bookIds).toEqual(there);
  expect(plan.members).toHaveLength(there.length);
}

it("list, details, languages, single downloads, archives and administration agree on which books are published", async () => {
  await fc.assert(
    fc.asyncProperty(catalogue, async (given) => {
      await database.commit(() => store(database.writer, given));
      await expectRules(given);
    }),
    { numRuns: CATALOGUES },
  );
});
