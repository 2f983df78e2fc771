/** A catalogue with one of everything that a path may name. */
import { createAccount, createKey } from "./accounts.ts";
import type { TestApp } from "./app.ts";
import { addContacts } from "./contact-rows.ts";
import { createPicture, putCover } from "./covers.ts";

/** @returns the ids by the names of path parameters */
export async function createOneOfEverything(app: TestApp) {
  const { make } = app;
  const language = await make.language("es");
  const { book, file } = await make.published("The Deep Well", "es");
  const { client } = await createAccount(app);
  await client.post(`/api/admin/books/${book.id}/translations`, { languageCode: "es", title: "El pozo" });
  await putCover(client, book.id, "es", await createPicture("red"));
  const [contactId = ""] = await addContacts(app, [{ events: [{}] }]);
  return {
    bookId: book.id,
    slugOrId: book.slug,
    fileId: file.id,
    languageId: language.id,
    langId: language.id,
    languageCode: language.code,
    channelId: (await make.channel("Kids")).id,
    contactId,
    keyId: (await createKey(client)).id,
    userId: (await make.user("viewer")).id,
  };
}
