/** Uploads that are too large, stop half-way, or lose what they belong to. After each case: what lies on the disk. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { encodeMultipart, field, filePart, MULTIPART } from "../support/multipart.ts";
import { itInFolder } from "../support/on-s3.ts";
import { openRequest } from "../support/open-request.ts";
import { createTxt, expectStored, hashBytes, removeReleased } from "../support/stored-files.ts";

const LIMIT = 100_000;

async function start(variables: Record<string, string> = { MAX_UPLOAD_BYTES: String(LIMIT) }) {
  const { app, client } = await startWithAdmin(variables);
  const { book, file } = await app.make.published("Well", "es", "first");
  const path = `/api/admin/books/${book.id}/files`;
  const files = async () => (await client.get(path)).body.files;
  const stored = (...texts: string[]) => eventually(() => expectStored(app.dataDir, ...texts.map(createTxt)));
  return { ...app, client, book, file, path, files, stored };
}

interface Answer {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A request that promises more than it sends. */
async function open(...given: Parameters<typeof openRequest>) {
  const sent = await openRequest(...given);
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", (response) => {
      const { statusCode: status, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
  });
  answer.catch(() => {});
  return { sent, answer };
}

describe("an upload above MAX_UPLOAD_BYTES", () => {
  it("can have exactly that many bytes", async () => {
    const { client, path, file, stored } = await start();
    const body = createTxt("x".repeat(LIMIT));
    const headers = { "Content-Type": "text/plain" };
    expect((await client.call("put", `${path}/${file.id}`, { headers, body })).status).toBe(200);
    await stored("first", "x".repeat(LIMIT));
    const form = encodeMultipart(field("languageCode", "es"), filePart("y".repeat(LIMIT)));
    expect((await client.call("post", path, { headers: MULTIPART, body: form })).status).toBe(201);
    await stored("first", "x".repeat(LIMIT), "y".repeat(LIMIT));
  });

  it("is rejected with one byte more", async () => {
    const { client, path, file, stored } = await start();
    const body = createTxt("x".repeat(LIMIT + 1));
    const headers = { "Content-Type": "text/plain" };
    const replaced = await client.call("put", `${path}/${file.id}`, { headers, body });
    expectProblem(replaced, 413, { code: "file_too_large" });
    const form = encodeMultipart(field("languageCode", "es"), filePart(body));
    expectProblem(await client.call("post", path, { headers: MULTIPART, body: form }), 413, {
      code: "file_too_large",
    });
    await stored("first");
  });

  it.each([
    ["raw", "put", { "Content-Type": "text/plain" }, Buffer.alloc(0)],
    ["in a form", "put", MULTIPART, encodeMultipart(filePart("")).subarray(0, 160)],
    [
      "in a form for a new file",
      "post",
      MULTIPART,
      encodeMultipart(field("languageCode", "es"), filePart("")).subarray(0, 250),
    ],
  ] as const)("is rejected with 413 while it is still being sent: %s", async (_, method, headers, head) => {
    const app = await start();
    const { path, file, files, stored } = app;
    const before = await files();
    const to = method === "put" ? `${path}/${file.id}` : path;
    const { sent, answer } = await open(app, method, to, { ...headers, "Content-Length": "1000000000" });
    sent.write(head);
    sent.write(Buffer.alloc(LIMIT + 1000, "x"));
    // The rest never comes.
    const { status, body, headers: answered } = await answer;
    expect([status, JSON.parse(body).code]).toEqual([413, "file_too_large"]);
    expect(answered.connection).toBe("close");
    sent.destroy();
    expect(await files()).toEqual(before);
    await stored("first");
  });
});

