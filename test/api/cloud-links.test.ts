/** Files that lie elsewhere: links as they are saved and changed. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { AGENTS, linkTo } from "../support/reader.ts";
import { createTxt, expectStored } from "../support/stored-files.ts";

const LINK = {
  languageCode: "es",
  fileType: "pdf",
  sourceType: "google_drive",
  cloudUrl: "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view",
  fileName: "pozo.pdf",
  fileSizeBytes: 120_000,
};

async function start(variables: Record<string, string> = {}) {
  const { app, client } = await startWithAdmin(variables);
  await app.make.language("es");
  await app.make.language("ar");
  const book = await app.make.book("Well");
  const path = `/api/admin/books/${book.id}/files`;
  const files = async () => (await client.get(path)).body.files;
  const save = (more: Record<string, unknown> = {}) => client.post(path, { ...LINK, ...more });
  return { ...app, client, book, path, files, save };
}

describe("adding a cloud link", () => {
  it("returns the file, to whose direct address a reader is redirected", async () => {
    const { api, save, path, files, book, dataDir } = await start();
    const response = await save();
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`${path}/${response.body.id}`);
    expect(response.body).toEqual({
      ...LINK,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      languageId: 1,
      downloadCount: 0,
      isActive: 1,
      sha256: null,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: expect.any(String),
      replaced: [],
      remarks: [],
    });
    expect(await files()).toEqual([response.body]);
    await expectStored(dataDir);
    const download = await api.get(await linkTo(api, { slug: book.slug, languageCode: "es" }), {
      "User-Agent": AGENTS.chrome,
    });
    expect(download.status).toBe(302);
    expect(download.headers.location).toMatch(
      /^https:\/\/drive\.usercontent\.google\.com\/download\?.*id=1AbC/,
    );
  });

  it("replaces the active file, whether local or not", async () => {
    const { client, path, make, book, save, files, dataDir } = await start();
    await make.textFile(book.id, "es", "local");
    const first = await save({ fileType: "txt", fileSizeBytes: undefined });
    expect(first.body).toMatchObject({ isActive: 1, fileSizeBytes: 0 });
    const second = await save({
      fileType: "txt",
      sourceType: "url",
      cloudUrl: "https://files.example.org/a.txt",
    });
    const active = (await files()).filter((file: { isActive: number }) => file.isActive === 1);
    expect(active).toEqual([second.body]);
    await expectStored(dataDir, createTxt("local"));
    await client.delete(`${path}/${second.body.id}`);
    expect(await files()).toHaveLength(2);
  });

  it("stores a link in the normal form of URLs", async () => {
    const { save } = await start();
    const cases = [
      ["  HTTPS://Files.Example.ORG/a b/é.pdf  ", "https://files.example.org/a%20b/%C3%A9.pdf"],
      ["https://bücher.example/a", "https://xn--bcher-kva.example/a"],
      ["https://example.org:443/a/../b?x=1#y", "https://example.org/b?x=1#y"],
    ];
    for (const [cloudUrl, kept] of cases) {
      expect((await save({ sourceType: "url", cloudUrl })).body.cloudUrl).toBe(kept);
    }
  });

  it("accepts only the hosts that the operator allows", async () => {
    const { save } = await start({ CLOUD_FETCH_ALLOW_HOSTS: "minio.internal:9000, 127.0.0.1:9001" });
    for (const cloudUrl of ["http://minio.internal:9000/a", "http://127.0.0.1:9001/a"]) {
      expect((await save({ sourceType: "url", cloudUrl })).status).toBe(201);
    }
    for (const cloudUrl of [
      "http://minio.internal/a",
      "http://minio.internal:9001/a",
      "http://127.0.0.1:9000/a",
    ]) {
      expectProblem(await save({ sourceType: "url", cloudUrl }), 400);
    }
  });
});

describe("changing a cloud link", () => {
  it("accepts every field", async () => {
    const { client, clock, path, save, files } = await start();
    let file = (await save()).body;
    const dropbox = "https://www.dropbox.com/s/abc/well.pdf?dl=0";
    const changes: Record<string, unknown>[] = [
      { fileName: "other.pdf" },
      { fileSizeBytes: 7 },
      { fileType: "epub" },
      { cloudUrl: dropbox, sourceType: "dropbox", fileSizeBytes: 8 },
      { cloudUrl: "https://files.example.org/a.epub", sourceType: "url", fileSizeBytes: 0 },
      { isActive: 0 },
      { isActive: 1 },
      { languageCode: "ar", languageId: 2 },
      {},
    ];
    for (const { languageId, ...change } of changes) {
      clock.advance(1000);
      const response = await client.patch(`${path}/${file.id}`, change);
      const updatedAt = new Date(clock.now()).toISOString();
      const expected = {
        ...file,
        ...change,
        ...(languageId !== undefined && { languageId }),
        updatedAt,
        version: expect.any(String),
      };
      expect(response.body, JSON.stringify(change)).toEqual({ success: true, file: expected });
      file = response.body.file;
    }
    expect(await files()).toEqual([file]);
  });

  it("checks a new link like an added one", async () => {
    const { client, path, save, files } = await start();
    const { body } = await save();
    const patch = (change: unknown) => client.patch(`${path}/${body.id}`, change);
    const fieldErrors = ["cloudUrl url_of_another_provider"];
    expectProblem(await patch({ cloudUrl: "https://example.org/a", sourceType: "dropbox" }), 400, {
      errors: fieldErrors,
    });
    expectProblem(await patch({ sourceType: "local" }), 400, { errors: ["sourceType not_changeable"] });
    const folder = "https://drive.google.com/drive/folders/1AbC";
    expectProblem(await patch({ cloudUrl: folder }), 400, { errors: ["cloudUrl cloud_link_is_a_folder"] });
    expectProblem(
      await patch({ cloudUrl: "https://10.0.0.1/", sourceType: "url", languageCode: "fr" }),
      400,
      {
        errors: ["cloudUrl url_host_not_public", "languageCode unknown_language"],
      },
    );
    expect(await files()).toEqual([body]);
  });

  it("doesn't check an unchanged link again: one whose host is no longer allowed can be deactivated", async () => {
    const { client, path, save, container } = await start({ CLOUD_FETCH_ALLOW_HOSTS: "minio.internal:9000" });
    const { body } = await save({ sourceType: "url", cloudUrl: "http://minio.internal:9000/a" });
    const { writer, commit } = container.database;
    await commit(() =>
      writer.updateTable("book_files").set({ cloudUrl: "http://no-longer.internal:9000/a" }).execute(),
    );
    const off = await client.patch(`${path}/${body.id}`, { isActive: 0, fileName: "off.pdf" });
    expect(off.body.file).toMatchObject({
      isActive: 0,
      fileName: "off.pdf",
      cloudUrl: "http://no-longer.internal:9000/a",
    });
    expectProblem(await client.patch(`${path}/${body.id}`, { sourceType: "url" }), 400);
  });

  it("recognises the provider of a new link by its address, and forgets the size of the former one", async () => {
    const { client, path, save } = await start();
    const { body } = await save();
    const patch = async (change: unknown) => (await client.patch(`${path}/${body.id}`, change)).body.file;
    const same = await patch({ cloudUrl: LINK.cloudUrl, sourceType: "url" });
    expect(same).toMatchObject({ sourceType: "google_drive", fileSizeBytes: LINK.fileSizeBytes });
    const dropbox = await patch({ cloudUrl: "https://www.dropbox.com/s/abc/well.pdf?dl=0" });
    expect(dropbox).toMatchObject({ sourceType: "dropbox", fileSizeBytes: 0 });
    const other = await patch({ cloudUrl: "https://files.example.org/a.pdf", fileSizeBytes: 9 });
    expect(other).toMatchObject({ sourceType: "url", fileSizeBytes: 9 });
    expect(await patch({ sourceType: "url" })).toMatchObject({ sourceType: "url", fileSizeBytes: 9 });
  });

  it("never changes an uploaded file: the link is added beside it, and the upload is kept", async () => {
    const { client, path, make, book, dataDir, files } = await start();
    const { id } = await make.textFile(book.id, "es", "local");
    const before = await files();
    const link = "https://files.example.org/a.txt";
    for (const change of [
      { cloudUrl: link },
      { sourceType: "url" },
      { cloudUrl: link, sourceType: "url", isActive: 0 },
    ]) {
      expectProblem(await client.patch(`${path}/${id}`, change), 409, { code: "file_is_uploaded" });
    }
    expect(await files()).toEqual(before);
    expect((await client.patch(`${path}/${id}`, { sourceType: "local" })).status).toBe(200);
    const added = { ...LINK, fileType: "txt", sourceType: "url", cloudUrl: link };
    expect((await client.post(path, added)).status).toBe(201);
    expect((await files()).find((file: { id: string }) => file.id === id)).toMatchObject({ isActive: 0 });
    await expectStored(dataDir, createTxt("local"));
  });
});

describe("an added link", () => {
  it("is recognised by its address rather than by sourceType, and redirects to the file", async () => {
    const { api, client, book, path } = await start();
    const added = await client.post(`/api/admin/books/${book.id}/cloud-files`, {
      ...LINK,
      sourceType: "url",
    });
    expect(added.status).toBe(201);
    expect(added.headers.location).toBe(`${path}/${added.body.id}`);
    expect(added.body).toMatchObject({ sourceType: "google_drive", fileSizeBytes: LINK.fileSizeBytes });
    const download = await api.get(await linkTo(api, { slug: book.slug, languageCode: "es" }));
    expect(download.headers.location).toMatch(/^https:\/\/drive\.usercontent\.google\.com\/download\?/);
  });

  it("must refer to a file and not to a folder, by each of the three operations", async () => {
    const { client, book, path, files } = await start();
    const link = { ...LINK, cloudUrl: "https://drive.google.com/drive/u/0/folders/1AbC" };
    const fieldErrors = ["cloudUrl cloud_link_is_a_folder"];
    const code = "cloud_link_is_a_folder";
    expectProblem(await client.post(path, link), 400, { code, errors: fieldErrors });
    expectProblem(await client.post(`/api/admin/books/${book.id}/cloud-files`, link), 400, {
      code,
      errors: fieldErrors,
    });
    const bulk = await client.post("/api/admin/books/bulk", {
      books: [{ slug: book.slug, titleEn: "Well", files: [link] }],
    });
    expect(bulk.body.results[0]).toMatchObject({
      status: "failed",
      errors: [{ path: "books.0.files.0.cloudUrl", code: "cloud_link_is_a_folder" }],
    });
    expect(await files()).toEqual([]);
  });

  it("is accepted as JSON only, since there is nothing to upload", async () => {
    const { client, book } = await start();
    const cloudFiles = `/api/admin/books/${book.id}/cloud-files`;
    expectProblem(await client.post("/api/admin/books/unknown/cloud-files", LINK), 404, {
      code: "book_not_found",
    });
    const form = { fields: { languageCode: "es" }, file: { bytes: createTxt("text"), name: "a.txt" } };
    expectProblem(await client.upload("post", cloudFiles, form), 415);
    expect(
      (
        await client.post("/api/admin/books/bulk", {
          books: [{ slug: "well", titleEn: "Well", files: [{ ...LINK, sourceType: "dropbox" }] }],
        })
      ).body.results[0],
    ).toMatchObject({ status: "updated" });
  });
});
