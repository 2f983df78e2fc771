/** What a measurement does as an administrator and as a reader of a measured service, over HTTP. */
import { z } from "zod";
import { readSessionCookie, ServiceClient } from "../lib/service-client.ts";
import { ADMIN } from "./service-process.ts";

const any = z.unknown();
const book = z.object({ id: z.string(), slug: z.string() });
const file = z.object({ id: z.string() });
const link = z.object({ downloadUrl: z.string() });
const summary = z.object({ summary: z.object({ created: z.int() }) });

const LINE = "A line of a large book, which says nothing at all.\n";

const clientOf = (port: number, headers: Readonly<Record<string, string>> = {}): ServiceClient =>
  new ServiceClient(`http://127.0.0.1:${port}`, headers);

export class Administrator {
  readonly #client: ServiceClient;

  private constructor(client: ServiceClient) {
    this.#client = client;
  }

  static async of(port: number): Promise<Administrator> {
    return new Administrator(clientOf(port, { cookie: await logIn(port) }));
  }

  async addLanguage(code: string): Promise<void> {
    await this.#client.post("/api/admin/languages", { code, name: code, nativeName: code }, 201, any);
  }

  addBook(titleEn: string): Promise<z.output<typeof book>> {
    return this.#client.post("/api/admin/books", { titleEn }, 201, book);
  }

  /** A text of so many bytes, in a form, as a browser sends it. */
  upload(bookId: string, languageCode: string, bytes: number): Promise<z.output<typeof file>> {
    const form = new FormData();
    form.set("languageCode", languageCode);
    form.set("file", new Blob([Buffer.alloc(bytes, LINE)]), "large.txt");
    return this.#client.upload(`/api/admin/books/${bookId}/files`, form, file);
  }

  /** A book in a language of its own, with a text of so many bytes. */
  async addLargeBook(languageCode: string, bytes: number): Promise<z.output<typeof book>> {
    await this.addLanguage(languageCode);
    const { id, slug } = await this.addBook("The large one");
    await this.upload(id, languageCode, bytes);
    return { id, slug };
  }

  /** Books of the shape that the bulk request takes, all of them new. */
  async sendBulk(books: readonly object[]): Promise<void> {
    const response = await this.#client.post("/api/admin/books/bulk", { books }, 200, summary);
    const { created } = response.summary;
    if (created !== books.length) throw new Error(`${created} of ${books.length} books are created`);
  }

  async addWebhook(webhook: { url: string; events: readonly string[] }): Promise<void> {
    await this.#client.post("/api/admin/webhooks", webhook, 201, any);
  }

  async setTitle(bookId: string, languageCode: string, title: string): Promise<void> {
    await this.#client.read(`/api/admin/books/${bookId}/translations`, any, {
      method: "POST",
      json: { languageCode, title },
    });
  }
}

/** @returns the Cookie header of an administrator's session */
export async function logIn(port: number): Promise<string> {
  return readSessionCookie(await clientOf(port).send("/api/auth/login", { method: "POST", json: ADMIN }));
}

const WARMING = 3000;

/**
 * Starts the threads for reports, and lets V8 enlarge the memory that any request uses: it is no part of what is
 * measured afterwards.
 */
export async function warmUp(port: number, cookie: string): Promise<void> {
  const client = clientOf(port, { cookie });
  for (let number = 0; number < WARMING; number += 1) await client.send("/api/admin/contacts?limit=100");
}

/** @returns the path of the file that a reader asks for; without `slug` that of everything in the language */
export async function askForLink(port: number, languageCode: string, slug?: string): Promise<string> {
  const path = `/api/download/submit${slug === undefined ? "-all" : ""}`;
  const contact = { email: "reader@example.org", firstName: "Sara" };
  return (await clientOf(port).post(path, { languageCode, slug, contact }, 200, link)).downloadUrl;
}
