/** Imports that the service runs: collected, started, followed, cancelled, and whose they are. */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { ImportRun } from "../../src/schemas/import-runs.schemas.ts";
import { bearer, createAccount, createKey } from "../support/accounts.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { createTitledEpub } from "../support/book-files.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { collect, endOf, IMPORTS, listFiles, run, startImports } from "../support/import-scene.ts";
import type { Files } from "../support/library-runs.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";

const DAY = 86_400_000;

const WELL = { "es/the-well.txt": createTxt("El pozo."), "readme.txt": createTxt("About.") };

describe("an import that the service runs", () => {
  it("says what became of each file, as JSON and as CSV, and shows its progress", async () => {
    const { client } = await startImports();
    const ended = await run(client, WELL);
    expect(ended).toMatchObject({
      state: "done",
      archived: false,
      filesCount: 2,
      missing: [],
      progress: { files: 1, books: 1 },
      result: {
        books: [
          { slug: "the-well", status: "create", files: [{ path: "es/the-well.txt", status: "create" }] },
        ],
        leftOut: [{ path: "readme.txt", code: "about_the_collection" }],
        failed: [],
      },
    });
    const [book] = ended.result?.books ?? [];
    const csv = await client.with({ Accept: "text/csv" }).get(`${IMPORTS}/${ended.id}`);
    expect([csv.status, csv.headers["content-type"]]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(String(csv.body).split("\r\n")).toEqual([
      "path,slug,bookId,status,languageCode,fileType,code,message",
      `es/the-well.txt,the-well,${book?.bookId},create,es,txt,,`,
      "readme.txt,,,left_out,,,about_the_collection,It is a text about the collection.",
      "",
    ]);
    const { imports } = (await client.get(IMPORTS)).body;
    expect(imports).toMatchObject([{ id: ended.id, state: "done" }]);
    expect(imports[0]).not.toHaveProperty("result");
  });

  it("archives new books when it makes them, if that is wanted", async () => {
    const { client, app, make } = await startImports();
    const { book } = await make.published("Hill", "es");
    const files = { ...WELL, "hill.epub": await createTitledEpub("Hill", "es") };
    const corrections = [{ path: "hill.epub", book: book.id }];
    const { result, archived } = await run(client, files, { archived: true, corrections });
    expect(archived).toBe(true);
    const made = result?.books.find(({ slug }) => slug === "the-well");
    const details = async (id: string | null | undefined) =>
      (await client.get(`/api/admin/books/${id}`)).body;
    const well = await details(made?.bookId);
    expect(well.book).toMatchObject({ isActive: 0, archivedAt: well.book.createdAt });
    expect(well.files).toMatchObject([{ isActive: 1 }]);
    expect((await details(book.id)).book).toMatchObject({ isActive: 1 });
    const lines = await readAuditLog(app);
    expect(lines.filter(({ action }) => action === "archive")).toEqual([]);
  });

  it("is written as the user who has started it, in the audit log", async () => {
    const { client, app } = await startImports();
    const { id } = await run(client, WELL);
    const lines = await readAuditLog(app);
    const actor = lines.find(({ objectKind }) => objectKind === "import")?.actorId;
    expect(lines.filter(({ objectKind }) => objectKind === "import")).toMatchObject([
      { action: "create", objectId: id },
      { action: "start", objectId: id },
    ]);
    for (const kind of ["book", "file", "language"] as const)
      expect(lines.find(({ objectKind }) => objectKind === kind)).toMatchObject({
        action: "create",
        actorId: actor,
      });
  });

  it("follows corrections of files", async () => {
    const { client, make } = await startImports();
    const { book } = await make.published("Hill", "en");
    const files = {
      "well.txt": createTxt("Kisima."),
      "hill.txt": createTxt("Kilima."),
      "x.txt": createTxt("X."),
    };
    const corrections = [
      { path: "well.txt", languageCode: "sw", title: "Kisima" },
      { path: "hill.txt", languageCode: "sw", book: book.id },
      { path: "x.txt", leaveOut: true },
    ];
    const { result } = await run(client, files, { corrections });
    expect(result?.leftOut).toMatchObject([{ path: "x.txt", code: "left_out" }]);
    expect(result?.books).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ bookId: book.id, status: "update" }),
        expect.objectContaining({ slug: "well", status: "create" }),
      ]),
    );
    const made = result?.books.find(({ slug }) => slug === "well");
    const { translations } = (await client.get(`/api/admin/books/${made?.bookId}`)).body;
    expect(translations).toMatchObject([{ languageCode: "sw", title: "Kisima" }]);
  });

  it("replaces what a known book has by a file that is wanted, and by a title that was written", async () => {
    const { client, make } = await startImports();
    const { book } = await make.published("Well", "es", "before");
    const files = { "es/well.txt": createTxt("after"), "es/well.epub": await createTitledEpub("Pozo", "es") };
    const ofBook = { book: book.id };
    const filesOf = ({ result }: ImportRun) =>
      Object.fromEntries(result?.books.flatMap((each) => each.files.map((f) => [f.path, f.status])) ?? []);
    const read = async () => (await client.get(`/api/admin/books/${book.id}`)).body;
    const kept = await run(client, files, {
      corrections: Object.keys(files).map((path) => ({ path, ...ofBook })),
    });
    expect(filesOf(kept)).toEqual({ "es/well.txt": "differs", "es/well.epub": "create" });
    expect((await read()).translations).toMatchObject([{ title: "Pozo" }]);
    const corrections = [
      { path: "es/well.txt", leaveOut: false, title: "El pozo profundo", ...ofBook },
      { path: "es/well.epub", ...ofBook },
    ];
    const replaced = await run(client, files, { corrections });
    expect(filesOf(replaced)).toEqual({ "es/well.txt": "replace", "es/well.epub": "unchanged" });
    const after = await read();
    expect(after.translations).toMatchObject([{ title: "El pozo profundo" }]);
    const hashes = after.files.flatMap((file: { isActive: number; sha256: string }) =>
      file.isActive ? file.sha256 : [],
    );
    expect(hashes.toSorted()).toEqual(Object.values(files).map(hashBytes).toSorted());
    const again = await run(client, files, { corrections });
    expect(again.result?.books).toMatchObject([{ status: "unchanged" }]);
  });

  it("follows corrections of cells of a spreadsheet, and names those without a cell", async () => {
    const { client } = await startImports();
    const catalogue = { name: "c.csv", text: "slug,title,language,file\nwell,Kisima,Swahilli!,1.txt\n" };
    const files = { "1.txt": createTxt("Kisima.") };
    const wrong = await run(client, files, { catalogue });
    expect(wrong.result?.failed).toMatchObject([
      { slug: "well", code: "invalid_language_code", line: 2, column: "language", value: "Swahilli!" },
    ]);
    const corrections = [
      { line: 2, column: "language", value: "sw" },
      { line: 9, column: "language", value: "sw" },
    ];
    const right = await run(client, files, { catalogue, corrections });
    expect(right.result?.books).toMatchObject([
      { slug: "well", status: "create", files: [{ languageCode: "sw" }] },
    ]);
    expect(right.result?.leftOut).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: "correction_unfit" })]),
    );
  });

  it("leaves out copies and what the library has elsewhere, unless that is corrected", async () => {
    const { client, make } = await startImports();
    for (const code of ["es", "en"]) await make.language(code);
    await make.published("Well", "es", "same");
    const files = {
      "en/well.txt": createTxt("same"),
      "es/a.txt": createTxt("twice"),
      "es/b.txt": createTxt("twice"),
    };
    const { result } = await run(client, files);
    const all = result?.books.flatMap((book) => book.files) ?? [];
    expect(Object.fromEntries(all.map(({ path, status }) => [path, status]))).toEqual({
      "en/well.txt": "known",
      "es/a.txt": "create",
      "es/b.txt": "known",
    });
    expect(all.find(({ path }) => path === "es/b.txt")?.knownAs).toEqual([{ path: "es/a.txt" }]);
    const ticked = await run(client, files, { corrections: [{ path: "en/well.txt", leaveOut: false }] });
    const file = ticked.result?.books
      .flatMap((book) => book.files)
      .find(({ path }) => path === "en/well.txt");
    expect(file?.status).toBe("create");
  });
});

