/** Files that are corrected while readers hold links to them, and the names under which they arrive. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { CLOUD_URL } from "../support/factory.ts";
import { AGENTS, downloadCounts, linkTo, linkToAll } from "../support/reader.ts";
import { createEpub, createPdf, createTxt, hashBytes } from "../support/stored-files.ts";

/** A book with one text file, "first", and a link to it. */
async function start(variables: Record<string, string> = {}) {
  const { app, client } = await startWithAdmin(variables);
  const { book, file } = await app.make.published("Well", "es", "first");
  const files = `/api/admin/books/${book.id}/files`;
  const link = await linkTo(app.api, { slug: book.slug, languageCode: "es" });
  const upload = (bytes: Buffer, fileType: string, name: string) =>
    client.upload("post", files, { fields: { languageCode: "es", fileType }, file: { bytes, name } });
  const text = async (path = link) =>
    (await app.api.get(path, { "User-Agent": AGENTS.chrome })).body.toString();
  return { ...app, client, book, file, files, link, upload, text };
}

describe("a link whose file is corrected", () => {
  it("delivers the newer file of the same type, which is the one that is counted", async () => {
    const scene = await start();
    const { clock, upload, text, file } = scene;
    clock.advance(1000);
    const newer = (await upload(createTxt("second"), "txt", "second.txt")).body;
    expect(await text()).toBe("second");
    expect(await downloadCounts(scene)).toEqual({ [file.id]: 0, [newer.id]: 1 });
    clock.advance(1000);
    const newest = (await upload(createTxt("third"), "txt", "third.txt")).body;
    expect(await text()).toBe("third");
    expect(await downloadCounts(scene)).toEqual({ [file.id]: 0, [newer.id]: 1, [newest.id]: 0 });
  });

  it("redirects to a cloud link that has replaced the file", async () => {
    const { make, book, api, link } = await start();
    await make.link(book.id, "es", { fileType: "txt", fileName: "well.txt" });
    const response = await api.get(link);
    expect([response.status, response.headers.location]).toEqual([302, CLOUD_URL]);
  });

  it("delivers no file of another type, language or book", async () => {
    const { client, files, file, upload, make, api, link, book } = await start();
    await upload(createPdf("another type"), "pdf", "well.pdf");
    await make.textFile(book.id, "en", "another language");
    await make.published("Another", "es", "another book");
    await client.delete(`${files}/${file.id}`);
    expectProblem(await api.get(link), 404, { code: "file_unavailable" });
  });

  it("sends no range of it to clients that don't name its version, so that no resume joins two versions", async () => {
    const { clock, api, link, upload, client, files, file } = await start();
    const before = (await api.get(link, { Range: "bytes=0-1" })).headers.etag ?? "";
    const range = { Range: "bytes=2-" };
    expect((await api.get(link, range)).status).toBe(206);
    clock.advance(1000);
    await upload(createTxt("second"), "txt", "second.txt");
    const etag = `"${hashBytes(createTxt("second"))}"`;
    for (const headers of [range, { ...range, "If-Range": before }]) {
      const whole = await api.get(link, headers);
      expect([whole.status, whole.headers.etag, whole.body.toString()]).toEqual([200, etag, "second"]);
    }
    const part = await api.get(link, { ...range, "If-Range": etag });
    expect([part.status, part.body.toString()]).toEqual([206, "cond"]);
    // The same for new bytes under the same id.
    const [active] = (await client.get(files)).body.files.filter(
      (one: { isActive: number }) => one.isActive === 1,
    );
    expect(active.id).not.toBe(file.id);
    const renewed = await linkTo(api, { slug: "well", languageCode: "es" });
    clock.advance(1000);
    await client.upload("put", `${files}/${active.id}`, {
      file: { bytes: createTxt("third"), name: "x.txt" },
    });
    expect((await api.get(renewed, range)).body.toString()).toBe("third");
  });
});

