/** A bulk upsert of a thousand books through HTTP, against the same statements in one bare better-sqlite3 transaction. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "../../src/db/database.ts";
import { type BulkBook, bulkBooks, rawBulk } from "./bulk-books.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, compare } from "./row.ts";
import { ADMIN, SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const ROUNDS = 5;
const MAX_RATIO = 3;
const MAX_HOLD_MS = 50;

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-bulk-"));
  const service = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  try {
    const origin = `http://127.0.0.1:${service.facts.port}`;
    const send = await bulkClient(origin);
    const file = join(folder, "raw.sqlite");
    await (await openDatabase(file, folder)).close();
    const raw = rawBulk(file);
    let round = 0;
    const measured = await compare(
      ROUNDS,
      () => send(bulkBooks(round)),
      async () => raw.write(bulkBooks(++round)),
    );
    raw.close();
    await service.usage();
    await pause(100);
    const { slowest } = await withHealthAsked(origin, () => send(bulkBooks(++round)));
    const { longestHoldMs } = await service.usage();
    return [
      {
        what: "bulk of 1,000 books, 5 translations and 5 links each",
        ours: `${Math.round(measured.ours)} ms`,
        other: `${Math.round(measured.other)} ms`,
        ratio: Number(measured.ratio.toFixed(2)),
        bound: `at most ${MAX_RATIO} times the time`,
        ok: measured.ratio <= MAX_RATIO,
      },
      heldRow("event loop held at most, during one", longestHoldMs),
      heldRow("slowest health answer, during one", slowest),
    ];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

const heldRow = (what: string, milliseconds: number): BenchRow => ({
  what,
  ours: `${milliseconds.toFixed(1)} ms`,
  other: "",
  ratio: Number((milliseconds / MAX_HOLD_MS).toFixed(2)),
  bound: `at most ${MAX_HOLD_MS} ms`,
  ok: milliseconds <= MAX_HOLD_MS,
});

/** @returns what sends the books and tells the milliseconds until all are created */
async function bulkClient(origin: string): Promise<(books: readonly BulkBook[]) => Promise<number>> {
  const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(origin + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
    });
  const login = await post("/api/auth/login", JSON.stringify(ADMIN));
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (books) => {
    const body = JSON.stringify({ books });
    const start = performance.now();
    const response = await post("/api/admin/books/bulk", body, { Cookie: cookie });
    const text = await response.text();
    const milliseconds = performance.now() - start;
    if (!text.includes(`"created":${books.length}`)) throw new Error(`It answered: ${text.slice(0, 2000)}`);
    return milliseconds;
  };
}

/** Asks for the health time and again while `work` goes on. @returns the slowest answer, in milliseconds */
async function withHealthAsked(
  origin: string,
  work: () => Promise<unknown>,
): Promise<{ responses: number; slowest: number }> {
  let isOver = false;
  const asking = async () => {
    let slowest = 0;
    let responses = 0;
    for (; !isOver; responses += 1) {
      const start = performance.now();
      await (await fetch(`${origin}/api/health`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - start);
    }
    return { responses, slowest };
  };
  const asked = asking();
  await work();
  isOver = true;
  return asked;
}

if (import.meta.main) console.table(await run());
