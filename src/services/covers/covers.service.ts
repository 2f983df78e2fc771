/** Covers of books for administrators: one for each language, and the default one. */
import { Readable } from "node:stream";
import { findPresentUser } from "../../adapters/fair-queue.ts";
import type { FileStore, Inspectable, ReceivedFile } from "../../adapters/files/file-store.ts";
import { currentRequest } from "../../db/request-scope.ts";
import { notFound } from "../../errors.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { Author, Changed, Reach } from "../../repositories/change.ts";
import type { CoverRow } from "../../repositories/covers.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ReplacedRow } from "../../repositories/replaced-bytes.repository.ts";
import {
  type CoverMetadata,
  type CoverQuery,
  DEFAULT_COVER,
  DEFAULT_COVER_WIDTH,
  type ReplacedCoverParams,
} from "../../schemas/covers.schemas.ts";
import type { ReleasedBytes } from "../files/released-bytes.ts";
import { RELEASED_FOR_MS } from "../files/removals.ts";
import type { ReplacedContents } from "../files/replaced-contents.ts";
import type { KnownBytes, StoredFiles } from "../files/stored-files.ts";
import { findBook } from "../shared/catalogue-lookup.ts";
import { retryIfCatalogueChanged } from "../shared/catalogue-versions.ts";
import { coverPath } from "../shared/cover-paths.ts";
import type { Accepted, Image, ImageFile } from "../shared/results.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { openBytes } from "../shared/stored-bytes.ts";
import { coverTypeOf, findCoverSource, storedSource } from "./cover-choice.ts";
import { type CoverVariants, chooseCoverType } from "./cover-variants.ts";
import { presentCover, presentCovers } from "./presenters.ts";

/** A book, and the language of the cover; null for the default cover. */
interface CoverPlace {
  book: BookRow;
  languageId: number | null;
  language: LanguageRow | undefined;
}

type StoredImage = Pick<CoverRow, "contentType" | "width" | "height" | "fileSizeBytes" | "sha256">;

export interface CoversServiceDeps
  extends Pick<CatalogueDeps, "reads" | "report" | "change" | "images" | "newId" | "clock"> {
  variants: CoverVariants;
  store: FileStore;
  stored: StoredFiles;
  replaced: ReplacedContents;
  released: Pick<ReleasedBytes, "removeNow">;
  /** Reads the cover in a book; undefined for bytes that are no book. */
  examiner: { readCover(bytes: Inspectable, signal?: AbortSignal): Promise<Buffer | undefined> };
}

export class CoversService extends Service<CoversServiceDeps> {
  async list(): Promise<{ covers: CoverMetadata[] }> {
    const { covers, replacedBytes } = this.deps.report;
    return {
      covers: presentCovers(await covers.listOfActiveBooks(), await replacedBytes.listOfActiveCovers()),
    };
  }

  async listOfBook(bookId: string): Promise<{ covers: CoverMetadata[] }> {
    await findBook(this.deps.reads.books, bookId);
    const { covers, replacedBytes } = this.deps.reads;
    return {
      covers: presentCovers(await covers.listOfBook(bookId), await replacedBytes.listOfCovers(bookId)),
    };
  }

  /** @param code of a language, or `default`; likewise in the methods below */
  open(bookId: string, code: string): Promise<ImageFile> {
    return retryIfCatalogueChanged(this.deps.reads.publication, async () => {
      const row = await findCover(this.deps.reads, await findCoverPlace(this.deps.reads, bookId, code));
      const { handle, sizeBytes } = await openBytes(this.deps.stored, row);
      const { contentType, sha256, updatedAt } = row;
      return { contentType, handle, sizeBytes, etag: `"${sha256}"`, modifiedAt: updatedAt };
    });
  }

  /**
   * The cover in a width, or with `fallback` the one that readers of the language see, also of a book and a language that
   * aren't published.
   */
  readVariant(
    bookId: string,
    code: string,
    { width = DEFAULT_COVER_WIDTH, fallback }: CoverQuery,
    accepted: Accepted,
  ): Promise<Image> {
    const { reads, variants } = this.deps;
    return retryIfCatalogueChanged(reads.publication, async () => {
      const place = await findCoverPlace(reads, bookId, code);
      const source = fallback
        ? await findCoverAsShown(reads, place)
        : storedSource(await findCover(reads, place));
      const contentType = chooseCoverType(source.contentType, accepted);
      return variants.getImage(source, { width, contentType }, findPresentUser());
    });
  }

