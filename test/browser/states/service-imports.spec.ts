/** Imports of the service while they run, and after they have failed; their responses are those of a stand-in. */
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { findErrors } from "../../support/looks.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import type { BodyOf } from "../support/operations.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const LIST = "get /api/admin/imports";

type Listed = BodyOf<typeof LIST>["imports"][number];

/** Lets the list have one import from now on. */
function give(api: StandIn, more: Partial<Listed>): void {
  const { imports } = api.example(LIST);
  const [example] = imports;
  if (!example) throw new Error("The list has no example.");
  api.on(LIST, () => ({ imports: [{ ...example, undoableUntil: "2999-01-01T00:00:00.000Z", ...more }] }));
}

test("stand in the navigation of each page while they run, and can be cancelled", async ({ api, open }) => {
  give(api, { state: "running", progress: { files: 40, books: 31 }, finishedAt: null });
  const page = await open("languages");
  const badge = page.getByRole("img", { name: "1 import is running" });
  await expect(badge).toBeVisible();
  await page.getByRole("link", { name: "Import" }).click();
  const entry = page.getByRole("article", { name: /^Import of / });
  await expect(entry.getByText("Running", { exact: true })).toBeVisible();
  await expect(entry.getByRole("status")).toHaveText("40 of 120 files");
  await expect(entry.getByText("New books are archived.")).toBeVisible();
  await expect(entry.getByRole("button", { name: /^(?:Undo|Result|Save as CSV): / })).toHaveCount(0);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  let cancelled = 0;
  api.on("delete /api/admin/imports/{importId}", () => {
    cancelled += 1;
    give(api, { state: "cancelled" });
    return api.example("delete /api/admin/imports/{importId}");
  });
  await entry.getByRole("button", { name: /^Cancel: / }).click();
  await expect(entry.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(badge).toHaveCount(0);
  expect(cancelled).toBe(1);
  await expect(entry.getByRole("button", { name: /^Start again: / })).toBeVisible();
});

test("say why they have failed, and what an undo has kept, also in Arabic on a phone", async ({
  api,
  open,
}) => {
  const kept = [
    { bookId: "1", slug: "well", code: "changed_since" as const, reason: "It was changed." },
    { bookId: "2", slug: "hill", code: "content_gone" as const, reason: "It is gone." },
  ];
  give(api, {
    state: "failed",
    error: { code: "instance_lost", message: "The instance that ran the job has stopped." },
    undo: { archived: 3, inactive: 2, restored: 1, kept },
  });
  const page = await open("import");
  const entry = page.getByRole("article");
  await expect(entry.getByText("The instance that ran it has stopped.")).toBeVisible();
  await expect(
    entry.getByText("3 books were archived, 2 files made inactive, 1 content or text restored."),
  ).toBeVisible();
  await expect(entry.getByText("hill: the former content isn't kept any more")).toBeVisible();
  // What was undone in part can only be undone further.
  await expect(entry.getByRole("button", { name: /^Start again: / })).toHaveCount(0);
  await expect(entry.getByRole("button", { name: /^Undo: / })).toBeVisible();
  const phone = await open("import", { locale: "ar", viewport: { width: 360, height: 740 } });
  await expect(phone.getByText("تغيّر بعد الاستيراد")).toBeVisible();
  expect(await findErrors(phone)).toEqual([]);
});

test("that aren't started say what is missing, and are given up", async ({ api, open }) => {
  give(api, { state: "collecting", startedAt: null, finishedAt: null, undoableUntil: null });
  const READ = "get /api/admin/imports/{importId}";
  api.on(READ, () => ({ ...api.example(READ), missing: ["a".repeat(64), "b".repeat(64)] }));
  const page = await open("import");
  const entry = page.getByRole("article");
  await expect(entry.getByText("Not started", { exact: true })).toBeVisible();
  await expect(entry.getByText(/^2 of 120 files are missing\. Choose the same files/)).toBeVisible();
  await expect(entry.getByRole("button", { name: /^(?:Start again|Undo|Result|Save as CSV): / })).toHaveCount(
    0,
  );
  expect(await findAccessibilityErrors(page)).toEqual([]);
  const phone = await open("import", { locale: "ar", viewport: { width: 360, height: 740 } });
  await expect(phone.getByText("الناقص: ملفان، من أصل 120.")).toBeVisible();
  expect(await findErrors(phone)).toEqual([]);
  await phone.close();
  api.on("delete /api/admin/imports/{importId}", () => {
    give(api, { state: "cancelled", startedAt: null });
    return api.example("delete /api/admin/imports/{importId}");
  });
  await entry.getByRole("button", { name: /^Cancel: / }).click();
  await expect(entry).toHaveCount(0);
});
