/** Drags of files in a browser. */
import type { Locator, Page } from "playwright-core";

/** Files and folders that are dragged from elsewhere, and dropped on an element. */
export async function dropFiles(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("it isn't shown");
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...place });
}
