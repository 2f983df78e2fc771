/** Adding languages by their codes and names. */
import type { Page } from "@playwright/test";
import { findErrors } from "../../support/looks.ts";
import { expect, testOn } from "../fixtures.ts";
import { WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);

const inDialog = (page: Page) => page.getByRole("dialog", { name: "Add a language" });
const add = (page: Page) => inDialog(page).getByRole("button", { name: "Add", exact: true });
const cell = (page: Page, code: string) => page.getByRole("cell", { name: new RegExp(`· ${code}$`) });

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Add a language" }).click();
  await inDialog(page).getByRole("textbox", { name: "Language code" }).fill(text);
}

interface Listed {
  id: number;
  code: string;
  parentId: number | null;
}

async function findLanguage({ admin }: WellScene, wanted: string): Promise<Listed | undefined> {
  const { languages }: { languages: Listed[] } = (await (await admin()).get("/api/admin/languages")).body;
  return languages.find(({ code }) => code === wanted);
}

test("a code is offered as a sub-language of the parent that it names, and is one only if that stays", async ({
  scene,
  open,
}) => {
  const parent = await findLanguage(scene, "es");
  const page = await open("languages");
  const offer = inDialog(page).getByRole("checkbox", { name: "Sub-language of Spanish" });
  await type(page, "es-MX");
  await expect(offer).toBeChecked();
  expect(await findErrors(page)).toEqual([]);
  await add(page).click();
  await expect(inDialog(page)).toBeHidden();
  expect(await findLanguage(scene, "es-MX")).toMatchObject({ parentId: parent?.id });
  await type(page, "es-419");
  await expect(offer).toBeChecked();
  await offer.uncheck();
  await add(page).click();
  await expect(inDialog(page)).toBeHidden();
  expect(await findLanguage(scene, "es-419")).toMatchObject({ parentId: null });
});

const NAMES = [
  ["French", "fr"],
  ["Kiswahili", "sw"],
  ["Русский", "ru"],
  ["português", "pt"],
] as const;

/** Names that aren't quite those of a language, and what is meant. */
const UNSURE = [
  ["Turkisch", "tr", "Turkish"],
  ["Mexican Spanish", "es-MX", "Mexican Spanish"],
] as const;

test("names are understood, and what is unsure is asked about before it is added", async ({ open }) => {
  const page = await open("languages");
  const code = inDialog(page).getByRole("textbox", { name: "Language code" });
  for (const [name, meant] of NAMES)
    await test.step(`${name} is a language`, async () => {
      await type(page, name);
      await add(page).click();
      await expect(inDialog(page)).toBeHidden();
      await expect(cell(page, meant)).toBeVisible();
    });
  for (const [typed, meant, name] of UNSURE)
    await test.step(`${typed} may be one`, async () => {
      await type(page, typed);
      await add(page).click();
      await expect(code).toHaveValue(meant);
      await expect(inDialog(page).getByRole("status")).toHaveText(name);
      await add(page).click();
      await expect(inDialog(page)).toBeHidden();
      await expect(cell(page, meant)).toBeVisible();
    });
  await test.step("a code that no language has is added all the same", async () => {
    await type(page, "zz");
    await add(page).click();
    await expect(inDialog(page).getByRole("alert")).toHaveText(/Is “zz” right\?/);
    expect(await findErrors(page)).toEqual([]);
    await inDialog(page).getByRole("button", { name: "Add it all the same" }).click();
    await expect(inDialog(page)).toBeHidden();
    await expect(cell(page, "zz")).toBeVisible();
  });
  await test.step("words that are neither a code nor a name are an error of the field", async () => {
    await type(page, "qwrtzp");
    await add(page).click();
    await expect(code).toHaveAttribute("aria-invalid", "true");
  });
});
