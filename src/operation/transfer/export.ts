/** Exports the catalogue into a folder that can be imported again: `<lang>/<slug>.<ext>`, covers, `catalogue.json`. */
import { createWriteStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import { AppError, OperatorError } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { isMissing } from "../../lib/node-errors.ts";
import type { AdminBook } from "../../schemas/book-list.schemas.ts";
import { type CoverMetadata, DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import { extensionOf } from "../../schemas/file-types.ts";
import type { BookFile } from "../../schemas/files.schemas.ts";
import type { StoredFiles } from "../../services/files/stored-files.ts";
import type { Services } from "../../services/index.ts";
import type { Failure } from "./library.ts";

const BOOKS_A_PAGE = 100;
const FILES_AT_ONCE = 4;

interface LibraryExportDeps {
  services: Pick<Services, "bookList" | "books" | "covers" | "languages">;
  stored: Pick<StoredFiles, "open">;
  progress: { begin(doing: string, total: number, done: () => number): void; end(): void };
}

interface ExportReport {
  books: number;
  files: number;
  covers: number;
  /** Files whose stored bytes are missing. */
  failures: Failure[];
}

export class LibraryExport {
  readonly #deps: LibraryExportDeps;
  readonly #folder: string;
  readonly #limit = pLimit(FILES_AT_ONCE);
  readonly #report: ExportReport = { books: 0, files: 0, covers: 0, failures: [] };

  /** @param folder absolute; new or empty */
  constructor(deps: LibraryExportDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  /**
   * Active books, with their active files.
   * @throws OperatorError if the folder has other files
   */
  async run(): Promise<ExportReport> {
    const { services, progress } = this.#deps;
    await makeEmptyFolder(this.#folder);
    const books: object[] = [];
    let total = 0;
    progress.begin("Exporting books", 0, () => books.length);
    for (let page = 1; books.length < total || page === 1; page += 1) {
      const list = await services.bookList.list({ page, limit: BOOKS_A_PAGE, status: "active" });
      if (list.books.length === 0) break;
      total = list.pagination.total;
      if (page === 1) progress.begin("Exporting books", total, () => books.length);
      for (const book of list.books) books.push(await this.#exportBook(book));
    }
    const catalogue = { languages: await this.#listLanguages(), books };
    await writeFile(join(this.#folder, "catalogue.json"), `${JSON.stringify(catalogue, undefined, 2)}\n`);
    progress.end();
    return { ...this.#report, books: books.length };
  }

  async #listLanguages(): Promise<object[]> {
    const { languages } = await this.#deps.services.languages.list();
    const codes = new Map(languages.map(({ id, code }) => [id, code]));
    return languages.map(({ parentId, customDomain, ...language }) =>
      pickGivenFields({
        code: language.code,
        name: language.name,
        nativeName: language.nativeName,
        direction: language.direction,
        isActive: language.isActive,
        legacyDownloadCount: language.legacyDownloadCount,
        customDomain: customDomain ?? undefined,
        parentCode: parentId === null ? undefined : codes.get(parentId),
      }),
    );
  }

  /** @returns the book as an item of the catalogue */
  async #exportBook({ id, slug }: AdminBook): Promise<object> {
    const { services } = this.#deps;
    const { book, translations, files } = await services.books.readDetails(id);
    const { covers } = await services.covers.listOfBook(id);
    const active = files.filter(({ isActive }) => isActive === 1);
    const [localFiles, localCovers] = [
      await this.#limit.map(active, (file) => this.#exportFile(slug, file)),
      await this.#limit.map(covers, (cover) => this.#exportCover(slug, cover)),
    ];
    return {
      ...removeEmpty(book, BOOK_FIELDS),
      translations: translations.map((translation) => removeEmpty(translation, EDITION_FIELDS)),
      files: active
        .filter(({ sourceType }) => sourceType !== "local")
        .map((file) => removeEmpty(file, LINK_FIELDS)),
      localFiles: localFiles.filter((file) => file !== undefined),
      localCovers: localCovers.filter((cover) => cover !== undefined),
    };
  }

  async #exportFile(slug: string, { languageCode, fileType, fileName, sha256 }: BookFile) {
    const path = `${languageCode}/${slug}.${extensionOf(fileType)}`;
    if (sha256 === null || !(await this.#copy(sha256, path))) return undefined;
    this.#report.files += 1;
    return { path, languageCode, fileType, fileName };
  }

  async #exportCover(slug: string, { languageCode, contentType, sha256 }: CoverMetadata) {
    const extension = contentType === "image/jpeg" ? "jpg" : contentType.slice("image/".length);
    const folder = languageCode === DEFAULT_COVER ? "" : `${languageCode}/`;
    const path = `${folder}${slug}.${extension}`;
    if (!(await this.#copy(sha256, path))) return undefined;
    this.#report.covers += 1;
    return { path, languageCode };
  }

  /** @returns whether the bytes exist */
  async #copy(sha256: string, path: string): Promise<boolean> {
    const target = join(this.#folder, path);
    await mkdir(dirname(target), { recursive: true });
    try {
      const { handle } = await this.#deps.stored.open(sha256);
      await pipeline(handle.createReadStream(), createWriteStream(target, { flags: "wx" }));
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 404) throw error;
      this.#report.failures.push({ subject: path, reason: error.message });
      return false;
    }
  }
}

const BOOK_FIELDS = [
  "slug",
  "titleEn",
  "description",
  "sortOrder",
  "legacyDownloadCount",
  "publishAt",
  "unpublishAt",
  "authors",
  "tags",
  "series",
];
const EDITION_FIELDS = [
  "languageCode",
  "title",
  "description",
  "authors",
  "contributors",
  "publisher",
  "license",
  "isbn",
];
const LINK_FIELDS = ["languageCode", "fileType", "sourceType", "cloudUrl", "fileName", "fileSizeBytes"];

/** These fields, as far as they say something. */
function removeEmpty(values: object, names: readonly string[]): object {
  const said = Object.entries(values).filter(
    ([name, value]) =>
      names.includes(name) && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said);
}

/** @throws OperatorError if the folder has files */
async function makeEmptyFolder(folder: string): Promise<void> {
  const [first] = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  if (first !== undefined) throw new OperatorError(`${folder} isn't empty: it contains ${first}.`);
  await mkdir(folder, { recursive: true });
}
