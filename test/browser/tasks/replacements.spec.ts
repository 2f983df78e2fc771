/** What is replaced in the console comes back: by the notice, or later by the list of what was there before. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { createPicture } from "../../support/covers.ts";
import { dropFiles } from "../../support/drop-files.ts";
import { expect, testOn } from "../fixtures.ts";
import { createHand, createKeyboardHand, openChooser } from "../support/hands.ts";
import { button } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";
import { findWell, openWell } from "../support/well.ts";

const test = testOn(WELL);

const textFile = (name: string, text: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

/** Replaces the Spanish file by the menu of its row. */
async function replaceFile(page: Page, name: string, text: string): Promise<void> {
  await button(page, "Menu of Spanish").click();
  const entry = page.getByRole("menuitem", { name: /^Replace / });
  const chooser = await openChooser(createHand("mouse", page), page, entry);
  await chooser.setFiles(textFile(name, text));
}

test("of a file by the notice, after a choice and after a drop on its place", async ({
  scene,
  open,
  folder,
}) => {
  const { page, read } = await openWell(scene, open);
  const { files } = await read();
  const [before] = files;
  await test.step("a choice", async () => {
    await replaceFile(page, "wrong.txt", "Wrong");
    await expect(page.getByText(`${before.fileName} was replaced.`)).toBeVisible();
    await expect(page.getByRole("cell", { name: /wrong\.txt/ })).toBeVisible();
    await button(page, "Undo").click();
    await expect(page.getByText(`${before.fileName} is used again.`)).toBeVisible();
    expect((await read()).files).toMatchObject([
      { id: before.id, sha256: before.sha256, fileName: before.fileName },
    ]);
  });
  await test.step("a drop", async () => {
    const path = join(folder, "dropped.txt");
    await writeFile(path, "Dropped");
    await dropFiles(page, page.getByRole("cell", { name: new RegExp(before.fileName) }), [path]);
    await expect(page.getByRole("cell", { name: /dropped\.txt/ })).toBeVisible();
    await button(page, "Undo").click();
    await expect(page.getByRole("cell", { name: new RegExp(before.fileName) })).toBeVisible();
    expect((await read()).files).toMatchObject([{ id: before.id, sha256: before.sha256 }]);
  });
  await test.step("the same bytes replace nothing", async () => {
    await replaceFile(page, before.fileName, "Había una vez");
    await expect(page.getByText(`${before.fileName} was replaced.`).last()).toBeVisible();
    await expect(button(page, "Undo")).toHaveCount(0);
  });
});

test("of a file that a new one has put out of use, by the notice and by the list", async ({
  scene,
  open,
}) => {
  const { page, read, path, client } = await openWell(scene, open);
  const [before] = (await read()).files;
  const activeNames = async () =>
    (await client.get(path)).body.files
      .filter(({ isActive }: { isActive: number }) => isActive === 1)
      .map(({ fileName }: { fileName: string }) => fileName);
  await button(page, "Menu of Spanish").click();
  const entry = page.getByRole("menuitem", { name: "Add a file in Spanish" });
  const chooser = await openChooser(createHand("mouse", page), page, entry);
  await chooser.setFiles(textFile("another.txt", "Another"));
  await expect(page.getByText("another.txt was added.")).toBeVisible();
  await button(page, "Undo").click();
  await expect(page.getByText(`${before.fileName} is used again.`)).toBeVisible();
  expect(await activeNames()).toEqual([before.fileName]);
  await button(page, "Edit Spanish").click();
  await button(page, "Use again: another.txt").click();
  await expect(page.getByText("another.txt is used again.")).toBeVisible();
  expect(await activeNames()).toEqual(["another.txt"]);
});

test("is refused once somebody else has replaced the file", async ({ scene, open }) => {
  const { page, client, path, read } = await openWell(scene, open);
  const [{ id }] = (await read()).files;
  await replaceFile(page, "wrong.txt", "Wrong");
  await expect(button(page, "Undo")).toBeVisible();
  await client.upload("put", `${path}/files/${id}`, {
    file: { name: "theirs.txt", bytes: Buffer.from("Theirs") },
  });
  await button(page, "Undo").click();
  await expect(page.getByText("The record has changed since it was read.")).toBeVisible();
  expect((await read()).files).toMatchObject([{ fileName: "theirs.txt" }]);
});

