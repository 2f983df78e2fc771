/** A bulk upsert of a thousand books through HTTP: how long it holds the event loop, and how long others wait meanwhile. */
import { setTimeout as pause } from "node:timers/promises";
import { Administrator } from "./administrator.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, boundRow } from "./row.ts";
import { LANGUAGES, SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const BOOKS = 1000;
const ROUNDS = 5;
const MAX_HOLD_MS = 50;
const DESCRIPTION = "De lo que había en el fondo del pozo y de quien bajó a buscarlo. ".repeat(4).trim();

export async function run(): Promise<BenchRow[]> {
  const service = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  try {
    const { port } = service.facts;
    const admin = await Administrator.of(port);
    // The first ones warm up.
    for (let round = 1; round < ROUNDS; round += 1) await admin.sendBulk(createBulkBooks(round));
    await service.usage();
    await pause(100);
    const slowest = await measureSlowestHealth(port, () => admin.sendBulk(createBulkBooks(ROUNDS)));
    const { longestHoldMs } = await service.usage();
    const during = `during a bulk of ${BOOKS} books, 5 translations and 5 links each`;
    return [
      boundRow(`event loop held at most, ${during}`, longestHoldMs, "ms", MAX_HOLD_MS),
      boundRow(`slowest health response, ${during}`, slowest, "ms", MAX_HOLD_MS),
    ];
  } finally {
    await service.stop();
  }
}

/** Books that no other round has. */
const createBulkBooks = (round: number) =>
  Array.from({ length: BOOKS }, (_, index) => createBook(`${round}-${index}`));

const createBook = (number: string) => ({
  slug: `bulk-${number}`,
  titleEn: `Bulk book ${number}`,
  description: DESCRIPTION,
  translations: LANGUAGES.map((languageCode) => ({
    languageCode,
    title: `Título ${number} en ${languageCode}`,
    description: DESCRIPTION,
  })),
  files: LANGUAGES.map((languageCode) => ({
    languageCode,
    fileType: "pdf",
    sourceType: "url",
    cloudUrl: `https://files.example.org/${number}/${languageCode}.pdf`,
    fileName: `bulk-${number}-${languageCode}.pdf`,
    fileSizeBytes: 1_000_000,
  })),
});

/** Asks for the health time and again while `work` goes on. @returns the slowest response, in milliseconds */
async function measureSlowestHealth(port: number, work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let slowest = 0;
  const asking = async () => {
    while (!isOver) {
      const start = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/api/health`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - start);
    }
  };
  await Promise.all([
    asking(),
    work().finally(() => {
      isOver = true;
    }),
  ]);
  return slowest;
}
