/** What administrators see of 1,000 books, against 10,000: the publication matrix, who waits for it, and the list of books. */
import { setTimeout as wait } from "node:timers/promises";
import { logIn } from "./log-in.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, compare, median } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const FEW = 1000;
const MANY = 10_000;
const CHANNELS = 10;
const ROUNDS = 5;
const REQUESTS = 10;
const ALONE_MS = 100;
const MATRIX = "/api/admin/channels/matrix?languageCode=es";
const MATRIX_MS = 50;
const LIST_MS = 20;

/** Asks for a path of one service, as an administrator. */
type Get = (path: string) => Promise<void>;

export async function run(): Promise<BenchRow[]> {
  const start = (books: number) =>
    startMeasured(SERVICE_PROCESS, ["service", "1000", `${books}`, `${CHANNELS}`], serviceFacts);
  const few = await start(FEW);
  const many = await start(MANY);
  try {
    const both = [await administrator(few.facts.port), await administrator(many.facts.port)] as const;
    return [
      await compareTimes(MATRIX, both, MATRIX_MS),
      await waitingRow(both[1]),
      await compareTimes("/api/admin/books", both, LIST_MS),
      await compareTimes("/api/admin/books?limit=200", both, LIST_MS),
      await compareTimes("/api/admin/books?limit=200&page=5", both, LIST_MS),
    ];
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
}

async function administrator(port: number): Promise<Get> {
  const base = `http://127.0.0.1:${port}`;
  const cookie = await logIn(port);
  return async (path) => {
    const response = await fetch(base + path, { headers: { cookie } });
    if (!response.ok) throw new Error(`${path} is answered with ${response.status}`);
    // Piece by piece, so that reading holds up nobody who waits in this process.
    for await (const _ of response.body ?? []);
  };
}

async function compareTimes(path: string, [few, many]: readonly [Get, Get], most: number): Promise<BenchRow> {
  const medianOf = async (get: Get) => {
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) times.push(await timeOf(() => get(path)));
    return median(times);
  };
  const { ours, other, ratio } = await compare(
    ROUNDS,
    () => medianOf(few),
    () => medianOf(many),
  );
  return {
    what: `GET ${path}, ${FEW} books against ${MANY}`,
    ours: milliseconds(ours),
    other: milliseconds(other),
    ratio: Number(ratio.toFixed(2)),
    bound: `ours at most ${most} ms`,
    ok: ours <= most,
  };
}

/** How long another request waits at most while the large matrix is made. */
async function waitingRow(get: Get): Promise<BenchRow> {
  const { ours, other, ratio } = await compare(
    REQUESTS,
    () => longestWait(get, () => get(MATRIX)),
    () => longestWait(get, () => wait(ALONE_MS)),
  );
  return {
    what: `the longest wait of /api/health beside the matrix of ${MANY} books, against alone`,
    ours: milliseconds(ours),
    other: milliseconds(other),
    ratio: Number(ratio.toFixed(2)),
    bound: `ours at most ${MATRIX_MS} ms`,
    ok: ours <= MATRIX_MS,
  };
}

async function longestWait(get: Get, work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isUnderWay = true;
  const finished = work().finally(() => {
    isUnderWay = false;
  });
  while (isUnderWay) longest = Math.max(longest, await timeOf(() => get("/api/health")));
  await finished;
  return longest;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

if (import.meta.main) console.table(await run());
