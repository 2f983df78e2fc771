/** What an application does with fields and codes that its generated client doesn't know. */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import { client } from "./generated/hey-api/client.gen.ts";
import {
  addFile,
  createBook,
  createLanguage,
  listPublishedBooks,
  login,
} from "./generated/hey-api/sdk.gen.ts";
import type { ErrorCode } from "./generated/hey-api/types.gen.ts";
import type { components, paths } from "./generated/openapi-typescript.ts";
import { adviceFor } from "./hey-api.ts";
import { type Journey, sessionIn } from "./journey.ts";
import { ADDED } from "./later-version.ts";

type Schemas = components["schemas"];

/** Known codes are a type of their own: one that doesn't exist isn't compiled. */
const isNoCode: "no_such_code" extends ErrorCode | Schemas["ErrorCode"] ? never : true = true;
assert.ok(isNoCode);

/** @hey-api/openapi-ts with its validators: a response that doesn't fit the document is an exception. */
export async function walkWithValidators({ baseUrl, email, password, epub }: Journey): Promise<void> {
  client.setConfig({ baseUrl });
  const { error } = await login({ body: { email, password: "not the password" } });
  assert.ok(error);
  assert.equal(error.code, ADDED);
  assert.equal(adviceFor(error), error.detail);

  const { data: session, response } = await login({ body: { email, password }, throwOnError: true });
  assert.equal(session.user.role === "admin" ? "administrator" : session.user.role, ADDED);
  const token = sessionIn(response);
  client.setConfig({ auth: ({ in: place }) => (place === "cookie" ? token : undefined) });

  const { data: language } = await createLanguage({ body: { code: "es" }, throwOnError: true });
  assert.equal(language.direction, ADDED);
  const { data: book } = await createBook({ body: { titleEn: "The Deep Well" }, throwOnError: true });
  const upload = { path: { bookId: book.id }, body: { languageCode: "es", file: epub } };
  const { data: file } = await addFile({ ...upload, throwOnError: true });
  assert.deepEqual([file.fileType, file.sourceType], [ADDED, ADDED]);
  const { data: list } = await listPublishedBooks({ throwOnError: true });
  assert.equal(list.books[0]?.title, "The Deep Well");
}

/** openapi-fetch: errors have a type, also where a browser would get a page. */
export async function walkWithTypes({ baseUrl }: Journey): Promise<void> {
  const api = createClient<paths>({ baseUrl });
  const contact = { email: "reader@example.org", firstName: "Sara" };
  const { error } = await api.POST("/api/download/submit", {
    body: { slug: "no-such-book", languageCode: "es", contact },
  });
  assert.ok(error !== undefined && typeof error !== "string");
  assert.deepEqual([error.code, error.status], [ADDED, 404]);
}
