/**
 * The library for readers: a kept list and a kept book against a bare Express app that sends the same bytes, their size, and
 * the first list after a change of a large catalogue, with what it holds the event loop; what strangers and readers meet.
 */

import { logIn } from "./administrator.ts";
import { measureReader } from "./library-reader.ts";
import { measureStrangers } from "./library-strangers.ts";
import { startMeasured } from "./measured-process.ts";
import { compareResponses, measureInBrotli, pinToCore } from "./public-list.ts";
import { type BenchRow, boundRow, computeMedian } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const LIST = "/library/es";
const BOOK = "/library/es/books/book-number-7";
const MOST_LIST_BYTES = 8000;
const MOST_SHEET_BYTES = 6000;

const BOOKS = Number(process.env.BENCH_BOOKS ?? 50_000);
const CHANGES = 15;
const MOST_AFTER_CHANGE_MS = 500;
const MOST_TURN_MS = 10;

export async function run(): Promise<BenchRow[]> {
  return [
    ...(await measureKept()),
    ...(await measureChanges()),
    ...(await measureStrangers()),
    ...(await measureReader()),
  ];
}

async function measureKept(): Promise<BenchRow[]> {
  const ours = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  const base = `http://127.0.0.1:${ours.facts.port}`;
  const rows: BenchRow[] = [];
  try {
    for (const path of [LIST, BOOK]) {
      const bare = await startMeasured(SERVICE_PROCESS, ["bare", base + path], serviceFacts);
      for (const { pid } of [ours, bare]) pinToCore(pid);
      const ports = { ours: ours.facts.port, bare: bare.facts.port };
      try {
        rows.push(await compareResponses(`GET ${path}`, ports, { status: 200, path }));
      } finally {
        await bare.stop();
      }
    }
    const [sheet = ""] = /library\/style-\w+\.css/.exec(await readText(base + LIST)) ?? [];
    return [
      ...rows,
      boundRow(
        "bytes of a list of 24 in brotli",
        await measureInBrotli(base + LIST),
        "bytes",
        MOST_LIST_BYTES,
      ),
      boundRow(
        "bytes of the style sheet in brotli",
        await measureInBrotli(`${base}/${sheet}`),
        "bytes",
        MOST_SHEET_BYTES,
      ),
    ];
  } finally {
    await ours.stop();
  }
}

const readText = async (url: string): Promise<string> => (await fetch(url)).text();

/** A change of a title, and the next reader of the list. */
async function measureChanges(): Promise<BenchRow[]> {
  const { facts, usage, stop } = await startMeasured(
    SERVICE_PROCESS,
    ["generated", `${BOOKS}`],
    serviceFacts,
  );
  const base = `http://127.0.0.1:${facts.port}`;
  try {
    const [path = ""] = /library\/[\w-]+(?=" hreflang)/.exec(await readText(`${base}/library`)) ?? [];
    const cookie = await logIn(facts.port);
    const found = await fetch(`${base}/api/admin/books?limit=1`, { headers: { cookie } });
    const [, id = ""] = /"id":"([^"]+)"/.exec(await found.text()) ?? [];
    const times: number[] = [];
    const turns: number[] = [];
    for (let change = 0; change <= CHANGES; change += 1) {
      const changed = await fetch(`${base}/api/admin/books/${id}`, {
        method: "PUT",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ titleEn: `Title ${change}` }),
      });
      if (!changed.ok) throw new Error(`PUT of a title: ${changed.status} ${await changed.text()}`);
      await usage();
      await new Promise((resolve) => setTimeout(resolve, 50));
      const start = performance.now();
      await readText(`${base}/${path}`);
      times.push(performance.now() - start);
      turns.push((await usage()).longestTurnMs);
    }
    const what = `/${path} after a change, ${BOOKS} books`;
    return [
      boundRow(what, computeMedian(times.slice(1)), "ms", MOST_AFTER_CHANGE_MS),
      boundRow(
        `${what}: longest turn of the loop`,
        computeMedian(turns.slice(1)),
        "ms of processor",
        MOST_TURN_MS,
      ),
    ];
  } finally {
    await stop();
  }
}
