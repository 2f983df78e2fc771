/** A store that responds and hasn't what it should have: no bucket, another one of the same name, an object with other bytes. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { doctorReport } from "../../../src/schemas/doctor.schemas.ts";
import { CutOff, type Response, type ServiceClient } from "../../lib/service-client.ts";
import { formatReported } from "../../recorder/ledger.ts";
import { formatSaid } from "../probes.ts";
import { isWhole, redeemLink, type UploadedBook, uploadNew } from "../uploaded-books.ts";
import { type Context, type Fault, type Place, UNTOUCHED, WELL_MS } from "./fault.ts";

/** More than a response holds back: its first bytes are on their way before the last ones are read. */
const BYTES = 3_000_000;
const EVERY_MS = 500;
/** After it, a bucket that was seen a moment ago counts as gone. */
const NOTICED_MS = 2000;
const AWAY_MS = 15_000;
const BROKEN_OFF = "has other bytes than those of its name";

/** A published book with a link, which was used once. */
async function publish({ servers, recorder }: Place) {
  const { ledger } = recorder;
  const { apiClient, reader } = recorder.callers(servers.haproxy.base);
  const bytes = new TextEncoder().encode(randomBytes(BYTES / 2).toString("hex"));
  const book = await uploadNew(ledger, apiClient, bytes);
  if (!book) throw new Error("A book can't be uploaded");
  return { book, link: await redeemLink(ledger, reader, book) };
}

/** What a download says; `no end` if it is broken off. */
async function fetchFile(client: ServiceClient, link: string): Promise<Response | "no end"> {
  try {
    return await client.send(link);
  } catch (error) {
    if (error instanceof CutOff) return "no end";
    throw error;
  }
}

const sayFetched = (fetched: Response | "no end"): string =>
  fetched === "no end" ? fetched : formatSaid(fetched);

const clientsOf = ({ servers: { instances }, recorder }: Place) =>
  instances.names.map((name, index) => ({ name, index, ...recorder.callers(instances.base(index)) }));

/** Downloads at each instance have 503 with Retry-After: no 404, which would say that the file is gone. */
async function fetchWhileAway(context: Context, link: string): Promise<string[]> {
  const since = performance.now();
  const said = new Map<string, number>();
  const wrong: string[] = [];
  while (performance.now() - since < AWAY_MS) {
    const isNoticed = performance.now() - since > NOTICED_MS;
    for (const { name, reader } of clientsOf(context)) {
      const fetched = await fetchFile(reader, link);
      const words = sayFetched(fetched);
      said.set(words, (said.get(words) ?? 0) + 1);
      const isRight = fetched !== "no end" && fetched.status === 503 && fetched.headers.has("retry-after");
      if (!isRight && isNoticed) wrong.push(`a download at ${name} without its bucket: ${words}`);
    }
    await sleep(EVERY_MS);
  }
  for (const [words, count] of said)
    context.report(`  download: ${words} (${count} times in ${AWAY_MS / 1000} s)`);
  return wrong;
}

/** After the repair: all of it, at each instance. */
async function expectWhole(context: Place, link: string, { bytes }: UploadedBook): Promise<void> {
  const since = performance.now();
  for (const { name, reader } of clientsOf(context)) {
    for (;;) {
      const fetched = await fetchFile(reader, link);
      if (fetched !== "no end" && isWhole(fetched, bytes)) break;
      if (performance.now() - since > WELL_MS * context.slack)
        throw new Error(`A download at ${name} is still wrong after the repair: ${sayFetched(fetched)}`);
      await sleep(EVERY_MS / 2);
    }
  }
  const took = ((performance.now() - since) / 1000).toFixed(1);
  context.report(`  download: whole at each instance ${took} s after the repair`);
}

const bucketAway = (isReplaced: boolean) =>
  async function begin(context: Context): Promise<void> {
    const { gateway } = context.servers;
    if (!gateway) throw new Error("With S3_TEST_URL, the bucket can't be taken away");
    const { book, link } = await publish(context);
    context.repairs.defer(() => expectWhole(context, link, book));
    context.repairs.defer(() => gateway.bringBucketBack({ isReplaced }));
    await gateway.takeBucketAway();
    if (isReplaced) {
      await gateway.replaceBucket();
      await context.servers.storedObjects.recordOtherService();
    }
    context.meanwhile(() => fetchWhileAway(context, link));
  };

async function changeObject(context: Context): Promise<void> {
  const { storedObjects } = context.servers;
  const { book, link } = await publish(context);
  const changed = Buffer.from(book.bytes);
  changed.write("another", changed.length / 2);
  context.repairs.defer(() => expectWhole(context, link, book));
  context.repairs.defer(() => storedObjects.write(book.sha256, Buffer.from(book.bytes)));
  await storedObjects.write(book.sha256, changed);
  context.meanwhile(() => findChanged(context, book, link));
}

/** A changed object is broken off before its end, logged, and named by the doctor. */
async function findChanged(context: Context, { slug, bytes }: UploadedBook, link: string): Promise<string[]> {
  const { instances } = context.servers;
  const wrong: string[] = [];
  for (const { name, index, reader } of clientsOf(context)) {
    const fetched = await fetchFile(reader, link);
    context.report(`  download at ${name}: ${sayFetched(fetched)}`);
    if (fetched !== "no end")
      wrong.push(`${name} delivers an object with other bytes: ${sayFetched(fetched)}`);
    // The log arrives by a pipe.
    await sleep(EVERY_MS);
    if (!instances.linesOf(index).some((line) => JSON.stringify(line).includes(BROKEN_OFF)))
      wrong.push(`${name} hasn't logged that an object has other bytes`);
    const range = await reader.send(link, { headers: { range: "bytes=0-99" } });
    if (range.status !== 206 || !range.bytes.equals(bytes.subarray(0, 100)))
      wrong.push(`a range at ${name}: ${formatReported(range)}`);
  }
  const { admin } = context.recorder.callers(context.servers.haproxy.base);
  const since = performance.now();
  const { findings } = await admin.get("/api/admin/doctor?deep=true", doctorReport);
  const took = ((performance.now() - since) / 1000).toFixed(1);
  const found = findings.filter(({ check }) => check === "changed_bytes");
  for (const { object, message } of found)
    context.report(`  doctor after ${took} s: ${object.kind} ${object.name}: ${message}`);
  if (!found.some(({ object }) => object.name.includes(slug)))
    wrong.push(`the doctor doesn't name the changed file of ${slug}`);
  return wrong;
}

const STORE_AWAY = { away: "files", named: "files", limits: { others: UNTOUCHED } } as const;

export const FILE_FAULTS: readonly Fault[] = [
  {
    ...STORE_AWAY,
    name: "bucket-gone",
    title: "bucket gone for 15 s",
    seconds: 0,
    isPossible: ({ gateway }) => gateway !== undefined,
    begin: bucketAway(false),
  },
  {
    ...STORE_AWAY,
    name: "bucket-replaced",
    title: "bucket of another service under the same name for 15 s",
    seconds: 0,
    isPossible: ({ gateway }) => gateway !== undefined,
    begin: bucketAway(true),
  },
  {
    name: "object-changed",
    title: "one stored object has other bytes",
    seconds: 0,
    limits: { others: UNTOUCHED },
    begin: changeObject,
  },
];