it("an upload of the same bytes as the active file changes nothing and adds no row", async () => {
  const { client, clock, files, upload, make, container } = await start();
  const before = (await client.get(files)).body.files;
  const lines = async () =>
    (await container.database.read.selectFrom("audit_log").select("id").execute()).length;
  const linesBefore = await lines();
  clock.advance(1000);
  const response = await upload(createTxt("first"), "txt", "another name.txt");
  expect([response.status, response.body]).toEqual([200, before[0]]);
  expect(response.headers.location).toBeUndefined();
  expect((await client.get(files)).body.files).toEqual(before);
  expect(await lines()).toBe(linesBefore);
  // Other bytes, another type or another language are a new file, and so are those of one that isn't active.
  expect((await upload(createTxt("second"), "txt", "b.txt")).status).toBe(201);
  expect((await upload(createTxt("first"), "txt", "c.txt")).status).toBe(201);
  await make.language("en");
  const inEnglish = { fields: { languageCode: "en" }, file: { bytes: createTxt("first"), name: "a.txt" } };
  expect((await client.upload("post", files, inEnglish)).status).toBe(201);
});

describe("the name of a downloaded file", () => {
  const nameOf = (header = "") => /filename="?([^";]+)/.exec(header)?.[1];

  it("is the book's title in the reader's language and the code, as in the ZIP", async () => {
    const { api, client, make, book, upload } = await start();
    const epubs = await upload(await createEpub("Pozo"), "epub", "0027.epub");
    expect(epubs.status).toBe(201);
    expect((await upload(await createEpub("Pozo"), "kepub", "0027.kepub.epub")).status).toBe(201);
    await client.post(`/api/admin/books/${book.id}/translations`, { languageCode: "es", title: "El pozo" });
    const spanish = (await client.get("/api/admin/languages")).body.languages[0];
    await make.language("es-MX", { parentId: spanish.id });
    for (const [fileType, languageCode, name] of [
      ["epub", "es", "El pozo [es].epub"],
      ["kepub", "es-MX", "El pozo [es-MX].kepub.epub"],
    ] as const) {
      const asked = {
        slug: book.slug,
        languageCode,
        fileType,
        contact: { email: "a@example.org", firstName: "A" },
      };
      const { body } = await api.post("/api/download/submit", asked);
      expect(body.fileName).toBe(name);
      const response = await api.get(body.downloadUrl);
      expect(nameOf(response.headers["content-disposition"])).toBe(name);
    }
    const zip = await readZip((await api.get(await linkToAll(api, "es"))).body);
    expect(zip.map(({ name }) => name)).toEqual([
      "01 - El pozo [es].epub",
      "01 - El pozo [es].kepub.epub",
      "01 - El pozo [es].txt",
    ]);
  });

  it("is that of the upload if the operator configures it", async () => {
    const { api, link, upload } = await start({ DOWNLOAD_NAMES: "original" });
    expect(nameOf((await api.get(link)).headers["content-disposition"])).toBe("book.txt");
    await upload(createTxt("second"), "txt", "named.txt");
    expect(nameOf((await api.get(link)).headers["content-disposition"])).toBe("named.txt");
  });
});

it("a link contains nothing that can be enumerated", async () => {
  const { api, link } = await start();
  const payloadOf = (path: string) =>
    JSON.parse(Buffer.from(path.split(".")[1] ?? "", "base64url").toString());
  const { iat, exp, sub, ...rest } = payloadOf(link);
  expect(rest).toEqual({ purpose: "download", iss: "book-distribution-service", aud: "download" });
  expect(exp - iat).toBe(600);
  expect(sub).toMatch(/^[\w-]{22}$/);
  const next = payloadOf(await linkTo(api, { slug: "well", languageCode: "es" })).sub;
  expect(next).toMatch(/^[\w-]{22}$/);
  expect(next.slice(0, 4)).not.toBe(sub.slice(0, 4));
});
