/** Uploads to a book on a bad line, to a busy service and after the end of a session; drops that fail in whole or in part. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { AppError } from "../../../src/errors.ts";
import { dropFiles } from "../../support/drop-files.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import { logIn } from "../support/log-in.ts";
import { BOOK, beginSession, endSession } from "../support/records.ts";
import { LOST, type StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const EXAMINE = "post /api/admin/files/examine";

const area = (page: Page) => page.getByRole("heading", { name: "Languages and files" });
const importArea = (page: Page) => page.getByText("Drop files or folders here");

/** Files of so many bytes. */
async function makeFiles(folder: string, names: readonly string[], bytes = 4): Promise<string[]> {
  for (const name of names) await writeFile(join(folder, name), Buffer.alloc(bytes, name));
  return names.map((name) => join(folder, name));
}

const THREE = ["one.epub", "two.epub", "three.epub"];

/** What the service finds in the files, one after the other: none is in the place of another. */
const FOUND = [
  { fileType: "epub", languageCode: "ar" },
  { fileType: "pdf", languageCode: "ar" },
  { fileType: "pdf", languageCode: "es" },
] as const;

type Fail = () => typeof LOST | undefined;

/** Lets files be examined that the service doesn't have yet. @param fail is called before */
function examine(api: StandIn, fail: Fail = () => undefined) {
  const found = FOUND.values();
  api.on("post /api/admin/files/lookup", () => ({ files: [], replaced: [], examined: [] }));
  api.on(EXAMINE, () => {
    if (fail() === LOST) return LOST;
    const { metadata, ...example } = api.example(EXAMINE);
    const { fileType, languageCode } = found.next().value ?? FOUND[0];
    return { ...example, fileType, metadata: metadata && { ...metadata, languageCode } };
  });
}

test("go on after a broken line and a busy service", async ({ api, open, folder }) => {
  const failures = [
    new AppError(429, "too_many_requests", "Wait.", { headers: { "Retry-After": "1" } }),
    new AppError(500, "server_error", "The request failed.", { headers: { "Retry-After": "0" } }),
    new AppError(503, "starting", "Starting.", { headers: { "Retry-After": "0" } }),
    LOST,
  ] as const;
  const left = failures.values();
  examine(api, () => {
    const failure = left.next().value;
    if (failure instanceof AppError) throw failure;
    return failure;
  });
  const page = await open(BOOK);
  await dropFiles(page, area(page), await makeFiles(folder, THREE));
  await expect(page.getByText("Waiting for the server").first()).toBeVisible();
  await expect(page.getByText("3 of 3 files are examined.")).toBeVisible();
  expect(left.next().done).toBe(true);
  await expect(button(page, "Store 3 files")).toBeVisible();
});

test("that the account may not send fail with the reason, and can be tried again", async ({
  api,
  open,
  folder,
}) => {
  examine(api, () => {
    throw new AppError(403, "permission_missing", "No permission.");
  });
  const page = await open(BOOK);
  await dropFiles(page, area(page), await makeFiles(folder, ["one.epub", "two.epub"]));
  // With the file, and in the list of what is left out.
  await expect(page.getByText("Your account doesn't have the permission for this.").first()).toBeVisible();
  examine(api);
  await button(page, "Try failed files again").click();
  await expect(button(page, "Store 2 files")).toBeVisible();
});

test("wait while the session has ended, and go on after the next log-in", async ({ api, open, folder }) => {
  const page = await open(BOOK);
  endSession(api);
  examine(api);
  await dropFiles(page, area(page), await makeFiles(folder, THREE));
  await expect(page.getByRole("dialog")).toBeVisible();
  await logIn(page, "anna@example.org");
  await expect(page.getByText("3 of 3 files are examined.")).toBeVisible();
  await expect(button(page, "Store 3 files")).toBeVisible();
});

test("don't send a file that is larger than the service takes, and go on with the others", async ({
  api,
  open,
  folder,
}) => {
  beginSession(api, { maxUploadBytes: 50_000 });
  let sent = 0;
  examine(api, () => {
    sent += 1;
    return undefined;
  });
  const page = await open(BOOK);
  const files = [
    ...(await makeFiles(folder, ["large.epub", "larger.epub"], 50_001)),
    ...(await makeFiles(folder, ["one.epub", "two.epub"])),
  ];
  await dropFiles(page, area(page), files);
  const reason = page.getByText("The file is too large: the server takes at most 50 kB.");
  await expect(reason.first()).toBeVisible();
  await expect(page.getByText("2 files failed.")).toBeVisible();
  await expect(button(page, "Store 2 files")).toBeVisible();
  expect(sent).toBe(2);
});

test("of which a part can't be read add the others, and name that part", async ({ api, open, folder }) => {
  examine(api);
  const page = await open("import");
  await page.evaluate(`(() => {
    const find = DataTransferItem.prototype.webkitGetAsEntry;
    DataTransferItem.prototype.webkitGetAsEntry = function () {
      const entry = find.call(this);
      if (entry?.name === "two.epub") entry.file = (_, reject) => reject(new DOMException("", "NotReadableError"));
      return entry;
    };
  })()`);
  await dropFiles(page, importArea(page), await makeFiles(folder, ["two.epub", "one.epub"]));
  const notice = page.getByRole("alert").filter({ hasText: "1 file or folder can't be read" });
  await expect(notice.getByText("two.epub")).toBeVisible();
  await expect(page.getByText("1 of 1 file is examined.")).toBeVisible();
});

test("on a page whose code for them can't be loaded say that nothing was added", async ({ open, folder }) => {
  const page = await open("books");
  await expect(page.getByRole("link", { name: "The Deep Well" })).toBeVisible();
  await page.route("**/assets/upload-store*", (route) => route.abort());
  await dropFiles(page, page.getByRole("table").first(), await makeFiles(folder, ["one.epub"]));
  const notice = page.getByRole("alert").filter({ hasText: "The files weren't added" });
  await expect(notice.getByText(/^The server can't be reached/)).toBeVisible();
});

test("are read once the service is back when the code that reads them couldn't be loaded", async ({
  api,
  open,
  folder,
}) => {
  examine(api);
  const page = await open("import");
  await expect(importArea(page)).toBeVisible();
  await page.context().route("**/assets/hash-worker*", (route) => route.abort(), { times: 1 });
  await dropFiles(page, importArea(page), await makeFiles(folder, ["one.epub"]));
  await expect(page.getByText("Waiting for the server", { exact: true })).toBeVisible();
  await expect(page.getByText("1 of 1 file is examined.")).toBeVisible();
});
