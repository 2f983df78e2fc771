/** A reader who behaves, while others don't. */
import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const PAUSE_MS = 50;

/**
 * Asks for the list of books time and again while `work` goes on, on a new connection each time.
 * @returns how many milliseconds each answer took; infinitely many when there was none
 */
export async function waitsDuring(port: number, work: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const asking = async () => {
    while (!isOver) {
      waits.push(await answerMs(port));
      await wait(PAUSE_MS);
    }
  };
  await Promise.all([working, asking()]);
  return waits;
}

function answerMs(port: number): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const fail = () => resolve(Number.POSITIVE_INFINITY);
    const request = get({ host: "127.0.0.1", port, path: "/api/books", agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(performance.now() - start));
      answer.once("error", fail);
    });
    request.once("error", fail);
  });
}
