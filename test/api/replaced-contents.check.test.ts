/** What files and covers had before: kept, brought back, and removed for good. After each case: what lies on the disk. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { bodyOf } from "../support/client.ts";
import { asListed, BYTES, coverPathOf, createPicture, putCover } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo } from "../support/reader.ts";
import { readMetrics } from "../support/scrape.ts";
import { createTxt, expectStored, hashBytes, removeReleased } from "../support/stored-files.ts";

const DAY = 24 * 3_600_000;
const hashOf = (text: string) => hashBytes(createTxt(text));

interface Replaced {
  sha256: string;
}

/** A book with one text file, "first". */
async function start(variables: Record<string, string> = {}) {
  const { app, client } = await startWithAdmin(variables);
  const { book, file } = await app.make.published("Well", "es", "first");
  const path = `/api/admin/books/${book.id}/files`;
  const own = `${path}/${file.id}`;
  const replace = (text: string) => client.call("put", own, { headers: BYTES, body: createTxt(text) });
  const bringBack = (text: string, to = own) => client.put(to, { sha256: hashOf(text) });
  const list = async (): Promise<string[]> =>
    (await client.get(path)).body.files[0].replaced.map(({ sha256 }: Replaced) => sha256);
  const remove = (text: string, of = own) => client.delete(`${of}/replaced/${hashOf(text)}`);
  const stored = (...texts: string[]) => expectStored(app.dataDir, ...texts.map(createTxt));
  /** A sweep each hour, as while the service runs. */
  const passDays = async (days: number) => {
    for (let passed = 0; passed < days; passed += 0.5) {
      app.clock.advance(DAY / 2);
      await app.container.released.run();
    }
  };
  return { ...app, app, client, book, file, path, own, replace, bringBack, list, remove, stored, passDays };
}

