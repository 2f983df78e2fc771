/** The choice of files that a page opens. */
import type { FileChooser, Locator } from "@playwright/test";

/** Chooses files. @param opener a button or an entry of a menu */
export async function chooseFile(
  opener: Locator,
  files: Parameters<FileChooser["setFiles"]>[0],
): Promise<void> {
  const [chooser] = await Promise.all([opener.page().waitForEvent("filechooser"), opener.click()]);
  await chooser.setFiles(files);
}
