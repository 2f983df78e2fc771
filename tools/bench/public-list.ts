/**
 * The published list of 50 books through all middlewares, against a bare Express app that sends the same bytes; and while
 * one of its books has a date.
 */
import { execFileSync } from "node:child_process";
import { z } from "zod";
import { ServiceClient } from "../lib/service-client.ts";
import { logIn } from "./administrator.ts";
import { measureResponsesPerSecond } from "./http-load.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { readProcessorMs } from "./processor-time.ts";
import { type BenchRow, boundRow, compare, countRow, ratioOf } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const PATH = "/api/books?languageCode=es";
export const LIST_LOAD = { path: PATH, connections: 16, seconds: 3 };
const ROUNDS = 5;
const LEAST = 0.5;
/** As much, but for what two runs differ by. */
const MOST_WITH_DATE = 1.1;
const DAY_MS = 86_400_000;
const MOST_IN_BROTLI = 0.2;
/** The servers run on one core, and what measures them on the other. */
const [SERVER_CORE, LOAD_CORE] = [0, 1];

export async function run(): Promise<BenchRow[]> {
  const ours = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  const url = `http://127.0.0.1:${ours.facts.port}${PATH}`;
  const bare = await startMeasured(SERVICE_PROCESS, ["bare", url], serviceFacts);
  for (const { pid } of [ours, bare]) pinToCore(pid);
  try {
    const ports = { ours: ours.facts.port, bare: bare.facts.port };
    const bytes = await readSize(url, "identity");
    return [
      await compareResponses(`GET ${PATH} (50 books, ${bytes} bytes)`, ports, { status: 200 }),
      await compareResponses("304 of the same", ports, { status: 304 }),
      boundRow(
        "bytes of the same in brotli",
        (await measureInBrotli(url)) / bytes,
        "of them",
        MOST_IN_BROTLI,
      ),
      await compareWithDate(ours),
    ];
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

type Service = MeasuredProcess<z.output<typeof serviceFacts>>;

/** In processor time: the list while readers get one of its books until tomorrow, and while it has no date. */
async function compareWithDate(service: Service): Promise<BenchRow> {
  const { port } = service.facts;
  const admin = new ServiceClient(`http://127.0.0.1:${port}`, { cookie: await logIn(port) });
  const found = z.object({ books: z.array(z.object({ id: z.string() })) });
  const { books } = await admin.get("/api/admin/books?search=number+7&limit=1", found);
  const measureWith = async (unpublishAt: string | null) => {
    const change = { method: "PATCH", json: { unpublishAt } } as const;
    const { status } = await admin.send(`/api/admin/books/${books[0]?.id}`, change);
    if (status !== 200) throw new Error(`PATCH of a date: ${status}`);
    return measureProcessorMicros(service);
  };
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  const measured = await compare(
    ROUNDS,
    () => measureWith(tomorrow),
    () => measureWith(null),
  );
  const what = "processor time of the list with a book that has a date, against it without";
  return ratioOf(what, measured, MOST_WITH_DATE, "µs");
}

/** Of a response. */
async function measureProcessorMicros({ pid, facts }: Service): Promise<number> {
  const before = readProcessorMs(pid);
  const rate = await measureResponsesPerSecond({
    ...LIST_LOAD,
    port: facts.port,
    status: 200,
    core: LOAD_CORE,
  });
  return (1000 * (readProcessorMs(pid) - before)) / (rate * LIST_LOAD.seconds);
}

export function pinToCore(pid: number): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(SERVER_CORE), String(pid)], {
    stdio: "ignore",
  });
}

/** Kept responses of a path against those of the bare app, by rate. */
export async function compareResponses(
  what: string,
  ports: { ours: number; bare: number },
  { status, path = PATH }: { status: number; path?: string },
): Promise<BenchRow> {
  const measure = async (port: number) => {
    const headers = status === 304 ? { "If-None-Match": await readEtag(port, path) } : {};
    return measureResponsesPerSecond({ ...LIST_LOAD, path, port, status, headers, core: LOAD_CORE });
  };
  const measured = await compare(
    ROUNDS,
    () => measure(ports.ours),
    () => measure(ports.bare),
  );
  return countRow(what, measured, LEAST);
}

async function readEtag(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: IDENTITY });
  await response.arrayBuffer();
  return response.headers.get("etag") ?? "";
}

const IDENTITY = { "Accept-Encoding": "identity" };

/** The number of bytes that are sent. */
export async function readSize(url: string, coding: string): Promise<number> {
  const response = await fetch(url, { method: "HEAD", headers: { "Accept-Encoding": coding } });
  return Number(response.headers.get("content-length"));
}

/** After the request that has the list compressed. */
export async function measureInBrotli(url: string): Promise<number> {
  const whole = await readSize(url, "br");
  for (;;) {
    const size = await readSize(url, "br");
    if (size < whole) return size;
  }
}
