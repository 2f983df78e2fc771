/** What an administrator does with contacts in the console, checked in the service afterwards. */
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { readCsv } from "../../support/read-csv.ts";
import { linkTo } from "../../support/reader.ts";
import { expect, testOn } from "../fixtures.ts";
import { takeText } from "../support/downloads.ts";
import { createHand, createKeyboardHand } from "../support/hands.ts";
import { button, field, inDialog, link, list } from "../support/locators.ts";
import { READERS, type WellScene } from "../support/scenes.ts";

const test = testOn(READERS);
test.use({ settings: { CONSENT_TEXT_VERSIONS: "v1,v2" } });

test("are filtered by consent, language, search and book, and each filter stands in the address", async ({
  scene,
  open,
}) => {
  const page = await open("contacts?marketing=conflict");
  await expect(link(page, "عمر")).toBeVisible();
  await expect(page.getByText("1 contact", { exact: true })).toHaveCount(1);
  await test.step("the CSV of the filtered list, which isn't for newsletters", async () => {
    await button(page, "Export").click();
    await expect(page.getByRole("menuitem")).toHaveCount(1);
    const csv = await takeText(createHand("mouse", page), page, page.getByRole("menuitem", { name: "CSV" }));
    expect(csv).toContain("omar@example.org");
  });
  await list(page, "Marketing").selectOption("");
  await expect(page.getByText("3 contacts")).toBeVisible();
  await list(page, "Language").selectOption({ label: "Arabic" });
  await expect(page.getByText("No contact matches these filters.")).toBeVisible();
  await button(page, "Clear the filters").click();
  await page.getByRole("searchbox").fill("nunez");
  await expect(page).toHaveURL(/search=nunez/);
  await expect(page.getByText("1 contact", { exact: true })).toBeVisible();
  await link(page, "Sara Núñez").click();
  await link(page, "All contacts").click();
  await expect(page).toHaveURL(/search=nunez/);
  await page.getByRole("searchbox").fill("");
  await button(page, "More filters").click();
  const book = page.getByLabel("Book", { exact: true });
  await book.fill("The Deep");
  await expect(page.locator("datalist option")).not.toHaveCount(0);
  await book.fill("The Deep Well");
  await expect(page).toHaveURL(new RegExp(`bookId=${scene.well.id}`));
  await expect(page.getByText("3 contacts")).toBeVisible();
});

/** Three more readers, of whom one in Spanish allows marketing. */
async function addMoreReaders({ api, make, well }: WellScene): Promise<void> {
  await make.textFile(well.id, "ar", "كان يا ما كان");
  const ask = (email: string, languageCode: string, marketing: boolean) =>
    linkTo(api, {
      slug: well.slug,
      languageCode,
      contact: { email, firstName: 'Nur "N"', lastName: "Öz, the 2nd" },
      consent: { marketing, textVersion: "v1" },
    });
  await ask("nur@example.org", "es", true);
  await ask("no@example.org", "es", false);
  await ask("arabic@example.org", "ar", true);
}

test("are exported by keyboard for newsletters, with the filters of the list", async ({ scene, open }) => {
  await addMoreReaders(scene);
  const page = await open("account");
  const hand = createKeyboardHand(page);
  const exportList = async () => {
    await hand.press(button(page, "Export"));
    const entry = page.getByRole("menuitem", { name: "For Listmonk" });
    const [columns, ...records] = readCsv(await takeText(hand, page, entry));
    expect(columns).toEqual(["email", "name", "attributes"]);
    return records;
  };
  await hand.press(link(page, "Contacts"));
  await expect(page.getByRole("heading", { level: 1, name: "Contacts" })).toBeVisible();
  await hand.choose(list(page, "Language"), "Spanish");
  await expect(page.getByText("5 contacts", { exact: true })).toBeVisible();
  const records = await exportList();
  expect(records.map(([email]) => email).sort()).toEqual(["nur@example.org", "sara@example.org"]);
  const nur = records.find(([email]) => email === "nur@example.org");
  expect(nur?.[1]).toBe('Nur "N" Öz, the 2nd');
  expect(JSON.parse(nur?.[2] ?? "")).toBeInstanceOf(Object);
  await hand.type(page.getByRole("searchbox"), "sara");
  await expect(page.getByText("1 contact", { exact: true })).toBeVisible();
  expect((await exportList()).map(([email]) => email)).toEqual(["sara@example.org"]);
});

