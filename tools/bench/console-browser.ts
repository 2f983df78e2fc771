/** A real Chromium, with the console of a measured server, and on a slow line. */
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from "playwright-core";
import { ADMIN } from "./service-process.ts";

/** Undefined on a machine without Chromium. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);

export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  if (CHROMIUM === undefined) throw new Error("there is no Chromium");
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

export interface ConsolePage {
  page: Page;
  devtools: CDPSession;
  /** The address of the console, with a slash at its end. */
  base: string;
}

/** Work with a page in a context of its own, logged in and on the page at `path`. */
export async function withConsole<T>(
  browser: Browser,
  port: number,
  path: string,
  work: (console: ConsolePage) => Promise<T>,
): Promise<T> {
  return withPage(browser, port, async (console) => {
    await console.page.goto(console.base + path);
    await logIn(console.page);
    return work(console);
  });
}

/** The same before any address was opened. */
export async function withPage<T>(
  browser: Browser,
  port: number,
  work: (console: ConsolePage) => Promise<T>,
): Promise<T> {
  const options: BrowserContextOptions = { locale: "en-US", viewport: { width: 1440, height: 900 } };
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    return await work({ page, devtools, base: `http://127.0.0.1:${port}/console/` });
  } finally {
    await context.close();
  }
}

export async function logIn(page: Page): Promise<void> {
  await page.locator("input[type=email]").fill(ADMIN.email);
  await page.locator("input[type=password]").fill(ADMIN.password);
  await page.keyboard.press("Enter");
  await page.locator("#content h1").waitFor();
}

const LINE = { bitsPerSecond: 400_000, latencyMs: 200 };

/** How rows name the line that `slowDown` makes. */
export const SLOW_LINE = `${LINE.bitsPerSecond / 1000} kbit/s and ${LINE.latencyMs} ms`;

export async function slowDown(devtools: CDPSession): Promise<void> {
  const throughput = LINE.bitsPerSecond / 8;
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LINE.latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}