test("is used again or removed for good in the language, by keyboard", async ({ scene, open }) => {
  const { client, path, page: address, read } = await findWell(scene);
  const [{ id, fileName }] = (await read()).files;
  for (const name of ["second", "third"])
    await client.upload("put", `${path}/files/${id}`, {
      file: { name: `${name}.txt`, bytes: Buffer.from(name) },
    });
  const page = await open(address);
  const hand = createKeyboardHand(page);
  await hand.press(button(page, "Edit Spanish"));
  const dialog = page.getByRole("dialog", { name: "Spanish", exact: true });
  const former = dialog.getByRole("listitem");
  await expect(former).toHaveText([/^second\.txt/, new RegExp(`^${fileName}`)]);
  await expect(former.first()).toContainText(/Until .+, replaced by .+Kept until /);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await hand.press(button(dialog, `Use again: ${fileName}`));
  await expect(page.getByText(`${fileName} is used again.`)).toBeVisible();
  await expect(former).toHaveText([/^third\.txt/, /^second\.txt/]);
  expect((await read()).files).toMatchObject([{ id, fileName }]);
  await hand.press(button(dialog, "Remove for good: third.txt"));
  const question = page.getByRole("dialog", { name: "Remove for good: third.txt" });
  await hand.press(button(question, "Remove for good"));
  await expect(page.getByText("third.txt was removed for good.")).toBeVisible();
  await expect(former).toHaveText([/^second\.txt/]);
  const names = ({ replaced }: { replaced: { fileName: string }[] }) => replaced.map((each) => each.fileName);
  expect((await read()).files.map(names)).toEqual([["second.txt"]]);
});

test("of covers: by the notice and by the list, of a language and of the book", async ({ scene, open }) => {
  const { page, read } = await openWell(scene, open);
  const [green, blue] = await Promise.all([createPicture("green"), createPicture("blue")]);
  const choose = async (scope: Page | Locator, buffer: Buffer) => {
    const chooser = await openChooser(createHand("mouse", page), page, button(scope, "Choose a cover"));
    await chooser.setFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer });
    await expect(page.getByText("Saved", { exact: true }).last()).toBeVisible();
  };
  const hashes = async () => (await read()).covers.map(({ sha256 }: { sha256: string }) => sha256);
  await test.step("of the book", async () => {
    await choose(page, green);
    await expect.poll(hashes).toHaveLength(1);
    const first = await hashes();
    await choose(page, blue);
    await expect.poll(hashes).not.toEqual(first);
    await button(page, "Undo").click();
    await expect.poll(hashes).toEqual(first);
    await button(page, "What was there before").click();
    const dialog = page.getByRole("dialog", { name: "What was there before" });
    await button(dialog, "Use again: Cover").click();
    await expect.poll(hashes).not.toEqual(first);
    await page.keyboard.press("Escape");
  });
  await test.step("of a language", async () => {
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog", { name: "Spanish", exact: true });
    await choose(dialog, green);
    await choose(dialog, blue);
    await expect(dialog.getByRole("listitem")).toHaveText([/^Cover/]);
    await button(dialog, "Remove for good: Cover").click();
    await button(page.getByRole("dialog", { name: "Remove for good: Cover" }), "Remove for good").click();
    await expect(dialog.getByText("Nothing was replaced.")).toBeVisible();
  });
});

test("is said in Arabic", async ({ scene, open }) => {
  const { client, path, page: address, read } = await findWell(scene);
  const [{ id, fileName }] = (await read()).files;
  await client.upload("put", `${path}/files/${id}`, {
    file: { name: "second.txt", bytes: Buffer.from("second") },
  });
  const page = await open(address, { locale: "ar" });
  await button(page, "عدّل الإسبانية").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem")).toContainText(fileName);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await button(dialog, `استخدمه من جديد: ${fileName}`).click();
  await expect(page.getByText(`${fileName} مستخدم من جديد.`)).toBeVisible();
});
