/** An import of the service whose instance is killed in its middle: it is named, and started again it does the rest. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceClient } from "../tools/lib/service-client.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTxt, hashBytes } from "./support/stored-files.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
const IMPORTS = "/api/admin/imports";
const COUNT = 120;
const FILES = Array.from({ length: COUNT }, (_, index) => ({
  name: `book-${index}.txt`,
  bytes: createTxt(`Libro ${index}.`),
}));

const importRun = z.object({
  id: z.string(),
  state: z.string(),
  missing: z.array(z.string()),
  error: z.object({ code: z.string() }).nullable(),
});
const bookList = z.object({ books: z.array(z.object({ slug: z.string() })) });
const auditLog = z.object({ entries: z.array(z.object({ objectKind: z.string() })) });

async function open(dataDir: string) {
  const server = new ServiceProcess({ DATA_DIR: dataDir, ...ADMIN });
  const base = await server.waitUntilListening();
  const { cookie } = await RemoteAdmin.login(base, ADMIN);
  const client = new ServiceClient(base, { cookie, "sec-fetch-site": "same-origin" });
  const call = async <S extends z.ZodType>(schema: S, path: string, request = {}): Promise<z.output<S>> => {
    const { status, bytes } = await client.send(path, request);
    expect(status, bytes.toString()).toBeLessThan(300);
    return schema.parse(JSON.parse(bytes.toString()));
  };
  const readSlugs = async () => {
    const { books } = await call(bookList, "/api/admin/books?limit=200&status=all");
    return books.map(({ slug }) => slug).sort();
  };
  const until = async (path: string, isReached: (run: z.output<typeof importRun>) => Promise<boolean>) => {
    for (;;) {
      const run = await call(importRun, path);
      if (await isReached(run)) return run;
      await pause(20);
    }
  };
  return { server, client, call, readSlugs, until };
}

it("does only what is missing when it is started again after its instance was killed", async () => {
  const dataDir = join(createTempFolder(), "data");
  const first = await open(dataDir);
  const files = FILES.map(({ name, bytes }) => ({ path: `es/${name}`, sha256: hashBytes(bytes) }));
  const { id } = await first.call(importRun, IMPORTS, { method: "POST", json: { files } });
  const path = `${IMPORTS}/${id}`;
  for (const { name, bytes } of FILES) {
    const body = new FormData();
    body.set("file", new Blob([Uint8Array.from(bytes)]), name);
    await first.call(z.unknown(), `/api/admin/files/examine?importId=${id}`, { method: "POST", body });
  }
  await first.call(importRun, `${path}/start`, { method: "POST" });
  const met = await first.until(path, async () => (await first.readSlugs()).length > 3);
  expect(met.state).toBe("running");
  await first.server.end("SIGKILL");

  const second = await open(dataDir);
  const there = await second.readSlugs();
  expect(there.length).toBeLessThan(COUNT);
  const lost = await second.until(path, async ({ state }) => state !== "running");
  expect(lost).toMatchObject({ state: "failed", error: { code: "instance_lost" }, missing: [] });
  const started = await second.client.send(`${path}/start`, { method: "POST" });
  expect(started.status).toBe(202);
  const ended = await second.until(path, async ({ state }) => state !== "running");
  expect(ended).toMatchObject({ state: "done", error: null });
  expect(await second.readSlugs()).toEqual(FILES.map(({ name }) => name.replace(".txt", "")).sort());
  const ofBooks = `objectKind=book&requestId=${started.headers.get("x-request-id")}`;
  const { entries } = await second.call(auditLog, `/api/admin/audit?limit=200&${ofBooks}`);
  expect(entries).toHaveLength(COUNT - there.length);
  await second.server.end();
});
