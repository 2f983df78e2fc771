/** The favicon while the process that draws it can't work. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it, onTestFinished, vi } from "vitest";
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import { Favicon } from "../../src/adapters/images/favicon.ts";
import { createLogger } from "../../src/adapters/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="red"/></svg>';
const MEMORY_BYTES = 256 * 1024 * 1024;

function start(own?: string) {
  const directory = createTempFolder();
  if (own !== undefined) writeFileSync(join(directory, "favicon.svg"), own);
  const working = new CoverImages();
  const ended = new CoverImages({ limits: { memoryBytes: MEMORY_BYTES, timeMs: 0 } });
  onTestFinished(async () => void (await Promise.all([working.close(), ended.close()])));
  const state = { fails: 0 };
  const drawFavicon = (bytes: Buffer) => {
    state.fails -= 1;
    return (state.fails >= 0 ? ended : working).drawFavicon(bytes);
  };
  return {
    state,
    favicon: new Favicon({
      images: { drawFavicon },
      directory,
      log: createLogger("silent", { pretty: false }),
    }),
  };
}

async function readColour(favicon: Favicon) {
  const { bytes } = await favicon.readPicture();
  const [red, green] = await sharp(bytes).resize(1, 1).raw().toBuffer();
  return [red, green];
}

it("is drawn again after an error of the system", async () => {
  const { state, favicon } = start();
  state.fails = 1;
  await expect(favicon.readPicture()).rejects.toMatchObject({ status: 503 });
  expect((await favicon.readPicture()).width).toBe(256);
});

it("is the operator's own again a minute after an error of the system", async () => {
  const { state, favicon } = start(RED);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  state.fails = 1;
  const before = await readColour(favicon);
  expect(before).not.toEqual([255, 0]);
  expect(await readColour(favicon)).toEqual(before);
  vi.advanceTimersByTime(60_000);
  expect(await readColour(favicon)).toEqual([255, 0]);
});
