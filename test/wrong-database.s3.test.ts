/** A second service with a database of its own on the bucket of a first one. */
import { pino } from "pino";
import { expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { createContainer } from "../src/container.ts";
import { moveData } from "../src/operation/move/commands.ts";
import { startApp } from "./support/app.ts";
import { onS3 } from "./support/on-s3.ts";
import { listPaths, openBucket } from "./support/s3-bucket.ts";
import { createStorageScene } from "./support/storage-scene.ts";
import { createTempFolder } from "./support/temp-folder.ts";

it("an empty database beside a bucket with files is rejected, also if the files are of a version without ids", async () => {
  const settings = onS3();
  const { app, api, link } = await createStorageScene(settings);
  const bucket = openBucket(settings);
  const before = await listPaths(bucket);
  const second = () =>
    createContainer(readConfig({ ...settings, DATA_DIR: dataDir }), pino({ level: "silent" }));
  const dataDir = createTempFolder();
  await expect(second()).rejects.toThrow(/^The files may belong to another database/);
  const id = await app.container.store.readServiceId();
  await bucket.delete("service-id");
  await expect(second()).rejects.toThrow(/has no id of a service and contains 1 files and covers/);
  expect(await app.container.store.readServiceId()).toBeUndefined();
  await app.container.store.recordServiceId(id ?? "");
  expect(await listPaths(bucket)).toEqual(before);
  expect((await api.get(link)).status).toBe(200);
});

it("a move to a bucket gives database and bucket a new id, and leaves removed/ out", async () => {
  const dataDir = createTempFolder();
  const here = { DATABASE_URL: "", STORAGE_URL: "" };
  const app = await startApp(here, { dataDir });
  await app.make.language("en");
  const { sha256 } = await app.container.store.keep(
    await app.container.store.receive(
      (async function* () {
        yield Buffer.from("unknown");
      })(),
      { maxBytes: 100 },
    ),
  );
  await app.container.store.setAside(sha256, Date.now());
  await app.make.published("The Well", "en", "the well");
  const id = await app.container.store.readServiceId();
  await app.container.close();
  const settings = onS3();
  const target = readConfig({ ...settings, DATA_DIR: dataDir });
  await moveData({ from: readConfig({ DATA_DIR: dataDir }), to: target });
  const bucket = openBucket(settings);
  expect((await listPaths(bucket)).map((path) => path.replace(/\/.*/, ""))).toEqual(["files"]);
  const moved = await createContainer(target, pino({ level: "silent" }));
  const newId = await moved.store.readServiceId();
  await moved.close();
  expect(newId).toBeDefined();
  expect(newId).not.toBe(id);
});
