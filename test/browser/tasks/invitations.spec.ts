/** An invitation and a forgotten password, from the console to the mailbox and back: letters go over SMTP. */
import type { Page } from "@playwright/test";
import { expect, testOn } from "../fixtures.ts";
import { logIn } from "../support/log-in.ts";
import { type Mailbox, startMailbox } from "../support/mailbox.ts";
import { WELL } from "../support/scenes.ts";

const ANA = "ana@example.org";
const FIRST = "a much longer pass phrase";
const SECOND = "another and even longer one";

const test = testOn(WELL).extend<{ mailbox: Mailbox }>({
  mailbox: async ({ needsChromium: _ }, use) => {
    const { mailbox, close } = await startMailbox();
    await use(mailbox);
    await close();
  },
  settings: async ({ mailbox }, use) => use(mailbox.settings),
});

/** Opens the link of the latest letter, at the port at which the service really is. */
async function openLink(page: Page, { letters }: Mailbox, count: number, base: string): Promise<void> {
  await expect.poll(() => letters.length).toBe(count);
  const [link] = /http:\/\/127\.0\.0\.1\/console\/reset#[\w.-]+/.exec(letters.at(-1)?.text ?? "") ?? [""];
  await page.goto(link.replace("http://127.0.0.1/console/", base));
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByRole("status")).toHaveText("The password was set. Log in with it now.");
  await page.getByRole("link", { name: "To the log-in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
}

test("a colleague is invited, chooses a password, forgets it and sets another", async ({
  scene,
  open,
  mailbox,
}) => {
  const users = await open("users");
  const dialog = users.getByRole("dialog");
  await users.getByRole("button", { name: "Add a user" }).click();
  await dialog.getByLabel("Name").fill("Ana");
  await dialog.getByLabel("E-mail").fill(ANA);
  await dialog.getByRole("button", { name: "Add" }).click();
  const row = users.getByRole("row").filter({ hasText: ANA });
  await expect(row.getByText("Invited", { exact: true }).last()).toBeVisible();

  const page = await open("", { as: "stranger" });
  await openLink(page, mailbox, 1, scene.base);
  await expect(page.getByRole("heading", { level: 1, name: "Welcome, Ana" })).toBeVisible();
  await setPassword(page, FIRST);
  await logIn(page, ANA, FIRST);
  await expect(page.getByRole("heading", { level: 1, name: "Books" })).toBeVisible();
  await users.reload();
  await expect(row.getByText("Active", { exact: true }).last()).toBeVisible();

  const later = await open("", { as: "stranger" });
  await later.getByText("Forgotten password, or no account yet?").click();
  await later.getByRole("button", { name: "Send me a letter" }).click();
  await later.getByLabel("E-mail").fill(ANA);
  await later.keyboard.press("Enter");
  await expect(later.getByRole("status")).toContainText("a letter is on its way");
  await openLink(later, mailbox, 2, scene.base);
  await setPassword(later, SECOND);
  await logIn(later, ANA, SECOND);
  await expect(later.getByRole("heading", { level: 1, name: "Books" })).toBeVisible();
  // The session with the former password has ended.
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});
