import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { downloadCounts, findOnlyEvent, linkTo, linkToAll } from "../support/reader.ts";
import { createStorageScene, TEXT } from "../support/storage-scene.ts";
import { createEpub, createTxt } from "../support/stored-files.ts";

describe("DELIVERY=redirect", () => {
  const REDIRECT = { DELIVERY: "redirect" };

  it("redirects a client to the store, which sends the file under its name, and counts that as the download", async () => {
    const { app, api, link } = await createStorageScene(REDIRECT);
    const response = await api.get(link);
    expect(response.status).toBe(302);
    expect(response.headers).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
    });
    const address = new URL(response.headers.location ?? "");
    expect(address.searchParams.get("X-Amz-Expires")).toBe("60");
    const stored = await fetch(address);
    expect([stored.status, await stored.text()]).toEqual([200, TEXT]);
    expect(Object.fromEntries(stored.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="The Well [en].txt"',
    });
    expect((await findOnlyEvent(app)).redeemedAt).toBe(app.clock.now());
    expect(Object.values(await downloadCounts(app))).toEqual([1]);
    app.clock.advance(595_000);
    const late = await api.get(link, { Range: "bytes=10-" });
    expect(late.status).toBe(302);
    const resumed = await fetch(late.headers.location ?? "", { headers: { Range: "bytes=10-" } });
    expect([resumed.status, await resumed.text()]).toEqual([206, TEXT.slice(10)]);
    expect(new URL(late.headers.location ?? "").searchParams.get("X-Amz-Expires")).toBe("60");
  });

  it("redirects a reader who renews an expired link to the store", async () => {
    const { app, api, link } = await createStorageScene(REDIRECT);
    app.clock.advance(600_000);
    const page = { headers: { Accept: "text/html", Origin: "null" } };
    const renewed = await api.call("post", `${link}/renewal`, page);
    expect(renewed.status).toBe(303);
    const { pathname } = new URL(renewed.headers.location ?? "", `http://localhost${link}/renewal`);
    const response = await api.get(pathname);
    expect(response.status).toBe(302);
    expect(await (await fetch(response.headers.location ?? "")).text()).toBe(TEXT);
  });

  it("sends itself what the store would send differently: HEAD, its own tags, unknown versions, many ranges and none", async () => {
    const { app, api, admin, file, files, link } = await createStorageScene(REDIRECT);
    const head = await api.head(link);
    const { etag = "" } = head.headers;
    expect([head.status, head.headers["content-length"]]).toEqual([200, "1024"]);
    expect((await findOnlyEvent(app)).redeemedAt).toBeNull();
    expect((await api.get(link, { "If-None-Match": etag })).status).toBe(304);
    expect((await api.get(link, { Range: "bytes=1-", "If-Range": etag })).status).toBe(206);
    const stored = await fetch((await api.get(link)).headers.location ?? "");
    const tagOfStore = stored.headers.get("etag") ?? "";
    expect(tagOfStore).not.toBe(etag);
    expect((await api.get(link, { Range: "bytes=1-", "If-Range": tagOfStore })).status).toBe(302);
    expect((await api.get(link, { "If-Match": tagOfStore })).status).toBe(302);
    for (const [range, ifRange] of [
      ["bytes=1-", '"of another version"'],
      ["bytes=1-", stored.headers.get("last-modified") ?? ""],
      ["bytes=0-0,2-3", tagOfStore],
      ["bytes=0-0,1-3", tagOfStore],
      ["pages=1-2", tagOfStore],
    ]) {
      const response = await api.get(link, { Range: range ?? "", "If-Range": ifRange ?? "" });
      expect([range, response.status, response.body.toString()]).toEqual([range, 200, TEXT]);
    }
    const adjacent = await api.get(link, { Range: "bytes=0-0,1-3" });
    expect([adjacent.status, adjacent.body.toString()]).toEqual([206, TEXT.slice(0, 4)]);
    const unsatisfiable = await api.get(link, { Range: "bytes=1024-" });
    expectProblem(unsatisfiable, 416, { code: "range_not_satisfiable" });
    expect(unsatisfiable.headers["content-range"]).toBe("bytes */1024");
    app.clock.advance(1000);
    await admin.upload("put", `${files}/${file.id}`, { file: { bytes: createTxt("new"), name: "b.txt" } });
    expect((await api.get(link, { Range: "bytes=1-" })).status).toBe(200);
    expect((await api.get(link)).status).toBe(302);
  });

  it("builds a ZIP before redirecting to it, and keeps the type of an EPUB", async () => {
    const { api, upload } = await createStorageScene(REDIRECT);
    const zip = await api.get(await linkToAll(api, "en"));
    expect(zip.status).toBe(302);
    const stored = await fetch(zip.headers.location ?? "");
    expect(Object.fromEntries(stored.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": "attachment; filename=en.zip",
    });
    expect(await readZip(Buffer.from(await stored.arrayBuffer()))).toHaveLength(1);
    await upload(await createEpub("B"), "b.epub");
    const book = await api.get(await linkTo(api, { slug: "the-well", languageCode: "en", fileType: "epub" }));
    const { headers } = await fetch(book.headers.location ?? "");
    expect(headers.get("content-type")).toBe("application/epub+zip");
  });
});
