/** The main job with openapi-fetch on the types that openapi-typescript has generated. */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/openapi-typescript.ts";
import { bytesOf, type Journey, sessionIn, tokenOf } from "./journey.ts";

type Schemas = components["schemas"];

/** The known codes are typed; a response may have others. */
const ADVICE: Readonly<Record<string, string>> = {
  wrong_credentials: "Check the password.",
} satisfies Partial<Record<Schemas["ErrorCode"], string>>;

/** What an application might show for an error. */
export const adviceFor = ({ code, detail }: Schemas["Problem"]): string => ADVICE[code] ?? detail;

const form = { languageCode: "es", contact: { email: "reader@example.org", firstName: "Sara" } };

/** The types ask for one of two fields: without a book it doesn't compile. */
const namesNoBook: typeof form extends Schemas["DownloadRequest"] ? never : true = true;
assert.ok(namesNoBook);

export async function walk({ baseUrl, email, password, epub }: Journey): Promise<void> {
  const client = createClient<paths>({ baseUrl });

  const refused = await client.POST("/api/auth/login", { body: { email, password: "not the password" } });
  assert.ok(refused.error);
  assert.equal(adviceFor(refused.error), "Check the password.");

  const { data: session, response } = await client.POST("/api/auth/login", { body: { email, password } });
  assert.equal(session?.user.role, "admin");
  const cookie = `auth.session-token=${sessionIn(response)}`;
  client.use({ onRequest: ({ request }) => request.headers.set("Cookie", cookie) });

  const language: Schemas["LanguageCreation"] = { code: "es", name: "Spanish", nativeName: "Español" };
  await client.POST("/api/admin/languages", { body: language });
  const { data: book } = await client.POST("/api/admin/books", {
    body: { titleEn: "The Deep Well", translations: [{ languageCode: "es", title: "El pozo profundo" }] },
  });
  assert.ok(book);
  const { data: corrected } = await client.PATCH("/api/admin/books/{bookId}", {
    params: { path: { bookId: book.id } },
    body: { description: "A story about water." },
  });
  assert.equal(corrected?.book.description, "A story about water.");
  const { data: file } = await client.POST("/api/admin/books/{bookId}/files", {
    params: { path: { bookId: book.id } },
    body: { languageCode: "es", fileType: "epub", file: epub },
    bodySerializer: formOf,
  });
  assert.equal(file?.fileSizeBytes, epub.size);

  const { data: published } = await client.GET("/api/books/{slugOrId}", {
    params: { path: { slugOrId: book.slug } },
  });
  assert.deepEqual(published?.languages, ["es"]);

  // The form needs no field but these two: the others are optional in the types too.
  const contact: Schemas["ContactForm"] = { email: "reader@example.org", firstName: "Sara" };
  const { data: link } = await client.POST("/api/download/submit", {
    params: { query: { utm_source: "newsletter" } },
    body: { slug: book.slug, languageCode: "es", contact },
  });
  assert.ok(link);
  const { data: downloaded } = await client.GET("/api/download/{token}", {
    params: { path: { token: tokenOf(link.downloadUrl) } },
    parseAs: "blob",
  });
  assert.deepEqual(await bytesOf(downloaded), await bytesOf(epub));

  const { data: report } = await client.GET("/api/admin/analytics/by-date", {
    params: { query: { bookId: book.id, granularity: "month" } },
  });
  assert.deepEqual(
    report?.data.map(({ totalDownloads, redeemed }) => ({ totalDownloads, redeemed })),
    [{ totalDownloads: 1, redeemed: 1 }],
  );
}

/** openapi-fetch leaves it to the caller how a form is written. */
function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
