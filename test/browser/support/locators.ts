/** Elements of a page as readers and screen readers name them, each by its whole name. */
import type { Locator, Page } from "@playwright/test";

type Within = Page | Locator;

export const button = (within: Within, name: string) => within.getByRole("button", { name, exact: true });
export const link = (within: Within, name: string) => within.getByRole("link", { name, exact: true });
export const field = (within: Within, name: string) => within.getByRole("textbox", { name, exact: true });
export const list = (within: Within, name: string) => within.getByRole("combobox", { name, exact: true });
export const section = (within: Within, name: string) => within.getByRole("region", { name, exact: true });
/** The title of a page. */
export const heading = (within: Within, name: string) =>
  within.getByRole("heading", { level: 1, name, exact: true });
export const inDialog = (page: Page) => page.getByRole("dialog");
