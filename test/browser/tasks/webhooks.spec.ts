/** A webhook from the console to a system that receives its events, and back. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { listen } from "../../../tools/lib/listening.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOn } from "../fixtures.ts";
import { createKeyboardHand } from "../support/hands.ts";
import { button, inDialog, link } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";

interface Received {
  id: string;
  raw: string;
  headers: Record<string, string>;
}

interface Receiver {
  hostAndPort: string;
  received: Received[];
  /** The status of its responses. */
  status: number;
}

const signed = z.object({
  "webhook-id": z.string(),
  "webhook-timestamp": z.string(),
  "webhook-signature": z.string(),
});

const test = testOn(WELL).extend<{ receiver: Receiver }>({
  receiver: async ({ needsChromium: _ }, use) => {
    const receiver: Receiver = { hostAndPort: "", received: [], status: 204 };
    const server = createServer(async (request, response) => {
      const headers = signed.parse(request.headers);
      receiver.received.push({ id: headers["webhook-id"], raw: await text(request), headers });
      response.writeHead(receiver.status).end();
    });
    receiver.hostAndPort = `127.0.0.1:${await listen(server)}`;
    await use(receiver);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
  settings: async ({ receiver }, use) => {
    await use({ PUBLIC_BASE_URL: "http://127.0.0.1", WEBHOOK_ALLOW_HOSTS: receiver.hostAndPort });
  },
});

const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });
const deliveries = (page: Page) => page.getByRole("region", { name: "Deliveries to" });

/** @returns the type of the event, which the secret has signed */
function verify({ raw, headers }: Received, secret: string): unknown {
  return z.object({ type: z.string() }).parse(new Webhook(secret).verify(raw, headers)).type;
}

test("a webhook is added by keyboard, its secret is shown once and signs what it receives", async ({
  open,
  receiver,
}) => {
  const page = await open("account", { permissions: ["clipboard-read", "clipboard-write"] });
  const hand = createKeyboardHand(page);
  await hand.press(link(page, "Webhooks"));
  await hand.press(button(page, "Add a webhook"));
  const address = inDialog(page).getByRole("textbox", { name: "Address" });
  await test.step("an address that isn't public is rejected at its field, and a webhook has an event", async () => {
    await hand.type(address, "http://crm.example.org/hook");
    await page.keyboard.press("Enter");
    await expect(inDialog(page).getByText("Choose at least one.")).toBeVisible();
    await hand.press(inDialog(page).getByRole("checkbox", { name: "A contact is erased" }));
    await hand.press(inDialog(page).getByRole("button", { name: "Add", exact: true }));
    await expect(address).toHaveAccessibleDescription(/https/);
    await expect(address).toHaveAttribute("aria-invalid", "true");
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
  await hand.type(address, `http://${receiver.hostAndPort}/hook`);
  await hand.type(inDialog(page).getByRole("textbox", { name: "Name" }), "CRM");
  await page.keyboard.press("Enter");
  const shown = inDialog(page).getByRole("textbox", { name: "Secret" });
  await expect(shown).toHaveValue(/^whsec_/);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  const secret = await shown.inputValue();
  await hand.press(inDialog(page).getByRole("button", { name: "Copy" }));
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(secret);
  await hand.press(button(page, "I have stored the secret"));
  await expect(inDialog(page)).toHaveCount(0);
  await expect.poll(() => page.content()).not.toContain(secret);

  await hand.press(button(page, "More for CRM"));
  await hand.press(item(page, "Send a test"));
  await expect.poll(() => receiver.received.map((each) => verify(each, secret))).toEqual(["webhook.test"]);
  await expect(deliveries(page).getByRole("row", { name: /Test webhook\.test.*Delivered/ })).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await hand.press(button(page, "Send again: webhook.test"));
  const first = receiver.received[0]?.id;
  await expect.poll(() => receiver.received.map(({ id }) => id)).toEqual([first, first]);
});

test("a webhook that is gone says so, is switched on again, gets another secret and is removed", async ({
  scene,
  open,
  receiver,
}) => {
  const client = await scene.admin();
  const url = `http://${receiver.hostAndPort}/hook`;
  await client.post("/api/admin/webhooks", { url, name: "CRM", events: ["contact.erased"] });
  const list = async () => (await client.get("/api/admin/webhooks")).body.webhooks;
  const page = await open("webhooks");
  await test.step("gone", async () => {
    receiver.status = 410;
    await button(page, "More for CRM").click();
    await item(page, "Send a test").click();
    await expect(page.getByText("Switched off: its address has responded").last()).toBeVisible();
    await expect(deliveries(page).getByText("HTTP 410").last()).toBeVisible();
  });
  await test.step("switched on", async () => {
    receiver.status = 204;
    await button(page, "Edit CRM").click();
    await inDialog(page).getByRole("checkbox", { name: "Active" }).check();
    await inDialog(page).getByRole("checkbox", { name: "A book has changed" }).check();
    await button(page, "Save").click();
    await expect(inDialog(page)).toHaveCount(0);
    await expect(page.getByText("Switched off")).toHaveCount(0);
    await expect
      .poll(async () => (await list())[0])
      .toMatchObject({ isActive: 1, events: ["contact.erased", "book.changed"], includeContact: false });
  });
  await test.step("another secret", async () => {
    await button(page, "More for CRM").click();
    await item(page, "Make a new secret").click();
    await inDialog(page).getByRole("button", { name: "Make a new secret" }).click();
    await expect(inDialog(page).getByText("The former secret also signs until")).toBeVisible();
    const secret = await inDialog(page).getByRole("textbox", { name: "Secret" }).inputValue();
    await button(page, "I have stored the secret").click();
    await button(page, "More for CRM").click();
    await item(page, "Send a test").click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
    const last = receiver.received.at(-1);
    expect(last && verify(last, secret)).toBe("webhook.test");
  });
  await button(page, "More for CRM").click();
  await item(page, "Remove").click();
  await button(page, "Remove").click();
  await expect(page.getByText("There are no webhooks yet.")).toBeVisible();
  await expect.poll(list).toEqual([]);
});
