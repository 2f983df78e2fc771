/** What the pages of the console cost on the line, as the browser receives them. */
import type { Browser } from "playwright-core";
import { CONSOLE_PAGES } from "../../src/http/console.ts";
import { type ConsolePage, logIn, SLOW_LINE, slowDown, withPage } from "./console-browser.ts";
import { type BenchRow, boundRow } from "./row.ts";

const LOG_IN_KB = 220;
const ROUTE_KB = 45;
const SECOND_VISIT_KB = 20;
const OVERVIEW_KB = 260;
const LOG_IN_S = 6;
const OVERVIEW_S = 8;
/** The overview has rows of its own; the page of a contact is one of the smaller, and that of a new password has no session. */
const UNMEASURED: readonly string[] = ["", "contacts/{contactId}", "reset"];
const ROUTES = CONSOLE_PAGES.filter((page) => !UNMEASURED.includes(page));

/** @param bookId of the page of a book */
export async function measurePages(browser: Browser, port: number, bookId: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const route of ROUTES) {
    const path = route.replace("{bookId}", bookId);
    const measured = await withPage(browser, port, (console) => measureRoute(console, path));
    if (rows.length === 0)
      rows.push(boundRow("bytes until the log-in", measured.logIn / 1000, "kB", LOG_IN_KB));
    rows.push(boundRow(`bytes more of ${route}`, measured.route / 1000, "kB", ROUTE_KB));
    if (route === "books")
      rows.push(boundRow("bytes of a second visit", measured.secondVisit / 1000, "kB", SECOND_VISIT_KB));
  }
  const overview = await withPage(browser, port, measureOverview);
  const seconds = await withPage(browser, port, openOnSlowLine);
  return [
    ...rows,
    boundRow("bytes until the overview is complete", overview.bytes / 1000, "kB", OVERVIEW_KB),
    boundRow(`log-in is shown on ${SLOW_LINE}`, seconds, "s", LOG_IN_S),
    boundRow(`overview is complete on ${SLOW_LINE}`, overview.seconds, "s", OVERVIEW_S),
  ];
}

/** Counts the bytes of the console's own files; what the API sends depends on the library. */
async function countBytes({ devtools, base }: ConsolePage): Promise<() => number> {
  let bytes = 0;
  const own = new Set<string>();
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.url.startsWith(base)) own.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength;
  });
  await devtools.send("Network.enable");
  return () => bytes;
}

async function measureRoute(console: ConsolePage, route: string) {
  const { page, base } = console;
  const count = await countBytes(console);
  await page.goto(base + route);
  await page.locator("input[type=email]").waitFor();
  await page.waitForLoadState("networkidle");
  const atLogIn = count();
  await logIn(page);
  await page.waitForLoadState("networkidle");
  const atRoute = count();
  await page.reload();
  await page.locator("#content h1").waitFor();
  await page.waitForLoadState("networkidle");
  return { logIn: atLogIn, route: atRoute - atLogIn, secondVisit: count() - atRoute };
}

/** From nothing, with the map and the curve, which come last; then once more on a slow line. */
async function measureOverview(console: ConsolePage): Promise<{ bytes: number; seconds: number }> {
  const { page, devtools, base } = console;
  const count = await countBytes(console);
  const waitUntilComplete = async () => {
    await page.locator("#content canvas").first().waitFor();
    await page.locator("#content svg[viewBox] g path").first().waitFor();
  };
  await page.goto(base);
  await logIn(page);
  await waitUntilComplete();
  await page.waitForLoadState("networkidle");
  const bytes = count();
  await devtools.send("Network.clearBrowserCache");
  await slowDown(console.devtools);
  const start = performance.now();
  await page.goto(base, { waitUntil: "commit" });
  await waitUntilComplete();
  return { bytes, seconds: (performance.now() - start) / 1000 };
}

async function openOnSlowLine(console: ConsolePage): Promise<number> {
  await slowDown(console.devtools);
  const start = performance.now();
  await console.page.goto(console.base, { waitUntil: "commit" });
  await console.page.locator("input[type=email]").waitFor();
  return (performance.now() - start) / 1000;
}
