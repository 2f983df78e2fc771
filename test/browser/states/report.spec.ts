/** What the report asks for and shows with the fewest permissions, and while the service reads the downloads. */
import { unavailable } from "../../../src/errors.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { settled } from "../support/settled.ts";

const test = testOnStandIn();

test("the report has no contacts without the permission for them, and asks neither for them nor for settings", async ({
  api,
  open,
}) => {
  const session = api.example("get /api/auth/session");
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  api.on("get /api/auth/session", () => ({
    ...session,
    expiresAt,
    user: { ...session.user, role: "analyst", permissions: ["view_analytics"] },
  }));
  const page = await open("account");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: "Report" }).click();
  await expect(page.getByRole("region", { name: "What is counted" })).toBeVisible();
  await settled(page);
  await expect(page.getByRole("region", { name: "Totals" })).toBeVisible();
  await expect(page.getByRole("region", { name: "New contacts and consents" })).toHaveCount(0);
  expect(asked.filter((path) => /admin\/(contacts|library|languages)/.test(path))).toEqual([]);
});

test("the report says how far the reading of the downloads is, and follows by itself", async ({
  api,
  open,
}) => {
  let isReading = true;
  const progress = { done: 200, of: 1000 };
  api.on("get /api/admin/analytics/summary", () => {
    if (!isReading) return api.example("get /api/admin/analytics/summary");
    const headers = { "Retry-After": "1" };
    throw unavailable("reports_in_preparation", "They are being read.", { headers, progress });
  });
  const page = await open("report");
  await expect(page.getByText("200 of 1,000")).toBeVisible();
  isReading = false;
  await expect(page.getByRole("row", { name: "Downloads requested 120" })).toBeVisible();
});
