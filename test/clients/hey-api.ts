/** The main job with a client that @hey-api/openapi-ts has generated. */
import assert from "node:assert/strict";
import { client } from "./generated/hey-api/client.gen.ts";
import {
  addFile,
  createBook,
  createLanguage,
  downloadFile,
  getDownloadsByDate,
  getPublishedBook,
  login,
  patchBook,
  requestDownload,
} from "./generated/hey-api/sdk.gen.ts";
import type { DownloadRequest, ErrorCode, Problem } from "./generated/hey-api/types.gen.ts";
import { bytesOf, type Journey, sessionIn, tokenOf } from "./journey.ts";

/** The known codes are typed; a response may have others. */
const ADVICE: Readonly<Record<string, string>> = {
  wrong_credentials: "Check the password.",
} satisfies Partial<Record<ErrorCode, string>>;

/** What an application might show for an error. */
export const adviceFor = ({ code, detail }: Problem): string => ADVICE[code] ?? detail;

const form = { languageCode: "es", contact: { email: "reader@example.org", firstName: "Sara" } };

/** The types ask for one of two fields: without a book it doesn't compile. */
const namesNoBook: typeof form extends DownloadRequest ? never : true = true;
assert.ok(namesNoBook);

export async function walk({ baseUrl, email, password, epub }: Journey): Promise<void> {
  client.setConfig({ baseUrl });

  const refused = await login({ body: { email, password: "not the password" } });
  assert.ok(refused.error);
  assert.equal(adviceFor(refused.error), "Check the password.");

  const { data: session, response } = await login({ body: { email, password }, throwOnError: true });
  assert.equal(session.user.role, "admin");
  const token = sessionIn(response);
  client.setConfig({ auth: ({ in: place }) => (place === "cookie" ? token : undefined) });

  await createLanguage({
    body: { code: "es", name: "Spanish", nativeName: "Español" },
    throwOnError: true,
  });
  const { data: book } = await createBook({
    body: { titleEn: "The Deep Well", translations: [{ languageCode: "es", title: "El pozo profundo" }] },
    throwOnError: true,
  });
  const { data: corrected } = await patchBook({
    path: { bookId: book.id },
    body: { description: "A story about water." },
    throwOnError: true,
  });
  assert.deepEqual(
    [corrected.book.titleEn, corrected.book.description],
    [book.titleEn, "A story about water."],
  );
  const { data: file } = await addFile({
    path: { bookId: book.id },
    body: { languageCode: "es", fileType: "epub", file: epub },
    throwOnError: true,
  });
  assert.equal(file.fileSizeBytes, epub.size);

  const { data: published } = await getPublishedBook({ path: { slugOrId: book.slug }, throwOnError: true });
  assert.deepEqual(published.languages, ["es"]);

  const { data: link } = await requestDownload({
    body: {
      slug: book.slug,
      languageCode: "es",
      contact: { email: "reader@example.org", firstName: "Sara" },
    },
    query: { utm_source: "newsletter" },
    throwOnError: true,
  });
  const { data: downloaded } = await downloadFile({
    path: { token: tokenOf(link.downloadUrl) },
    parseAs: "blob",
    throwOnError: true,
  });
  assert.deepEqual(await bytesOf(downloaded), await bytesOf(epub));

  const { data: report } = await getDownloadsByDate({
    query: { bookId: book.id, granularity: "month" },
    throwOnError: true,
  });
  assert.deepEqual(
    report.data.map(({ totalDownloads, redeemed }) => ({ totalDownloads, redeemed })),
    [{ totalDownloads: 1, redeemed: 1 }],
  );
}
