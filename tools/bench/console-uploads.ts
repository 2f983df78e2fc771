/** A folder of 1,800 files that is dropped on the page Import: how long it holds the page, and how much memory it takes. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { type ConsolePage, withConsole } from "./console-browser.ts";
import { type BenchRow, boundRow } from "./row.ts";

const FILES = 1800;
const FILE_BYTES = 200_000;
const MAX_HOLD_MS = 100;
const MAX_MEMORY_MB = 500;
const LIMIT_MS = 300_000;

const processes = z.object({ processInfo: z.array(z.object({ id: z.int(), type: z.string() })) });

/** Tasks of 50 ms and more, as the browser itself reports them. */
const WATCH = `window.longest = 0; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ type: "longtask" })`;

export async function measureUploads(browser: Browser, port: number): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-uploads-"));
  try {
    await fillFolder(folder);
    return await withConsole(browser, port, "import", (console) => dropFolder(browser, console, folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fillFolder(folder: string): Promise<void> {
  for (let number = 1; number <= FILES; number += 1)
    await writeFile(
      join(folder, `book-${number}.es.txt`),
      Buffer.alloc(FILE_BYTES, `Book ${number}, a line.\n`),
    );
}

async function dropFolder(browser: Browser, console: ConsolePage, folder: string): Promise<BenchRow[]> {
  const { page } = console;
  await page.evaluate(WATCH);
  const start = performance.now();
  await drop(console, folder);
  let memory = 0;
  const done = page.getByText("1,800 of 1,800 files are examined.");
  while ((await done.count()) === 0) {
    memory = Math.max(memory, await readPageMemory(browser));
    if (performance.now() - start > LIMIT_MS) throw new Error("the files aren't examined in time");
    await page.waitForTimeout(500);
  }
  await page.getByRole("button", { name: /^Store/ }).waitFor();
  const longest = z.number().parse(await page.evaluate("window.longest"));
  return [
    boundRow(`page held at most, drop of ${FILES} files`, longest, "ms", MAX_HOLD_MS),
    boundRow(`memory of the page, drop of ${FILES} files`, memory / 1e6, "MB", MAX_MEMORY_MB),
  ];
}

/** As from the file manager of a desktop. */
async function drop({ page, devtools }: ConsolePage, folder: string): Promise<void> {
  const box = await page.getByText("Drop files or folders here").boundingBox();
  if (!box) throw new Error("there is no place to drop files");
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await devtools.send("Input.dispatchDragEvent", { type, x: box.x, y: box.y, data });
}

/** Resident memory of the largest process that draws pages, in bytes. */
async function readPageMemory(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = processes.parse(await devtools.send("SystemInfo.getProcessInfo"));
  await devtools.detach();
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(async ({ id }) => /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${id}/status`, "utf8"))?.[1]);
  return Math.max(...(await Promise.all(sizes)).map((kB) => Number(kB) * 1024));
}
