/** A line that breaks, and a server that restarts or hangs, while files are uploaded and forms are filled. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { expect, testOn } from "../fixtures.ts";
import { storeAll } from "../support/import-page.ts";
import { button, field, link } from "../support/locators.ts";
import { type Restartable, startRestartable } from "../support/restartable.ts";
import { WELL } from "../support/scenes.ts";

interface Fixtures {
  /** A service that is interrupted. */
  service: Restartable;
  /** Opens a page of it, logged in. */
  openThere(path: string): Promise<Page>;
}

const test = testOn(WELL).extend<Fixtures>({
  service: async ({ folder }, use) => {
    const service = await startRestartable(folder);
    await use(service);
    await service.close();
  },
  openThere: async ({ windows, service }, use) => {
    await use(async (path) => {
      const page = await windows.open(service, path);
      await expect(page.locator("#content h1")).toBeVisible();
      return page;
    });
  },
});

const EXAMINE = /\/api\/admin\/files\/examine$/;
const UNREACHABLE = "The server can't be reached. What you typed is still here; try again.";
/** A little more than the console waits. */
const SILENCE_MS = 46_000;
/** More than the buffers of a connection take. */
const FILE_BYTES = 24 * 1024 * 1024;

const saved = (page: Page) => page.getByText("Saved", { exact: true });
const details = z.object({
  book: z.object({ titleEn: z.string(), description: z.string().nullable() }),
  files: z.array(z.object({ fileName: z.string(), sha256: z.string() })),
});

const readBook = ({ admin }: Restartable, bookId: string) => admin.get(`/api/admin/books/${bookId}`, details);

/** A large file in Spanish. */
async function writeLargeFile(folder: string) {
  const content = Buffer.from(randomBytes(FILE_BYTES / 2).toString("hex"));
  const path = join(folder, "pozo.txt");
  await writeFile(path, content);
  return { path, sha256: createHash("sha256").update(content).digest("hex") };
}

/** Does something to the server or the line once a file is being sent. */
async function interrupt(page: Page, line: Restartable["line"], happen: () => Promise<void>) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  await page.route(
    EXAMINE,
    async (route) => {
      line.hold();
      await route.continue();
      await happen().then(resolve, reject);
    },
    { times: 1 },
  );
  return promise;
}

/** What happens while a file is sent. The one that stops the clock of the page is the last. */
const INTERRUPTIONS: Readonly<Record<string, (service: Restartable, page: Page) => Promise<void>>> = {
  breaks: async ({ line }) => line.reset(),
  "ends at a server that restarts": async (service) => {
    await service.kill();
    await service.start();
  },
  stalls: async (_, page) => {
    await page.clock.fastForward(SILENCE_MS);
    await expect(page.getByText("Waiting for the server", { exact: true })).toBeVisible();
  },
};

test("an upload goes on when the line breaks, ends at a server that restarts, or stalls", async ({
  service,
  openThere,
  folder,
}) => {
  const page = await openThere("books");
  for (const [what, happen] of Object.entries(INTERRUPTIONS))
    await test.step(what, async () => {
      const { line } = service;
      const bookId = await service.addBook(what);
      await page.goto(`${service.base}books/${bookId}`);
      const input = page.locator("#content input[type=file][multiple]");
      await expect(input).toBeAttached();
      if (what === "stalls") await page.clock.install();
      const interrupted = interrupt(page, line, async () => {
        await expect(page.getByText("Sending", { exact: true })).toBeVisible();
        await happen(service, page);
        line.forward();
      });
      const { path, sha256 } = await writeLargeFile(folder);
      await input.setInputFiles(path);
      await interrupted;
      await page.getByRole("combobox", { name: "Language of pozo.txt" }).selectOption("es");
      await button(page, "Store 1 file").click();
      await expect(page.getByText("1 file was stored.")).toBeVisible();
      expect((await readBook(service, bookId)).files).toEqual([{ fileName: "pozo.txt", sha256 }]);
    });
});

