/** The measured process for plain files: Express' own sender, this service's sender, and a ZIP out of a cache. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import express from "express";
import { z } from "zod";
import { FileCache } from "../../src/adapters/files/file-cache.ts";
import { FolderCache } from "../../src/adapters/files/folder-cache.ts";
import { systemClock } from "../../src/adapters/system.ts";
import { sendFile } from "../../src/http/responses/send-file.ts";
import { reportFacts } from "./measured-process.ts";

export const PLAIN_FILES_PROCESS = import.meta.filename;

export const plainFilesFacts = z.object({ port: z.int() });

export const cacheKeyOf = (path: string): string => createHash("sha256").update(path).digest("hex");

/** A cache as the service keeps its ZIPs in, without a bound. */
export const zipCacheIn = (directory: string): FileCache =>
  new FileCache({
    place: new FolderCache({
      directory,
      ending: "zip",
      maxBytes: 1e12,
      newId: () => crypto.randomUUID(),
      clock: systemClock,
    }),
    buildsAtOnce: 2,
  });

/** `/express` and `/ours` send the file at `path`; `/zip` the one that a cache keeps under the hash of `path`. */
async function serve(path: string, cacheFolder: string | undefined): Promise<void> {
  const app = express();
  const described = { etag: '"v1"', modifiedAt: 0, contentType: "application/zip", fileName: "books.zip" };
  app.get("/express", (_req, res) => res.sendFile(path));
  app.get("/ours", async (req, res) => {
    const handle = await open(path);
    const { size } = await handle.stat();
    await sendFile(req, res, { ...described, handle, sizeBytes: size });
  });
  if (cacheFolder !== undefined) {
    const cache = zipCacheIn(cacheFolder);
    await cache.sweep();
    app.get("/zip", async (req, res) => {
      const zip = await cache.obtain(cacheKeyOf(path), () =>
        Promise.reject(new Error("The ZIP isn't warm.")),
      );
      await sendFile(req, res, { ...described, ...zip });
    });
  }
  await reportFacts(app);
}

if (import.meta.main) await serve(process.argv[2] ?? "", process.argv[3]);