  /**
   * Adds or replaces the cover by an image that the service has, or by the cover in a book that it has. An image that it
   * had before comes back as it was.
   * @throws AppError 404 `content_unknown` if it has neither
   */
  async putStored(by: Author, bookId: string, code: string, sha256: string): Promise<CoverMetadata> {
    const former = await this.#findFormer(bookId, code, sha256);
    const { examiner, stored } = this.deps;
    const known = await stored.findKnown(sha256);
    if (former) return this.#store(by, { bookId, code }, { ...former, sha256 }, known);
    const inBook = await examiner.readCover(known, currentRequest()?.signal);
    if (!inBook) return this.put(by, bookId, code, known);
    const received = await this.deps.store.receive(Readable.from([inBook]), { maxBytes: inBook.length });
    try {
      return await this.put(by, bookId, code, received);
    } finally {
      await received.discard();
    }
  }

  /** Adds or replaces the cover. The re-encoded image is stored. */
  async put(by: Author, bookId: string, code: string, upload: Inspectable): Promise<CoverMetadata> {
    await findCoverPlace(this.deps.reads, bookId, code);
    const { bytes, contentType, width, height } = await this.deps.images.normalise(upload);
    const received = await this.deps.store.receive(Readable.from([bytes]), { maxBytes: bytes.length });
    try {
      const { sha256, sizeBytes: fileSizeBytes } = received;
      const image = { contentType, width, height, fileSizeBytes, sha256 };
      return await this.#store(by, { bookId, code }, image, received);
    } finally {
      await received.discard();
    }
  }

  async #findFormer(bookId: string, code: string, sha256: string) {
    const { covers, replacedBytes } = this.deps.reads;
    const { languageId } = await findCoverPlace(this.deps.reads, bookId, code);
    const cover = await covers.findIn(bookId, languageId);
    const replaced = cover ? await replacedBytes.listOf({ coverId: cover.id }) : [];
    return replaced.map(imageOf).find((image) => image?.sha256 === sha256);
  }

  async #store(
    by: Author,
    { bookId, code }: { bookId: string; code: string },
    image: StoredImage,
    bytes: ReceivedFile | KnownBytes,
  ): Promise<CoverMetadata> {
    const { stored, replaced, change } = this.deps;
    const { before, after } = await stored.keep(bytes, (claim) =>
      change(by, async (repositories) => {
        await claim(repositories);
        // The book or the language may have been deleted while the image was processed.
        const place = await findCoverPlace(repositories, bookId, code);
        const written = await this.#write(repositories, place, image);
        const { before, after } = written.response;
        if (before) {
          const kept = { place: { coverId: after.id }, former: formerOf(before), sha256: image.sha256 };
          await replaced.keepFormer(repositories, by, kept);
        }
        return written;
      }),
    );
    return presentCover(after, await replaced.settle({ coverId: after.id }, before && formerOf(before)));
  }

  /** Removes what the cover had before for good. @throws AppError 404 `replaced_not_found` */
  async removeReplaced(by: Author, { bookId, languageCode, sha256 }: ReplacedCoverParams): Promise<void> {
    const { replaced, released, change } = this.deps;
    await change(by, async (repositories) => {
      const place = await findCoverPlace(repositories, bookId, languageCode);
      const cover = await findCover(repositories, place);
      await replaced.release(repositories, { coverId: cover.id }, sha256);
      return {
        response: undefined,
        change: {
          action: "update",
          object: coverObject(place, cover),
          before: { replaced: { sha256 } },
          after: { replaced: null },
        },
        reach: {},
      };
    });
    await released.removeNow([sha256]);
  }

  async delete(by: Author, bookId: string, code: string): Promise<void> {
    await this.deps.change(by, async (repositories) => {
      const place = await findCoverPlace(repositories, bookId, code);
      const before = await findCover(repositories, place);
      const dueAt = this.deps.clock.now() + RELEASED_FOR_MS;
      await repositories.releasedBytes.releaseOf({ coverId: before.id }, dueAt);
      await repositories.covers.delete(before.id);
      // A path that was set since is kept.
      const isOwn = place.languageId === null && place.book.coverImagePath === ownPath(place);
      const path = isOwn ? await this.#setPath(repositories, place, null) : undefined;
      return {
        response: undefined,
        change: {
          action: "delete",
          object: coverObject(place, before),
          before: { ...before, ...path?.before },
          after: { ...path?.after },
        },
        reach: reachOf(place),
      };
    });
  }

  /** Uploading the same image again changes nothing. */
  async #write(
    repositories: CatalogueRepositories,
    place: CoverPlace,
    image: StoredImage,
  ): Promise<Changed<{ before: CoverRow | undefined; after: CoverRow }>> {
    const { covers } = repositories;
    const { book, languageId } = place;
    const before = await covers.findIn(book.id, languageId);
    if (before?.sha256 === image.sha256) return { response: { before, after: before }, change: undefined };
    const now = this.deps.clock.now();
    const { code = null } = place.language ?? {};
    const id = before?.id ?? this.deps.newId();
    const row = {
      id,
      bookId: book.id,
      languageId,
      ...image,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    if (before) await covers.update(id, { ...image, updatedAt: now });
    else await covers.insert(row);
    // Replaces a path that was set explicitly: the book now has an uploaded cover.
    const path = languageId === null ? await this.#setPath(repositories, place, ownPath(place)) : undefined;
    const after = { ...row, languageCode: code };
    return {
      response: { before, after },
      change: {
        action: before ? "update" : "create",
        object: coverObject(place, after),
        before: { ...before, ...path?.before },
        after: { ...after, ...path?.after },
      },
      reach: reachOf(place),
    };
  }

  /** Updates `coverImagePath`. @returns the book before and after, for the audit log */
  async #setPath({ books }: CatalogueRepositories, { book }: CoverPlace, coverImagePath: string | null) {
    if (book.coverImagePath !== coverImagePath) {
      await books.update(book.id, { coverImagePath, updatedAt: this.deps.clock.now() });
    }
    return { before: { coverImagePath: book.coverImagePath }, after: { coverImagePath } };
  }
}