describe("what a file had before", () => {
  it("is kept for REPLACED_FILES_DAYS, newest first", async () => {
    const { replace, list, stored, passDays } = await start({ REPLACED_FILES_DAYS: "3" });
    await replace("second");
    await passDays(1);
    await replace("third");
    expect(await list()).toEqual([hashOf("second"), hashOf("first")]);
    await passDays(1.5);
    await stored("first", "second", "third");
    await passDays(1);
    await stored("second", "third");
    expect(await list()).toEqual([hashOf("second")]);
    await passDays(2);
    await stored("third");
    expect(await list()).toEqual([]);
  });

  it("comes back by its hash, any number of times, and what it replaces is kept instead", async () => {
    const { api, book, replace, bringBack, list, stored } = await start();
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    await replace("second");
    for (const [now, before] of [
      ["first", "second"],
      ["second", "first"],
      ["first", "second"],
    ] as const) {
      const response = await bringBack(now);
      expect(response.status).toBe(200);
      expect(response.body.file).toMatchObject({ sha256: hashOf(now), fileSizeBytes: now.length });
      expect(response.body.file.replaced).toMatchObject([{ sha256: hashOf(before), replacedBy: "admin" }]);
      expect(await list()).toEqual([hashOf(before)]);
      expect((await api.get(link)).body.toString()).toBe(now);
      await stored("first", "second");
    }
  });

  it("is at most five for each file: the oldest goes first, an hour later", async () => {
    const { app, replace, bringBack, list, stored } = await start();
    const texts = ["second", "third", "fourth", "fifth", "sixth", "seventh"];
    for (const text of texts) {
      app.clock.advance(1000);
      await replace(text);
    }
    expect(await list()).toEqual(["sixth", "fifth", "fourth", "third", "second"].map(hashOf));
    expectProblem(await bringBack("first"), 404, { code: "content_unknown" });
    await stored("first", ...texts);
    await removeReleased(app);
    await stored(...texts);
  });

  it("can become another file, which keeps it when the place removes it", async () => {
    const { client, path, replace, remove, stored, list } = await start();
    await replace("second");
    const form = { languageCode: "es", fileName: "again.txt", sha256: hashOf("first") };
    expect((await client.post(path, form)).status).toBe(201);
    expect((await remove("first")).status).toBe(200);
    expect(await list()).toEqual([]);
    await stored("first", "second");
  });

  it("is released with the deletion of the file, and gone at once with the book for good", async () => {
    const { app, client, make, own, replace, book, stored, bringBack } = await start();
    await replace("second");
    const other = await make.textFile(book.id, "es", "other");
    expect((await client.delete(own)).status).toBe(200);
    const to = `/api/admin/books/${book.id}/files/${other.id}`;
    expectProblem(await bringBack("first", to), 404, { code: "content_unknown" });
    await stored("first", "second", "other");
    await removeReleased(app);
    await stored("other");
    await client.call("put", to, { headers: BYTES, body: createTxt("new") });
    await stored("other", "new");
    expect((await client.delete(`/api/admin/books/${book.id}?permanent=true`)).status).toBe(200);
    await stored();
  });

  it("is in no version: a change that names the version is made, and another one gets the file with it", async () => {
    const { client, own, replace } = await start();
    const { version } = (await replace("second")).body.file;
    const put = (sha256: string, tag: string) => client.with({ "If-Match": `"${tag}"` }).put(own, { sha256 });
    const refused = await put(hashOf("first"), "another");
    expectProblem(refused, 412, { code: "changed_meanwhile" });
    expect(refused.body.current.replaced).toMatchObject([{ sha256: hashOf("first") }]);
    expect((await put(hashOf("first"), version)).status).toBe(200);
  });

  it("isn't kept with 0 days: the request removes it, unless another file has it", async () => {
    const { make, book, replace, list, stored, bringBack } = await start({ REPLACED_FILES_DAYS: "0" });
    expect((await replace("second")).body.file.replaced).toEqual([]);
    await stored("second");
    await make.textFile(book.id, "ar", "second");
    await replace("third");
    await stored("second", "third");
    expect(await list()).toEqual([]);
    expectProblem(await bringBack("first"), 404, { code: "content_unknown" });
  });

  it("is counted by the doctor and the metrics, and missing bytes of it are reported", async () => {
    const token = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";
    const { app, api, replace, file } = await start({ METRICS_TOKEN: token });
    await replace("second");
    const examine = () => app.container.services.doctor.examine({ deep: true, cloud: false });
    expect(await examine()).toMatchObject({ findings: [], examined: { replacedFiles: 1, replacedBytes: 5 } });
    const scraped = await bodyOf(api.get("/metrics", { Authorization: `Bearer ${token}` }));
    const counted = { bookdist_replaced_files: 1, bookdist_replaced_bytes: 5 };
    expect(readMetrics(scraped.toString())).toMatchObject(counted);
    await app.container.store.remove(hashOf("first"));
    expect((await examine()).findings).toMatchObject([{ check: "missing_bytes", object: { id: file.id } }]);
  });
});

describe("removing what a file had before", () => {
  it("removes the bytes at once, with an entry in the audit log", async () => {
    const { app, replace, remove, list, stored, bringBack, file } = await start();
    await replace("second");
    await replace("third");
    expect((await remove("first")).body).toEqual({ success: true });
    await stored("second", "third");
    expect(await list()).toEqual([hashOf("second")]);
    expectProblem(await bringBack("first"), 404, { code: "content_unknown" });
    expect((await readAuditLog(app)).at(-1)).toMatchObject({
      action: "update",
      objectKind: "file",
      objectId: file.id,
      changes: {
        replaced: { before: { sha256: hashOf("first"), fileName: "book.txt" }, after: null },
      },
    });
  });

  it("returns 404 for what is unknown, is there now, is at another place, or was removed", async () => {
    const { client, make, path, own, replace, remove, book, stored } = await start();
    await replace("second");
    const other = await make.textFile(book.id, "ar", "other");
    for (const text of ["second", "other", "never there"])
      expectProblem(await remove(text), 404, { code: "replaced_not_found" });
    expectProblem(await remove("first", `${path}/${other.id}`), 404, { code: "replaced_not_found" });
    expectProblem(await remove("first", `${path}/unknown`), 404, { code: "file_not_found" });
    expectProblem(await client.delete(`${own}/replaced/${hashOf("first").toUpperCase()}`), 404);
    await stored("first", "second", "other");
    expect((await remove("first")).status).toBe(200);
    expectProblem(await remove("first"), 404, { code: "replaced_not_found" });
  });
});