test("are corrected while a colleague corrects them: other fields are joined, and of the same one is chosen", async ({
  scene,
  open,
}) => {
  const path = `/api/admin/contacts/${scene.readers.sara}`;
  const page = await open(`contacts/${scene.readers.sara}`);
  await test.step("the error of a field is at the field", async () => {
    await field(page, "First name").fill("");
    await button(page, "Save").click();
    await expect(page.locator("input[aria-invalid=true]")).toBeVisible();
  });
  await field(page, "First name").fill("Sarah");
  await field(page, "Country").fill("Uganda");
  const admin = await scene.admin();
  await admin.patch(path, { phone: "+254 1", country: "Tanzania" });
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Someone else saved this while you typed")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Tanzania" })).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await expect(field(page, "Country")).toHaveValue("Uganda");
  await list(page, "Keep of Country").selectOption("mine");
  await button(page, "Join and save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const { body } = await admin.get(path);
  expect(body.contact).toMatchObject({ firstName: "Sarah", phone: "+254 1", country: "Uganda" });
  await test.step("another address has agreed to nothing", async () => {
    const hint = page.getByText("What was said about marketing stays with the former address");
    await expect(hint).toHaveCount(0);
    await field(page, "E-mail").fill("sarah@example.org");
    await expect(hint).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await button(page, "Save").click();
    await expect(page.getByText("for a former address")).toBeVisible();
    await expect(page.getByText("This contact has made no statement on marketing")).toBeVisible();
    await expect(hint).toHaveCount(0);
    expect((await admin.get(path)).body.consent.state).toBe("none");
  });
});

test("have a conflict of consents settled by a decision, and not for statements that the administrator hasn't seen", async ({
  scene,
  open,
}) => {
  const path = `/api/admin/contacts/${scene.readers.omar}`;
  const admin = await scene.admin();
  const readConsent = async () => (await admin.get(path)).body.consent;
  const page = await open(`contacts/${scene.readers.omar}`);
  await expect(page.getByText("This consent needs a decision")).toBeVisible();
  await button(page, "Record a decision").click();
  const dialog = inDialog(page);
  const marketing = dialog.getByRole("combobox", { name: "Marketing" });
  const version = dialog.getByRole("textbox", { name: "Version of the text" });
  const save = dialog.getByRole("button", { name: "Save" });
  await marketing.selectOption("yes");
  await version.fill("unlisted");
  await save.click();
  await expect(dialog.locator("[aria-invalid=true]")).toBeVisible();
  await version.fill("v2");
  await admin.patch(path, { marketing: false });
  await save.click();
  await expect(dialog.getByText("This contact changed meanwhile")).toBeVisible();
  await expect(dialog.getByText("This contact no longer allows marketing.")).toBeVisible();
  expect((await readConsent()).state).toBe("withdrawn");
  await expect(marketing).toHaveValue("yes");
  await expect(version).toHaveValue("v2");
  await save.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("This contact allows marketing.")).toBeVisible();
  expect(await readConsent()).toMatchObject({ state: "agreed", textVersion: "v2" });
  await expect(page.getByText("admin (administrator)").first()).toBeVisible();
});

test("get their personal data by keyboard, and are erased only after the address was typed", async ({
  scene,
  open,
}) => {
  const { sara } = scene.readers;
  const admin = await scene.admin();
  const count = async () => (await admin.get("/api/admin/analytics/summary")).body.totalDownloads;
  const before = await count();
  const page = await open("account");
  const hand = createKeyboardHand(page);
  const isGone = () => expect(page.locator("#content")).not.toContainText(/sara@example|núñez/i);
  await hand.press(link(page, "Contacts"));
  await hand.type(page.getByRole("searchbox"), "sara@example.org");
  await expect(page.getByText("1 contact", { exact: true })).toBeVisible();
  await hand.press(link(page, "Sara Núñez"));
  const data = JSON.parse(await takeText(hand, page, link(page, "Export personal data")));
  const contact = { id: sara, email: "sara@example.org" };
  expect(data).toMatchObject({ contact, events: [{}, {}], consents: [{}] });
  await hand.press(button(page, "Erase"));
  const confirm = inDialog(page).getByRole("button", { name: "Erase" });
  await hand.type(inDialog(page).getByRole("textbox"), "omar@example.org");
  await expect(confirm).toBeDisabled();
  await hand.type(inDialog(page).getByRole("textbox"), "sara@example.org");
  await hand.press(confirm);
  await expect(page.getByText("2 contacts", { exact: true })).toBeVisible();
  expect((await admin.get(`/api/admin/contacts/${sara}`)).status).toBe(404);
  await hand.type(page.getByRole("searchbox"), "sara@example.org");
  await expect(page.getByText("No contact matches these filters.")).toBeVisible();
  await hand.press(link(page, "Downloads"));
  // Her downloads stay, without her.
  await expect(page.getByText("6 downloads", { exact: true })).toBeVisible();
  await isGone();
  await hand.type(page.getByRole("searchbox"), "sara@example.org");
  await expect(page.getByText("No download matches these filters.")).toBeVisible();
  expect(await count()).toBe(before);
  await page.goto(`${scene.base}contacts/${sara}`);
  await expect(page.getByRole("alert")).toBeVisible();
  await isGone();
});
