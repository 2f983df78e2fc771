/** The grid of publications. */
import type { Page } from "@playwright/test";

/** Counted from 0. */
export const cell = (page: Page, row: number, column: number) =>
  page.locator(`[data-row="${row}"] > [role=gridcell][data-column="${column}"]`);

/** @returns `row,column`; -1 is a header */
export const readActiveCell = (page: Page) =>
  page.evaluate(
    "[document.activeElement.closest('[data-row]').dataset.row, document.activeElement.dataset.column].join()",
  );
