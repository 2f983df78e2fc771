/**
 * A real S3 store for a run of tests: that of `S3_TEST_URL` (in the form of STORAGE_URL, with AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY), or else a Ceph gateway, if its programs are installed. Without both the tests are skipped.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { TestProject } from "vitest/node";

interface S3Server {
  /** In the form of STORAGE_URL, without a prefix. */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined: the tests that need one are skipped. */
    s3: S3Server | undefined;
  }
}

const SCRIPT = resolve("scripts/ceph-gateway.sh");
const PROGRAMS = ["radosgw", "ceph-mon", "ceph-osd", "ceph-mgr", "ceph", "radosgw-admin"];
const BUCKET = "books";

/** Runs once, before the workers start; what it returns runs after them. */
export default async function provideS3Server(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const { S3_TEST_URL: url, AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  if (url !== undefined) {
    project.provide("s3", { url, accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY });
    return undefined;
  }
  const missing = PROGRAMS.filter((name) => !isInstalled(name));
  if (missing.length > 0) {
    process.stdout.write(`S3 tests are skipped: no S3_TEST_URL, and not installed: ${missing.join(", ")}\n`);
    project.provide("s3", undefined);
    return undefined;
  }
  const gateway = await startGateway();
  const key = { accessKeyId: "testkey", secretAccessKey: "testsecret" };
  await createBucket(gateway.endpoint, key);
  project.provide("s3", { url: `s3://${BUCKET}?endpoint=${gateway.endpoint}`, ...key });
  return gateway.stop;
}

const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, name)));

async function startGateway() {
  const folder = mkdtempSync(join(tmpdir(), "bds-s3-"));
  // Ends with its standard input, however this process ends.
  const child = spawn(SCRIPT, [folder, String(await freePorts())], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const stop = async () => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface(child.stdout)) {
    const endpoint = /^ready (\S+)$/.exec(line)?.[1];
    if (endpoint !== undefined) return { endpoint, stop };
  }
  await stop();
  throw new Error("The Ceph gateway did not start");
}

/** A port that is free, together with the next one. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = createServer();
    const port = await listening(first, 0);
    const second = createServer();
    const isNextFree = port !== undefined && (await listening(second, port + 1)) !== undefined;
    first.close();
    second.close();
    if (isNextFree) return port;
  }
}

/** The port; undefined if it is taken. */
const listening = (server: ReturnType<typeof createServer>, port: number): Promise<number | undefined> =>
  new Promise((settle) => {
    server.once("error", () => settle(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      settle(typeof address === "object" ? address?.port : undefined);
    });
  });

async function createBucket(endpoint: string, credentials: Omit<S3Server, "url">): Promise<void> {
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
}
