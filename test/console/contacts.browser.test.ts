/** What an administrator does with contacts in the console, checked in the service afterwards. */
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { download, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

async function startWithReaders() {
  const scene = await startConsole({ CONSENT_TEXT_VERSIONS: "v1,v2" });
  return { ...scene, readers: await addReaders(scene) };
}

describe.skipIf(CHROMIUM === undefined)("contacts (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("are filtered by consent, language and search, and each filter stands in the address", async () => {
    const scene = await startWithReaders();
    const page = await openConsole(browser, scene, "contacts?marketing=conflict");
    await page.getByRole("link", { name: "عمر" }).waitFor();
    await expect.poll(() => page.getByText("1 contact", { exact: true }).count()).toBe(1);
    await page.getByRole("combobox", { name: "Marketing" }).selectOption("");
    await page.getByText("3 contacts").waitFor();
    await page.getByRole("combobox", { name: "Language" }).selectOption({ label: "Arabic" });
    await page.getByText("No contact matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.getByRole("searchbox").fill("nunez");
    await page.waitForURL(/search=nunez/);
    await page.getByText("1 contact", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Sara Núñez" }).click();
    await page.getByRole("link", { name: "All contacts" }).click();
    await page.waitForURL(/search=nunez/);
  });

  it("are filtered by a book that is found by its title", async () => {
    const scene = await startWithReaders();
    const page = await openConsole(browser, scene, "contacts");
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Book", { exact: true }).fill("The Deep");
    await page.locator("datalist option").first().waitFor({ state: "attached" });
    await page.getByLabel("Book", { exact: true }).fill("The Deep Well");
    await page.waitForURL(new RegExp(`bookId=${scene.well.id}`));
    await page.getByText("3 contacts").waitFor();
  });

  it("are exported for newsletters with the filters of the list", async () => {
    const scene = await startWithReaders();
    const page = await openConsole(browser, scene, "contacts?search=example.org");
    await page.getByRole("button", { name: "Export" }).click();
    const listmonk = await download(page, "menuitem", "For Listmonk");
    expect(listmonk).toContain("email,name,attributes");
    expect(listmonk).toContain("sara@example.org");
    expect(listmonk).not.toContain("omar@example.org");
    await page.goto(`${scene.base}contacts?marketing=conflict`);
    await page.getByRole("button", { name: "Export" }).click();
    await expect.poll(() => page.getByRole("menuitem").count()).toBe(1);
    expect(await download(page, "menuitem", "CSV")).toContain("omar@example.org");
  });

  it("are corrected while a colleague corrects them: other fields are joined, and of the same one is chosen", async () => {
    const scene = await startWithReaders();
    const path = `/api/admin/contacts/${scene.readers.sara}`;
    const page = await openConsole(browser, scene, `contacts/${scene.readers.sara}`);
    await page.getByRole("textbox", { name: "First name" }).fill("Sarah");
    await page.getByRole("textbox", { name: "Country" }).fill("Uganda");
    const admin = await scene.admin();
    await admin.patch(path, { phone: "+254 1", country: "Tanzania" });
    await page.keyboard.press("Control+s");
    await page.getByText("Someone else saved this while you typed").waitFor();
    await page.getByRole("cell", { name: "Tanzania" }).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await expect.poll(() => page.getByRole("textbox", { name: "Country" }).inputValue()).toBe("Uganda");
    await page.getByRole("combobox", { name: "Keep of Country" }).selectOption("mine");
    await page.getByRole("button", { name: "Join and save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { body } = await admin.get(path);
    expect(body.contact).toMatchObject({ firstName: "Sarah", phone: "+254 1", country: "Uganda" });
  });

  it("aren't decided about by a decision for statements that the administrator hasn't seen", async () => {
    const scene = await startWithReaders();
    const path = `/api/admin/contacts/${scene.readers.omar}`;
    const page = await openConsole(browser, scene, `contacts/${scene.readers.omar}`);
    await page.getByRole("button", { name: "Record a decision" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Marketing" }).selectOption("yes");
    await dialog.getByRole("textbox", { name: "Version of the text" }).fill("v2");
    const admin = await scene.admin();
    await admin.patch(path, { marketing: false });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This contact changed meanwhile").waitFor();
    await dialog.getByText("This contact no longer allows marketing.").waitFor();
    expect((await admin.get(path)).body.consent.state).toBe("withdrawn");
    await expect.poll(() => dialog.getByRole("combobox", { name: "Marketing" }).inputValue()).toBe("yes");
    await expect
      .poll(() => dialog.getByRole("textbox", { name: "Version of the text" }).inputValue())
      .toBe("v2");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await admin.get(path)).body.consent.state).toBe("agreed");
  });

  it("show the error of a field at the field", async () => {
    const scene = await startWithReaders();
    const page = await openConsole(browser, scene, `contacts/${scene.readers.sara}`);
    await page.getByRole("textbox", { name: "First name" }).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("input[aria-invalid=true]").waitFor();
  });

  it("have a conflict of consents settled by a decision", async () => {
    const scene = await startWithReaders();
    const page = await openConsole(browser, scene, `contacts/${scene.readers.omar}`);
    await page.getByText("This consent needs a decision").waitFor();
    await page.getByRole("button", { name: "Record a decision" }).click();
    await page.getByRole("combobox", { name: "Marketing" }).selectOption("yes");
    const version = page.getByRole("textbox", { name: "Version of the text" });
    await version.fill("unlisted");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").locator("[aria-invalid=true]").waitFor();
    await version.fill("v2");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("This contact allows marketing.").waitFor();
    const { body } = await (await scene.admin()).get(`/api/admin/contacts/${scene.readers.omar}`);
    expect(body.consent).toMatchObject({ state: "agreed", textVersion: "v2" });
    await page.getByText("admin (administrator)").waitFor();
  });

  it("get their personal data, and are erased only after the address was typed", async () => {
    const scene = await startWithReaders();
    const page = await openConsole(browser, scene, `contacts/${scene.readers.sara}`);
    const data = await download(page, "link", "Export personal data");
    expect(JSON.parse(data)).toMatchObject({ contact: { email: "sara@example.org" }, events: [{}, {}] });
    await page.getByRole("button", { name: "Erase" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Erase" });
    await page.getByRole("dialog").getByRole("textbox").fill("omar@example.org");
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await page.getByRole("dialog").getByRole("textbox").fill("sara@example.org");
    await confirm.click();
    await page.getByText("2 contacts").waitFor();
    expect((await (await scene.admin()).get(`/api/admin/contacts/${scene.readers.sara}`)).status).toBe(404);
  });

  it("offer an analyst no change, and a viewer neither link nor page", async () => {
    const scene = await startWithReaders();
    const { email: analyst } = await scene.make.user("analyst");
    const page = await openConsole(browser, { ...scene, email: analyst }, `contacts/${scene.readers.omar}`);
    await page.getByText("This consent needs a decision").waitFor();
    await expect.poll(() => page.locator("#content button").count()).toBe(0);
    const { email: viewer } = await scene.make.user("viewer");
    const other = await openConsole(browser, { ...scene, email: viewer }, "contacts");
    await other.getByText("Your account doesn't have the permission for this page.").waitFor();
    await expect.poll(() => other.getByRole("link", { name: "Contacts" }).count()).toBe(0);
  });
});
