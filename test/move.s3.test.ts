/** Moving the stored files of a data folder to a bucket and back, also after an interruption. */
import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { FILES_FOLDER } from "../src/lib/data-dir-names.ts";
import { moveData } from "../src/operation/move/commands.ts";
import type { Progress } from "../src/operation/progress.ts";
import { startApp } from "./support/app.ts";
import { eventually } from "./support/eventually.ts";
import { onS3, relayToS3 } from "./support/on-s3.ts";
import { runCli } from "./support/run-cli.ts";
import { listPaths, openBucket, readContents } from "./support/s3-bucket.ts";
import { hashBytes } from "./support/stored-files.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const FILES = 6;
const SIZE_BYTES = 3 * 1024 * 1024;

/** A data folder with a book of several files, whose hashes are returned. */
async function filled() {
  const dataDir = createTempFolder();
  // Empty settings count as none: SQLite, and a folder.
  const here = { DATABASE_URL: "", STORAGE_URL: "" };
  const app = await startApp(here, { dataDir });
  const book = await app.make.book("The Well");
  const client = await app.make.apiKey(["edit_books"]);
  const hashes: string[] = [];
  for (let number = 0; number < FILES; number += 1) {
    const languageCode = `q${"abcdef"[number]}a`;
    await app.make.language(languageCode);
    const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(SIZE_BYTES)]);
    const file = { bytes, name: "well.pdf" };
    const fields = { languageCode };
    const sent = await client.upload("post", `/api/admin/books/${book.id}/files`, { fields, file });
    expect(sent.status).toBe(201);
    hashes.push(hashBytes(bytes));
  }
  await app.container.close();
  return { dataDir, hashes: hashes.sort(), folder: readConfig({ DATA_DIR: dataDir }) };
}

const hashesIn = async (settings: Readonly<Record<string, string>>) =>
  [...(await readContents(settings)).values()].map(hashBytes).sort();

it("copies every file to the bucket and back, and a second run copies nothing", async () => {
  const { dataDir, folder, hashes } = await filled();
  const settings = onS3();
  const store = readConfig({ ...settings, DATA_DIR: dataDir });
  expect((await moveData({ from: folder, to: store })).files).toMatchObject({ files: FILES });
  expect(await hashesIn(settings)).toEqual(hashes);
  const bucket = openBucket(settings);
  const first = await bucket.head((await listPaths(bucket))[0] ?? "");
  expect((await moveData({ from: folder, to: store })).files).toMatchObject({ files: FILES });
  expect(await bucket.head((await listPaths(bucket))[0] ?? "")).toEqual(first);

  rmSync(join(dataDir, FILES_FOLDER), { recursive: true });
  expect((await moveData({ from: store, to: folder })).files).toMatchObject({ files: FILES });
  const check = await runCli({ args: ["check-data"], variables: { DATA_DIR: dataDir } });
  expect([check.code, check.errors]).toEqual([0, ""]);
});

it("continues after an interruption with the remaining files", async () => {
  const { dataDir, folder, hashes } = await filled();
  const prefix = randomUUID();
  const relay = await relayToS3();
  const through = readConfig({ ...onS3({ prefix, endpoint: relay.endpoint }), DATA_DIR: dataDir });
  const settings = onS3({ prefix });
  const progress: Progress = {
    begin(doing) {
      if (doing !== "Copying files") return;
      // In the middle of the third file.
      const isMidway = () => expect(relay.sentBytes()).toBeGreaterThan(2.5 * SIZE_BYTES);
      void eventually(isMidway, { interval: 2 }).then(() => relay.stop());
    },
    end() {},
  };
  await expect(moveData({ from: folder, to: through, progress })).rejects.toMatchObject({ status: 503 });
  const bucket = openBucket(settings);
  const copied = await listPaths(bucket, "files/");
  expect(copied.length).toBeGreaterThan(0);
  expect(copied.length).toBeLessThan(FILES);
  const before = await bucket.head(copied[0] ?? "");

  await relay.start();
  const sent = relay.sentBytes();
  expect((await moveData({ from: folder, to: through })).files).toMatchObject({ files: FILES });
  expect(relay.sentBytes() - sent).toBeLessThan((FILES - copied.length + 1) * SIZE_BYTES);
  expect(await bucket.head(copied[0] ?? "")).toEqual(before);
  expect(await listPaths(bucket, "files/")).toHaveLength(FILES);
  const stored = await readContents(settings);
  expect(hashes.filter((hash) => !stored.has(join(hash.slice(0, 2), hash)))).toEqual([]);
});
