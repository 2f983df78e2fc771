/** What a reader with a small phone on a slow line waits for in the library. */
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { z } from "zod";
import { logIn } from "./administrator.ts";
import { CHROMIUM, SLOW_LINE, slowDown, withChromium } from "./console-browser.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, boundRow, computeMedian } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const BOOKS = 24;
const ROUNDS = 3;
const PHONE = { width: 360, height: 740 };
const COVER = { width: 1200, height: 1800 };
const MOST_READABLE_S = 1.5;
const MOST_COVERS_S = 4;
/** The page that is ready, and the file. */
const MOST_AFTER_FORM = 2;

export async function measureReader(): Promise<BenchRow[]> {
  if (CHROMIUM === undefined) {
    console.error("skipped: there is neither /usr/bin/chromium nor CHROMIUM_PATH");
    return [];
  }
  const service = await startMeasured(SERVICE_PROCESS, ["service", "1000", `${BOOKS}`], serviceFacts);
  const base = `http://127.0.0.1:${service.facts.port}`;
  try {
    await addCovers(base, await logIn(service.facts.port));
    return await withChromium(async (browser) => [
      ...(await measureList(browser, `${base}/library/es`)),
      await measureForm(browser, `${base}/library/sw/books/${service.facts.fileSlug}`),
    ]);
  } finally {
    await service.stop();
  }
}

const foundBooks = z.object({ books: z.array(z.object({ id: z.string() })) });

/** Of every book, as noisy as photos are: drawn ones would be smaller. */
async function addCovers(base: string, cookie: string): Promise<void> {
  const found = await fetch(`${base}/api/admin/books?limit=100`, { headers: { cookie } });
  for (const { id } of foundBooks.parse(await found.json()).books) {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const small = await sharp({ create: { width: 200, height: 300, channels: 3, background: "#000", noise } })
      .png()
      .toBuffer();
    const body = await sharp(small).resize(COVER).jpeg().toBuffer();
    const cover = await fetch(`${base}/api/admin/books/${id}/covers/default`, {
      method: "PUT",
      headers: { cookie, "content-type": "image/jpeg" },
      body: new Uint8Array(body),
    });
    if (!cover.ok) throw new Error(`PUT of a cover: ${cover.status} ${await cover.text()}`);
  }
}

/** Each time as a new reader, with nothing in the browser. The first round draws the covers' sizes, and doesn't count. */
async function measureList(browser: Browser, url: string): Promise<BenchRow[]> {
  const seen: Awaited<ReturnType<typeof openList>>[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) seen.push(await openList(browser, url));
  const median = (name: keyof (typeof seen)[number]) =>
    computeMedian(seen.slice(1).map((round) => round[name]));
  const what = `on ${SLOW_LINE}, ${PHONE.width} px`;
  return [
    boundRow(`list is readable ${what}`, median("readable"), "s", MOST_READABLE_S),
    boundRow(`first screen with covers ${what}`, median("complete"), "s", MOST_COVERS_S),
    boundRow("covers loaded before the reader scrolls, of 24", median("covers"), "covers", BOOKS - 1),
    boundRow("bytes of the covers of the first screen", median("kilobytes"), "kB", 100),
  ];
}

async function openList(browser: Browser, url: string) {
  return withPhone(browser, async (page) => {
    await slowDown(await page.context().newCDPSession(page));
    await page.goto(url, { waitUntil: "load" });
    const seen = await page.evaluate(SEEN);
    await page.evaluate(LOAD_ALL);
    return seenTimes.parse(seen);
  });
}

const seenTimes = z.object({
  readable: z.number(),
  complete: z.number(),
  covers: z.number(),
  kilobytes: z.number(),
});

/** As a reader scrolls, until each cover is there. */
const LOAD_ALL = `new Promise((resolve, reject) => {
  const look = () => {
    if (performance.now() > 60_000) return reject(new Error("A cover isn't loaded after a minute"));
    const missing = [...document.images].find((image) => !image.complete || image.naturalWidth === 0);
    if (!missing) return resolve();
    missing.scrollIntoView();
    setTimeout(look, 50);
  };
  look();
})`;

/** The list is readable when it is painted and all of it is there: the browser paints a document while it arrives. */
const SEEN = `new Promise((resolve) => {
  const isSeen = (image) => image.getBoundingClientRect().top < innerHeight;
  const first = [...document.images].filter(isSeen);
  const look = () => {
    if (!first.every((image) => image.complete)) return setTimeout(look, 10);
    const [page] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const loaded = performance.getEntriesByType("resource").filter(({ initiatorType }) => initiatorType === "img");
    const ends = loaded.filter(({ name }) => first.some(({ currentSrc }) => currentSrc === name));
    resolve({
      readable: Math.max(paint.startTime, page.domInteractive) / 1000,
      complete: Math.max(...ends.map(({ responseEnd }) => responseEnd)) / 1000,
      covers: loaded.length,
      kilobytes: ends.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
    });
  };
  look();
})`;

/** How many requests follow the sent form until the file begins, the pages' style sheet aside. */
async function measureForm(browser: Browser, url: string): Promise<BenchRow> {
  const requests = await withPhone(browser, async (page) => {
    await page.goto(url);
    await page.locator("input[name=firstName]").fill("Ana");
    await page.locator("input[name=email]").fill("ana@example.org");
    const after: string[] = [];
    page.on("request", (request) => {
      const isSheet = ["stylesheet", "image", "other"].includes(request.resourceType());
      if (request.method() === "GET" && !isSheet) after.push(request.url());
    });
    const download = page.waitForEvent("download");
    await page.locator("form button.primary, form button[type=submit]").last().click();
    await (await download).cancel();
    return after.length;
  });
  return boundRow("requests from a sent form to the file", requests, "requests", MOST_AFTER_FORM);
}

async function withPhone<T>(browser: Browser, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ locale: "es", viewport: PHONE, deviceScaleFactor: 1 });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}
