/** A real S3 store for tests and drills: the gateway of a Ceph cluster in memory, if its programs are installed. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";

const SCRIPT = fileURLToPath(new URL("../../scripts/ceph-gateway.sh", import.meta.url));
const PROGRAMS = ["radosgw", "ceph-mon", "ceph-osd", "ceph-mgr", "ceph", "radosgw-admin"];
const BUCKET = "books";
const AWAY_BUCKET = "books-away";
/** Of scripts/ceph-gateway.sh. */
const USER = "test";

export class CephGateway {
  /** In the form of STORAGE_URL, without a prefix. */
  readonly url: string;
  readonly accessKeyId: string = "testkey";
  readonly secretAccessKey: string = "testsecret";
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(endpoint: string, child: ChildProcess, folder: string) {
    this.url = `s3://${BUCKET}?endpoint=${endpoint}`;
    this.#child = child;
    this.#folder = folder;
  }

  /** The programs that it needs and that aren't installed. */
  static get missing(): string[] {
    const folders = (process.env.PATH ?? "").split(":");
    return PROGRAMS.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  }

  /** Takes half a minute, on a slow machine two. The store has an empty bucket. */
  static async start(): Promise<CephGateway> {
    const folder = mkdtempSync(join(tmpdir(), "bds-s3-"));
    // Ends with its standard input, however this process ends.
    const args = [folder, String(await freePorts())];
    const child = spawn(SCRIPT, args, { stdio: ["pipe", "pipe", "inherit"] });
    for await (const line of createInterface(child.stdout)) {
      const endpoint = /^ready (\S+)$/.exec(line)?.[1];
      if (endpoint === undefined) continue;
      const gateway = new CephGateway(endpoint, child, folder);
      await gateway.#createBucket(endpoint);
      return gateway;
    }
    throw new Error(`The Ceph gateway did not start; its logs are in ${folder}`);
  }

  /** Connections break, and no new one is accepted. */
  interrupt(): void {
    this.#child.kill("SIGUSR1");
  }

  /** After an interruption; the objects are there as soon as it accepts connections. */
  resume(): void {
    this.#child.kill("SIGUSR2");
  }

  /** Connections stay open, and get no response until `wake`. */
  hang(): void {
    process.kill(this.#pid, "SIGSTOP");
  }

  wake(): void {
    process.kill(this.#pid, "SIGCONT");
  }

  /** The bucket keeps its objects under another name, and none has its own. */
  async takeBucketAway(): Promise<void> {
    await this.#rename(BUCKET, AWAY_BUCKET);
  }

  /** After `takeBucketAway`; a bucket that has taken its name is deleted. */
  async bringBucketBack({ isReplaced = false } = {}): Promise<void> {
    if (isReplaced) await this.#administer("bucket", "rm", "--bucket", BUCKET, "--purge-objects");
    await this.#rename(AWAY_BUCKET, BUCKET);
  }

  /** An empty one with the same name, after `takeBucketAway`. */
  async replaceBucket(): Promise<void> {
    await this.#createBucket(new URL(this.url).searchParams.get("endpoint") ?? "");
  }

  async #rename(from: string, to: string): Promise<void> {
    await this.#administer("bucket", "link", "--uid", USER, "--bucket", from, "--bucket-new-name", to);
  }

  async #administer(...args: string[]): Promise<void> {
    const env = { ...process.env, CEPH_CONF: join(this.#folder, "ceph.conf") };
    await promisify(execFile)("radosgw-admin", ["-n", "client.rgw", ...args], { env });
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Of the process that accepts connections, which is another one after an interruption. */
  get #pid(): number {
    return Number(readFileSync(join(this.#folder, "run/gateway.pid"), "utf8"));
  }

  async #createBucket(endpoint: string): Promise<void> {
    const { accessKeyId, secretAccessKey } = this;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    client.destroy();
  }
}

export interface Store {
  /** In the form of STORAGE_URL. */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Undefined if it is the store of `S3_TEST_URL`. */
  gateway: CephGateway | undefined;
}

/**
 * The store of `S3_TEST_URL` (with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY), or a gateway that the caller stops.
 * @returns undefined if there is neither
 */
export async function openStore(): Promise<Store | undefined> {
  const { S3_TEST_URL: url, AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  if (url !== undefined)
    return {
      url,
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      gateway: undefined,
    };
  if (CephGateway.missing.length > 0) return undefined;
  const gateway = await CephGateway.start();
  const { accessKeyId, secretAccessKey } = gateway;
  return { url: gateway.url, accessKeyId, secretAccessKey, gateway };
}

/** Settings of a service, whose files have a prefix of their own. */
export function createStorageSettings({ url, accessKeyId, secretAccessKey }: Store, purpose: string) {
  const storage = new URL(url);
  storage.pathname = `${storage.pathname.replace(/\/$/, "")}/${purpose}-${randomUUID()}`;
  return {
    STORAGE_URL: storage.href,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** A port that is free, together with the next one. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = createServer();
    const port = await waitUntilListening(first, 0);
    const second = createServer();
    const isNextFree = port !== undefined && (await waitUntilListening(second, port + 1)) !== undefined;
    first.close();
    second.close();
    if (isNextFree) return port;
  }
}

/** The port; undefined if it is taken. */
const waitUntilListening = (
  server: ReturnType<typeof createServer>,
  port: number,
): Promise<number | undefined> =>
  new Promise((settle) => {
    server.once("error", () => settle(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      settle(typeof address === "object" ? address?.port : undefined);
    });
  });
