/** What the page of webhooks says when there can be none, and when a delivery can't be repeated. */
import { conflict } from "../../../src/errors.ts";
import { findErrors } from "../../support/looks.ts";
import { expect, testOnStandIn } from "../fixtures.ts";

const test = testOnStandIn();

test("deliveries are filtered by their state, and one about an erased contact isn't sent again", async ({
  api,
  open,
}) => {
  const states: string[] = [];
  api.on("get /api/admin/webhooks/{webhookId}/deliveries", ({ query }) => {
    states.push(query.get("state") ?? "");
    return api.example("get /api/admin/webhooks/{webhookId}/deliveries");
  });
  api.on("post /api/admin/webhooks/{webhookId}/deliveries/{deliveryId}/resend", () => {
    throw conflict("contact_erased", "The contact was erased.");
  });
  const page = await open("webhooks", { locale: "fr", viewport: { width: 360, height: 740 } });
  await page.getByRole("button", { name: "Plus pour CRM" }).click();
  await page.getByRole("menuitem", { name: "Envois" }).click();
  const deliveries = page.getByRole("region", { name: /^Envois à/ });
  await deliveries.getByRole("combobox", { name: "État" }).selectOption("failed");
  await expect(page).toHaveURL(/state=failed/);
  await expect.poll(() => states.at(-1)).toBe("failed");
  await deliveries
    .getByRole("button", { name: /^Renvoyer/ })
    .first()
    .click();
  await expect(page.getByText("Le contact a été effacé")).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
});

test("without the address of the service, no webhook is offered", async ({ api, open }) => {
  const session = api.example("get /api/auth/session");
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const features = { ...session.features, webhooks: false };
  const user = { ...session.user, permissions: ["manage_settings" as const] };
  api.on("get /api/auth/session", () => ({ ...session, user, expiresAt, features }));
  api.on("get /api/admin/webhooks", () => ({ webhooks: [] }));
  const page = await open("webhooks");
  await expect(page.getByText("Set PUBLIC_BASE_URL and restart the server.")).toBeVisible();
  await expect(page.getByText("There are no webhooks yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a webhook" })).toHaveCount(0);
});
