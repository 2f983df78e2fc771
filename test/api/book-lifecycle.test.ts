/** One book through its life, as readers of its language see it: the ZIP before, between and after. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startWithAdmin } from "../support/app.ts";
import { linkToAll } from "../support/reader.ts";
import { createEpub } from "../support/stored-files.ts";

const BOOKS = "/api/admin/books";

const contents = async (zip: Buffer) =>
  (await readZip(zip)).map(({ name, bytes }) => [name, bytes.toString("latin1")]);

/** Three books in Spanish; the second has two formats, and a translation that names it in the ZIP. */
async function start() {
  const { app, client } = await startWithAdmin();
  await app.make.language("es");
  const first = await app.make.published("First", "es", "one");
  const well = await app.make.published("Well", "es", "two");
  await app.make.published("Third", "es", "three");
  const path = `${BOOKS}/${well.book.id}`;
  await client.post(`${path}/translations`, { languageCode: "es", title: "Pozo" });
  const bytes = await createEpub("Pozo");
  const file = { bytes, name: "pozo.epub" };
  await client.upload("post", `${path}/files`, { fields: { languageCode: "es" }, file });
  const link = await linkToAll(app.api, "es");
  const zip = async () => {
    const { status, body, headers } = await app.api.get(link);
    expect(status).toBe(200);
    return { bytes: body, etag: headers.etag, contents: await contents(body) };
  };
  const whole = [
    ["01 - First [es].txt", "one"],
    ["02 - Pozo [es].epub", bytes.toString("latin1")],
    ["02 - Pozo [es].txt", "two"],
    ["03 - Third [es].txt", "three"],
  ];
  const without = [
    ["01 - First [es].txt", "one"],
    ["02 - Third [es].txt", "three"],
  ];
  return { ...app, client, first, path, link, zip, whole, without };
}

describe("the ZIP of a language", () => {
  it("follows the order of the books", async () => {
    const { client, zip } = await start();
    const ids = (await client.get(BOOKS)).body.books.map(({ id }: { id: string }) => id);
    expect((await client.patch(`${BOOKS}/reorder`, { bookIds: ids.toReversed() })).status).toBe(200);
    expect((await zip()).contents.map(([name]) => name)).toEqual([
      "01 - Third [es].txt",
      "02 - Pozo [es].epub",
      "02 - Pozo [es].txt",
      "03 - First [es].txt",
    ]);
  });
});
