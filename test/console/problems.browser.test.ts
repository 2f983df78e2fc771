/** Errors of the service in the console, in the language of the console. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** Lets the next change of a book be answered by an error. */
const failWith = (page: Page, status: number, problem: object, headers: Record<string, string> = {}) =>
  page.route("**/api/admin/books/*", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({
          status,
          headers,
          contentType: "application/problem+json",
          body: JSON.stringify(problem),
        })
      : route.fallback(),
  );

describe.skipIf(CHROMIUM === undefined)("errors of the service (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook(locale: string) {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`, { locale });
    return { ...scene, page };
  }

  it("stand at their fields in Arabic, with the numbers of the sentence", async () => {
    const { page, admin, well } = await openBook("ar");
    await field(page, "الاسم في الرابط").fill("Not A Slug");
    await button(page, "إضافة مؤلف").click();
    await page.keyboard.insertText("أ");
    await page.evaluate("document.activeElement.removeAttribute('maxlength')");
    await page.keyboard.insertText("ب".repeat(250));
    await button(page, "حفظ").click();
    await page.getByText("ليس هذا بالشكل المطلوب").waitFor();
    await page.getByText(/الحد الأقصى: (200|٢٠٠) حرف/).waitFor();
    expect((await (await admin()).get(`/api/admin/books/${well.id}`)).body.book.slug).toBe(well.slug);
    await expect.poll(() => field(page, "الاسم في الرابط").inputValue()).toBe("Not A Slug");
  });

  it("say in Arabic what is in the way", async () => {
    const { page, any } = await openBook("ar");
    await field(page, "الاسم في الرابط").fill(any.slug);
    await button(page, "حفظ").click();
    await page.getByText("هذا الاسم في الرابط مستعمل لكتاب آخر.").waitFor();
  });

  it.each([
    [403, { code: "permission_missing" }, "لا يملك حسابك صلاحية لهذا."],
    [404, { code: "book_not_found" }, "لم يعد هذا الكتاب موجودًا."],
    [413, { code: "body_too_large" }, "ما أُرسل أكبر مما يقبله الخادم."],
    [429, { code: "too_many_requests" }, "طلبات كثيرة جدًا. أعد المحاولة بعد"],
    [503, { code: "starting" }, "الخادم مشغول أو يُعاد تشغيله."],
    [507, { code: "disk_full", error: "The disk is full." }, "امتلأ قرص الخادم."],
    [409, { code: "of_a_later_version", error: "A later sentence." }, "A later sentence."],
  ])("with %i and %o have a sentence, or that of the service", async (status, problem, sentence) => {
    const { page } = await openBook("ar");
    await failWith(page, status, problem, { "retry-after": "7" });
    await field(page, "العنوان").fill("بئر");
    await button(page, "حفظ").click();
    await page.getByText(sentence).waitFor();
    await expect.poll(() => field(page, "العنوان").inputValue()).toBe("بئر");
  });

  it("say in Arabic why one of many books can't be changed", async () => {
    const scene = await startConsole();
    await (await scene.admin()).delete(`/api/admin/books/${scene.well.id}`);
    const page = await openConsole(browser, scene, "books?status=archived", { locale: "ar" });
    await page.locator("#content tbody input[type=checkbox]").click();
    await page.locator("section[aria-label]:has([role=status]) button").nth(2).click();
    await page.locator("[role=dialog] button[type=submit]").click();
    await page.getByText("الكتاب مؤرشف. استعده أولًا.").waitFor();
  });

  it("say in Arabic why a file is left out, with the name of the other one", async () => {
    const page = await openConsole(browser, await startConsole(), "import", { locale: "ar" });
    const folder = createTempFolder();
    await mkdir(join(folder, "en"));
    for (const name of ["tree.en.txt", "tree.txt"]) await writeFile(join(folder, "en", name), `The ${name}`);
    await page.locator("input[webkitdirectory]").setInputFiles(folder);
    const other = `\u2068${basename(folder)}/en/tree.en.txt\u2069`;
    await page.getByText(`للكتاب ملف آخر بهذه اللغة والصيغة: ${other}`).first().waitFor();
  });

  it("name the values that no field of the page shows", async () => {
    const { page } = await openBook("en-US");
    const errors = [
      { in: "body", path: "sortOrder", message: "must be a whole number", code: "invalid_type" },
    ];
    await failWith(page, 400, { code: "invalid_input", detail: "One value is not valid.", errors });
    await field(page, "Title").fill("A well");
    await button(page, "Save").click();
    await page.getByText("sortOrder: must be a whole number").waitFor();
  });
});
