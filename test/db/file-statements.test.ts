/** How many statements an upload, a replacement and a deletion run on the connection that writes, commits included. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { createTxt } from "../support/stored-files.ts";
import { recordWrittenStatements } from "../support/written-statements.ts";

it.each([
  ["a first file", "fr", 13],
  ["a file that takes the place of another one", "es", 14],
])("%s is uploaded with few statements", async (_, languageCode, most) => {
  const { app, client } = await startWithAdmin();
  for (const code of ["es", "fr"]) await app.make.language(code);
  const { book } = await app.make.published("Well", "es", "first");
  const form = { fields: { languageCode }, file: { bytes: createTxt("second"), name: "second.txt" } };
  const upload = () => client.upload("post", `/api/admin/books/${book.id}/files`, form);
  const ran = await recordWrittenStatements(async () => expect((await upload()).status).toBe(201));
  expect(ran.length, ran.join("\n")).toBeLessThanOrEqual(most);
});

it("a file is replaced, and deleted with what it had before, with few statements", async () => {
  const { app, client } = await startWithAdmin();
  const { book, file } = await app.make.published("Well", "es", "first");
  const path = `/api/admin/books/${book.id}/files/${file.id}`;
  const replace = (text: string) =>
    client.upload("put", path, { fields: {}, file: { bytes: createTxt(text), name: "second.txt" } });
  for (const text of ["second", "third", "second"]) {
    const ran = await recordWrittenStatements(async () => expect((await replace(text)).status).toBe(200));
    expect(ran.length, ran.join("\n")).toBeLessThanOrEqual(12);
  }
  const ran = await recordWrittenStatements(async () => expect((await client.delete(path)).status).toBe(200));
  expect(ran.length, ran.join("\n")).toBeLessThanOrEqual(12);
});
