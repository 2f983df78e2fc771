/** The process that is measured: one file, sent by this service's sender and by Express' own. */

import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { open } from "node:fs/promises";
import express from "express";
import { ZipCache } from "../src/adapters/zip-cache.ts";
import { sendFile } from "../src/http/send-file.ts";

/** Resident memory in bytes: now, and the most since the last question. */
export interface Memory {
  now: number;
  peak: number;
}

export interface MeasuredServer {
  port: number;
  memory(): Promise<Memory>;
  stop(): void;
}

/**
 * Starts the process. `/ours` and `/express` send the file at `path`; `/zip` sends the one that a cache in
 * `cacheFolder` keeps under the hash of `path`.
 */
export async function startServer(path: string, cacheFolder = ""): Promise<MeasuredServer> {
  const child = fork(import.meta.filename, [path, cacheFolder], { execArgv: ["--expose-gc"] });
  const answer = async (): Promise<Memory & { port: number }> => {
    const [message]: unknown[] = await once(child, "message");
    if (!isReport(message)) throw new Error("The measured process answered something odd.");
    return message;
  };
  const { port } = await answer();
  return {
    port,
    memory: () => {
      child.send("memory");
      return answer();
    },
    stop: () => void child.kill(),
  };
}

function isReport(message: unknown): message is Memory & { port: number } {
  return (
    typeof message === "object" &&
    message !== null &&
    "port" in message &&
    "peak" in message &&
    "now" in message
  );
}

export const cacheKeyOf = (path: string): string => createHash("sha256").update(path).digest("hex");

function serve(path: string, cacheFolder: string): void {
  const app = express();
  const cache = new ZipCache({ directory: cacheFolder, maxBytes: 1e12, newId: () => crypto.randomUUID() });
  const described = { etag: '"v1"', modifiedAt: 0, contentType: "application/zip", fileName: "books.zip" };
  app.get("/ours", async (req, res) => {
    const handle = await open(path);
    const { size } = await handle.stat();
    await sendFile(req, res, { ...described, handle, sizeBytes: size });
  });
  app.get("/zip", async (req, res) => {
    const zip = await cache.obtain(cacheKeyOf(path), () => Promise.reject(new Error("The ZIP isn't warm.")));
    await sendFile(req, res, { ...described, ...zip });
  });
  app.get("/express", (_req, res) => res.sendFile(path));

  let peak = 0;
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const server = app.listen(0, "127.0.0.1", async () => {
    if (cacheFolder !== "") await cache.sweep();
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const report = () => {
      globalThis.gc?.();
      process.send?.({ port, now: process.memoryUsage.rss(), peak });
      peak = 0;
    };
    process.on("message", report);
    report();
  });
}

if (import.meta.main) serve(process.argv[2] ?? "", process.argv[3] ?? "");
