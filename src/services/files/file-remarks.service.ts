/** Says where a file or a cover isn't what its place says. */
import { areRelatedLanguages } from "../../lib/related-languages.ts";
import type { ContentRow } from "../../repositories/contents.repository.ts";
import type { FileRow } from "../../repositories/files.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { MixUpsRepository } from "../../repositories/mix-ups.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import { type CoverMetadata, DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import type { BookFile } from "../../schemas/files.schemas.ts";
import type { Remark } from "../../schemas/remarks.schemas.ts";
import { readBookCredits } from "../shared/credits.ts";
import { Service } from "../shared/service.ts";
import type { ContentRecords } from "./content-records.ts";
import { findRemarks, type RemarkedPlace, relateLanguages } from "./find-remarks.ts";
import { OtherEditions } from "./other-editions.ts";

interface FileRemarksDeps {
  reads: Pick<CatalogueRepositories, "books" | "translations" | "languages" | "files" | "covers">;
  /** On a worker thread: it reads all translations. */
  mixUps: Pick<MixUpsRepository, "findEditions">;
  contents: ContentRecords;
}

/** For what a new file says of itself. */
const WAIT_MS = 2_000;
/** Other places of the same bytes that are named. */
const MAX_PLACES = 10;

type Editions = Pick<TranslationRow, "languageId" | "title" | "isbn">[];

interface BookFacts {
  titleEn: string;
  series: string | undefined;
  translations: Editions;
  languages: readonly LanguageRow[];
  /** The codes that are related to each language, by its id. */
  related: ReturnType<typeof relateLanguages>;
}

export class FileRemarks extends Service<FileRemarksDeps> {
  /** The file that was stored, with remarks; waits a little for what it says of itself. */
  async addTo(bookId: string, file: BookFile): Promise<BookFile> {
    const { contents } = this.deps;
    if (file.sha256 !== null && contents.isRead(file.fileType)) await contents.read(file.sha256, WAIT_MS);
    const [described = file] = await this.addToAll(bookId, [file]);
    return described;
  }

  /** What wasn't read yet is read soon. */
  async addToAll(bookId: string, files: readonly BookFile[]): Promise<BookFile[]> {
    const { reads, contents } = this.deps;
    const hashes = [...new Set(files.flatMap(({ sha256 }) => sha256 ?? []))];
    if (hashes.length === 0) return files.map((file) => ({ ...file, remarks: [] }));
    const known = await contents.find(hashes);
    const places = Map.groupBy(
      await reads.files.listActiveByHashes(hashes, 2 * MAX_PLACES),
      ({ sha256 }) => sha256,
    );
    const compared = await this.#compare(bookId, files, known);
    return files.map((file) => {
      const content = known.get(file.sha256 ?? "");
      const isPending = file.sha256 !== null && !content && contents.isRead(file.fileType);
      if (isPending && file.sha256 !== null) void contents.readSoon(file.sha256);
      const remarks = [
        ...(isPending ? [note("metadata_pending")] : []),
        ...(compared.get(file.id) ?? []),
        ...listElsewhere(bookId, file, places.get(file.sha256) ?? []),
      ];
      return { ...file, remarks };
    });
  }

  /** What the contents say, where it isn't what the places say; by the ids of the files. */
  async #compare(
    bookId: string,
    files: readonly BookFile[],
    known: ReadonlyMap<string, ContentRow>,
  ): Promise<Map<string, Remark[]>> {
    const facts = known.size > 0 ? await this.#readFacts(bookId) : undefined;
    if (!facts) return new Map();
    const compared = files.flatMap((file) => {
      const said = known.get(file.sha256 ?? "");
      return said ? [{ ...placeOf(file, facts), said, bookId, id: file.id }] : [];
    });
    const others = await OtherEditions.read(this.deps.mixUps, compared);
    return new Map(
      compared.map((place) => [
        place.id,
        describeContent(place.said, { ...place, areOfAnotherBook: others.find(place) }),
      ]),
    );
  }

  /** A cover with the books that have the same. */
  async addToCover(cover: CoverMetadata): Promise<CoverMetadata> {
    const { sha256, bookId } = cover;
    const others = await this.deps.reads.covers.listOtherBooks(sha256, bookId, MAX_PLACES);
    const remarks = others.map(({ bookId, languageCode }) => ({
      ...note("known_elsewhere"),
      bookId,
      languageCode: languageCode ?? DEFAULT_COVER,
    }));
    return { ...cover, remarks };
  }

  async #readFacts(bookId: string): Promise<BookFacts | undefined> {
    const { books, translations, languages } = this.deps.reads;
    const book = await books.find(bookId);
    if (!book) return undefined;
    const series = readBookCredits(book).series?.name;
    const all = await languages.list();
    return {
      titleEn: book.titleEn,
      series,
      translations: await translations.listOfBook(bookId),
      languages: all,
      related: relateLanguages(all),
    };
  }
}

const note = (code: Remark["code"]): Remark => ({ code, found: null, expected: null });

/** What the content says, where it isn't what the place says. */
const describeContent = (content: ContentRow, place: RemarkedPlace): Remark[] => [
  ...(content.isUnreadable === 1 ? [note("metadata_unreadable")] : []),
  ...(content.lacksCover === 1 ? [note("cover_missing")] : []),
  ...findRemarks(content, place),
];

function placeOf(
  file: BookFile,
  { titleEn, series, translations, languages, related }: BookFacts,
): RemarkedPlace {
  const { languageId, languageCode, fileType, fileName } = file;
  const parentId = languages.find(({ id }) => id === languageId)?.parentId ?? null;
  const own =
    translations.find((each) => each.languageId === languageId) ??
    translations.find((each) => each.languageId === parentId);
  return {
    fileName,
    fileType,
    languageCode,
    relatedCodes: related.get(languageId) ?? [],
    title: own?.title ?? null,
    isbn: own?.isbn ?? null,
    titleEn,
    otherNames: series === undefined ? [] : [series],
    otherTitles: translations.filter((each) => each !== own).map(({ title }) => title),
  };
}

/** Other active places of the same bytes. An edition for another region can be the same file. */
const listElsewhere = (bookId: string, { id, languageCode }: BookFile, rows: readonly FileRow[]): Remark[] =>
  rows
    .filter((row) => row.id !== id)
    .filter((row) => row.bookId !== bookId || !areRelatedLanguages(row.languageCode, languageCode))
    .slice(0, MAX_PLACES)
    .map((row) => ({
      ...note("known_elsewhere"),
      bookId: row.bookId,
      languageCode: row.languageCode,
    }));
