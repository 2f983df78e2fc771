/** The grid of publications with 5,000 books on 50 channels, scrolled on a processor of a quarter of the speed. */
import type { Browser } from "playwright-core";
import { z } from "zod";
import { readSessionCookie, ServiceClient } from "../lib/service-client.ts";
import { Administrator } from "./administrator.ts";
import { withConsole } from "./console-browser.ts";
import { type BenchRow, boundRow } from "./row.ts";
import { ADMIN } from "./service-process.ts";

const BOOKS = 5000;
const BOOKS_OF_A_REQUEST = 1000;
const CHANNELS = 50;
/** Of the publications one in so many is published. */
const PUBLISHED_EACH = 5;
const BOOKS_OF_A_CHANGE = 1000;
const MAX_STEP_MS = 50;
const MAX_CELLS = 1500;

const any = z.unknown();
const matrix = z.object({
  channels: z.array(z.object({ id: z.string() })),
  books: z.array(z.object({ bookId: z.string() })),
});
const scrolled = z.object({ steps: z.array(z.number()), cells: z.number() });

/**
 * Scrolls down by half a window and sideways by two columns, in turn. A step is what the page computes for it: from
 * the event to the end of the frame.
 */
const SCROLL = `(async () => {
  const grid = document.querySelector("[role=grid]");
  const steps = [];
  let cells = 0;
  let start;
  addEventListener("scroll", () => { start ??= performance.now(); }, true);
  for (let step = 0; step < 40; step++) {
    start = undefined;
    if (step % 4 === 3) grid.scrollLeft += 176;
    else grid.scrollTop += 300;
    await new Promise((done) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(0);
    }));
    if (start !== undefined) steps.push(performance.now() - start);
    cells = Math.max(cells, grid.querySelectorAll("[role=gridcell]").length);
    await new Promise((done) => setTimeout(done, 50));
  }
  return { steps, cells };
})()`;

/** @returns the id of a book */
export async function fillGrid(port: number): Promise<string> {
  const base = `http://127.0.0.1:${port}`;
  const cookie = readSessionCookie(
    await new ServiceClient(base).send("/api/auth/login", { method: "POST", json: ADMIN }),
  );
  const client = new ServiceClient(base, { cookie });
  const admin = await Administrator.of(port);
  await admin.addLanguage("es");
  for (let number = 1; number <= CHANNELS; number += 1)
    await client.post("/api/admin/channels", { name: `Channel number ${number}` }, 201, any);
  for (let first = 0; first < BOOKS; first += BOOKS_OF_A_REQUEST)
    await admin.sendBulk(
      Array.from({ length: BOOKS_OF_A_REQUEST }, (_, index) => ({
        titleEn: `Book number ${first + index}`,
        slug: `book-number-${first + index}`,
      })),
    );
  return publish(client);
}

/** Neighbours differ, as after years of work: equal rows would be drawn for nothing. */
async function publish(client: ServiceClient): Promise<string> {
  const path = `/api/admin/channels/matrix?languageCode=es&fields=published&limit=${BOOKS}`;
  const { channels, books } = await client.read(path, matrix);
  const changes = books.map(({ bookId }, row) =>
    channels
      .filter((_, column) => (row + column * 2) % PUBLISHED_EACH === 0)
      .map(({ id }) => ({ bookId, channelId: id, languageCode: "es", isPublished: true })),
  );
  for (let first = 0; first < BOOKS; first += BOOKS_OF_A_CHANGE)
    await client.read("/api/admin/channels/publications", any, {
      method: "PUT",
      json: { changes: changes.slice(first, first + BOOKS_OF_A_CHANGE).flat() },
    });
  return books[0]?.bookId ?? "";
}

export async function measureGrid(browser: Browser, port: number): Promise<BenchRow[]> {
  return withConsole(browser, port, "publications?languageCode=es", async ({ page, devtools }) => {
    await page.locator("[role=gridcell]").first().waitFor();
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const { steps, cells } = scrolled.parse(await page.evaluate(SCROLL));
    return [
      boundRow(
        `step of scrolling in ${BOOKS} × ${CHANNELS}, processor at a quarter`,
        Math.max(...steps),
        "ms",
        MAX_STEP_MS,
      ),
      boundRow(`cells in the document, ${BOOKS} × ${CHANNELS}`, cells, "cells", MAX_CELLS),
    ];
  });
}