describe("an import that isn't started", () => {
  it("needs its bytes, which are kept for seven days beyond the bounds of others", async () => {
    const { client, app } = await startImports();
    const { id, missing } = (await client.post(IMPORTS, { files: listFiles(WELL) })).body;
    expect(missing).toEqual([hashBytes(WELL["es/the-well.txt"])]);
    expectProblem(await client.post(`${IMPORTS}/${id}/start`), 409, { code: "content_missing" });
    const file = { bytes: WELL["es/the-well.txt"], name: "the-well.txt" };
    await client.upload("post", `/api/admin/files/examine?importId=${id}`, { file });
    const look = async () => (await (await createAccount(app)).client.get(`${IMPORTS}/${id}`)).body.missing;
    app.clock.advance(7 * DAY - 1000);
    await app.container.services.examinations.forgetOld();
    expect(await look()).toEqual([]);
    app.clock.advance(2000);
    await app.container.services.examinations.forgetOld();
    expect(await look()).toEqual(missing);
  });

  it("gets no further bytes while the disk is short, which others still get", async ({ skip }) => {
    const disk = mountSmallDisk("128m");
    if (!disk) return skip("only root may mount a small disk");
    const { client } = await startImports({}, { dataDir: join(disk.path, "data") });
    const { id } = (await client.post(IMPORTS, { files: listFiles(WELL) })).body;
    const file = { bytes: WELL["es/the-well.txt"], name: "the-well.txt" };
    const examine = (query: string) => client.upload("post", `/api/admin/files/examine${query}`, { file });
    const ballast = join(disk.path, "ballast");
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 5 * 1024 ** 2));
    expectProblem(await examine(`?importId=${id}`), 507, { code: "disk_full" });
    expect((await client.get(`${IMPORTS}/${id}`)).body.missing).toHaveLength(1);
    expect((await examine("")).status).toBe(200);
    rmSync(ballast);
    expect((await examine(`?importId=${id}`)).status).toBe(200);
    expect((await client.get(`${IMPORTS}/${id}`)).body.missing).toEqual([]);
  });

  it("is cancelled at once, and can be started still", async () => {
    const { client } = await startImports();
    const { id } = await collect(client, WELL);
    const cancelled = await client.delete(`${IMPORTS}/${id}`);
    expect([cancelled.status, cancelled.body.state]).toEqual([200, "cancelled"]);
    expect((await client.post(`${IMPORTS}/${id}/start`)).status).toBe(202);
    expect(await endOf(client, id)).toMatchObject({ state: "done" });
    expectProblem(await client.post(`${IMPORTS}/${id}/start`), 409, { code: "import_done" });
    expect((await client.delete(`${IMPORTS}/${id}`)).body.state).toBe("done");
  });

  it("is rejected with all that is wrong", async () => {
    const { client } = await startImports();
    const sha256 = hashBytes(createTxt("a"));
    const corrections = [
      { line: 1, languageCode: "en" },
      { path: "a.txt", value: "x" },
    ];
    const response = await client.post(IMPORTS, { files: [{ path: "a.txt", sha256 }], corrections, more: 1 });
    expectProblem(response, 400, {
      errors: [
        "corrections.0.column missing",
        "corrections.0.languageCode invalid_value",
        "corrections.0.value missing",
        "corrections.1.value invalid_value",
        "more unknown_field",
      ],
    });
  });
});

