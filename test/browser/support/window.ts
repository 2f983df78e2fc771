/** The windows of a test: each has cookies and storage of its own, and reports the errors of its pages. */
import { join, relative } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  test,
} from "@playwright/test";
import { recordPages } from "../../support/record-pages.ts";
import { watchRequests } from "./settled.ts";

/** Of the project. */
const ROOT = join(import.meta.dirname, "../../..");

/** Where the console is served, and with which session it begins. */
export interface Site {
  /** The address of the console. */
  base: string;
  /** A cookie header; undefined: the site needs none. */
  cookie: string | undefined;
}

/** The browser itself notes responses with an error status; which of them are right, each test says. */
const IS_STATUS = /^Failed to load resource/;

export class Windows {
  readonly #browser: Browser;
  readonly #opened: BrowserContext[] = [];
  /** Where `npm run coverage` runs the tests. */
  readonly #records: (() => Promise<void>)[] = [];
  /** What scripts and the policy of pages have reported: a test with one fails. */
  readonly errors: string[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Opens a page of the console. @param path below the address of the console */
  async open({ base, cookie }: Site, path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext(options);
    this.#opened.push(context);
    watchRequests(context);
    if (process.env.COVERAGE_FOLDER)
      this.#records.push(recordPages(context, relative(ROOT, test.info().file)));
    context.on("weberror", (error) => this.errors.push(error.error().message));
    context.on("console", (message) => {
      if (message.type() === "error" && !IS_STATUS.test(message.text())) this.errors.push(message.text());
    });
    if (cookie) await context.addCookies([readCookie(cookie, base)]);
    const page = await context.newPage();
    await page.goto(base + path);
    return page;
  }

  async close(): Promise<void> {
    for (const record of this.#records) await record();
    for (const context of this.#opened) await context.close();
  }
}

function readCookie(header: string, base: string) {
  const [name = "", value = ""] = header.split("=");
  return { name, value, url: new URL("/", base).href, httpOnly: true, sameSite: "Lax" as const };
}
