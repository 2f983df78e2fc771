/** Versions of records, and changes that name the version on which they are based. */
import { describe, expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { startApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { RECIPE_SETTINGS } from "../support/change-recipes.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { linkTo } from "../support/reader.ts";
import { NOUNS, type Noun, RECORD_CHANGES, startRecordScene } from "../support/versioned-records.ts";

async function start() {
  const app = await startApp(RECIPE_SETTINGS);
  const scene = await startRecordScene(app);
  const versionOf = async (noun: Noun) => (await scene.read(noun))?.version;
  return { app, ...app, ...scene, versionOf };
}

const tag = (version: string | undefined) => `"${version}"`;
const changes = RECORD_CHANGES.map(
  (change) => [`${change.method.toUpperCase()} of a ${change.noun}`, change] as const,
);

/** The version among others, and as tags that proxies change when they compress. */
const WAYS_TO_WRITE = [
  (version: string) => `"other",, "${version}"`,
  (version: string) => `W/"${version}"`,
  (version: string) => `"${version}-gzip"`,
  (version: string) => `W/"${version}-br"`,
];

it("every operation with If-Match is among the tested ones", () => {
  // Those of the library, whose records are always there, are in library.test.ts.
  const conditional = routes.filter(({ takesIfMatch, tag: noun }) => takesIfMatch && noun !== "Library");
  expect(conditional).toHaveLength(RECORD_CHANGES.length);
});

describe.each(changes)("%s", (_, change) => {
  it("is rejected with the current record if that has another version, and if If-Match is malformed", async () => {
    const { app, change: send, read } = await start();
    const [current, log] = [await read(change.noun), await readAuditLog(app)];
    const response = await send(change, { "If-Match": '"another", "version"' });
    expectProblem(response, 412, { code: "changed_meanwhile" });
    // Lists have counts in addition.
    expect(response.body.current.version).toBe(current?.version);
    expect(current).toMatchObject(response.body.current);
    // The contact comes from a reader's form.
    const isLogged = change.noun !== "contact";
    expect("lastChange" in response.body).toBe(isLogged);
    expect(response.headers.etag).toBeUndefined();
    const { version } = current ?? {};
    for (const header of ["nonsense", `${version}`, '"open', `W/${version}`, '*, "x"', '"a" "b"', ","])
      expectProblem(await send(change, { "If-Match": header }), 400, { code: "malformed_condition" });
    expect(await read(change.noun)).toEqual(current);
    expect(await readAuditLog(app)).toEqual(log);
  });

  it("is made if one of the tags is the version, also as a compressing proxy leaves it", async () => {
    let scene = await start();
    for (const [index, write] of WAYS_TO_WRITE.entries()) {
      // What is gone can't be deleted again.
      if (index > 0 && !change.body) scene = await start();
      const version = await scene.versionOf(change.noun);
      const send = (text: string | undefined) =>
        scene.change(change, { "If-Match": write(`${text}`) }, `value ${index}`);
      expect((await send("another")).status).toBe(412);
      const { status, headers } = await send(version);
      expect([version, status]).toEqual([version, 200]);
      if (!change.body) continue;
      const after = await scene.versionOf(change.noun);
      expect(after).not.toBe(version);
      expect(headers.etag).toBe(tag(after));
    }
  });

  it("is 404 for a record that is gone, also with *", async () => {
    const { change: send, client, paths, versionOf } = await start();
    const version = await versionOf(change.noun);
    const query = change.noun === "book" ? "?permanent=true" : "";
    expect((await client.delete(`${paths[change.noun]}${query}`)).status).toBe(200);
    expectProblem(await send(change, { "If-Match": tag(version) }), 404);
    expectProblem(await send(change, { "If-Match": "*" }), 404);
  });
});

describe("of 64 changes that are based on the same version", () => {
  it.each(RECORD_CHANGES.filter(({ body }) => body))(
    "exactly one is made: $method of a $noun",
    async (change) => {
      const { change: send, versionOf } = await start();
      const headers = { "If-Match": tag(await versionOf(change.noun)) };
      const sent = Array.from({ length: 64 }, (_, index) => send(change, headers, `value ${index}`));
      const responses = await Promise.all(sent);
      const made = responses.filter(({ status }) => status === 200);
      expect(made).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(63);
      expect(made[0]?.headers.etag).toBe(tag(await versionOf(change.noun)));
    },
  );
});

describe("the version", () => {
  it.each(NOUNS)("of a %s is an opaque text that * matches in any state", async (noun) => {
    const { change: send, versionOf } = await start();
    expect(await versionOf(noun)).toMatch(/^[\w-]{22}$/);
    const change = RECORD_CHANGES.find((each) => each.noun === noun);
    if (!change) throw new Error(`Nothing changes a ${noun}`);
    expect((await send(change, { "If-Match": " * " })).status).toBe(200);
  });

  it("stays the same when positions and counts change", async () => {
    const { api, client, paths, versionOf } = await start();
    const before = await Promise.all(NOUNS.map(versionOf));
    for (const noun of ["book", "channel"] as const)
      expect((await client.put(paths[noun], { sortOrder: 7 })).status).toBe(200);
    await linkTo(api, { slug: "the-deep-well", languageCode: "es", contact });
    expect(await Promise.all(NOUNS.map(versionOf))).toEqual(before);
  });

  it("is the same again when all fields have their former values", async () => {
    const { client, paths, read, versionOf } = await start();
    const before = await versionOf("book");
    await client.put(paths.book, { tags: ["tales"] });
    expect(await versionOf("book")).not.toBe(before);
    await client.put(paths.book, { tags: [] });
    expect(await read("book")).toMatchObject({ version: before, tags: [] });
  });

  it("of a contact changes with each statement on marketing", async () => {
    const { client, paths, versionOf } = await start();
    const before = await versionOf("contact");
    const decided = await client.put(paths.contact, { marketing: true, textVersion: "2026-03" });
    const after = await versionOf("contact");
    expect(after).not.toBe(before);
    expect(decided.headers.etag).toBe(tag(after));
    const listed = await client.get("/api/admin/contacts");
    expect(listed.body.contacts[0].version).toBe(after);
    const late = client.call("put", paths.contact, {
      headers: { "If-Match": tag(before) },
      body: { marketing: false },
    });
    expectProblem(await late, 412, { code: "changed_meanwhile" });
  });

  it("of a file changes when another file replaces it", async () => {
    const { client, paths, make, read } = await start();
    const before = await read("file");
    const bookId = paths.book.split("/").at(-1) ?? "";
    await make.textFile(bookId, "es", "Another text");
    const { body } = await client.get(`${paths.book}/files`);
    const replaced = body.files.find(({ id }: { id: unknown }) => id === before?.id);
    expect(replaced).toMatchObject({ isActive: 0 });
    expect(replaced.version).not.toBe(before?.version);
  });
});

describe("the entity tag", () => {
  it.each(["book", "contact"] as const)("of a GET of one %s is its version", async (noun) => {
    const { client, paths, versionOf } = await start();
    const etag = tag(await versionOf(noun));
    const response = await client.get(paths[noun], { "If-None-Match": etag });
    expect(response.status).toBe(200);
    expect(response.headers.etag).toBe(etag);
  });

  it("of a creation is the version of the new record", async () => {
    const { client, paths } = await start();
    const link = {
      languageCode: "es",
      fileType: "pdf",
      sourceType: "url",
      cloudUrl: "https://files.example.org/well.pdf",
      fileName: "well.pdf",
    };
    const responses = [
      await client.post("/api/admin/books", { titleEn: "New" }),
      await client.post("/api/admin/languages", { code: "fr" }),
      await client.post("/api/admin/channels", { name: "New" }),
      await client.post(`${paths.book}/translations`, { languageCode: "fr", title: "Neuf" }),
      await client.post(`${paths.book}/cloud-files`, link),
      await client.upload("post", `${paths.book}/files`, {
        fields: { languageCode: "fr", fileType: "txt" },
        file: { bytes: Buffer.from("Neuf"), name: "neuf.txt" },
      }),
    ];
    for (const { status, headers, body } of responses)
      expect({ status, etag: headers.etag }).toEqual({ status: 201, etag: tag(body.version) });
  });

  it("follows archiving and restoring", async () => {
    const { client, paths, versionOf } = await start();
    const etag = tag(await versionOf("book"));
    expect((await client.delete(paths.book)).headers.etag).toBe(etag);
    const restored = await client.post(`${paths.book}/restore`);
    expect(restored.headers.etag).toBe(etag);
    expect(tag(restored.body.book.version)).toBe(etag);
  });
});

it("a translation that doesn't exist isn't added by a request with If-Match", async () => {
  const { client, make, paths } = await start();
  await make.language("fr");
  const post = client.with({ "If-Match": "*" }).post(`${paths.book}/translations`, {
    languageCode: "fr",
    title: "Le puits",
  });
  expectProblem(await post, 404, { code: "translation_not_found" });
});

it("a contact with many downloads isn't changed by an erasure based on another version", async () => {
  const { client, api } = await start();
  for (let index = 0; index < 30; index++)
    await linkTo(api, { slug: "the-deep-well", languageCode: "es", contact });
  const found = await client.get("/api/admin/contacts?search=reader");
  const { id, version } = found.body.contacts[0];
  const erase = (etag: string) => client.with({ "If-Match": etag }).delete(`/api/admin/contacts/${id}`);
  expectProblem(await erase('"another"'), 412, { code: "changed_meanwhile" });
  const { body } = await client.get(`/api/admin/contacts/${id}`);
  expect(body.events.length).toBeGreaterThanOrEqual(30);
  expect((await erase(tag(version))).status).toBe(200);
  expectProblem(await client.get(`/api/admin/contacts/${id}`), 404);
});

it("a language is deleted with its events if it is in the version of the request", async () => {
  const { client, paths, versionOf } = await start();
  const headers = { "If-Match": tag(await versionOf("language")) };
  const remove = () => client.call("delete", `${paths.language}?mode=delete_all`, { headers });
  await client.put(paths.language, { name: "Other" });
  const response = await remove();
  expectProblem(response, 412);
  expect(response.body.current).toMatchObject({ name: "Other", isActive: 1 });
  await client.put(paths.language, { name: "Name of es" });
  expect((await remove()).status).toBe(200);
});

it("a language that an interrupted deletion has closed can be deleted by the same request, unless it has changed", async () => {
  const { client, paths, versionOf } = await start();
  const headers = { "If-Match": tag(await versionOf("language")) };
  const remove = (mode: string) => client.call("delete", `${paths.language}?mode=${mode}`, { headers });
  const put = async (body: object) => expect((await client.put(paths.language, body)).status).toBe(200);
  const { name } = (await client.get("/api/admin/languages")).body.languages[0];
  await put({ isActive: 0, name: "Changed" });
  expectProblem(await remove("delete_all"), 412, { code: "changed_meanwhile" });
  await put({ name });
  expectProblem(await remove("preserve_analytics"), 412, { code: "changed_meanwhile" });
  expect((await remove("delete_all")).status).toBe(200);
});
