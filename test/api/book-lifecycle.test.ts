/** One book through its life, as readers of its language see it: the ZIP before, between and after. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
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
  it("excludes a book while it is archived, and has the same bytes as before after its restoration", async () => {
    const { api, client, clock, path, link, zip, whole, without } = await start();
    const before = await zip();
    expect(before.contents).toEqual(whole);

    clock.advance(60_000);
    await client.delete(path);
    const between = await zip();
    expect(between.contents).toEqual(without);
    expect(between.etag).not.toBe(before.etag);
    // Who has taken a part of the former gets the whole of the latter, never a mixture.
    const resumed = await api.get(link, { Range: "bytes=10-", "If-Range": before.etag ?? "" });
    expect([resumed.status, resumed.body.equals(between.bytes)]).toEqual([200, true]);

    clock.advance(60_000);
    expect((await client.post(`${path}/restore`)).body.reactivatedFiles).toBe(0);
    const after = await zip();
    expect(after.bytes.equals(before.bytes)).toBe(true);
    expect(after.etag).toBe(before.etag);
  });

  it("has the same bytes as before even if the files were deactivated and restored with the book", async () => {
    const { client, path, zip, whole, without } = await start();
    const before = await zip();
    const { files } = (await client.get(`${path}/files`)).body;
    for (const { id } of files) await client.patch(`${path}/files/${id}`, { isActive: 0 });
    expect((await zip()).contents).toEqual(without);
    await client.delete(path);
    expect((await zip()).contents).toEqual(without);
    expect((await client.post(`${path}/restore`)).body.reactivatedFiles).toBe(2);
    const after = await zip();
    expect(after.contents).toEqual(whole);
    expect([after.etag, after.bytes.equals(before.bytes)]).toEqual([before.etag, true]);
  });

  it("excludes a book that is permanently deleted, and isn't available after the last one", async () => {
    const { api, client, first, path, link, zip, without } = await start();
    await client.delete(`${path}?permanent=true`);
    expect((await zip()).contents).toEqual(without);
    const { books } = (await client.get(BOOKS)).body;
    expect(books[0].id).toBe(first.book.id);
    for (const { id } of books) await client.delete(`${BOOKS}/${id}?permanent=true`);
    expectProblem(await api.get(link), 404, { code: "file_unavailable" });
  });

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