describe("an interrupted upload", () => {
  itInFolder.each([
    ["raw", "put", { "Content-Type": "text/plain" }, createTxt("x".repeat(50_000))],
    [
      "in a form",
      "post",
      MULTIPART,
      encodeMultipart(field("languageCode", "es"), filePart("x".repeat(50_000))).subarray(0, 40_000),
    ],
  ] as const)("leaves nothing: %s", async (_, method, headers, part) => {
    const app = await start();
    const { path, file, files, stored, dataDir } = app;
    const before = await files();
    const to = method === "put" ? `${path}/${file.id}` : path;
    const { sent } = await open(app, method, to, { ...headers, "Content-Length": "90000" });
    sent.write(part);
    // Until the first bytes are on the disk.
    await eventually(() => expect(expectStored(dataDir, createTxt("first"))).rejects.toThrow());
    sent.destroy();
    await stored("first");
    expect(await files()).toEqual(before);
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

describe("an upload whose target changes during the transfer", () => {
  /** Pauses an upload between its bytes and its row, runs `meanwhile`, and lets it continue. */
  async function during(
    app: Omit<Awaited<ReturnType<typeof start>>, "file"> & { file: { id: string } },
    method: "post" | "put",
    meanwhile: () => Promise<unknown>,
  ) {
    const { client, container, path, file } = app;
    const body =
      method === "post"
        ? encodeMultipart(field("languageCode", "es"), filePart("late"))
        : encodeMultipart(filePart("late"));
    const to = method === "post" ? path : `${path}/${file.id}`;
    const [stored, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const keep = container.store.keep.bind(container.store);
    const spy = vi.spyOn(container.store, "keep").mockImplementation(async (received) => {
      const kept = await keep(received);
      stored.resolve();
      await gate.promise;
      return kept;
    });
    onTestFinished(() => spy.mockRestore());
    const upload = Promise.resolve(client.call(method, to, { headers: MULTIPART, body }));
    await stored.promise;
    await meanwhile();
    gate.resolve();
    const response = await upload;
    await removeReleased(app);
    return response;
  }

  it("is rejected and leaves no bytes if the book was deleted", async () => {
    const app = await start();
    const remove = () =>
      writeRows(app, (db) => db.deleteFrom("books").where("id", "=", app.book.id).execute());
    expectProblem(await during(app, "post", remove), 404, { code: "book_not_found" });
    await app.container.sweep();
    await app.stored();
  });

  it("is rejected and leaves no bytes if the language was deleted", async () => {
    const app = await start();
    const answer = await during(app, "post", () => app.client.delete("/api/admin/languages/1"));
    expectProblem(answer, 400, { errors: ["languageCode unknown_language"] });
    await app.stored();
  });

  it("is rejected and leaves no bytes if the file was deleted", async () => {
    const app = await start();
    const answer = await during(app, "put", () => app.client.delete(`${app.path}/${app.file.id}`));
    expectProblem(answer, 404, { code: "file_not_found" });
    await app.stored();
  });

  it("is rejected and leaves no bytes if the file became one of another type", async () => {
    const app = await start();
    // Only a link can become one of another type; the upload that it takes the place of is kept.
    const file = await app.make.link(app.book.id, "es", { fileType: "txt", fileName: "a.txt" });
    const answer = await during({ ...app, file }, "put", async () => {
      const change = await app.client.patch(`${app.path}/${file.id}`, { fileType: "pdf" });
      expect(change.status).toBe(200);
    });
    expectProblem(answer, 409, { code: "file_type_changed" });
    await app.stored("first");
    const files: { id: string }[] = await app.files();
    expect(files).toHaveLength(2);
    expect(files.find(({ id }) => id === file.id)).toMatchObject({ fileType: "pdf", sourceType: "url" });
  });

  it("keeps bytes that another file has, when it is rejected", async () => {
    const app = await start();
    const answer = await during(app, "put", async () => {
      await app.client.delete(`${app.path}/${app.file.id}`);
      await writeRows(app, (db) =>
        db
          .insertInto("book_files")
          .values({
            id: "other",
            bookId: app.book.id,
            languageId: 1,
            fileType: "txt",
            sourceType: "local",
            fileName: "a.txt",
            fileSizeBytes: 4,
            sha256: hashBytes(createTxt("late")),
            cloudUrl: null,
            downloadCount: 0,
            isActive: 1,
            createdAt: 1,
            updatedAt: 1,
          })
          .execute(),
      );
    });
    expectProblem(answer, 404);
    await app.stored("late");
  });
});