/** More than are written at once, so that something is left of the run when it is met in the middle. */
const MANY: Files = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`es/book-${index}.txt`, createTxt(`Libro ${index}.`)]),
);

async function readSlugs(client: Client): Promise<string[]> {
  const { books } = (await client.get("/api/admin/books?limit=200")).body;
  return books.map(({ slug }: { slug: string }) => slug);
}

it("an import in the middle of its run is cancelled between two books, keeps its bytes, and does the rest when it is started again", async () => {
  const { client, app } = await startImports();
  const { id } = await collect(client, MANY);
  await client.post(`${IMPORTS}/${id}/start`);
  await eventually(async () => expect(await readSlugs(client)).not.toEqual([]));
  expect((await client.delete(`${IMPORTS}/${id}`)).status).toBe(202);
  const cancelled = await endOf(client, id);
  expect(cancelled).toMatchObject({ state: "cancelled", missing: [] });
  const first = await readSlugs(client);
  expect(first.length).toBeLessThan(60);
  // Each book that was begun has its file.
  expect(cancelled.result?.books.map(({ status }) => status)).toEqual(first.map(() => "create"));
  const { length } = await readAuditLog(app);
  await client.post(`${IMPORTS}/${id}/start`);
  expect(await endOf(client, id)).toMatchObject({ state: "done", progress: { files: 60, books: 60 } });
  const since = (await readAuditLog(app)).slice(length);
  expect(since.filter(({ objectKind }) => objectKind === "book")).toHaveLength(60 - first.length);
  expect(since.filter(({ objectKind }) => objectKind === "file")).toHaveLength(60 - first.length);
  expect(await readSlugs(client)).toHaveLength(60);
});

