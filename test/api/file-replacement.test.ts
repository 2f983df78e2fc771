/** New content for a file that is there: by form or as the bytes themselves. After each case: what lies on the disk. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { encodeMultipart, field, filePart, MULTIPART } from "../support/multipart.ts";
import { AGENTS, linkTo } from "../support/reader.ts";
import { createPdf, createTxt, expectStored, hashBytes, removeReleased } from "../support/stored-files.ts";

const BYTES = { "Content-Type": "application/octet-stream" };

/** A book with one text file, "first". */
async function start() {
  const { app, client } = await startWithAdmin();
  const { book, file } = await app.make.published("Well", "es", "first");
  const path = `/api/admin/books/${book.id}/files`;
  const replace = (body: Buffer, headers: Record<string, string> = BYTES, id = file.id) =>
    client.call("put", `${path}/${id}`, { headers, body });
  const files = async () => (await client.get(path)).body.files;
  const stored = (...texts: string[]) => expectStored(app.dataDir, ...texts.map(createTxt));
  return { ...app, app, client, book, file, path, replace, files, stored };
}

describe("replacing the content of a file", () => {
  it("keeps id, count and links, and the name unless the form contains another one", async () => {
    const { api, clock, book, replace, files, stored } = await start();
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    expect((await api.get(link, { "User-Agent": AGENTS.chrome })).body.toString()).toBe("first");
    const [before] = await files();
    expect(before).toMatchObject({ downloadCount: 1, fileName: "book.txt" });
    clock.advance(1000);
    const raw = await replace(createTxt("second, longer"));
    expect(raw.body).toEqual({
      success: true,
      file: {
        ...before,
        fileSizeBytes: 14,
        sha256: hashBytes(createTxt("second, longer")),
        updatedAt: "2026-03-01T12:00:01.000Z",
        version: expect.any(String),
        replaced: [
          {
            sha256: hashBytes(createTxt("first")),
            fileName: "book.txt",
            fileSizeBytes: 5,
            replacedAt: "2026-03-01T12:00:01.000Z",
            replacedBy: "admin",
            until: "2026-03-31T12:00:01.000Z",
          },
        ],
      },
    });
    await stored("first", "second, longer");
    expect((await api.get(link)).body.toString()).toBe("second, longer");
    const form = await replace(encodeMultipart(filePart("third", "another name.txt")), MULTIPART);
    expect(form.body.file).toMatchObject({
      id: before.id,
      fileName: "another name.txt",
      fileSizeBytes: 5,
      downloadCount: 1,
    });
    expect(await files()).toEqual([form.body.file]);
    await stored("first", "second, longer", "third");
    expect((await api.get(link)).body.toString()).toBe("third");
    expect((await replace(createTxt("third"))).body.file).toEqual(form.body.file);
    await stored("first", "second, longer", "third");
  });

  it("accepts raw bytes as curl -T sends them, without a type or with the file's own", async () => {
    const { replace, stored } = await start();
    expect((await replace(createTxt("no type"), {})).status).toBe(200);
    const before = ["first", "no type"];
    await stored(...before);
    for (const type of ["text/plain", "application/epub+zip", "application/x-unknown"]) {
      expect((await replace(createTxt(type), { "Content-Type": type })).status).toBe(200);
      before.push(type);
      await stored(...before);
    }
  });

  it("rejects a part of a file, as curl -C - sends it, and compressed content", async () => {
    const { replace, files, stored } = await start();
    const [before] = await files();
    for (const range of ["bytes 6-10/11", "bytes */11"])
      expectProblem(await replace(createTxt("second"), { ...BYTES, "Content-Range": range }), 400, {
        code: "partial_content",
      });
    const encoded = { "Content-Type": "text/plain; charset=windows-1252", "Content-Encoding": "deflate" };
    expectProblem(await replace(createTxt("second"), encoded), 415, { code: "unsupported_encoding" });
    expect(await files()).toEqual([before]);
    expect((await replace(createTxt("second"), { ...encoded, "Content-Encoding": "identity" })).status).toBe(
      200,
    );
    await stored("first", "second");
  });

  it("rejects content of another type, and content that isn't a file", async () => {
    const { replace, stored, files } = await start();
    const [before] = await files();
    expectProblem(await replace(createPdf("a")), 415, { code: "wrong_file_type" });
    expectProblem(await replace(encodeMultipart(filePart(createPdf("a"))), MULTIPART), 415);
    expectProblem(await replace(encodeMultipart(filePart("text", "well.epub")), MULTIPART), 415, {
      code: "wrong_file_type",
    });
    expectProblem(await replace(createTxt('{"a":1}'), { "Content-Type": "application/json" }), 400, {
      code: "invalid_input",
    });
    expectProblem(
      await replace(createTxt("a=1"), { "Content-Type": "application/x-www-form-urlencoded" }),
      415,
    );
    expectProblem(await replace(encodeMultipart(), MULTIPART), 400, { errors: ["file missing"] });
    const named = encodeMultipart(field("languageCode", "es"), field("fileName", "x"), filePart("text"));
    expectProblem(await replace(named, MULTIPART), 400, {
      errors: ["languageCode unknown_field", "fileName unknown_field"],
    });
    expect(await files()).toEqual([before]);
    await stored("first");
  });

  it("keeps an inactive file inactive", async () => {
    const { make, book, replace, files, file, stored } = await start();
    const active = await make.textFile(book.id, "es", "newer");
    expect((await replace(createTxt("changed"))).body.file).toMatchObject({ id: file.id, isActive: 0 });
    const states = (await files()).map((one: { id: string; isActive: number }) => [one.id, one.isActive]);
    expect(new Map(states)).toEqual(
      new Map([
        [active.id, 1],
        [file.id, 0],
      ]),
    );
    await stored("newer", "changed", "first");
  });

  it("turns a cloud link into a local file, under its existing name", async () => {
    const { client, path, replace, stored } = await start();
    const link = {
      languageCode: "es",
      fileType: "pdf",
      sourceType: "url",
      fileName: "pozo.pdf",
      fileSizeBytes: 999,
      cloudUrl: "https://files.example.org/pozo.pdf",
    };
    const cloud = (await client.post(path, link)).body;
    expectProblem(await replace(createTxt("not a PDF"), BYTES, cloud.id), 415);
    const response = await replace(createPdf("a"), BYTES, cloud.id);
    expect(response.body.file).toEqual({
      ...cloud,
      sourceType: "local",
      cloudUrl: null,
      sha256: hashBytes(createPdf("a")),
      fileSizeBytes: createPdf("a").length,
      version: expect.any(String),
      remarks: [expect.objectContaining({ code: "metadata_unreadable" })],
    });
    await stored("first", createPdf("a").toString());
  });

  it("ends in the state of one of twenty concurrent requests, with its bytes and those of the five before", async () => {
    const { replace, files, stored, api, book, app } = await start();
    const texts = Array.from({ length: 20 }, (_, index) => `Version ${index} `.repeat(1000 * (index + 1)));
    const responses = await Promise.all(texts.map((text) => replace(createTxt(text))));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const [file] = await files();
    const last = texts.find((text) => hashBytes(createTxt(text)) === file.sha256) ?? "";
    expect(file.fileSizeBytes).toBe(last.length);
    expect(file.replaced).toHaveLength(5);
    const contents = new Map(["first", ...texts].map((text) => [hashBytes(createTxt(text)), text]));
    await removeReleased(app);
    await stored(last, ...file.replaced.map(({ sha256 }: { sha256: string }) => contents.get(sha256) ?? ""));
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    expect((await api.get(link)).body.equals(createTxt(last))).toBe(true);
  });

  it("keeps bytes that a file refers to, under concurrent uploads and deletions of the same bytes", async () => {
    const { client, make, path, book, replace, files, stored } = await start();
    await Promise.all(["ar", "fr", "de"].map((code) => make.language(code)));
    const shared = "shared by all";
    const [arabic, french] = await Promise.all([
      make.textFile(book.id, "ar", shared),
      make.textFile(book.id, "fr", shared),
      make.textFile(book.id, "de", shared),
      replace(createTxt(shared)),
    ]);
    await stored(shared, "first");
    await Promise.all([
      client.delete(`${path}/${arabic.id}`),
      client.delete(`${path}/${french.id}`),
      replace(createTxt("other")),
      make.textFile(book.id, "ar", shared),
    ]);
    const hashes = new Set((await files()).map((file: { sha256: string }) => file.sha256));
    expect(hashes).toEqual(new Set([hashBytes(createTxt(shared)), hashBytes(createTxt("other"))]));
    await stored(shared, "other", "first");
  });
});
