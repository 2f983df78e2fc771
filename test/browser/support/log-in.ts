/** The log-in by its form. */
import type { Page } from "@playwright/test";
import { PASSWORD } from "../../support/factory.ts";

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await page.keyboard.press("Enter");
}
