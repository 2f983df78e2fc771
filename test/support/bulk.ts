/** Bulk requests for tests. */
import type { Response } from "supertest";
import { startWithAdmin } from "./app.ts";
import type { Client } from "./client.ts";

export const BULK = "/api/admin/books/bulk";

/** A link in the cloud. */
export const link = (languageCode: string, name: string, more: object = {}) => ({
  languageCode,
  fileType: "pdf",
  sourceType: "url",
  cloudUrl: `https://files.example.org/${name}.pdf`,
  fileName: `${name}.pdf`,
  fileSizeBytes: 1000,
  ...more,
});

/** An application with Spanish and Arabic, an administrator, and the short ways to what these tests ask. */
export async function startBulk() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const arabic = await app.make.language("ar");
  const bulk = (books: unknown, query = "", by: Client = client): Promise<Response> =>
    by.post(`${BULK}${query}`, { books });
  const details = async (bookId: string) => (await client.get(`/api/admin/books/${bookId}`)).body;
  const slugs = async (): Promise<string[]> =>
    (await client.get("/api/admin/books?limit=200")).body.books.map(({ slug }: { slug: string }) => slug);
  return { app, client, spanish, arabic, bulk, details, slugs };
}

/** `index path code` of every error that a bulk answer names. */
export const listErrors = ({ body }: Response): string[] =>
  body.results.flatMap(({ errors = [] }: { errors?: { path: string; code: string }[] }) =>
    errors.map(({ path, code }) => `${path} ${code}`),
  );
