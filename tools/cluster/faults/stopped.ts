/** Stops a process (SIGSTOP) at the moment that a phase needs: an instance, or a process of PostgreSQL. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CutOff } from "../../lib/service-client.ts";
import { uploadNew } from "../uploaded-books.ts";
import type { Context, Place } from "./fault.ts";

/** Until a signal has stopped all threads, and what had been sent before has arrived. */
const STOPPED_MS = 200;
const ATTEMPTS = 300;
const BACKEND_ATTEMPTS = 3000;
/** Large enough that it is stored for some time. */
const UPLOAD_BYTES = 3_000_000;
/** Nothing of the stopped upload may keep others from the same bytes; the slack is for a busy machine. */
const TAKEN_OVER_MS = 15_000;

export const stopWithoutLock = (context: Context): Promise<void> =>
  stopWhen(context, async () => {
    const all = await context.servers.locks.findWritersAndWaiting();
    return !all.some(({ name }) => name === nameOf(context));
  });

export const stopWithLock = (context: Context): Promise<void> =>
  stopWhen(
    context,
    async () => {
      const writer = await context.servers.locks.findWriter();
      return writer?.name === nameOf(context) && writer.state === "idle in transaction";
    },
    async () => (await context.servers.locks.findWriter())?.name === nameOf(context),
  );

const nameOf = ({ servers, hit }: Place): string => servers.instances.names[hit] ?? "";

/**
 * @param isRight whether it was stopped at the right moment
 * @param isNear whether it is worth trying now
 */
async function stopWhen(
  { servers: { instances }, hit, repairs }: Context,
  isRight: () => Promise<boolean>,
  isNear: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isNear()) {
      instances.hang(hit);
      await sleep(STOPPED_MS);
      if (await isRight()) return repairs.defer(() => instances.wake(hit));
      instances.wake(hit);
      await sleep(STOPPED_MS);
    }
    await sleep(5);
  }
  throw new Error(`No moment to stop the instance was found in ${ATTEMPTS} attempts`);
}

/** The process of PostgreSQL in which the instance holds the lock. */
export async function stopBackendWithLock(context: Context): Promise<void> {
  const { locks } = context.servers;
  for (let attempt = 0; attempt < BACKEND_ATTEMPTS; attempt += 1) {
    const writer = await locks.findWriter();
    if (writer && writer.name === nameOf(context)) {
      process.kill(writer.pid, "SIGSTOP");
      await sleep(50);
      if ((await locks.findWriter())?.pid === writer.pid)
        return context.repairs.defer(() => void process.kill(writer.pid, "SIGCONT"));
      process.kill(writer.pid, "SIGCONT");
    }
    await sleep(2);
  }
  throw new Error(`No connection with the lock was caught in ${BACKEND_ATTEMPTS} attempts`);
}

/** Uploads until the instance is stopped between the bytes and their row; then another instance gets the same bytes. */
export async function stopInUpload(context: Context): Promise<void> {
  const { servers, hit, recorder, repairs } = context;
  const { instances, files } = servers;
  const { ledger } = recorder;
  const own = recorder.callers(instances.base(hit));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const bytes = new TextEncoder().encode(randomBytes(UPLOAD_BYTES / 2).toString("hex"));
    const sha256 = ledger.remember(bytes);
    let isDone = false;
    const upload = uploadNew(ledger, own.apiClient, bytes).finally(() => {
      isDone = true;
    });
    while (!isDone && !(await files.has(sha256))) await sleep(2);
    instances.hang(hit);
    await sleep(STOPPED_MS);
    if (!isDone) {
      const other = recorder.callers(instances.base((hit + 1) % instances.count));
      // It ends with the client's limit or with the service's; the ledger knows what it may have left.
      upload.catch(() => {});
      repairs.defer(() => upload.then(() => {}).catch(() => {}));
      repairs.defer(() => instances.wake(hit));
      return context.meanwhile(() =>
        takeOver(context.slack, () => uploadNew(ledger, other.apiClient, bytes)),
      );
    }
    instances.wake(hit);
    await upload;
  }
  throw new Error(`No upload was caught in ${ATTEMPTS} attempts`);
}

/** Another instance stores the same bytes. It may respond 503 before that. */
async function takeOver(slack: number, upload: () => Promise<unknown>): Promise<string[]> {
  const since = performance.now();
  const tookMs = () => Math.round(performance.now() - since);
  while (tookMs() < TAKEN_OVER_MS * slack) {
    const stored = await upload().catch((error: unknown) => {
      if (error instanceof CutOff) return undefined;
      throw error;
    });
    if (stored !== undefined && tookMs() < TAKEN_OVER_MS * slack) return [];
    await sleep(1000);
  }
  return [`the same bytes are not stored at another instance after ${tookMs()} ms`];
}
