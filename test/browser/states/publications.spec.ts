/** What is changed in the grid of publications is saved in the end: later, and beside another reading. */
import type { Page } from "@playwright/test";
import { AppError } from "../../../src/errors.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { cell, readActiveCell } from "../support/grid.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const PATH = "publications?languageCode=es";
const READ = "get /api/admin/channels/matrix";
const SAVE = "put /api/admin/channels/publications";

const CHANNELS = [
  { id: "01a1fb60-1a34-772b-a309-dba157e20a90", name: "Website", slug: "website" },
  { id: "01a1fb60-1a34-772b-a309-dba157e20a91", name: "Newsletter", slug: "newsletter" },
];
const BOOKS = [
  { bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", titleEn: "The Deep Well", available: 1 as const },
  { bookId: "01a1fb60-1a34-772b-a309-dba157e20a82", titleEn: "The Hill", available: 1 as const },
];

/** Two books and two channels. Lets the stand-in keep what is published. */
class Grid {
  readonly #api: StandIn;
  readonly #published = new Set<string>();
  #rejected = 0;

  constructor(api: StandIn) {
    this.#api = api;
    api.on(READ, ({ query }) => this.read(query));
    this.save();
  }

  /** The flags of the two books in their order. */
  flags(languageCode = "es"): string[] {
    const isOn = (bookId: string, channelId: string) =>
      Number(this.#published.has(`${languageCode} ${bookId} ${channelId}`));
    return BOOKS.map(({ bookId }) => CHANNELS.map(({ id }) => isOn(bookId, id)).join(""));
  }

  /** How many requests to save were rejected. */
  countRejected = (): number => this.#rejected;

  read(query: URLSearchParams) {
    const flags = this.flags(query.get("languageCode") ?? "");
    const books = BOOKS.map((book, index) => ({ ...book, published: flags[index] ?? "" }));
    return { channels: CHANNELS, books, pagination: { page: 1, limit: 5000, total: 2, totalPages: 1 } };
  }

  /** From now on, changes are saved. */
  save(): void {
    this.#api.on(SAVE, ({ body: { changes } }) => {
      for (const change of changes) {
        if (!("bookId" in change)) continue;
        const place = `${change.languageCode} ${change.bookId} ${change.channelId}`;
        if (change.isPublished) this.#published.add(place);
        else this.#published.delete(place);
      }
      return { success: true as const, changed: changes.length };
    });
  }

  /** From now on, changes aren't saved. */
  reject(error: AppError): void {
    this.#api.on(SAVE, () => {
      this.#rejected += 1;
      throw error;
    });
  }
}

const busy = (status: 429 | 503) =>
  new AppError(status, status === 429 ? "too_many_requests" : "starting", "Wait.", {
    headers: { "Retry-After": "1" },
  });

const isOn = (page: Page, row: number) => expect(cell(page, row, 0)).toHaveAttribute("data-state", "on");
const isOff = (page: Page, row: number) => expect(cell(page, row, 0)).toHaveAttribute("data-state", "off");

test("a change that gets 429 or 503 is kept, and saved later", async ({ api, open }) => {
  const grid = new Grid(api);
  const page = await open(PATH);
  for (const [row, status] of ([429, 503] as const).entries()) {
    const before = grid.flags();
    grid.reject(busy(status));
    await cell(page, row, 0).click();
    await expect(page.getByText("1 change isn't saved yet.")).toBeVisible();
    expect(grid.flags()).toEqual(before);
    grid.save();
    await expect(page.getByText("All changes are saved.")).toBeVisible();
  }
  expect(grid.flags()).toEqual(["10", "10"]);
});

test("a change that lastingly fails is set aside, holds up no other one, and is tried again when asked", async ({
  api,
  open,
}) => {
  const grid = new Grid(api);
  const page = await open(PATH);
  grid.reject(new AppError(500, "server_error", "No.", { headers: { "Retry-After": "0" } }));
  await cell(page, 0, 0).click();
  const notice = page.getByRole("alert").filter({ hasText: "1 change couldn't be saved." });
  await expect(notice).toBeVisible();
  await isOn(page, 0);
  expect(grid.countRejected()).toBe(8);
  grid.save();
  await cell(page, 1, 0).click();
  await expect.poll(() => grid.flags()).toEqual(["00", "10"]);
  await page.getByRole("link", { name: "Books", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("All changes are saved.")).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect(grid.flags()).toEqual(["10", "10"]);
});

for (const way of ["choice", "way back"]) {
  test(`what was changed before the ${way} of another language is saved`, async ({ api, open }) => {
    const grid = new Grid(api);
    const page = await open(PATH);
    await page.getByRole("link", { name: "Publications", exact: true }).click();
    const language = page.getByRole("combobox", { name: "Language" });
    await expect(language).toHaveValue("ar");
    grid.reject(busy(503));
    await cell(page, 0, 0).click();
    await isOn(page, 0);
    if (way === "choice") await language.selectOption("es");
    else await page.goBack();
    await isOff(page, 0);
    await expect(page.getByText("1 change isn't saved yet.")).toBeVisible();
    await cell(page, 1, 0).click();
    await expect(page.getByText("2 changes aren't saved yet.")).toBeVisible();
    await page.getByRole("link", { name: "Books", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
    grid.save();
    await expect.poll(() => grid.flags("ar")).toEqual(["10", "00"]);
    await expect.poll(() => grid.flags()).toEqual(["00", "10"]);
    await language.selectOption("ar");
    await isOn(page, 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => grid.flags("ar")).toEqual(["00", "00"]);
    expect(grid.flags()).toEqual(["00", "10"]);
  });
}

/** Lets the next reading respond late, with what there is now. @returns a function that lets it go, and a counter */
function holdReading(api: StandIn, grid: Grid) {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  let answered = 0;
  api.on(READ, async ({ query }) => {
    asked += 1;
    const old = asked === 1 ? grid.read(query) : undefined;
    if (old) await gate.promise;
    answered += 1;
    return old ?? grid.read(query);
  });
  return { letGo: gate.resolve, countAsked: () => asked, countAnswered: () => answered };
}

test("what was saved while the grid was being read again stays", async ({ api, open }) => {
  const grid = new Grid(api);
  const page = await open(PATH);
  await expect(cell(page, 0, 0)).toBeVisible();
  await page.clock.install();
  await page.clock.fastForward(11_000);
  const { letGo, countAsked, countAnswered } = holdReading(api, grid);
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await expect.poll(countAsked).toBe(1);
  await cell(page, 0, 0).click();
  await page.clock.fastForward(1000);
  await expect.poll(() => grid.flags()).toEqual(["10", "00"]);
  await expect(page.getByText("All changes are saved.")).toBeVisible();
  letGo();
  await expect.poll(countAnswered).toBeGreaterThan(1);
  await isOn(page, 0);
});

test("the arrow keys are mirrored from right to left", async ({ api, open }) => {
  const grid = new Grid(api);
  const page = await open(PATH, { locale: "ar" });
  const isActive = (place: string) => expect.poll(() => readActiveCell(page)).toBe(place);
  await cell(page, 0, 0).focus();
  await page.keyboard.press("ArrowLeft");
  await isActive("0,1");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await isActive("0,-1");
  expect(grid.flags()).toEqual(["00", "00"]);
});
