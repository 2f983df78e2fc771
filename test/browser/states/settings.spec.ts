/** What the console shows of the settings, and of an update of the City database that succeeds or fails. */
import { badGateway } from "../../../src/errors.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";

const test = testOnStandIn();

test("the City database isn't downloaded without a key, and stays after a download that fails", async ({
  api,
  open,
}) => {
  const settings = api.example("get /api/admin/settings");
  const without = { ...settings, geoipExists: false, geoipBuiltAt: null, geoipFileSize: 0 };
  api.on("get /api/admin/settings", () => ({ ...without, vendorKeyConfigured: false }));
  const page = await open("settings");
  const update = page.getByRole("button", { name: "Download the latest" });
  const path = page.getByText("GeoLite2-City.mmdb");
  await test.step("without a key", async () => {
    await expect(page.getByText("MAXMIND_ACCOUNT_ID")).toBeVisible();
    await expect(page.getByText("bookdist backup")).toBeVisible();
    await expect(update).toHaveCount(0);
  });
  await test.step("with a key, before the first download", async () => {
    api.on("get /api/admin/settings", () => without);
    await page.reload();
    await expect(page.getByText("There is no City database")).toBeVisible();
    await expect(path).toHaveCount(0);
  });
  await test.step("downloaded", async () => {
    api.on("post /api/admin/settings/update-geoip", () => {
      api.on("get /api/admin/settings", () => settings);
      return api.example("post /api/admin/settings/update-geoip");
    });
    await update.click();
    await expect(page.getByText("The City database is up to date.")).toBeVisible();
    await expect(path).toBeVisible();
  });
  await test.step("a download that fails", async () => {
    api.on("post /api/admin/settings/update-geoip", () => {
      throw badGateway("geoip_provider_failed", "The download isn't as its checksum says.");
    });
    await update.click();
    await expect(page.getByText("This didn't work")).toBeVisible();
    await expect(path).toHaveCount(1);
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
});
