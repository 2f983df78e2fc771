/** Confirmed addresses in the console: the rule of a language, and who waits for a confirmation. */

import { findErrors } from "../../support/looks.ts";
import { linkTo } from "../../support/reader.ts";
import { expect, testOn } from "../fixtures.ts";
import { list } from "../support/locators.ts";
import { READERS } from "../support/scenes.ts";

const test = testOn(READERS);
test.use({
  settings: {
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "books@example.org",
    PUBLIC_BASE_URL: "http://127.0.0.1",
  },
});

test("a language asks its readers for a confirmation, and contacts are found by it", async ({
  scene,
  open,
}) => {
  const page = await open("languages");
  const dialog = page.getByRole("dialog", { name: "Spanish" });
  await page.getByRole("button", { name: "Edit Spanish" }).click();
  const rule = dialog.getByRole("combobox", { name: "Confirmation of addresses" });
  await expect(rule).toHaveValue("");
  await rule.selectOption({ label: "Required" });
  expect(await findErrors(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const { languages } = (await (await scene.admin()).get("/api/admin/languages")).body;
  expect(languages.find(({ code }: { code: string }) => code === "es").emailConfirmation).toBe("required");
  await linkTo(scene.api, {
    slug: scene.well.slug,
    languageCode: "es",
    contact: { email: "nur@example.org", firstName: "Nur" },
    consent: { marketing: true, textVersion: "v1" },
  });
  await page.goto(`${scene.base}contacts?verified=false`);
  await page.getByRole("combobox", { name: "Marketing", exact: true }).selectOption("pending");
  await expect(page.getByText("1 contact", { exact: true })).toHaveCount(1);
  await expect(list(page, "Address")).toHaveValue("false");
  expect(await findErrors(page)).toEqual([]);
  await page.getByRole("link", { name: "Nur", exact: true }).click();
  await expect(page.getByText("address not confirmed")).toBeVisible();
  await expect(page.getByText("Form, not confirmed yet")).toBeVisible();
});
