/** When a page has read everything that it shows: for tests of all that is there, which name no text to wait for. */
import { type BrowserContext, expect, type Page, type Request } from "@playwright/test";

const pending = new WeakMap<Page, Set<Request>>();

/** Notes the requests of the context's pages, of which none may be open yet. */
export function watchRequests(context: BrowserContext): void {
  context.on("page", (page) => {
    const requests = new Set<Request>();
    pending.set(page, requests);
    page.on("request", (request) => requests.add(request));
    page.on("requestfinished", (request) => requests.delete(request));
    page.on("requestfailed", (request) => requests.delete(request));
  });
}

/** React asks for more, if it does, in the frame after it has shown what came. */
const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Waits until no request is pending, and what came has asked for no more. */
export async function settled(page: Page): Promise<void> {
  const countPending = () => pending.get(page)?.size ?? 0;
  do {
    await expect.poll(countPending, { intervals: [20] }).toBe(0);
    await page.evaluate(TWO_FRAMES);
  } while (countPending() > 0);
}
