/** Imports in the console: what is written equals what the command writes, after any interruption. */
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { MetadataReader } from "../../../src/operation/transfer/metadata/metadata-reader.ts";
import { writeFiles } from "../../support/book-files.ts";
import { createPicture } from "../../support/covers.ts";
import { PASSWORD } from "../../support/factory.ts";
import { exportAll, readLibraryRows, runImport, runRemoteImport } from "../../support/library-runs.ts";
import { makeMessyFolder } from "../../support/messy-folder.ts";
import { openService, type TestApp } from "../../support/service.ts";
import { createXlsx, rowOf } from "../../support/xlsx.ts";
import { expect, testOn } from "../fixtures.ts";
import { createKeyboardHand, openChooser } from "../support/hands.ts";
import {
  button,
  chooseFolder,
  leftOut,
  makeTales,
  newest,
  storeAll,
  storeButton,
} from "../support/import-page.ts";
import { EMPTY } from "../support/scenes.ts";
import type { Served } from "../support/template.ts";

const test = testOn(EMPTY);

const PLANS = "**/api/admin/imports/plans";
const IMPORTS = "/api/admin/imports";
const EXAMINE = /\/api\/admin\/files\/examine/;

const readAll = async (app: TestApp) => ({ rows: await readLibraryRows(app), ...(await exportAll(app)) });

/** What the command writes of a folder into empty services. @param folder for the data of these services */
async function readAsCommand(library: string, folder: string) {
  const reader = new MetadataReader();
  const ways = {
    directly: (app: TestApp) => runImport(app, library, { reader }),
    overHttp: (app: TestApp) => runRemoteImport(app, library),
  };
  const written = Object.entries(ways).map(async ([name, write]) => {
    const { app, end } = await openService({ dataDir: join(folder, name) });
    await write(app);
    const all = await readAll(app);
    await end();
    return all;
  });
  const [directly, overHttp] = await Promise.all(written);
  await reader.close();
  expect(overHttp).toEqual(directly);
  return directly;
}

/** Counts the files that a page sends and the service examines, from now on: it lets some wait for their turn. */
function countExamined(page: Page): { examined: number } {
  const sent = { examined: 0 };
  page.on("response", (response) => {
    sent.examined += Number(EXAMINE.test(response.url()) && response.ok());
  });
  return sent;
}

/** Notes the names of the files that a page sends. */
const NOTE_NAMES = `window.sentNames = [];
const set = FormData.prototype.set;
FormData.prototype.set = function (name, value) {
  if (value instanceof File) window.sentNames.push(value.name);
  set.call(this, name, value);
};`;

const countFiles = async ({ admin }: Served): Promise<[string, number][]> => {
  const { body } = await (await admin()).get("/api/admin/books?limit=200&status=all");
  return body.books.map((book: { slug: string; filesCount: number }) => [book.slug, book.filesCount]).sort();
};

const expectedTales = (books: number) =>
  Array.from({ length: books }, (_, index) => [`tale-${index + 1}`, 2]).sort();

