/** Keys for programs: shown once, until a day, and revoked. */
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOn } from "../fixtures.ts";
import { createKeyboardHand } from "../support/hands.ts";
import { button, inDialog, link } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";

const test = testOn(WELL);

test("a key for the website is made, shown once, copied and revoked by keyboard", async ({ scene, open }) => {
  const page = await open("account", { permissions: ["clipboard-read", "clipboard-write"] });
  const hand = createKeyboardHand(page);
  const read = (key: string) => scene.api.get("/api/admin/books", { Authorization: `Bearer ${key}` });
  await hand.press(link(page, "API keys"));
  await hand.press(button(page, "Make a key"));
  await hand.type(inDialog(page).getByRole("textbox", { name: "Purpose" }), "Website");
  await hand.press(inDialog(page).getByRole("button", { name: "Make a key" }));
  const shown = inDialog(page).getByRole("textbox", { name: "Key" });
  await expect(shown).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  const key = await shown.inputValue();
  expect((await read(key)).status).toBe(200);
  await hand.press(inDialog(page).getByRole("button", { name: "Copy" }));
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(key);
  await page.keyboard.press("Escape");
  await hand.press(inDialog(page).getByRole("button", { name: "I have stored the key" }));
  await expect(inDialog(page)).toHaveCount(0);
  await expect.poll(() => page.content()).not.toContain(key);
  await page.reload();
  await hand.press(button(page, "Revoke Website"));
  await hand.press(inDialog(page).getByRole("button", { name: "Revoke" }));
  await expect(page.getByText("The key was revoked.")).toBeVisible();
  expect((await read(key)).status).toBe(401);
  await expect.poll(() => page.content()).not.toContain(key);
});

test("a key ends with a day of the chosen time zone, and leaves the focus at the heading when it goes", async ({
  scene,
  open,
}) => {
  const page = await open("api-keys", { timezoneId: "Europe/London" });
  await page.evaluate("localStorage.setItem('console.timezone', 'Africa/Nairobi')");
  await page.reload();
  await button(page, "Make a key").click();
  await inDialog(page).getByRole("textbox", { name: "Purpose" }).fill("Website");
  await inDialog(page).getByLabel("Expires on").fill("2027-12-31");
  await page.keyboard.press("Enter");
  await button(page, "I have stored the key").click();
  await expect(page.getByText("Dec 31, 2027, 11:59 PM").filter({ visible: true })).toBeVisible();
  const { body } = await (await scene.admin()).get("/api/admin/api-keys");
  expect(body.apiKeys[0].expiresAt).toBe("2027-12-31T20:59:59.999Z");
  await button(page, "Revoke Website").click();
  await inDialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("There are no keys yet.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeFocused();
});
