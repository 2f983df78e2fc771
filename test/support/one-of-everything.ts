/** A catalogue with one of everything that a path may name. */
import { newAccount, newKey } from "./accounts.ts";
import type { TestApp } from "./app.ts";
import { addContacts } from "./contact-rows.ts";
import { picture, putCover } from "./covers.ts";

/** @returns the ids by the names of path parameters */
export async function oneOfEverything(app: TestApp) {
  const { make } = app;
  const language = await make.language("es");
  const { book, file } = await make.published("The Deep Well", "es");
  const { client } = await newAccount(app);
  await client.post(`/api/admin/books/${book.id}/translations`, { languageCode: "es", title: "El pozo" });
  await putCover(client, book.id, "es", await picture("red"));
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
    keyId: (await newKey(client)).id,
    userId: (await make.user("viewer")).id,
  };
}
