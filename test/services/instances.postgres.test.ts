/** Instances on one database: who is admitted, and what only one of them does at a time. */
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createWriters } from "../../src/repositories/index.ts";
import { ReleasedBytesRepository } from "../../src/repositories/released-bytes.repository.ts";
import { admitInstance } from "../../src/services/instances.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { loseLocks, startInstances } from "../support/instances.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";

const SECRETS = ["Vh4x0pQ2s9LmT7cYzR1bN6wKdE8jUgAf", "q8WnZ3rT6yB1mK5vX9cL2pF7hJ4dS0gA"] as const;

const admit = (
  { container, clock }: TestApp,
  given: { secret?: string; shares?: boolean; accepts?: boolean; waitMs?: number },
) =>
  admitInstance({
    database: container.database,
    write: createWriters({ database: container.database, clock, addressStorage: "full" }).writeRecords,
    secret: given.secret ?? SECRETS[0],
    sharesFiles: given.shares ?? true,
    acceptsNewSecret: given.accepts ?? false,
    log: container.log,
    staleLockMs: given.waitMs ?? 0,
  });

describe("the secret", () => {
  it("must be that of the first instance", async () => {
    const [one, another] = await startInstances();
    await admit(one, {});
    await admit(another, {});
    const refused = admit(another, { secret: SECRETS[1] });
    await expect(refused).rejects.toThrow(/^AUTH_SECRET: [^\n]+--accept-new-secret/);
    await expect(refused).rejects.not.toThrow(SECRETS[1]);
  });

  it("is replaced by one that is accepted as new", async () => {
    const [one, another] = await startInstances();
    await admit(one, {});
    await admit(another, { secret: SECRETS[1], accepts: true });
    await admit(await startApp({}, { dataDir: one.dataDir }), { secret: SECRETS[1] });
    await expect(admit(one, {})).rejects.toThrow("AUTH_SECRET");
  });

  it("is that of one of two instances that start concurrently", async () => {
    const instances = await startInstances();
    const admitted = await Promise.allSettled(
      instances.map((instance, index) => admit(instance, { secret: SECRETS[index] ?? "" })),
    );
    expect(admitted.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("an instance with a folder of its own", () => {
  it.each([true, false])("runs alone: another one shares its files: %s", async (shares) => {
    const [one, another] = await startInstances();
    await admit(one, { shares: false });
    await expect(admit(another, { shares })).rejects.toThrow(/^STORAGE_URL: another instance/);
    await one.container.close();
    await admit(another, { shares });
  });

  it("isn't admitted to those that share their files", async () => {
    const [one, another] = await startInstances();
    await admit(one, { shares: true });
    await expect(admit(another, { shares: false })).rejects.toThrow("STORAGE_URL");
  });

  it("isn't admitted even after the others have lost their connections", async () => {
    const [one, another] = await startInstances();
    await admit(one, { shares: true });
    await loseLocks(another);
    await expect(admit(another, { shares: false })).rejects.toThrow("STORAGE_URL");
  });
});

describe("the lock of a terminated instance", () => {
  it("is waited for, with a line in the log", async () => {
    const [one, another] = await startInstances();
    await admit(one, { shares: false });
    const admitted = admit(another, { shares: false, waitMs: 20_000 });
    await expect
      .poll(() => another.logged.map(({ msg }) => msg))
      .toContain("another instance uses this database, or was cut off from it: waiting up to 20 s");
    await one.container.database.close();
    await admitted;
  });

  it("is waited for until a limit", async () => {
    const [one, another] = await startInstances();
    await admit(one, { shares: false });
    await expect(admit(another, { shares: false, waitMs: 1000 })).rejects.toThrow("STORAGE_URL");
  });
});

describe("work under a lock", () => {
  it("isn't begun by another instance before it has ended", async () => {
    const [one, another] = await startInstances();
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running = one.container.database.runAtOneInstance("task", async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const { database } = another.container;
    const never = async () => expect.unreachable();
    expect(await database.runAtOneInstance("task", never)).toBe(false);
    expect(await database.runAtOneInstance("other task", async () => {})).toBe(true);
    end.resolve();
    expect(await running).toBe(true);
    expect(await database.runAtOneInstance("task", async () => {})).toBe(true);
  });

  it("can be done by another instance after it has failed", async () => {
    const [one, another] = await startInstances();
    const failed = one.container.database.runAtOneInstance("task", () => Promise.reject(new Error("fails")));
    await expect(failed).rejects.toThrow("fails");
    expect(await another.container.database.runAtOneInstance("task", async () => {})).toBe(true);
  });
});

it("a sweep leaves alone what another instance is storing", async () => {
  const [one, another] = await startInstances();
  const { file } = await one.make.published("Well", "en");
  const { store, stored } = one.container;
  const sha256 = hashBytes(createTxt("late"));
  const received = await store.receive(Readable.from([createTxt("late")]), { maxBytes: 1000 });
  await stored.keep(received, async (claim) => {
    expect(await another.container.stored.sweep()).toMatchObject({ setAside: 0, suspicious: undefined });
    await writeRows(one, async (db) => {
      await claim({ releasedBytes: new ReleasedBytesRepository(db) });
      await db.updateTable("book_files").set({ sha256 }).where("id", "=", file.id).execute();
    });
  });
  expect(await store.has(sha256)).toBe(true);
});

it("an examined file becomes a file of a book at another instance", async () => {
  const [one, another] = await startInstances();
  await one.make.language("es");
  const { id } = await one.make.book("Well");
  const upload = { file: { bytes: createTxt("text"), name: "a.txt" } };
  const admin = await one.admin();
  expect((await admin.upload("post", "/api/admin/files/examine", upload)).status).toBe(200);
  const form = { languageCode: "es", fileName: "a.txt", sha256: hashBytes(createTxt("text")) };
  const response = await (await another.admin()).post(`/api/admin/books/${id}/files`, form);
  expect(response.status).toBe(201);
});
