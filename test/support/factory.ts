/** Creates test data, through the API wherever possible. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Response } from "supertest";
import type { Container } from "../../src/container.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { Role } from "../../src/schemas/permissions.ts";
import { bodyOf, type Client } from "./client.ts";

export const PASSWORD = "a long enough pass phrase";

const LANGUAGES = "/api/admin/languages";

/** Where links lead unless something else is given. There is no such host. */
export const CLOUD_URL = "https://files.example.org/well.pdf";

const namesOf = (code: string) => ({ code, name: `Name of ${code}`, nativeName: `Native ${code}` });

/** The cookie header of a session of a user in that role. */
export interface KnownSessions {
  admin?: string;
}

export class Factory {
  readonly #container: Container;
  readonly #api: Client;
  readonly #sessions = new Map<Role, Promise<Client>>();
  /** The codes of languages that it has made. */
  readonly #languages = new Set<string>();

  constructor(container: Container, api: Client, known: KnownSessions = {}) {
    this.#container = container;
    this.#api = api;
    if (known.admin) this.#sessions.set("admin", Promise.resolve(api.with({ Cookie: known.admin })));
  }

  /** @returns the e-mail of a new user; the password is PASSWORD */
  async user(role: Role): Promise<{ id: string; email: string }> {
    const email = `${role}-${randomUUID().slice(0, 8)}@example.org`;
    const { id } = await this.#container.services.users.create(createSystemAuthor("test"), {
      email,
      name: role,
      password: PASSWORD,
      role,
    });
    return { id, email };
  }

  /** A client with a session of a user in that role; one a test. */
  login(role: Role): Promise<Client> {
    const known = this.#sessions.get(role) ?? this.#createSession(role);
    this.#sessions.set(role, known);
    return known;
  }

  async #createSession(role: Role): Promise<Client> {
    const { email } = await this.user(role);
    const response = await this.#api.post("/api/auth/login", { email, password: PASSWORD });
    assert.equal(response.status, 200);
    return this.#api.with({ Cookie: cookieOf(response) });
  }

  /** A client with a new API key. */
  async apiKey(scopes?: ("view_books" | "edit_books")[]): Promise<Client & { readonly key: string }> {
    const admin = await this.login("admin");
    const response = await admin.post("/api/admin/api-keys", { name: "test", ...(scopes && { scopes }) });
    assert.equal(response.status, 201);
    return Object.assign(this.#api.with({ Authorization: `Bearer ${response.body.key}` }), {
      key: response.body.key,
    });
  }

  async language(code: string, more: Record<string, unknown> = {}): Promise<{ id: number; code: string }> {
    const admin = await this.login("admin");
    const made = await bodyOf(admin.post(LANGUAGES, { ...namesOf(code), ...more }), 201);
    this.#languages.add(code);
    return made;
  }

  /** Makes a language, unless there is one with that code. */
  async #needLanguage(code: string): Promise<void> {
    if (this.#languages.has(code)) return;
    const { status, body } = await (await this.login("admin")).post(LANGUAGES, namesOf(code));
    assert.ok(status === 201 || status === 409, JSON.stringify(body));
    this.#languages.add(code);
  }

  async book(titleEn: string, more: Record<string, unknown> = {}): Promise<{ id: string; slug: string }> {
    const admin = await this.login("admin");
    return bodyOf(admin.post("/api/admin/books", { titleEn, ...more }), 201);
  }

  async channel(name: string, more: Record<string, unknown> = {}): Promise<{ id: string; slug: string }> {
    const admin = await this.login("admin");
    return bodyOf(admin.post("/api/admin/channels", { name, ...more }), 201);
  }

  /** Puts a book on a channel in a language. */
  async publish(bookId: string, channelId: string, languageId: number): Promise<void> {
    const admin = await this.login("admin");
    const body = { bookId, channelId, languageId, isPublished: true };
    assert.equal((await admin.post("/api/admin/channels/publications/toggle", body)).status, 200);
  }

  /** Shows or hides a book in a sub-language; `null` inherits. */
  async override(languageId: number, bookId: string, isVisible: boolean | null): Promise<void> {
    const admin = await this.login("admin");
    const body = { overrides: [{ bookId, isVisible }] };
    assert.equal((await admin.put(`/api/admin/languages/${languageId}/books`, body)).status, 200);
  }

  /** An uploaded text file in a new or known language; its content is the given text. */
  async textFile(
    bookId: string,
    languageCode: string,
    text: string,
    name = "book.txt",
  ): Promise<{ id: string }> {
    await this.#needLanguage(languageCode);
    const admin = await this.login("admin");
    const response = await admin.upload("post", `/api/admin/books/${bookId}/files`, {
      fields: { languageCode, fileType: "txt" },
      file: { bytes: Buffer.from(text), name },
    });
    assert.equal(response.status, 201);
    return response.body;
  }

  /** A link to a file in the cloud, a PDF unless other fields are given, in a new or known language. */
  async link(
    bookId: string,
    languageCode: string,
    more: Record<string, unknown> = {},
  ): Promise<{ id: string }> {
    await this.#needLanguage(languageCode);
    const admin = await this.login("admin");
    const link = { fileType: "pdf", sourceType: "url", cloudUrl: CLOUD_URL, fileName: "well.pdf", ...more };
    return bodyOf(admin.post(`/api/admin/books/${bookId}/cloud-files`, { languageCode, ...link }), 201);
  }

  /** A book with a text file in a new or known language: the least that is published. */
  async published(titleEn: string, languageCode: string, text = `Text of ${titleEn}`) {
    await this.#needLanguage(languageCode);
    const book = await this.book(titleEn);
    const file = await this.textFile(book.id, languageCode, text);
    return { book, file };
  }
}

export const contact = { email: "reader@example.org", firstName: "Sara" };

/** The session cookie that a response sets, as a Cookie header. */
export function cookieOf(response: Response): string {
  const [cookie = ""] = response.get("Set-Cookie") ?? [];
  return cookie.split(";")[0] ?? "";
}
