/** Dialogs in windows of different widths. */
import { expect, testOnStandIn } from "../fixtures.ts";
import { BOOK } from "../support/records.ts";

const test = testOnStandIn();

const CHANNELS = "get /api/admin/channels";

/** How far an open dialog scrolls sideways. */
const SIDEWAYS =
  "(() => { const dialog = document.querySelector('[role=dialog]'); return dialog.scrollWidth - dialog.clientWidth; })()";

test("open in the middle of a narrow and of a wide window, without sideways scrolling", async ({
  api,
  open,
}) => {
  const name = "A channel with a name that is much too long for one line of a phone";
  const [channel] = api.example(CHANNELS).channels;
  if (channel) api.on(CHANNELS, () => ({ channels: [{ ...channel, name }] }));
  const page = await open(BOOK);
  const dialog = page.getByRole("dialog");
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole("button", { name: "Edit Spanish", exact: true }).click();
    await expect(dialog.getByText(name)).toBeVisible();
    const box = await dialog.boundingBox();
    expect(box && Math.abs(box.x + box.width / 2 - width / 2)).toBeLessThan(10);
    await expect.poll(() => page.evaluate(SIDEWAYS)).toBe(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
});