test("nothing is stored twice when the line breaks before each response", async ({ scene, open, folder }) => {
  const page = await open("import");
  const lost = new Set<string>();
  await page.route(/\/api\/admin\/imports/, async (route) => {
    const request = route.request();
    const step = `${request.method()} ${request.url().replace(/[0-9a-f-]{36}/, "")}`;
    if (request.method() === "GET" || lost.has(step)) return route.continue();
    lost.add(step);
    await route.fetch();
    await route.abort("connectionreset");
  });
  const chosen = join(folder, "chosen");
  await mkdir(chosen);
  await writeFile(join(chosen, "cuento.es.txt"), "Érase una vez");
  await page.locator("input[webkitdirectory]").setInputFiles(chosen);
  await storeAll(page, "Store 1 file");
  expect([...lost].sort()).toEqual(expect.arrayContaining([expect.stringMatching(/^POST .*\/start$/)]));
  const { body } = await (await scene.admin()).get("/api/admin/books?search=cuento");
  expect(body.books).toEqual([expect.objectContaining({ filesCount: 1 })]);
});

test("a form is saved when the server is back, also as if it had never been away", async ({
  service,
  openThere,
}) => {
  const page = await openThere(`books/${service.bookId}`);
  await test.step("it is filled while the server is away", async () => {
    await field(page, "Title").fill("The Deeper Well");
    service.line.reset();
    await service.stop();
    await button(page, "Save").click();
    await expect(page.getByText(UNREACHABLE)).toBeVisible();
    await field(page, "Description").fill("Typed without a server");
    await service.start();
    await expect(field(page, "Title")).toHaveValue("The Deeper Well");
    await page.keyboard.press("Control+s");
    await expect(saved(page)).toBeVisible();
    const { book } = await readBook(service, service.bookId);
    expect(book).toEqual({ titleEn: "The Deeper Well", description: "Typed without a server" });
  });
  await test.step("it is in a dialog during a restart", async () => {
    await link(page, "Languages").click();
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name in English" }).fill("Castilian");
    await service.kill();
    await service.start();
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect(button(page, "Edit Castilian")).toBeVisible();
  });
});

const failure = (page: Page) => page.locator("#content").getByRole("alert").getByText(UNREACHABLE);

async function saveHanging(page: Page, service: Restartable) {
  await field(page, "Title").fill("The Deeper Well");
  service.freeze();
  const before = service.line.passedBytes;
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === "PATCH"),
    button(page, "Save").click(),
  ]);
  await expect.poll(() => service.line.passedBytes).toBeGreaterThan(before);
  await page.clock.fastForward(SILENCE_MS);
  await expect(page.getByText(UNREACHABLE)).toBeVisible();
  expect(request.failure()?.errorText).toBe("net::ERR_ABORTED");
  await expect(field(page, "Title")).toHaveValue("The Deeper Well");
  service.thaw();
  // It now carries out what it had received.
  await expect
    .poll(async () => (await readBook(service, service.bookId)).book.titleEn)
    .toBe("The Deeper Well");
  await button(page, "Save").click();
  await expect(saved(page)).toBeVisible();
}

async function listHanging(page: Page, service: Restartable) {
  await link(page, "All books").click();
  await expect(link(page, "The Deeper Well")).toBeVisible();
  service.freeze();
  await Promise.all([page.waitForRequest(/search=deep/), page.getByRole("searchbox").fill("deep")]);
  await page.clock.fastForward(SILENCE_MS);
  await expect(failure(page)).toBeVisible();
  service.thaw();
  await button(page, "Try again").click();
  await expect(link(page, "The Deeper Well")).toBeVisible();
}

/** Opens a page for the first time, and again once the server is back. @param shown on the page */
async function openInVain(page: Page, name: string, { shown, isBack }: { shown: string; isBack(): unknown }) {
  await Promise.all([
    page.waitForRequest(new RegExp(`/console/assets/${name.toLowerCase()}`)),
    link(page, name).click(),
  ]);
  await page.clock.fastForward(SILENCE_MS);
  await expect(failure(page)).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Navigation" })).toBeVisible();
  await isBack();
  await button(page, "Try again").click();
  await expect(button(page, shown)).toBeVisible();
}

test("a server that hangs or is away is reported, and the next attempt succeeds", async ({
  service,
  openThere,
}) => {
  const page = await openThere(`books/${service.bookId}`);
  await page.clock.install();
  await test.step("a save, whose second attempt is no conflict with the first", () =>
    saveHanging(page, service));
  await test.step("a list that doesn't come", () => listHanging(page, service));
  await test.step("a page that is opened for the first time while the server is away", async () => {
    await service.kill();
    await openInVain(page, "Languages", { shown: "Edit Spanish", isBack: service.start });
  });
  await test.step("a page that is opened for the first time while the server hangs", async () => {
    service.freeze();
    await openInVain(page, "Channels", { shown: "Add a channel", isBack: service.thaw });
  });
});
