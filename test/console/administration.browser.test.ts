/** What an administrator does in the console: the doctor, keys, users, the audit log. Checked in the service afterwards. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { examine, startAdministration } from "../support/administration-scene.ts";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { GeoIpProviderHost } from "../support/geoip-provider.ts";

const dialog = (page: Page) => page.getByRole("dialog");

describe.skipIf(CHROMIUM === undefined)("an administrator (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("runs the doctor deeply, and reads what a finding means and what mends it", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const page = await openConsole(browser, scene, "doctor");
    await page.getByText("There is no report yet").waitFor();
    await page.getByRole("button", { name: "Deep run" }).click();
    await page.getByText("The examination is finished.").waitFor();
    await page.getByRole("heading", { name: "Languages without files" }).waitFor();
    await page.getByText("Upload files in the language, or deactivate it.").waitFor();
    await page.getByText("Details").click();
    await page.getByText("no active book has a file in it.", { exact: false }).first().waitFor();
    const { report } = (await admin.get("/api/admin/doctor/last")).body;
    expect(report.checks).toContainEqual({ check: "changed_bytes", found: 0 });
  });

  it("joins an examination that is running, sees its progress after a reload, and cancels it", async () => {
    const scene = await startConsole();
    const { id } = await scene.container.services.jobs.start(createSystemAuthor("test"), {
      kind: "doctor",
      options: {},
      work({ signal, report }) {
        report({ done: 3, of: 8 });
        return new Promise((_, reject) => signal.addEventListener("abort", reject));
      },
    });
    const page = await openConsole(browser, scene, "doctor");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(`${scene.base}doctor?job=${id}`);
    await page.getByText("An examination is running already.").waitFor();
    await expect.poll(() => findAccessibilityErrors(page)).toEqual([]);
    const progress = page.getByText("3 of 8 files, covers and links examined");
    await progress.waitFor();
    await page.reload();
    await progress.waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The examination was cancelled.").waitFor();
    expect((await (await scene.admin()).get(`/api/admin/jobs/${id}`)).body.status).toBe("cancelled");
    await examine(scene);
  });

  it("makes a key for a website, which is shown once, and revokes it", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "api-keys");
    await page.getByRole("button", { name: "Make a key" }).click();
    await dialog(page).getByRole("textbox", { name: "Purpose" }).fill("Website");
    await dialog(page).getByRole("button", { name: "Make a key" }).click();
    const field = dialog(page).getByRole("textbox", { name: "Key" });
    await field.waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    const key = await field.inputValue();
    const read = () => scene.api.get("/api/admin/books", { Authorization: `Bearer ${key}` });
    expect((await read()).status).toBe(200);
    await page.keyboard.press("Escape");
    await dialog(page).getByRole("button", { name: "I have stored the key" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await expect.poll(() => page.content()).not.toContain(key);
    await page.getByRole("button", { name: "Revoke Website" }).click();
    await dialog(page).getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The key was revoked.").waitFor();
    expect((await read()).status).toBe(401);
  });

  it("makes an analyst's account, who is offered neither links nor pages without permission", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "users");
    await page.getByRole("button", { name: "Add a user" }).click();
    await dialog(page).getByRole("textbox", { name: "Name" }).fill("Ana");
    await dialog(page).getByRole("textbox", { name: "E-mail" }).fill("ana@example.org");
    await dialog(page).getByRole("combobox", { name: "Role" }).selectOption("analyst");
    // Errors of the service are at their fields, and nothing typed is lost.
    await dialog(page).getByRole("textbox", { name: "Password" }).fill("short");
    await dialog(page).getByRole("button", { name: "Add" }).click();
    await dialog(page).locator("[id$='-error']").waitFor();
    await dialog(page).getByRole("textbox", { name: "Password" }).fill("correct horse battery staple 9");
    await dialog(page).getByRole("button", { name: "Add" }).click();
    await page.getByText("ana@example.org").waitFor();
    const analyst = await openConsole(
      browser,
      { ...scene, email: (await scene.make.user("analyst")).email },
      "users",
    );
    await analyst.getByText("Your account doesn't have the permission for this page.").waitFor();
    const links = await analyst.getByRole("navigation").getByRole("link").allInnerTexts();
    for (const name of ["API keys", "Users", "Audit log", "Settings", "Doctor"])
      expect(links).not.toContain(name);
  });

  it("gives a user another role and a new password, and deactivates them", async () => {
    const scene = await startConsole();
    const name = "viewer";
    const { id } = await scene.make.user(name);
    const admin = await scene.admin();
    const read = async () => (await admin.get(`/api/admin/users/${id}`)).body;
    const page = await openConsole(browser, scene, "users");
    const edit = page.getByRole("button", { name: `Edit ${name}`, exact: true });
    await edit.click();
    await dialog(page).getByRole("combobox", { name: "Role" }).selectOption("editor");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await dialog(page).waitFor({ state: "detached" });
    expect(await read()).toMatchObject({ role: "editor", isActive: 1 });
    await page.getByRole("button", { name: `New password of ${name}`, exact: true }).click();
    await dialog(page).getByLabel("New password").fill("correct horse battery staple 9");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("The password was set.").waitFor();
    await edit.click();
    await dialog(page).getByRole("checkbox", { name: "May log in" }).uncheck();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("Deactivated", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ isActive: 0 });
  });

  it("sees what changed in a book, before and after, at an address that can be kept", async () => {
    const scene = await startAdministration();
    const page = await openConsole(browser, scene, "audit?action=update&objectKind=book");
    const row = page.getByRole("row").filter({ hasText: "The Deeper Well" });
    await row.locator("del", { hasText: "Deep" }).waitFor();
    await row.locator("ins", { hasText: "Deeper" }).waitFor();
    await page.getByRole("status").getByText("1 entry", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Action" }).selectOption("");
    await page.getByRole("button", { name: "History of The Deeper Well" }).click();
    await page.waitForURL(new RegExp(`objectId=${scene.well.id}`));
    await page.getByText("2 entries").waitFor();
    await page.reload();
    await page.getByText("2 entries").waitFor();
    await expect
      .poll(() => page.getByRole("link", { name: "Save as CSV" }).getAttribute("href"))
      .toContain(scene.well.id);
  });

  it("reaches the last link of the navigation in a low window", async () => {
    const viewport = { width: 1000, height: 300 };
    const page = await openConsole(browser, await startConsole(), "books", { viewport });
    const link = page.getByRole("navigation").getByRole("link").last();
    await link.scrollIntoViewIfNeeded();
    const { y, height } = (await link.boundingBox()) ?? { y: viewport.height, height: 0 };
    expect(y + height).toBeLessThanOrEqual(viewport.height);
  });

  it("sees what the service runs with, and what the City database needs", async () => {
    const page = await openConsole(browser, await startConsole(), "settings");
    await page.getByText("MAXMIND_ACCOUNT_ID").waitFor();
    await page.getByText("bookdist backup").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Download the latest" }).count()).toBe(0);
  });

  it("downloads the City database, and sees that of the last time after a failure", async () => {
    const provider = await GeoIpProviderHost.start();
    const scene = await startConsole(provider.variables);
    const page = await openConsole(browser, scene, "settings");
    await page.getByText("There is no City database").waitFor();
    const update = page.getByRole("button", { name: "Download the latest" });
    await update.click();
    await page.getByText("The City database is up to date.").waitFor();
    const path = page.getByText("GeoLite2-City.mmdb");
    await path.waitFor();
    provider.checksum = "0";
    provider.lastModified = undefined;
    await update.click();
    await page.getByText("This didn't work").waitFor();
    await expect.poll(() => path.count()).toBe(1);
    // The notification fades in.
    await expect.poll(() => findAccessibilityErrors(page)).toEqual([]);
  });
});
