/** Somebody who works on books of their own: one request after the other, each of another kind. */
import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { z } from "zod";
import type { Request } from "../../lib/service-client.ts";
import {
  type BookState,
  createBook,
  removeCover,
  removeFile,
  restore,
  withContent,
  withCover,
  withFile,
  withTranslation,
} from "../book-state.ts";
import type { WorkerDeps, Write } from "../ledger.ts";

/** In which files are uploaded; links into the cloud are in another one, whose ZIP isn't requested. */
export const UPLOAD_LANGUAGES = ["en", "es"];
const MAX_BOOKS = 5;
/** Most are small; some take long enough to be cut in the middle. */
const SMALL_BYTES = 20_000;
const LARGE_BYTES = 1_500_000;
/** Contents that come again and again: the same bytes are kept once. */
const SHARED_CONTENTS = 4;

const made = z.object({ id: z.string() });

export class BookWorker {
  readonly #deps: WorkerDeps;
  readonly #prefix: string;

  constructor(deps: WorkerDeps & { name: string }) {
    this.#deps = deps;
    this.#prefix = `book-${deps.name}-`;
  }

  async act(): Promise<void> {
    const own = this.#deps.ledger.books.keys.filter((key) => key.startsWith(this.#prefix));
    const slug = own[this.#deps.roll(MAX_BOOKS)];
    const book = slug === undefined ? undefined : this.#deps.ledger.books.getState(slug);
    const ids = slug === undefined ? undefined : this.#deps.ledger.ids.get(slug);
    if (slug === undefined || !book || !ids) return this.#create();
    const kinds = [this.#upload, this.#upload, this.#replace, this.#putCover, this.#translate, this.#rename];
    const rarer = [this.#deleteFile, this.#deleteCover, this.#takeTurn, this.#takeTurn, this.#remove];
    const kind = this.#chooseOne([...kinds, ...kinds, ...rarer]);
    await kind?.call(this, { slug, book, ids });
  }

  async #create(): Promise<void> {
    const slug = `${this.#prefix}${this.#deps.ledger.takeNextNumber()}`;
    const book = createBook(this.#createTitle());
    const request: Request = { method: "POST", json: { slug, titleEn: book.titleEn } };
    const response = await this.#write(slug, book, { path: "/api/admin/books", request });
    if (response) this.#deps.ledger.ids.set(slug, { book: made.parse(response).id, files: [] });
  }

  async #upload({ slug, book, ids }: Own): Promise<void> {
    const languageCode = this.#chooseLanguage();
    const bytes = this.#createText();
    const form = new FormData();
    form.set("languageCode", languageCode);
    form.set("fileType", "txt");
    form.set("file", new Blob([bytes]), "text.txt");
    const next = withFile(book, {
      languageCode,
      fileType: "txt",
      content: this.#deps.ledger.remember(bytes),
    });
    const isNew = next !== book;
    const request: Request = { method: "POST", body: form };
    const path = `/api/admin/books/${ids.book}/files`;
    const response = await this.#write(slug, next, { path, request, lines: isNew ? 1 : 0 });
    if (response && isNew) ids.files.push(made.parse(response).id);
  }

  async #replace({ slug, book, ids }: Own): Promise<void> {
    const index = this.#deps.roll(Math.max(1, book.files.length));
    if (!book.files[index]) return;
    const bytes = this.#createText();
    const next = withContent(book, index, this.#deps.ledger.remember(bytes));
    const request: Request = {
      method: "PUT",
      body: bytes,
      headers: { "content-type": "application/octet-stream" },
    };
    // The same bytes once more are no change.
    const lines = next.files[index]?.content === book.files[index].content ? 0 : 1;
    await this.#write(slug, next, { path: filePath(ids, index), request, lines });
  }

  async #deleteFile({ slug, book, ids }: Own): Promise<void> {
    const index = this.#deps.roll(Math.max(1, book.files.length));
    if (!book.files[index]) return;
    const response = await this.#write(slug, removeFile(book, index), {
      path: filePath(ids, index),
      request: { method: "DELETE" },
    });
    if (response) ids.files.splice(index, 1);
  }

  async #putCover({ slug, book, ids }: Own): Promise<void> {
    const code = this.#chooseOne(["default", ...UPLOAD_LANGUAGES]) ?? "";
    const [width, height] = [40 + (this.#deps.ledger.takeNextNumber() % 400), 40 + this.#deps.roll(100)];
    const body = new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background: "teal" } })
        .png()
        .toBuffer(),
    );
    const request: Request = { method: "PUT", body, headers: { "content-type": "image/png" } };
    const next = withCover(book, code, `${width}x${height}`);
    await this.#write(slug, next, { path: coverPath(ids, code), request });
  }

  async #deleteCover({ slug, book, ids }: Own): Promise<void> {
    const code = this.#chooseOne(Object.keys(book.covers));
    if (code === undefined) return;
    const request: Request = { method: "DELETE" };
    await this.#write(slug, removeCover(book, code), { path: coverPath(ids, code), request });
  }

  async #translate({ slug, book, ids }: Own): Promise<void> {
    const [languageCode, title] = [this.#chooseLanguage(), this.#createTitle()];
    const request: Request = { method: "POST", json: { languageCode, title } };
    const path = `/api/admin/books/${ids.book}/translations`;
    await this.#write(slug, withTranslation(book, languageCode, title), { path, request });
  }

  async #rename({ slug, book, ids }: Own): Promise<void> {
    const titleEn = this.#createTitle();
    const request: Request = { method: "PUT", json: { titleEn } };
    await this.#write(slug, { ...book, titleEn }, { path: `/api/admin/books/${ids.book}`, request });
  }

  /** Archives it, or brings it back. */
  async #takeTurn({ slug, book, ids }: Own): Promise<void> {
    const path = `/api/admin/books/${ids.book}`;
    const write: Part =
      book.isActive === 1
        ? { path, request: { method: "DELETE" } }
        : { path: `${path}/restore`, request: { method: "POST" } };
    await this.#write(slug, book.isActive === 1 ? { ...book, isActive: 0 } : restore(book), write);
  }

  async #remove({ slug, ids }: Own): Promise<void> {
    const path = `/api/admin/books/${ids.book}?permanent=true`;
    await this.#write(slug, undefined, { path, request: { method: "DELETE" } });
  }

  /** @returns what was answered, undefined when it was refused */
  async #write(slug: string, next: BookState | undefined, { lines = 1, ...write }: Part): Promise<unknown> {
    const begin = (requestId: string) => [this.#deps.ledger.books.begin(slug, next, requestId)];
    const response = await this.#deps.ledger.write(this.#deps.client, { ...write, lines, begin });
    return response && JSON.parse(response.bytes.toString());
  }

  #createText(): Uint8Array<ArrayBuffer> {
    if (this.#deps.roll(4) === 0)
      return new TextEncoder().encode(`Shared ${this.#deps.roll(SHARED_CONTENTS)}\n`.repeat(99));
    const most = this.#deps.roll(8) === 0 ? LARGE_BYTES : SMALL_BYTES;
    return new TextEncoder().encode(randomBytes(1 + this.#deps.roll(most / 2)).toString("hex"));
  }

  #createTitle(): string {
    return `Title ${this.#deps.ledger.takeNextNumber()}`;
  }

  #chooseLanguage(): string {
    return this.#chooseOne(UPLOAD_LANGUAGES) ?? "";
  }

  #chooseOne<T>(all: readonly T[]): T | undefined {
    return all[this.#deps.roll(Math.max(1, all.length))];
  }
}

interface Own {
  slug: string;
  book: BookState;
  ids: { book: string; files: string[] };
}

type Part = Pick<Write, "path" | "request"> & { lines?: number };

const filePath = ({ book, files }: Own["ids"], index: number) =>
  `/api/admin/books/${book}/files/${files[index]}`;
const coverPath = ({ book }: Own["ids"], code: string) => `/api/admin/books/${book}/covers/${code}`;
