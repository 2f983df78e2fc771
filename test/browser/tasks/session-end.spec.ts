/** The log-in, the end of a session on an open page, and who saved meanwhile. */
import type { Page } from "@playwright/test";
import { PASSWORD } from "../../support/factory.ts";
import { findErrors } from "../../support/looks.ts";
import { expect, testOn } from "../fixtures.ts";
import { WELL } from "../support/scenes.ts";

const test = testOn(WELL);

const password = (page: Page) => page.getByLabel("Password", { exact: true });
const logIn = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

test("the log-in says on request how a password is reset, and a wrong password interrupts nothing", async ({
  scene,
  open,
}) => {
  const page = await open("books", { as: "stranger" });
  const command = page.getByText("npx bookdist reset-password");
  await expect(command).toBeHidden();
  await page.getByText("Forgotten password, or no account yet?").click();
  await expect(command).toBeVisible();
  await expect(page.getByText("npx bookdist create-admin")).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
  await page.getByLabel("E-mail").fill(scene.email);
  await password(page).fill("a wrong pass phrase");
  await page.keyboard.press("Enter");
  await expect(page.getByText("E-mail or password is wrong.")).toBeVisible();
  await password(page).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Books" })).toBeVisible();
  await expect(page.getByText("What you did last")).toHaveCount(0);
});

test("a save that the end of the session interrupted has to be made again, and both sides of the log-in say so", async ({
  scene,
  open,
}) => {
  const page = await open(`books/${scene.well.id}`);
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("The Deepest Well");
  await page.context().clearCookies();
  await page.keyboard.press("Control+s");
  const dialog = logIn(page);
  await expect(dialog.getByText("What you did last wasn't saved")).toBeVisible();
  await expect(password(page)).toBeFocused();
  await page.keyboard.type("a wrong pass phrase");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("E-mail or password is wrong.")).toBeVisible();
  await password(page).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const again = "You are logged in again. What you did last wasn't saved: do it again.";
  await expect(page.getByText(again)).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
});

test("publications that the end of the session interrupted are saved by themselves", async ({
  scene,
  open,
}) => {
  const page = await open("publications?languageCode=es");
  await expect(page.getByRole("gridcell").first()).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole("gridcell").first().click();
  await expect(logIn(page)).toBeVisible();
  await expect(logIn(page).getByText("What you did last")).toHaveCount(0);
  await password(page).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(logIn(page)).toBeHidden();
  const countPublished = async () => {
    const { body } = await (await scene.admin()).get("/api/admin/channels");
    return body.channels[0].publishedBooks;
  };
  await expect.poll(countPublished).toBe(1);
});

test("who saved meanwhile is said in a conflict, and when", async ({ scene, open }) => {
  const page = await open(`books/${scene.well.id}`);
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("My Well");
  const editor = await scene.make.login("editor");
  await editor.patch(`/api/admin/books/${scene.well.id}`, { titleEn: "Their Well" });
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Someone else saved this while you typed")).toBeVisible();
  await expect(page.getByText(/^Saved by \W?editor\W?, \w+ \d+, \d{4}/)).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
});
