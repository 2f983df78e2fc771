/** The bytes of covers: kept once, as long as a cover names them, and no longer. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { BYTES, coverPathOf, createPicture, putCover } from "../support/covers.ts";
import { itInFolder } from "../support/on-s3.ts";
import { expectStored, removeReleased } from "../support/stored-files.ts";

async function start() {
  // Replaced bytes are for the tests of files and covers that come back.
  const { app, client } = await startWithAdmin({ REPLACED_FILES_DAYS: "0" });
  const spanish = await app.make.language("es");
  const book = await app.make.book("The Deep Well");
  const put = async (code: string, color: "red" | "green" | "blue" | "yellow", bookId = book.id) =>
    putCover(client, bookId, code, await createPicture(color, { width: 40, height: 60 }));
  const remove = async (code: string) => (await client.delete(coverPathOf(book.id, code))).status;
  const bytesAt = async (path: string): Promise<Buffer> => (await client.get(path)).body;
  return { ...app, app, client, spanish, book, put, remove, bytesAt };
}

describe("the bytes of a cover", () => {
  it("are stored once for all covers with the same image", async () => {
    const { put, remove, bytesAt, make, dataDir } = await start();
    const other = await make.book("Another");
    const own = await put("default", "red");
    await put("es", "red");
    await put("default", "red", other.id);
    const red = await bytesAt(own.url);
    await expectStored(dataDir, red);
    expect(await remove("default")).toBe(200);
    expect(await remove("es")).toBe(200);
    await expectStored(dataDir, red);
  });

  it("are deleted with the last cover that refers to them: replaced, deleted, with its language, with its book", async () => {
    const { app, client, book, put, bytesAt, spanish, dataDir, remove } = await start();
    await put("es", "red");
    const green = await bytesAt((await put("es", "green")).url);
    await expectStored(dataDir, green);
    const blue = await bytesAt((await put("default", "blue")).url);
    await expectStored(dataDir, green, blue);
    expect((await client.delete(`/api/admin/languages/${spanish.id}`)).status).toBe(200);
    await expectStored(dataDir, blue);
    await remove("default");
    await removeReleased(app);
    await expectStored(dataDir);
    await put("default", "red");
    expect((await client.delete(`/api/admin/books/${book.id}?permanent=true`)).status).toBe(200);
    await expectStored(dataDir);
  });

  it("survive the sweep at a start", async () => {
    const { put, bytesAt, dataDir, container } = await start();
    const red = await bytesAt((await put("es", "red")).url);
    expect(await container.sweep()).toMatchObject({ uploads: 0, setAside: 0 });
    await expectStored(dataDir, red);
  });

  itInFolder("leave no remains if they can't be moved into place", async () => {
    const { client, book, put, remove, dataDir } = await start();
    const { sha256 } = await put("es", "red");
    await remove("es");
    const shard = join(dataDir, "files", sha256.slice(0, 2));
    rmSync(shard, { recursive: true });
    writeFileSync(shard, "a file in the place of a folder");
    const body = await createPicture("red", { width: 40, height: 60 });
    const response = await client.call("put", coverPathOf(book.id, "es"), { headers: BYTES, body });
    expect(response.status).toBe(500);
    rmSync(shard);
    await expectStored(dataDir);
    expect((await client.get(coverPathOf(book.id, "es"))).status).toBe(404);
    expect((await put("es", "red")).sha256).toBe(sha256);
  });

  it("are complete, and those of one upload, under concurrent uploads and deletions", async () => {
    const { app, client, book, put, remove, bytesAt, dataDir } = await start();
    const colors = ["red", "green", "blue", "yellow"] as const;
    await Promise.all([
      ...colors.flatMap((color) => [put("es", color), put("default", color)]),
      ...[1, 2, 3].flatMap(() => [remove("es"), remove("default")]),
      ...colors.map((color) => put("es", color)),
    ]);
    const { covers } = (await client.get(`/api/admin/books/${book.id}/covers`)).body;
    expect(covers.length).toBeLessThanOrEqual(2);
    await removeReleased(app);
    const kept = await Promise.all(covers.map(({ url }: { url: string }) => bytesAt(url)));
    await expectStored(dataDir, ...kept);
    const own = covers.find(({ languageId }: { languageId: number | null }) => languageId === null);
    const { coverImagePath } = (await client.get(`/api/admin/books/${book.id}`)).body.book;
    expect(coverImagePath).toBe(own?.url ?? `/api/books/${book.slug}/cover`);
  });
});