it("the look-up of what was replaced lists each place that had the bytes, apart from those that have them", async () => {
  const { client, make, book, file, own, replace } = await start();
  const hill = await make.published("Hill", "es", "first");
  await client.call("put", `/api/admin/books/${hill.book.id}/files/${hill.file.id}`, {
    headers: BYTES,
    body: createTxt("hill"),
  });
  await replace("second");
  const lookUp = async (...texts: string[]) =>
    (await client.post("/api/admin/files/lookup", { sha256: texts.map(hashOf) })).body;
  const place = (bookId: string, fileId: string) => ({
    sha256: hashOf("first"),
    bookId,
    fileId,
    until: expect.stringMatching(/^2026-03-31T/),
  });
  const both = [place(book.id, file.id), place(hill.book.id, hill.file.id)];
  const found = await lookUp("first");
  expect(found).toEqual({ files: [], replaced: expect.arrayContaining(both), examined: [] });
  expect(found.replaced).toHaveLength(2);
  await client.put(own, { sha256: hashOf("first") });
  expect(await lookUp("first", "second")).toMatchObject({
    files: [{ sha256: hashOf("first"), fileId: file.id }],
    replaced: expect.arrayContaining([
      expect.objectContaining({ sha256: hashOf("first"), fileId: hill.file.id }),
      expect.objectContaining({ sha256: hashOf("second"), fileId: file.id }),
    ]),
  });
});

describe("what a cover was before", () => {
  it("comes back as it was, and is removed for good", async () => {
    const { app, client, book } = await start();
    const path = coverPathOf(book.id, "es");
    const red = await putCover(client, book.id, "es", await createPicture("red"));
    const green = await putCover(client, book.id, "es", await createPicture("green", { type: "webp" }));
    const former = { fileName: "cover.jpg", fileSizeBytes: red.fileSizeBytes, replacedBy: "admin" };
    expect(green.replaced).toMatchObject([{ sha256: red.sha256, ...former }]);
    const { cover: back } = (await client.put(path, { sha256: red.sha256 })).body;
    expect(back).toEqual({ ...red, replaced: back.replaced });
    expect(back.replaced).toMatchObject([{ sha256: green.sha256, fileName: "cover.webp" }]);
    const [listed] = (await client.get(`/api/admin/books/${book.id}/covers`)).body.covers;
    expect(listed).toEqual(asListed(back));
    expect((await client.get("/api/admin/covers")).body.covers).toEqual([asListed(back)]);
    expect((await client.get(`/api/admin/books/${book.id}`)).body.covers).toEqual([asListed(back)]);
    const removing = (sha256: string) => client.delete(`${path}/replaced/${sha256}`);
    expectProblem(await removing(red.sha256), 404, { code: "replaced_not_found" });
    expect((await removing(green.sha256)).body).toEqual({ success: true });
    expect(await app.container.store.has(green.sha256)).toBe(false);
    expect((await readAuditLog(app)).at(-1)).toMatchObject({ action: "update", objectKind: "cover" });
    expectProblem(await removing(green.sha256), 404, { code: "replaced_not_found" });
    expect((await client.delete(path)).status).toBe(200);
    expectProblem(await removing(green.sha256), 404, { code: "cover_not_found" });
    await removeReleased(app);
    await expectStored(app.dataDir, createTxt("first"));
  });

  it("isn't kept with 0 days", async () => {
    const { app, client, book } = await start({ REPLACED_FILES_DAYS: "0" });
    const red = await putCover(client, book.id, "default", await createPicture("red"));
    const green = await putCover(client, book.id, "default", await createPicture("green"));
    expect(green.replaced).toEqual([]);
    expect(await app.container.store.has(red.sha256)).toBe(false);
  });
});
