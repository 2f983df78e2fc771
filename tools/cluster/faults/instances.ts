/** An instance that hangs: SIGSTOP, as `docker pause` or a machine that swaps. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { newBook, withFile } from "../../drill/book-state.ts";
import { UPLOAD_LANGUAGES } from "../../drill/load/books.ts";
import type { Scene } from "../../drill/scene.ts";
import { callersOf } from "../../drill/set-up.ts";
import { CutOff, type ServiceClient } from "../../lib/service-client.ts";
import { behindBalancer, type Context, type Fault, HANGS, UNTOUCHED, WRITES_WAIT } from "./fault.ts";

/** Until a signal has stopped all threads, and what had been sent before has arrived. */
const STOPPED_MS = 200;
const ATTEMPTS = 300;
/** Large enough that it is stored for some time. */
const UPLOAD_BYTES = 3_000_000;
/** A session that holds a lock of content ends after 10 s without a renewal; then the upload itself. */
const TAKEN_OVER_MS = 15_000;

export const instanceStopped: Fault = {
  name: "instance-stopped",
  title: "instance stopped (SIGSTOP) without the lock",
  seconds: 15,
  away: "database",
  isQuiet: true,
  mayLeave: "hit",
  limits: { hit: HANGS, others: UNTOUCHED, balancer: behindBalancer(UNTOUCHED) },
  begin: (context) =>
    stoppedWhen(context, async () => {
      const all = await context.servers.locks.writersAndWaiting();
      return !all.some(({ name }) => name === nameOf(context));
    }),
};

export const instanceStoppedWithLock: Fault = {
  name: "instance-stopped-with-lock",
  title: "instance stopped (SIGSTOP) with the lock",
  seconds: 15,
  away: "database",
  mayLeave: "hit",
  limits: { hit: HANGS, others: WRITES_WAIT, balancer: behindBalancer(WRITES_WAIT) },
  begin: (context) =>
    stoppedWhen(
      context,
      async () => {
        const writer = await context.servers.locks.writer();
        return writer?.name === nameOf(context) && writer.state === "idle in transaction";
      },
      async () => (await context.servers.locks.writer())?.name === nameOf(context),
    ),
};

export const instanceStoppedInUpload: Fault = {
  name: "instance-stopped-in-upload",
  title: "instance stopped (SIGSTOP) between bytes and row",
  // Longer than the other instance may need, or the check couldn't fail.
  seconds: 45,
  away: "database",
  isQuiet: true,
  mayLeave: "hit",
  limits: { hit: HANGS, others: WRITES_WAIT, balancer: behindBalancer(WRITES_WAIT) },
  begin: stoppedInUpload,
};

export const INSTANCE_FAULTS = [instanceStopped, instanceStoppedWithLock, instanceStoppedInUpload];

const nameOf = ({ servers, hit }: Context): string => servers.instances.names[hit] ?? "";

/**
 * @param isRight whether it was stopped at the right moment
 * @param isNear whether it is worth trying now
 */
async function stoppedWhen(
  { servers: { instances }, hit }: Context,
  isRight: () => Promise<boolean>,
  isNear: () => Promise<boolean> = async () => true,
) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isNear()) {
      instances.hang(hit);
      await sleep(STOPPED_MS);
      if (await isRight()) return { repair: () => instances.wake(hit) };
      instances.wake(hit);
      await sleep(STOPPED_MS);
    }
    await sleep(5);
  }
  throw new Error(`No moment to stop the instance was found in ${ATTEMPTS} attempts`);
}

const made = z.object({ id: z.string() });

/** Uploads to the instance until it is stopped in one of them; then another instance gets the same bytes. */
async function stoppedInUpload(context: Context) {
  const { servers, hit, scene, credentials } = context;
  const { instances, locks } = servers;
  const own = callersOf(instances.base(hit), credentials);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const bytes = new TextEncoder().encode(randomBytes(UPLOAD_BYTES / 2).toString("hex"));
    const sha256 = scene.remember(bytes);
    const isHeld = async () => (await locks.ofContent(sha256))?.name === nameOf(context);
    let isDone = false;
    const upload = uploadNew(scene, own.apiClient, bytes).finally(() => {
      isDone = true;
    });
    while (!isDone && !(await isHeld())) await sleep(2);
    instances.hang(hit);
    await sleep(STOPPED_MS);
    if (!isDone && (await isHeld())) {
      const other = callersOf(instances.base((hit + 1) % instances.count), credentials);
      // Its end is that of the client's limit or of the service; the ledger knows what it may have left.
      upload.catch(() => {});
      return {
        meanwhile: () => takenOver(context.slack, () => uploadNew(scene, other.apiClient, bytes)),
        async repair() {
          instances.wake(hit);
          await upload.catch(() => {});
        },
      };
    }
    instances.wake(hit);
    await upload;
  }
  throw new Error(`No upload was caught in ${ATTEMPTS} attempts`);
}

/** Another instance stores the same bytes, for which it has to take the lock over. It may respond 503 before that. */
async function takenOver(slack: number, upload: () => Promise<boolean>): Promise<string[]> {
  const since = performance.now();
  const tookMs = () => Math.round(performance.now() - since);
  while (tookMs() < TAKEN_OVER_MS * slack) {
    const isStored = await upload().catch((error: unknown) => {
      if (error instanceof CutOff) return false;
      throw error;
    });
    if (isStored && tookMs() < TAKEN_OVER_MS * slack) return [];
    await sleep(1000);
  }
  return [`the same bytes are not stored at another instance after ${tookMs()} ms`];
}

/** A new book with this file. @returns whether the file is stored */
async function uploadNew(
  scene: Scene,
  client: ServiceClient,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const slug = `stopped-${scene.nextNumber()}`;
  const book = newBook(slug);
  const created = await scene.write(client, {
    path: "/api/admin/books",
    request: { method: "POST", json: { slug, titleEn: slug } },
    begin: (requestId) => [scene.books.begin(slug, book, requestId)],
    lines: 1,
  });
  if (!created) return false;
  const { id } = made.parse(JSON.parse(created.bytes.toString()));
  const [languageCode = ""] = UPLOAD_LANGUAGES;
  const form = new FormData();
  form.set("languageCode", languageCode);
  form.set("fileType", "txt");
  form.set("file", new Blob([bytes]), "text.txt");
  const next = withFile(book, { languageCode, fileType: "txt", content: scene.remember(bytes) });
  const stored = await scene.write(client, {
    path: `/api/admin/books/${id}/files`,
    request: { method: "POST", body: form },
    begin: (requestId) => [scene.books.begin(slug, next, requestId)],
    lines: 1,
  });
  return stored !== undefined;
}
