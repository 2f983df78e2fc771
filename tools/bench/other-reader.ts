/** A reader who behaves, while others don't. */
import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type BenchRow, boundRow } from "./row.ts";

const PAUSE_MS = 50;

/** How long others wait for the list of books while `work` goes on: all but one in a hundred at most 100 ms. */
export async function waitRow(what: string, port: number, work: () => Promise<unknown>): Promise<BenchRow> {
  const waits = (await waitsDuring(port, work)).sort((one, other) => one - other);
  const most = waits[Math.floor(waits.length * 0.99)] ?? Number.NaN;
  const row = boundRow(`${what}: 99 of 100 others wait at most`, most, "ms", 100);
  return { ...row, other: `longest ${Math.round(waits.at(-1) ?? 0)} ms` };
}

/**
 * Asks time and again, on a new connection each time.
 * @returns how many milliseconds each answer took; infinitely many when there was none
 */
async function waitsDuring(port: number, work: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const asking = async () => {
    while (!isOver) {
      waits.push(await responseMs(port));
      await wait(PAUSE_MS);
    }
  };
  await Promise.all([working, asking()]);
  return waits;
}

function responseMs(port: number): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const fail = () => resolve(Number.POSITIVE_INFINITY);
    const request = get({ host: "127.0.0.1", port, path: "/api/books", agent: false }, (response) => {
      response.resume().once("end", () => resolve(performance.now() - start));
      response.once("error", fail);
    });
    request.once("error", fail);
  });
}
