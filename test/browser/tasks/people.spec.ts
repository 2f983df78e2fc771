/** Authors and contributors in the console, on the page of a book and in the form of a language. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOn, testOnStandIn } from "../fixtures.ts";
import { createHand, openChooser } from "../support/hands.ts";
import { button, field } from "../support/locators.ts";
import { BOOK } from "../support/records.ts";
import { WELL } from "../support/scenes.ts";
import { findWell, openWell } from "../support/well.ts";

const test = testOn(WELL);
const testOnExamples = testOnStandIn();

const role = (page: Page, line: number) =>
  page.getByRole("combobox", { name: `Role of contributor ${line}` });

test("contributors of an edition are added with their roles, put into another order and removed, by keyboard alone", async ({
  scene,
  open,
}) => {
  const { page, client, path, read } = await openWell(scene, open);
  const readContributors = async () => (await read()).translations[0].contributors;
  const people = [
    { name: "Ben Okoro", role: "translator" },
    { name: "نور", role: "narrator" },
  ];
  await test.step("added", async () => {
    await button(page, "Edit Spanish").press("Enter");
    for (const [index, person] of people.entries()) {
      await button(page, "Add a contributor").press("Enter");
      await expect(field(page, `Contributor ${index + 1}`)).toBeFocused();
      await page.keyboard.type(person.name);
      await page.keyboard.press("Tab");
      await page.keyboard.type(person.role);
    }
    // An empty line is no person.
    await button(page, "Add a contributor").press("Enter");
    await button(page, "Save").last().press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await readContributors()).toEqual(people);
    await button(page, "Edit Spanish").press("Enter");
    await expect(field(page, "Contributor 2")).toHaveValue("نور");
    await expect(role(page, 2)).toHaveValue("narrator");
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
  const contributors = ["One", "Two", "Three"].map((name) => ({ name, role: "editor" }));
  await client.post(`${path}/translations`, { languageCode: "es", title: "El pozo", contributors });
  await page.reload();
  await test.step("put into another order and removed; the focus stays with the line", async () => {
    await button(page, "Edit Spanish").press("Enter");
    await button(page, "Move Contributor 3 up").press("Enter");
    await expect(button(page, "Move Contributor 2 up")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(field(page, "Contributor 1")).toBeFocused();
    await expect(field(page, "Contributor 1")).toHaveValue("Three");
    await button(page, "Remove Contributor 2").press("Enter");
    await expect(button(page, "Remove Contributor 2")).toBeFocused();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect(button(page, "Add a contributor")).toBeFocused();
    await button(page, "Save").last().press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await readContributors()).toEqual([]);
  });
});

test("contributors of an edition are kept as typed when the service rejects one, and stand beside files and channels", async ({
  scene,
  open,
}) => {
  const { page, read } = await openWell(scene, open);
  const dialog = page.getByRole("dialog");
  await test.step("one is rejected", async () => {
    await button(page, "Edit Spanish").click();
    await button(page, "Add a contributor").click();
    await button(page, "Add a contributor").click();
    await field(page, "Contributor 1").fill("Ben Okoro");
    await role(page, 2).fill("translator");
    await button(page, "Save").last().click();
    await expect(field(page, "Contributor 2")).toHaveAttribute("aria-invalid", "true");
    await expect(field(page, "Contributor 1")).not.toHaveAttribute("aria-invalid");
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await field(page, "Contributor 2").fill("Ana");
    await button(page, "Save").last().click();
    await expect(dialog).toHaveCount(0);
    expect((await read()).translations[0].contributors).toHaveLength(2);
  });
  await test.step("files and channels of the language", async () => {
    await button(page, "Edit Spanish").click();
    const add = dialog.getByRole("button", { name: "Add a file in Spanish" });
    const chooser = await openChooser(createHand("mouse", page), page, add);
    await chooser.setFiles({ name: "uno.html", mimeType: "text/html", buffer: Buffer.from("<p>Uno</p>") });
    await expect(dialog.getByText("uno.html")).toBeVisible();
    await dialog.getByRole("button", { name: "Publish in Spanish on Website" }).click();
    await expect(
      dialog.getByRole("button", { name: "Publish in Spanish on Website", pressed: true }),
    ).toBeVisible();
    // Its name is there while it is sent.
    const count = async () => {
      const { files, publications } = await read();
      return [files.length, publications.length];
    };
    await expect.poll(count).toEqual([2, 1]);
  });
});

test("authors of a book can have commas, and those of two editors are joined as one field", async ({
  scene,
  open,
}) => {
  const { client, path, page: address, read } = await findWell(scene);
  await client.patch(path, { authors: ["Okoro, Ben", "Núñez, Ana"] });
  const page = await open(address);
  await button(page, "Move Author 2 up").click();
  await button(page, "Add an author").click();
  await page.keyboard.type("King, Martin Luther, Jr.");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect((await read()).book.authors).toEqual(["Núñez, Ana", "Okoro, Ben", "King, Martin Luther, Jr."]);
  await field(page, "Title").fill("The Deeper Well");
  await client.patch(path, { authors: ["Ana", "Ben"] });
  await button(page, "Save").click();
  await expect(page.getByText("Someone else saved this while you typed")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Ana Ben" })).toBeVisible();
  await button(page, "Join and save").click();
  await expect(page.getByText("Someone else saved this while you typed")).toHaveCount(0);
  const joined = { titleEn: "The Deeper Well", authors: ["Ana", "Ben"] };
  await expect.poll(async () => (await read()).book).toMatchObject(joined);
  await expect(page.getByText("Saved", { exact: true }).last()).toBeVisible();
  await expect(field(page, "Author 2")).toHaveValue("Ben");
});

testOnExamples("roles of contributors have Arabic names", async ({ open }) => {
  const page = await open(BOOK, { locale: "ar" });
  await button(page, "عدّل الإسبانية").click();
  await button(page, "إضافة مساهم").click();
  await expect(page.locator("option[value=translator][label=مترجم]")).not.toHaveCount(0);
  expect(await findAccessibilityErrors(page)).toEqual([]);
});
