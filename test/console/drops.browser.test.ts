/** Drops that fail in whole or in part: what isn't taken is named. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { dropFiles } from "../support/drop-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function makeFile(): Promise<string> {
  const path = join(createTempFolder(), "uno.es.txt");
  await writeFile(path, "Uno");
  return path;
}

describe.skipIf(CHROMIUM === undefined)("drops (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("of which a part can't be read add the others, and name that part", async () => {
    const page = await openConsole(browser, await startConsole(), "import");
    const file = await makeFile();
    const unreadable = join(createTempFolder(), "dos.es.txt");
    await writeFile(unreadable, "Dos");
    await page.evaluate(`(() => {
      const find = DataTransferItem.prototype.webkitGetAsEntry;
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        const entry = find.call(this);
        if (entry?.name === "dos.es.txt") entry.file = (_, reject) => reject(new DOMException("", "NotReadableError"));
        return entry;
      };
    })()`);
    const area = page.getByText("Drop files or folders here");
    await dropFiles(page, area, [unreadable, file]);
    const notice = page.getByRole("alert").filter({ hasText: "1 file or folder can't be read" });
    await notice.getByText("dos.es.txt").waitFor();
    await page.getByText("1 of 1 file is examined.").waitFor();
  });

  it("on a page whose code for them can't be loaded say that nothing was added", async () => {
    const page = await openConsole(browser, await startConsole(), "books");
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
    await page.route("**/assets/upload-store*", (route) => route.abort());
    await dropFiles(page, page.getByRole("table").first(), [await makeFile()]);
    const notice = page.getByRole("alert").filter({ hasText: "The files weren't added" });
    await notice.getByText(/^The server can't be reached/).waitFor();
  });

  it("are read once the server is back when the code that reads them couldn't be loaded", async () => {
    const page = await openConsole(browser, await startConsole(), "import");
    await page.getByText("Drop files or folders here").waitFor();
    await page.context().route("**/assets/hash-worker*", (route) => route.abort(), { times: 1 });
    await dropFiles(page, page.getByText("Drop files or folders here"), [await makeFile()]);
    await page.getByText("Waiting for the server", { exact: true }).waitFor();
    await page.getByText("1 of 1 file is examined.").waitFor();
  });
});
