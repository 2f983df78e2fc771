/** What is taken away in the console: after a question that says what goes with it. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { createPicture, putCover } from "../../support/covers.ts";
import { openRowMenu } from "../../support/row-menu.ts";
import { expect, testOn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import { WELL, type WellScene } from "../support/scenes.ts";
import { openWell } from "../support/well.ts";

const test = testOn(WELL);

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const confirm = (page: Page, question: string) =>
  dialog(page, question).getByRole("button", { name: "Remove", exact: true }).click();

const giveCover = async ({ admin, well }: WellScene, code: string) =>
  putCover(await admin(), well.id, code, await createPicture("green"));

async function publish({ admin, make, well }: WellScene) {
  const client = await admin();
  const [channel] = (await client.get("/api/admin/channels")).body.channels;
  const { languages } = (await client.get("/api/admin/languages")).body;
  const es = languages.find(({ code }: { code: string }) => code === "es");
  await make.publish(well.id, channel.id, es.id);
}

test("a book is deleted for good with all that is named, once its title was typed", async ({
  scene,
  open,
}) => {
  const client = await scene.admin();
  const path = `/api/admin/books/${scene.well.id}`;
  await publish(scene);
  await giveCover(scene, "es");
  await client.delete(path);
  const page = await open(`books/${scene.well.id}`);
  await button(page, "Delete for good").click();
  const question = dialog(page, "Delete for good");
  const goes =
    "This deletes the book, 1 translation, 1 file (14 bytes), 1 cover, and 1 publication. It can't be undone.";
  await expect(question.getByText(goes)).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  const confirmation = question.getByRole("button", { name: "Delete for good" });
  await expect(confirmation).toBeDisabled();
  await question.getByRole("textbox").fill("The Deep Well");
  await confirmation.click();
  await expect(page).toHaveURL(/books$/);
  expect((await client.get(path)).status).toBe(404);
});

test("the default cover and the cover of a language, each after a question", async ({ scene, open }) => {
  await giveCover(scene, "default");
  await giveCover(scene, "es");
  const { page, read } = await openWell(scene, open);
  const codes = async () =>
    (await read()).covers.map(({ languageCode }: { languageCode: string }) => languageCode);
  const removal = button(page, "Remove the cover");
  await removal.click();
  expect(await codes()).toHaveLength(2);
  await confirm(page, "Remove the cover");
  await expect(page.getByText("The cover was removed.")).toBeVisible();
  expect(await codes()).toEqual(["es"]);
  await expect(removal).toHaveCount(0);
  await button(page, "Edit Spanish").click();
  await removal.click();
  await confirm(page, "Remove the cover");
  await expect.poll(codes).toEqual([]);
  await expect(removal).toHaveCount(0);
});

test("a translation after a question, unless it was changed meanwhile, and a file of it", async ({
  scene,
  open,
}) => {
  const { page, client, path, read } = await openWell(scene, open);
  const ask = async () => {
    await button(page, "Edit Spanish").click();
    await button(page, "Remove the translation").click();
  };
  await test.step("not when somebody has changed it", async () => {
    await ask();
    await client.post(`${path}/translations`, { languageCode: "es", title: "El pozo muy profundo" });
    await confirm(page, "Remove the translation");
    await expect(page.getByText("This didn't work")).toBeVisible();
    expect((await read()).translations).toHaveLength(1);
  });
  await page.reload();
  await test.step("a translation, whose files stay", async () => {
    await ask();
    expect((await read()).translations).toHaveLength(1);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await confirm(page, "Remove the translation");
    await expect(page.getByText("The translation was removed.")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const { translations, files } = await read();
    expect([translations.length, files.length]).toEqual([0, 1]);
    await expect(page.getByRole("row", { name: /Spanish English title/ })).toBeVisible();
  });
  await test.step("a file", async () => {
    await (await openRowMenu(page, "Remove the file book.txt")).click();
    await expect(page.getByText("It can't be undone.")).toBeVisible();
    expect((await read()).files).toHaveLength(1);
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await expect(page.getByText("The file was removed.")).toBeVisible();
    const active = (await read()).files.filter(({ isActive }: { isActive: number }) => isActive);
    expect(active).toEqual([]);
  });
});
