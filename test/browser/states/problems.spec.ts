/** Errors of the service in the console: each has a sentence in its language, or that of the service. */
import { AppError } from "../../../src/errors.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button, field } from "../support/locators.ts";
import { BOOK } from "../support/records.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

/** Lets the changes of a book fail. */
const failWith = (api: StandIn, error: AppError) =>
  api.on("patch /api/admin/books/{bookId}", () => {
    throw error;
  });

/** An error, and what the console says in Arabic. */
const IN_ARABIC: readonly [AppError, string][] = [
  [new AppError(403, "permission_missing", "No permission."), "لا يملك حسابك صلاحية لهذا."],
  [new AppError(404, "book_not_found", "No book."), "لم يعد هذا الكتاب موجودًا."],
  [new AppError(413, "body_too_large", "Too large."), "ما أُرسل أكبر مما يقبله الخادم."],
  [
    new AppError(429, "too_many_requests", "Wait.", { headers: { "Retry-After": "7" } }),
    "طلبات كثيرة جدًا. أعد المحاولة بعد",
  ],
  [new AppError(503, "starting", "Starting."), "الخادم مشغول أو يُعاد تشغيله."],
  [new AppError(507, "disk_full", "The disk is full."), "امتلأ قرص الخادم."],
  // No part of the console has a sentence for this code.
  [new AppError(410, "download_token_expired", "A sentence of the service."), "A sentence of the service."],
];

test("have a sentence in Arabic, or that of the service, and what was typed stays", async ({ api, open }) => {
  const page = await open(BOOK, { locale: "ar" });
  const title = field(page, "العنوان");
  await title.fill("بئر");
  for (const [error, sentence] of IN_ARABIC) {
    failWith(api, error);
    await button(page, "حفظ").click();
    const notice = page.getByRole("alert").filter({ has: page.getByRole("button") });
    await expect(notice.getByText(sentence)).toBeVisible();
    // It is over the button.
    await notice.getByRole("button").click();
    await expect(notice).toHaveCount(0);
    await expect(title).toHaveValue("بئر");
  }
});

test("name the values that no field of the page shows", async ({ api, open }) => {
  const page = await open(BOOK);
  const value = {
    in: "body",
    path: "sortOrder",
    message: "must be a whole number",
    code: "invalid_type",
  } as const;
  failWith(api, new AppError(400, "invalid_input", "One value is not valid.", { errors: [value] }));
  await field(page, "Title").fill("A well");
  await button(page, "Save").click();
  await expect(page.getByText("sortOrder: must be a whole number")).toBeVisible();
});
