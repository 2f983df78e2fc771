/** Drags of files in a browser. */
import type { Locator, Page } from "playwright-core";

type Stage = "dragEnter" | "dragOver" | "drop";

/** Begins to drag files and folders from elsewhere to an element. @returns what goes on with it */
export async function startDrag(
  page: Page,
  target: Locator,
  files: readonly string[],
): Promise<(stage: Stage) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("it isn't shown");
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  return (type) => session.send("Input.dispatchDragEvent", { type, ...place });
}

/** Files and folders that are dragged from elsewhere, and dropped on an element. */
export async function dropFiles(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  const drag = await startDrag(page, target, files);
  for (const stage of ["dragEnter", "dragOver", "drop"] as const) await drag(stage);
}
