/** Whether the server grows: a million mixed requests. `BENCH_REQUESTS` makes it shorter. */
import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "undici";
import { listDescriptors, type RealServer, readMemory, withRealServer } from "./real-server.ts";
import { type BenchRow, boundRow, computeMedian } from "./row.ts";
import { makeSoakCatalogue } from "./soak-catalogue.ts";
import { createSoakRequests, type SoakRequest } from "./soak-requests.ts";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_000_000);
/** Of equal length; the first one warms up: until 100,000 requests caches fill, and each kind of change comes. */
const PARTS = 10;
const SAMPLE_EVERY = Math.max(1, REQUESTS / 10_000);
const CONNECTIONS = 16;
/** Until the server has closed what its clients have left. */
const SETTLING_MS = 3000;
const MEGABYTE = 1e6;

export const run = (): Promise<BenchRow[]> => withRealServer({}, runSoak);

async function runSoak(server: RealServer): Promise<BenchRow[]> {
  const next = createSoakRequests(await makeSoakCatalogue(server.port));
  const warm = await askPart(server, next);
  let last = warm;
  for (let part = 2; part <= PARTS; part += 1) {
    console.error(`${REQUESTS / PARTS} requests more: ${last.megabytes} MB, ${last.open} descriptors`);
    last = await askPart(server, next);
  }
  const what = `${REQUESTS} mixed requests, the first tenth apart`;
  return [
    boundRow(`growth by ${what}`, last.megabytes - warm.megabytes, "MB", 32),
    {
      what: `descriptors after ${what}, against before`,
      ours: String(last.open),
      other: String(warm.open),
      ratio: Number((last.open / warm.open).toFixed(2)),
      bound: "not more",
      ok: last.open <= warm.open,
    },
  ];
}

interface Part {
  /** Resident memory in its second half: the median, since collections make it go up and down. */
  megabytes: number;
  /** Descriptors after it, when all clients have left. */
  open: number;
}

async function askPart(server: RealServer, next: () => SoakRequest): Promise<Part> {
  const samples: number[] = [];
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: CONNECTIONS });
  let asked = 0;
  const askOn = async () => {
    while (asked < REQUESTS / PARTS) {
      asked += 1;
      const isSampled = asked > REQUESTS / PARTS / 2 && asked % SAMPLE_EVERY === 0;
      await ask(pool, next());
      if (isSampled) samples.push(readMemory(server));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
  await pool.close();
  await wait(SETTLING_MS);
  return { megabytes: computeMedian(samples) / MEGABYTE, open: listDescriptors(server).length };
}

async function ask(pool: Pool, request: SoakRequest): Promise<void> {
  const { statuses = [200], isLeft = false, take, method = "GET", ...rest } = request;
  const { statusCode, body } = await pool.request({ method, ...rest });
  if (!statuses.includes(statusCode)) {
    throw new Error(`${method} ${rest.path} is answered with ${statusCode}: ${await body.text()}`);
  }
  if (take) return take(await body.json());
  for await (const _ of body) if (isLeft) break;
}
