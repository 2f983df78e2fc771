/** An administrator of a server in another process, as far as a download needs one. */
import { expect } from "vitest";
import { z } from "zod";

const JSON_TYPE = { "content-type": "application/json" };

export class RemoteAdmin {
  readonly #base: string;
  /** The Cookie header of the session. */
  readonly cookie: string;

  private constructor(base: string, cookie: string) {
    this.#base = base;
    this.cookie = cookie;
  }

  static async login(
    base: string,
    { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: { ADMIN_EMAIL: string; ADMIN_PASSWORD: string },
  ): Promise<RemoteAdmin> {
    const body = JSON.stringify({ email, password });
    const response = await fetch(`${base}/api/auth/login`, { method: "POST", headers: JSON_TYPE, body });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The log-in is answered with ${response.status}`);
    const [cookie = ""] = response.headers.getSetCookie();
    return new RemoteAdmin(base, cookie.split(";")[0] ?? "");
  }

  /** Publishes a book with one text file in a new language. */
  async publish(languageCode: string, content: Buffer): Promise<void> {
    await this.#post("/api/admin/languages", {
      code: languageCode,
      name: languageCode,
      nativeName: languageCode,
    });
    const { id } = await this.#post("/api/admin/books", { titleEn: "The book" });
    const form = new FormData();
    form.set("languageCode", languageCode);
    form.set("fileType", "txt");
    form.set("file", new Blob([Uint8Array.from(content)]), "book.txt");
    const headers = { cookie: this.cookie };
    const response = await fetch(`${this.#base}/api/admin/books/${id}/files`, {
      method: "POST",
      headers,
      body: form,
    });
    expect(response.status, await response.text()).toBe(201);
  }

  /** Asks for the book as a reader. @returns the path of the link */
  async linkTo(languageCode: string, email: string): Promise<string> {
    const contact = { email, firstName: "Sara" };
    const response = await fetch(`${this.#base}/api/download/submit`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ slug: "the-book", languageCode, contact }),
    });
    return z.object({ downloadUrl: z.string() }).parse(await response.json()).downloadUrl;
  }

  async #post(path: string, body: unknown): Promise<{ id: unknown }> {
    const headers = { ...JSON_TYPE, cookie: this.cookie };
    const response = await fetch(this.#base + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return z.object({ id: z.unknown() }).parse(await response.json());
  }
}
