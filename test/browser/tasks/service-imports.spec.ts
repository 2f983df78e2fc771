/** Imports that another program has sent to the service: followed, read and undone on the page Import. */
import { createHash } from "node:crypto";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOn } from "../fixtures.ts";
import { WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);

const IMPORTS = "/api/admin/imports";

/** As a program does it. @returns the id, once the import has ended */
async function runImport({ admin }: WellScene, files: Readonly<Record<string, string>>): Promise<string> {
  const client = await admin();
  const hashed = Object.entries(files).map(([path, text]) => ({
    path,
    sha256: createHash("sha256").update(text).digest("hex"),
  }));
  const { id } = (await client.post(IMPORTS, { files: hashed })).body;
  for (const [path, text] of Object.entries(files)) {
    const file = { bytes: Buffer.from(text), name: path.replace(/^.*\//, "") };
    await client.upload("post", `/api/admin/files/examine?importId=${id}`, { file });
  }
  await client.post(`${IMPORTS}/${id}/start`);
  await expect.poll(async () => (await client.get(`${IMPORTS}/${id}`)).body.state).toBe("done");
  return id;
}

test("show what has become of each file, and are undone but for what somebody has changed", async ({
  scene,
  open,
}) => {
  const id = await runImport(scene, {
    "es/hill.txt": "La colina.",
    "es/tree.txt": "El árbol.",
    "nowhere.txt": "?",
  });
  const client = await scene.admin();
  const { books } = (await client.get(`${IMPORTS}/${id}`)).body.result;
  const { bookId } = books.find(({ slug }: { slug: string }) => slug === "tree");
  await client.patch(`/api/admin/books/${bookId}`, { tags: ["theirs"] });

  const page = await open("import");
  const entry = page.getByRole("article", { name: /^Import of / });
  await expect(entry.getByText("Done", { exact: true })).toBeVisible();
  await expect(entry.getByText("3 files", { exact: true })).toBeVisible();
  await test.step("the result, also as a table", async () => {
    await entry.getByRole("button", { name: /^Result: / }).click();
    await expect(entry.getByText("2 new books, 0 changed, 0 unchanged.")).toBeVisible();
    await expect(entry.getByText("1 file was left out.")).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      entry.getByRole("button", { name: /^Save as CSV: / }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`import-${id}.csv`);
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
  await test.step("the undo", async () => {
    await entry.getByRole("button", { name: /^Undo: / }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("New books are archived")).toBeVisible();
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(entry.getByText("Undone", { exact: true })).toBeVisible();
    await expect(
      entry.getByText("1 book was archived, 0 files made inactive, 0 contents and texts restored."),
    ).toBeVisible();
    await expect(entry.getByText("tree: changed since the import")).toBeVisible();
    await expect(entry.getByRole("button", { name: /^Undo: / })).toHaveCount(0);
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
  await entry.getByRole("link", { name: "tree" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tree" })).toBeVisible();
  const listed = (await client.get("/api/admin/books?limit=200&status=all")).body.books;
  const states = listed.map(({ slug, isActive }: { slug: string; isActive: number }) => [slug, isActive]);
  expect(Object.fromEntries(states)).toMatchObject({ hill: 0, tree: 1 });
});

test("of others are seen by administrators only", async ({ scene, open }) => {
  await runImport(scene, { "es/hill.txt": "La colina." });
  const page = await open("import", { as: "editor" });
  await expect(page.getByRole("button", { name: "Choose a folder" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});