/** Throws 404 for an unknown book or language. */
async function findCoverPlace(
  { books, languages }: CatalogueRepositories,
  bookId: string,
  code: string,
): Promise<CoverPlace> {
  const book = await findBook(books, bookId);
  if (code === DEFAULT_COVER) return { book, languageId: null, language: undefined };
  const language = await languages.findByCode(code);
  if (!language) throw notFound("language_not_found", "Language not found.");
  return { book, languageId: language.id, language };
}

/** The language itself counts as shown: it may be inactive until its books are complete. */
async function findCoverAsShown(reads: CatalogueRepositories, { book, language }: CoverPlace) {
  const showing = await reads.publication.findLanguagesShowing(book.id);
  return findCoverSource(reads, book, language, language ? [...showing, language.id] : showing);
}

async function findCover(
  { covers }: CatalogueRepositories,
  { book, languageId }: CoverPlace,
): Promise<CoverRow> {
  const row = await covers.findIn(book.id, languageId);
  if (!row) throw notFound("cover_not_found", "This book has no cover for this language.");
  return row;
}

/**
 * The `coverImagePath` of a book with an uploaded cover. It works for administrators, whether or not the book is
 * published.
 */
const ownPath = ({ book }: CoverPlace): string => coverPath(book.id, DEFAULT_COVER);

/** The default cover changes the row of the book. No list contains another one. */
const reachOf = ({ book, languageId }: CoverPlace): Reach => (languageId === null ? { bookId: book.id } : {});

const coverObject = ({ book }: CoverPlace, { id, languageCode }: CoverRow) =>
  ({ kind: "cover", id, name: `${book.titleEn} (${languageCode ?? DEFAULT_COVER})` }) as const;

/** What is kept of a cover that is replaced. */
const formerOf = (row: CoverRow) => ({ ...row, fileName: `cover.${EXTENSIONS[coverTypeOf(row)]}` });

const EXTENSIONS = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp" } as const;

/** Undefined for the content of a file. */
function imageOf({
  sha256,
  fileSizeBytes,
  contentType,
  width,
  height,
}: ReplacedRow): StoredImage | undefined {
  if (contentType === null || width === null || height === null) return undefined;
  return { sha256, fileSizeBytes, contentType, width, height };
}
