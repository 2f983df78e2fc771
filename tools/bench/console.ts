/** The console in Chromium against a real server: bytes, a slow line, a large grid, a large drop, and the build. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CHROMIUM, withChromium } from "./console-browser.ts";
import { fillGrid, measureGrid } from "./console-grid.ts";
import { measurePages } from "./console-pages.ts";
import { measureUploads } from "./console-uploads.ts";
import { withRealServer } from "./real-server.ts";
import { type BenchRow, boundRow } from "./row.ts";

const BUILD = join(import.meta.dirname, "../../scripts/build-console.ts");
const MAX_BUILD_S = 3;

export async function run(): Promise<BenchRow[]> {
  if (CHROMIUM === undefined) {
    console.error("skipped: there is neither /usr/bin/chromium nor CHROMIUM_PATH");
    return [];
  }
  const build = await measureBuild();
  return withRealServer({}, async ({ port }) => {
    const bookId = await fillGrid(port);
    const rows = await withChromium(async (browser) => [
      ...(await measurePages(browser, port, bookId)),
      ...(await measureGrid(browser, port)),
      ...(await measureUploads(browser, port)),
    ]);
    return [...rows, build];
  });
}

/** Of a build from nothing, as `npm run build` does it. */
async function measureBuild(): Promise<BenchRow> {
  const start = performance.now();
  await promisify(execFile)(process.execPath, [BUILD]);
  return boundRow("build of the console", (performance.now() - start) / 1000, "s", MAX_BUILD_S);
}