describe("an import of a user", () => {
  it("is shared with the user's keys, and seen by administrators, and by no one else", async () => {
    const { app, client, api, make } = await startImports();
    const anna = (await createAccount(app, "editor")).client;
    const { key } = await createKey(client, { scopes: ["edit_books"] });
    const program = api.with(bearer(key));
    const { id } = await collect(program, WELL);
    expect((await client.get(`${IMPORTS}/${id}`)).status).toBe(200);
    for (const response of [
      await anna.get(`${IMPORTS}/${id}`),
      await anna.post(`${IMPORTS}/${id}/start`),
      await anna.delete(`${IMPORTS}/${id}`),
      await client.get(`${IMPORTS}/x`),
    ])
      expectProblem(response, 404, { code: "import_not_found" });
    expect((await anna.get(IMPORTS)).body.imports).toEqual([]);
    const ofAnna = await collect(anna, WELL);
    expect((await client.get(IMPORTS)).body.imports.map((each: ImportRun) => each.id)).toContain(ofAnna.id);
    expect((await program.get(IMPORTS)).body.imports).toHaveLength(1);
    expect((await program.post(`${IMPORTS}/${id}/start`)).status).toBe(202);
    expect(await endOf(program, id)).toMatchObject({ state: "failed", error: { code: "languages_missing" } });
    await make.language("es");
    expect((await program.post(`${IMPORTS}/${id}/start`)).status).toBe(202);
    expect(await endOf(program, id)).toMatchObject({ state: "done" });
  });

  it("has a job for its user and administrators, and an examination of the doctor is for these only", async () => {
    const { app, client } = await startImports();
    const anna = (await createAccount(app, "editor")).client;
    const ben = (await createAccount(app, "editor")).client;
    const before = await collect(anna, WELL);
    expect(before.jobId).toBeNull();
    await anna.post(`${IMPORTS}/${before.id}/start`);
    const { jobId } = await endOf(anna, before.id);
    const path = `/api/admin/jobs/${jobId}`;
    for (const each of [anna, client])
      expect((await each.get(path)).body).toMatchObject({ id: jobId, kind: "import", status: "done" });
    expectProblem(await ben.get(path), 404, { code: "job_not_found" });
    expectProblem(await ben.delete(path), 404, { code: "job_not_found" });
    expect((await anna.delete(path)).status).toBe(200);
    const { headers } = await client.post("/api/admin/doctor/runs", {});
    for (const send of [anna.get, anna.delete])
      expectProblem(await send(String(headers.location)), 404, { code: "job_not_found" });
    expect((await client.get(String(headers.location))).status).toBe(200);
  });

  it("runs one at a time", async () => {
    const { client, app } = await startImports();
    const { id } = await collect(client, WELL);
    const other = await collect(client, { "es/hill.txt": createTxt("La colina.") });
    const author = createSystemAuthor("test");
    const { ownerId } = (await client.get(`${IMPORTS}/${id}`)).body;
    const held = Promise.withResolvers<never>();
    const work = () => held.promise;
    const { id: jobId } = await app.container.services.jobs.start(author, {
      kind: "import",
      subject: ownerId,
      options: {},
      work,
    });
    expectProblem(await client.post(`${IMPORTS}/${other.id}/start`), 409, { code: "import_running" });
    held.reject(new Error("made to fail"));
    await eventually(async () =>
      expect((await client.get(`/api/admin/jobs/${jobId}`)).body.status).toBe("failed"),
    );
    expect((await client.post(`${IMPORTS}/${other.id}/start`)).status).toBe(202);
    expect(await endOf(client, other.id)).toMatchObject({ state: "done" });
  });

  it("is kept for 30 days", async () => {
    const { client, app } = await startImports();
    const { id } = await run(client, WELL);
    app.clock.advance(30 * DAY + 1000);
    expectProblem(await (await createAccount(app)).client.get(`${IMPORTS}/${id}`), 404, {
      code: "import_not_found",
    });
    await app.container.retention.run();
    expect(await app.container.database.read.selectFrom("imports").select("id").execute()).toEqual([]);
  });

  it("has failed as lost if its instance has died, and does what is missing when it is started again", async () => {
    const { client, app } = await startImports();
    const { id } = await collect(client, {
      ...WELL,
      "es/hill.epub": await createTitledEpub("La colina", "es"),
    });
    await app.container.writeRecords(({ imports }) =>
      imports.update(id, { state: "running", jobId: "01a1fb60-4d6f-7c10-9b2a-6f7081929499" }),
    );
    app.container.services.jobs.startSchedule();
    const lost = await endOf(client, id);
    expect(lost).toMatchObject({ state: "failed", error: { code: "instance_lost" } });
    expect((await client.post(`${IMPORTS}/${id}/start`)).status).toBe(202);
    expect(await endOf(client, id)).toMatchObject({ state: "done", error: null });
  });
});
