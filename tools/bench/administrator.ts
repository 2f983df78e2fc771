/** What a measurement does as an administrator and as a reader of a measured service, over HTTP. */
import { Readable } from "node:stream";
import { request } from "undici";
import { z } from "zod";
import { ADMIN } from "./service-process.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
interface Content {
  headers: Record<string, string>;
  body: string | Readable;
}

const book = z.object({ id: z.string(), slug: z.string() });
const file = z.object({ id: z.string() });
const link = z.object({ downloadUrl: z.string() });
const summary = z.object({ summary: z.object({ created: z.int() }) });

const LINE = "A line of a large book, which says nothing at all.\n";
const PIECE = Buffer.alloc(1_000_000, LINE);
const BOUNDARY = "----bench";

export class Administrator {
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(origin: string, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  static async of(port: number): Promise<Administrator> {
    return new Administrator(`http://127.0.0.1:${port}`, await logIn(port));
  }

  async addLanguage(code: string): Promise<void> {
    await this.#ask("POST", "/api/admin/languages", asJson({ code, name: code, nativeName: code }));
  }

  async addBook(titleEn: string): Promise<z.output<typeof book>> {
    return book.parse(await this.#ask("POST", "/api/admin/books", asJson({ titleEn })));
  }

  /** A text of so many bytes, in a form, as a browser sends it. */
  async upload(bookId: string, languageCode: string, bytes: number): Promise<z.output<typeof file>> {
    const path = `/api/admin/books/${bookId}/files`;
    return file.parse(await this.#ask("POST", path, asForm(languageCode, bytes)));
  }

  /** A book in a language of its own, with a text of so many bytes. */
  async addLargeBook(
    languageCode: string,
    bytes: number,
  ): Promise<{ id: string; slug: string; fileId: string }> {
    await this.addLanguage(languageCode);
    const { id, slug } = await this.addBook("The large one");
    return { id, slug, fileId: (await this.upload(id, languageCode, bytes)).id };
  }

  /** Another text of so many bytes in the place of a file, as it is. */
  async replace(bookId: string, fileId: string, bytes: number): Promise<void> {
    const headers = { "content-type": "application/octet-stream", "content-length": String(bytes) };
    const path = `/api/admin/books/${bookId}/files/${fileId}`;
    await this.#ask("PUT", path, { headers, body: Readable.from(textOf(bytes, crypto.randomUUID())) });
  }

  /** Books of the shape that the bulk request takes, all of them new. */
  async bulk(books: readonly object[]): Promise<void> {
    const response = await this.#ask("POST", "/api/admin/books/bulk", asJson({ books }));
    const { created } = summary.parse(response).summary;
    if (created !== books.length) throw new Error(`${created} of ${books.length} books are created`);
  }

  async setTitle(bookId: string, languageCode: string, title: string): Promise<void> {
    await this.#ask("POST", `/api/admin/books/${bookId}/translations`, asJson({ languageCode, title }));
  }

  async addCloudFile(bookId: string, link: { languageCode: string; cloudUrl: string }): Promise<void> {
    const file = { ...link, fileType: "epub", sourceType: "url", fileName: "linked.epub" };
    await this.#ask("POST", `/api/admin/books/${bookId}/files`, asJson(file));
  }

  /** The book's own cover. */
  async putCover(bookId: string, jpeg: Buffer): Promise<void> {
    const headers = { "content-type": "image/jpeg" };
    await this.#ask("PUT", `/api/admin/books/${bookId}/covers/default`, {
      headers,
      body: Readable.from([jpeg]),
    });
  }

  async #ask(method: Method, path: string, { headers, body }: Content): Promise<unknown> {
    return responseOf(this.#origin + path, { method, headers: { ...headers, cookie: this.#cookie }, body });
  }
}

/** @returns the Cookie header of an administrator's session */
export async function logIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

const WARMING = 3000;

/**
 * Starts the threads for reports, and lets V8 enlarge the memory that any request uses: it is no part of what is
 * measured afterwards.
 */
export async function warmUp(port: number, cookie: string): Promise<void> {
  for (let number = 0; number < WARMING; number += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/admin/contacts?limit=100`, {
      headers: { cookie },
    });
    await response.arrayBuffer();
  }
}

/** @returns the path of the file that a reader asks for; without `slug` that of everything in the language */
export async function askForLink(port: number, languageCode: string, slug?: string): Promise<string> {
  const path = slug === undefined ? "submit-all" : "submit";
  const contact = { email: "reader@example.org", firstName: "Sara" };
  const content = asJson({ languageCode, slug, contact });
  const response = await responseOf(`http://127.0.0.1:${port}/api/download/${path}`, {
    method: "POST",
    ...content,
  });
  return link.parse(response).downloadUrl;
}

async function responseOf(url: string, content: Content & { method: Method }): Promise<unknown> {
  const response = await request(url, content);
  if (response.statusCode < 300) return response.body.json();
  throw new Error(
    `${content.method} ${url} is answered with ${response.statusCode}: ${await response.body.text()}`,
  );
}

const asJson = (value: object): Content => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

function asForm(languageCode: string, bytes: number): Content {
  const part = (name: string, rest = "") =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  const start = Buffer.from(
    `${part("languageCode")}${languageCode}\r\n${part("file", '; filename="large.txt"\r\nContent-Type: text/plain')}`,
  );
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
      "content-length": String(start.length + bytes + end.length),
    },
    body: Readable.from(between(start, textOf(bytes), end)),
  };
}

function* between(start: Buffer, middle: Iterable<Buffer>, end: Buffer): Generator<Buffer> {
  yield start;
  yield* middle;
  yield end;
}

/** Made while it is sent, so that the client holds none of it. */
function* textOf(bytes: number, firstLine = ""): Generator<Buffer> {
  const first = Buffer.from(firstLine);
  if (first.length > 0) yield first;
  for (let left = bytes - first.length; left > 0; left -= PIECE.length)
    yield PIECE.subarray(0, Math.min(left, PIECE.length));
}
