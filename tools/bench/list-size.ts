/** The published list, a page of 50, of 10,000 books against that of 100: as readers get it, and right after a write. */
import { z } from "zod";
import { responsesPerSecond } from "./http-load.ts";
import { logIn } from "./log-in.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, type Comparison, compare, median } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const MANY = 10_000;
const FEW = 100;
const ROUNDS = 5;
const WRITES = 20;
const PATH = "/api/books?languageCode=es";
/** The event loop is never held for longer. */
const MOST_MS = 50;
const MOST_TIMES = 1.3;

export async function run(): Promise<BenchRow[]> {
  const many = await startMeasured(SERVICE_PROCESS, ["service", "1000", `${MANY}`], serviceFacts);
  const few = await startMeasured(SERVICE_PROCESS, ["service", "1000", `${FEW}`], serviceFacts);
  try {
    const ports = [many.facts.port, few.facts.port] as const;
    const kept = await compareBoth(ports, async (port) => 1000 / (await keptPerSecond(port)));
    const composed = await compareBoth(ports, await composedBy(ports));
    return [
      row(
        `GET ${PATH}, ${MANY} books against ${FEW}`,
        kept,
        `at most ${MOST_TIMES}`,
        kept.ratio <= MOST_TIMES,
      ),
      row(
        "the same, the first one after a write",
        composed,
        `at most ${MOST_MS} ms`,
        composed.ours <= MOST_MS,
      ),
    ];
  } finally {
    await Promise.all([many.stop(), few.stop()]);
  }
}

type Ports = readonly [many: number, few: number];

const compareBoth = ([many, few]: Ports, measure: (port: number) => Promise<number>) =>
  compare(
    ROUNDS,
    () => measure(many),
    () => measure(few),
  );

const row = (what: string, { ours, other, ratio }: Comparison, bound: string, ok: boolean): BenchRow => ({
  what,
  ours: `${ours.toFixed(3)} ms`,
  other: `${other.toFixed(3)} ms`,
  ratio: Number(ratio.toFixed(2)),
  bound,
  ok,
});

const keptPerSecond = (port: number): Promise<number> =>
  responsesPerSecond({
    port,
    connections: 16,
    milliseconds: 1000,
    status: 200,
    request: () => `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\n\r\n`,
  });

/** Changes a book and times the list that has to be composed anew, in milliseconds. */
async function composedBy(ports: Ports): Promise<(port: number) => Promise<number>> {
  const change = new Map<number, () => Promise<unknown>>();
  for (const port of ports) change.set(port, await changeOf(port));
  return async (port) => {
    const times: number[] = [];
    for (let write = 0; write < WRITES; write += 1) {
      await change.get(port)?.();
      const start = performance.now();
      await (await fetch(`http://127.0.0.1:${port}${PATH}`)).arrayBuffer();
      times.push(performance.now() - start);
    }
    return median(times);
  };
}

async function changeOf(port: number): Promise<() => Promise<unknown>> {
  const base = `http://127.0.0.1:${port}`;
  const cookie = await logIn(port);
  const json = { "content-type": "application/json" };
  const listed: unknown = await (await fetch(`${base}/api/books/book-number-1`)).json();
  const { id } = z.object({ id: z.string() }).parse(listed);
  let writes = 0;
  return async () => {
    writes += 1;
    const body = JSON.stringify({ description: `Written ${writes} times.` });
    const response = await fetch(`${base}/api/admin/books/${id}`, {
      method: "PUT",
      headers: { ...json, cookie },
      body,
    });
    if (!response.ok) throw new Error(`The change is answered with ${response.status}`);
    await response.arrayBuffer();
  };
}

if (import.meta.main) console.table(await run());
