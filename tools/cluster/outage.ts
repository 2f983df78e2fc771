/** What readers and balancers see while a server behind the service is away, and when it is well again. */
import { setTimeout as sleep } from "node:timers/promises";
import { readiness } from "../../src/schemas/system.schemas.ts";
import type { Outage } from "../drill/scene.ts";
import type { Response, ServiceClient } from "../lib/service-client.ts";

const EVERY_MS = 250;
/** The service asks its servers at most once a second, and waits for them as long. */
const UNNOTICED_MS = 4000;
const RECOVERY_MS = 60_000;

const LIST = "/api/books";
const READY = "/api/health/ready";

interface Watched {
  client: ServiceClient;
  away: Outage;
  forMs: number;
}

/**
 * Asks again and again for the list, as a new reader and as one who has it, and for the readiness.
 * @returns what was not as it should be
 */
export async function watchOutage({ client, away, forMs }: Watched): Promise<string[]> {
  const wrong = new Set<string>();
  const known = { "if-none-match": (await client.send(LIST)).headers.get("etag") ?? "" };
  const isRight = away === "files" ? isList : isTold;
  const since = performance.now();
  while (performance.now() - since < forMs) {
    const lists = await Promise.all([client.send(LIST), client.send(LIST, { headers: known })]);
    for (const list of lists) if (!isRight(list)) wrong.add(`a list has ${list.status}`);
    const ready = await client.send(READY);
    if (ready.status !== 200) wrong.add(`the readiness is ${ready.status}`);
    const isNoticed = performance.now() - since > UNNOTICED_MS;
    if (isNoticed && !missingIn(ready).includes(away)) wrong.add("the readiness doesn't name what is away");
    await sleep(EVERY_MS);
  }
  return [...wrong].map((what) => `without the ${away}, ${what}`);
}

const isList = ({ status }: Response): boolean => status === 200 || status === 304;
const isTold = ({ status, headers }: Response): boolean => status === 503 && headers.has("retry-after");

const missingIn = ({ bytes }: Response): readonly Outage[] =>
  readiness.parse(JSON.parse(bytes.toString())).unavailable ?? [];

/**
 * Waits until all instances respond, and miss nothing.
 * @returns after how many milliseconds; undefined if they don't in time
 */
export async function recovery(client: ServiceClient, instances: number): Promise<number | undefined> {
  const since = performance.now();
  while (!(await isWell(client, instances))) {
    if (performance.now() - since > RECOVERY_MS) return undefined;
    await sleep(EVERY_MS);
  }
  return Math.round(performance.now() - since);
}

async function isWell(client: ServiceClient, instances: number): Promise<boolean> {
  // More than there are instances: the balancer takes them in turn.
  const asked = Array.from({ length: 4 * instances }, async () => {
    const [list, ready] = await Promise.all([client.send(LIST), client.send(READY)]);
    return list.status === 200 && missingIn(ready).length === 0;
  });
  return (await Promise.allSettled(asked)).every((result) => result.status === "fulfilled" && result.value);
}
