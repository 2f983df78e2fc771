/** Records which functions of the built console run in a browser's pages. `npm run coverage` maps them to the sources. */
import { basename } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { addStart, folderOf, listRan, type Starts, writeRecord } from "../../tools/reach/records.ts";

const ASSET = /\/console\/assets\/.*\.js$/;

/**
 * Begins with the pages of the context, which must not have opened an address yet.
 * @param testFile relative to the project
 * @returns writes what ran in the pages that are still open; to be called before the context is closed
 */
export function recordPages(context: BrowserContext, testFile: string): () => Promise<void> {
  const pages = new Map<Page, Promise<void>>();
  const begin = (page: Page) => pages.set(page, page.coverage.startJSCoverage({ resetOnNavigation: false }));
  context.on("page", begin);
  return async () => {
    const starts: Starts = new Map();
    for (const [page, begun] of pages) if (!page.isClosed()) await readPage(starts, page, begun);
    writeRecord(folderOf(testFile), starts, "assets");
  };
}

async function readPage(starts: Starts, page: Page, begun: Promise<void>): Promise<void> {
  await begun;
  const scripts = (await page.coverage.stopJSCoverage()).filter(({ url }) => ASSET.test(url));
  for (const { url, functions } of scripts)
    for (const offset of listRan(functions)) addStart(starts, basename(url), offset);
}