test("writes a folder without a catalogue as the command does, and lists what is left out", async ({
  scene,
  open,
  folder,
}) => {
  const library = join(folder, "messy");
  await makeMessyFolder(library);
  const page = await open("import");
  await page.evaluate(NOTE_NAMES);
  await chooseFolder(page, library);
  await expect(storeButton(page)).toBeVisible();
  await expect(page.getByText("These languages are new, and are created:")).toBeVisible();
  await expect(page.getByText("Tibetan")).not.toHaveCount(0);
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    leftOut(page).getByRole("button", { name: "Save as CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/^left-out-\d{4}-\d\d-\d\d\.csv$/);
  const isAbout = leftOut(page).getByText("It is a text about the collection.");
  await expect(isAbout.or(page.getByText("Next")).first()).toBeVisible();
  await storeAll(page);
  // What couldn't be sent stays, to be tried again.
  const files = page.getByRole("region", { name: "Files" });
  await expect(files.getByRole("row").filter({ hasText: "empty.en.epub" })).toContainText("Failed");
  await expect(files.getByRole("row")).toHaveCount(2);
  await expect(newest(page).getByText(/^\d+ new books?, 0 changed, 0 unchanged\.$/)).toBeVisible();
  expect(await readAll(scene)).toEqual(await readAsCommand(library, folder));
  const sent = await page.evaluate<string[]>("window.sentNames");
  expect(sent).toContain("la-lune.epub");
  for (const name of ["README.txt", "photo.heic", "story.doc", "notes"]) expect(sent).not.toContain(name);
});

test("writes a folder by keyboard alone", async ({ scene, open, folder }) => {
  const library = await makeTales(folder, 2);
  const page = await open("import");
  const hand = createKeyboardHand(page);
  await (await openChooser(hand, page, button(page, "Choose a folder"))).setFiles(library);
  await expect(storeButton(page)).toBeVisible();
  await hand.type(page.getByRole("textbox", { name: "Title of tales/es/tale-1.epub" }), "Un cuento");
  await hand.press(page.getByRole("checkbox", { name: "Store tales/es/tale-2.epub" }));
  await expect(leftOut(page).getByText("You have taken it out.")).toBeVisible();
  await hand.press(button(page, "Store 3 files"));
  await expect(newest(page).getByText("Done", { exact: true })).toBeVisible();
  await expect(newest(page).getByRole("listitem")).toHaveText(
    "es/tale-2.epubIt is left out by a correction.",
  );
  expect(await countFiles(scene)).toEqual([
    ["tale-1", 2],
    ["tale-2", 1],
  ]);
  const { body } = await scene.api.get("/api/books?languageCode=es");
  expect(body.books).toMatchObject([{ title: "Un cuento" }]);
});

const CATALOGUE = [
  ["slug", "title_en", "language", "title", "file", "cover", "authors", "tags"],
  ["well", "The Well", "Tibetan", "ཁྲོན་པ།", "1.txt", "well.jpg", "Ana; Ben", "water"],
  ["moon", "The Moon", "Spanish", "La luna", "", "", "", ""],
  ["hill", "The Hill", "es", "", "missing.epub", "", "", ""],
];

test("writes a workbook with its texts, languages and covers as the command does, and sends nothing again", async ({
  scene,
  open,
  folder,
}) => {
  const library = join(folder, "workbook");
  const rows = CATALOGUE.map((row, index) => rowOf(index + 1, row)).join("");
  writeFiles(library, {
    "catalogue.xlsx": await createXlsx({ rows }),
    "1.txt": "A well.",
    "well.jpg": await createPicture("red"),
    "README.md": "About.",
    "languages.json": "{}",
    "unnamed.txt": "Not in the catalogue.",
  });
  const page = await open("import");
  const sent = countExamined(page);
  await chooseFolder(page, library);
  await expect(page.getByText("Texts and covers of 1 book without new files are stored, too:")).toBeVisible();
  await expect(leftOut(page).getByText("No imported book of the catalogue names it.")).toBeVisible();
  await expect(leftOut(page).getByText(/missing\.epub/)).toBeVisible();
  await expect(leftOut(page).getByText("Files of this type aren't imported.")).toHaveCount(2);
  await storeAll(page, "Store 1 file");
  expect(await readAll(scene)).toEqual(await readAsCommand(library, folder));
  await expect(newest(page).getByText(/^line 4 of .*missing\.epub/)).toBeVisible();
  // Two texts, the cover and the workbook.
  expect(sent.examined).toBe(4);
  await page.reload();
  await chooseFolder(page, library);
  await expect(page.getByText("1 file was there already.")).toBeVisible();
  await expect(leftOut(page)).toBeVisible();
  await expect(storeButton(page)).toHaveCount(0);
  // Nor that which is in no book.
  expect(sent.examined).toBe(4);
});

/** Carries a request out, and gives no response to it. */
async function lose(route: Route) {
  await route.fetch();
  await route.abort();
}

/** Carries a request out, and says that the service stops. */
async function leave(route: Route) {
  await route.fetch();
  const json = { status: 503, code: "shutting_down" };
  await route.fulfill({ status: 503, json, headers: { "Retry-After": "1" } });
}

/** What happens to the first of the requests that send something; the others go on. */
async function interrupt(page: Page, url: string | RegExp, actions: ((route: Route) => Promise<unknown>)[]) {
  const met = { requests: 0 };
  await page.route(url, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    met.requests += 1;
    await (actions[met.requests - 1] ?? ((each) => each.continue()))(route);
  });
  return met;
}

test("sends and writes nothing twice after a closed browser, a session that ends, lost responses and a restart", async ({
  scene,
  open,
  folder,
}) => {
  const library = await makeTales(folder, 4);
  const first = await open("import");
  await test.step("the browser is closed before all is sent", async () => {
    let left = 6;
    await first.route(EXAMINE, async (route) => {
      left -= 1;
      await (left < 0 ? route.abort() : route.continue());
    });
    await chooseFolder(first, library);
    await expect(first.getByText("6 of 8 files are examined.")).toBeVisible();
    await first.close();
  });
  const page = await open("import");
  const sent = countExamined(page);
  await test.step("another one says what is missing, and sends that", async () => {
    await expect(newest(page).getByText("Not started", { exact: true })).toBeVisible();
    await expect(newest(page).getByText(/^2 of 8 files are missing\./)).toBeVisible();
    // The second file is sent twice: once the session ends before it.
    await interrupt(page, "**/api/admin/imports", [lose]);
    await interrupt(page, EXAMINE, [
      leave,
      async (route) => {
        await page.context().clearCookies();
        await route.continue();
      },
    ]);
    await chooseFolder(page, library);
    await page.getByRole("dialog").getByLabel("E-mail").fill(scene.email);
    await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(button(page, "Store 8 files")).toBeVisible();
    expect(sent.examined).toBeLessThanOrEqual(4);
    await expect(page.getByRole("article")).toHaveCount(0);
  });
  await test.step("the responses to the start are lost", async () => {
    await interrupt(page, /\/api\/admin\/imports\/[^/]+\/start$/, [lose, leave]);
    await page.getByRole("textbox", { name: "Title of tales/es/tale-1.epub" }).fill("Cuento");
    await button(page, "Store 8 files").click();
    await expect(page.getByRole("region", { name: "Files" })).toHaveCount(0);
    await expect(newest(page)).toBeVisible();
  });
  await test.step("another browser shows the same, and the library what the command makes", async () => {
    await page.close();
    const other = await open("import");
    await expect(newest(other).getByText("Done", { exact: true })).toBeVisible();
    await expect(other.getByRole("article")).toHaveCount(1);
    expect(await countFiles(scene)).toEqual(expectedTales(4));
    const { body } = await (await scene.admin()).get(IMPORTS);
    const states = body.imports.map(({ state }: { state: string }) => state);
    expect(states.filter((state: string) => state !== "cancelled")).toEqual(["done"]);
  });
});

/** Holds the writes of an import once so many files are written. @returns what lets them go on */
function holdAfter(files: number, { container: { services } }: Served): () => void {
  const { contentRecords } = services;
  const record = contentRecords.record.bind(contentRecords);
  const gate = Promise.withResolvers<void>();
  let written = 0;
  contentRecords.record = async (...given) => {
    written += 1;
    if (written > files) await gate.promise;
    return record(...given);
  };
  return gate.resolve;
}

/** Lets a page send so slowly that a file of megabytes is on its way for half a minute. */
async function sendSlowly(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await devtools.send("Network.emulateNetworkConditions", limits);
}

test("goes on in another browser after one was closed in the middle of a file, and in the middle of the run", async ({
  scene,
  open,
  folder,
}) => {
  const library = await makeTales(folder, 4);
  writeFiles(library, { "es/whole-tale.txt": "La luna. ".repeat(400_000) });
  const client = await scene.admin();
  const readImport = async () => {
    const [{ id }] = (await client.get(IMPORTS)).body.imports;
    return (await client.get(`${IMPORTS}/${id}`)).body;
  };
  await test.step("closed while a file is sent", async () => {
    const first = await open("import");
    await sendSlowly(first);
    const sockets = new Set<Socket>();
    scene.server.on("request", ({ url = "", socket }) => EXAMINE.test(url) && sockets.add(socket));
    await chooseFolder(first, library);
    await expect(first.getByText("8 of 9 files are examined.")).toBeVisible();
    await expect.poll(() => Math.max(...[...sockets].map(({ bytesRead }) => bytesRead))).toBeGreaterThan(2e5);
    await first.context().close();
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
    expect(await readImport()).toMatchObject({ state: "collecting", missing: [expect.any(String)] });
  });
  // Four books are written beside each other: some of them are done then.
  const goOn = holdAfter(6, scene);
  await test.step("another one sends that file, starts the import, and is closed while it runs", async () => {
    const second = await open("import");
    const sent = countExamined(second);
    await expect(newest(second).getByText(/^1 of 9 files is missing\./)).toBeVisible();
    await chooseFolder(second, library);
    await button(second, "Store 9 files").click();
    await expect(newest(second).getByRole("status")).toHaveText(/^[1-9] of 9 files$/);
    expect(sent.examined).toBe(1);
    await second.context().close();
    expect(await readImport()).toMatchObject({ state: "running" });
  });
  await test.step("a third one follows it to its end", async () => {
    const third = await open("languages");
    await expect(third.getByRole("img", { name: "1 import is running" })).toBeVisible();
    await third.getByRole("link", { name: "Import" }).click();
    await expect(newest(third).getByText("Running", { exact: true })).toBeVisible();
    goOn();
    await expect(newest(third).getByText("Done", { exact: true })).toBeVisible();
    await newest(third)
      .getByRole("button", { name: /^Result: / })
      .click();
    await expect(newest(third).getByText("5 new books, 0 changed, 0 unchanged.")).toBeVisible();
  });
  expect(await readAll(scene)).toEqual(await readAsCommand(library, folder));
});

const fileOf = (name: string, more: object = {}) => ({
  slug: name,
  titleEn: `The ${name}`,
  translations: [{ languageCode: "es", title: name }],
  localFiles: [{ path: `${name}.es.txt`, languageCode: "es", fileType: "txt" }],
  ...more,
});

test("stores nothing by the plan of the former catalogue", async ({ scene, open, folder }) => {
  writeFiles(join(folder, "former"), {
    "catalogue.json": JSON.stringify({ books: [fileOf("two")] }),
    "one.es.txt": "A well.",
    "two.es.txt": "A moon.",
  });
  const page = await open("import");
  await chooseFolder(page, join(folder, "former"));
  await expect(button(page, "Store 1 file")).toBeVisible();
  const gate = Promise.withResolvers<void>();
  await page.route(PLANS, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page
    .getByRole("combobox", { name: "Catalogue" })
    .selectOption("None: by the names of folders and files");
  await expect(page.getByText("Finding out which books these files are.")).toBeVisible();
  await expect(storeButton(page)).toBeDisabled();
  gate.resolve();
  await storeAll(page, "Store 2 files");
  expect(await countFiles(scene)).toEqual([
    ["one", 1],
    ["two", 1],
  ]);
});

test("says before the run why a book can't be stored as it is, and leaves it out", async ({
  scene,
  open,
  folder,
}) => {
  const link = { languageCode: "es", fileType: "pdf", sourceType: "google_drive", fileName: "moon.pdf" };
  const files = [{ ...link, cloudUrl: "https://example.com/moon.pdf" }];
  writeFiles(join(folder, "rejected"), {
    "catalogue.json": JSON.stringify({ books: [fileOf("well"), fileOf("moon", { files })] }),
    "well.es.txt": "A well.",
    "moon.es.txt": "A moon.",
  });
  const page = await open("import");
  await chooseFolder(page, join(folder, "rejected"));
  const row = page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: /moon\.es\.txt$/ }) });
  await expect(row.getByText("files.0.cloudUrl: This is not a link to Google Drive.")).toBeVisible();
  await expect(row.getByRole("checkbox")).not.toBeChecked();
  await expect(row.getByText(/doesn't exist/)).toHaveCount(0);
  await expect(leftOut(page).getByText(/not a link to Google Drive/)).toBeVisible();
  await storeAll(page, "Store 1 file");
  expect(await countFiles(scene)).toEqual([["well", 1]]);
  await expect(newest(page).getByText(/not a link to Google Drive/)).toBeVisible();
});

test("sends files again that the service has lost before the start", async ({ scene, open, folder }) => {
  const library = await makeTales(folder, 2);
  const page = await open("import");
  const sent = countExamined(page);
  await chooseFolder(page, library);
  await expect(button(page, "Store 4 files")).toBeVisible();
  expect(sent.examined).toBe(4);
  const { container, clock } = scene;
  const { body } = await (await scene.admin()).get(IMPORTS);
  await container.writeRecords(({ imports }) => imports.releaseBytes(body.imports[0].id));
  clock.advance(61 * 60_000);
  await container.services.examinations.forgetOld();
  await storeAll(page);
  expect(sent.examined).toBe(8);
  expect(await countFiles(scene)).toEqual(expectedTales(2));
});
