/** Forgotten passwords and invitations: what the pages say to each response. */
import type { Page } from "@playwright/test";
import { AppError, conflict, gone, notFound } from "../../../src/errors.ts";
import { choosing, findErrors, LOOKS, nameOf, seenIn } from "../../support/looks.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import { beginSession, endSession } from "../support/records.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

const PASSWORD = "a much longer pass phrase";
const ACCOUNT = {
  email: "anna@example.org",
  name: "Anna",
  isInvitation: false,
  expiresAt: "2030-03-02T12:00:00.000Z",
};

const newPassword = (page: Page) => page.getByLabel("New password", { exact: true });

test("the log-in sends a letter, or says that there are none and whom to ask", async ({ api, windows }) => {
  endSession(api);
  const page = await windows.open({ base: api.base, cookie: undefined }, "books");
  await page.getByText("Forgotten password, or no account yet?").click();
  await button(page, "Send me a letter").click();
  await expect(page.getByRole("heading", { level: 1, name: "Forgotten password" })).toBeVisible();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.type("anna@example.org");

  const sent: string[] = [];
  api.on("post /api/auth/password-reset", ({ body }) => {
    sent.push(body.email);
    throw notFound("no_letters", "This service sends no letters.");
  });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("This service sends no letters.");
  await expect(page.getByText("npx bookdist reset-password")).toBeVisible();
  api.on("post /api/auth/password-reset", () => {
    throw new AppError(429, "too_many_requests", "Wait.", { headers: { "Retry-After": "7" } });
  });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Try again in 7 seconds.");
  expect(await findErrors(page)).toEqual([]);

  api.on("post /api/auth/password-reset", ({ body }) => {
    sent.push(body.email);
    return { success: true as const };
  });
  await button(page, "Send the letter").click();
  await expect(page.getByRole("status")).toContainText("a letter is on its way");
  expect(sent).toEqual(["anna@example.org", "anna@example.org"]);
  await button(page, "Back to the log-in").click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});

test("a link sets a password, and its token leaves the address at once", async ({ api, windows }) => {
  endSession(api);
  const tokens: (string | undefined)[] = [];
  api.on("get /api/auth/password-reset/{token}", ({ params: [token] }) => {
    tokens.push(token);
    return ACCOUNT;
  });
  const set: string[] = [];
  api.on("post /api/auth/password-reset/{token}", ({ params: [token], body }) => {
    tokens.push(token);
    set.push(body.newPassword);
    return { success: true as const };
  });
  const page = await windows.open({ base: api.base, cookie: undefined }, "reset#one.two.three");
  await expect(page.getByRole("heading", { level: 1, name: "Set a password" })).toBeVisible();
  await expect(page).toHaveURL(`${api.base}reset`);
  await expect(page.getByLabel("E-mail")).toHaveValue("anna@example.org");
  await expect(newPassword(page)).toBeFocused();
  expect(await findErrors(page)).toEqual([]);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The password was set. Log in with it now.");
  expect(tokens).toEqual(["one.two.three", "one.two.three"]);
  expect(set).toEqual([PASSWORD]);
  await page.goBack();
  expect(page.url()).not.toContain("three");
  await page.goForward();
  await page.getByRole("link", { name: "To the log-in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});

test("a link that can't be used, and one that ends meanwhile, say what to do", async ({ api, windows }) => {
  endSession(api);
  const expired = () => {
    throw gone("reset_expired", "The link has expired or was used.");
  };
  api.on("get /api/auth/password-reset/{token}", ({ params: [token] }) => {
    if (token === "old") return expired();
    if (token === "cut") throw notFound("reset_unknown", "The link isn't valid.");
    return ACCOUNT;
  });
  const site = { base: api.base, cookie: undefined };
  const page = await windows.open(site, "reset#old");
  await expect(page.getByText("This link has expired, or was used already.")).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
  // The link of another letter, in the same window.
  await page.goto(`${api.base}reset#good`);
  await newPassword(page).fill(PASSWORD);
  api.on("post /api/auth/password-reset/{token}", expired);
  await button(page, "Set the password").click();
  await expect(page.getByText("This link has expired, or was used already.")).toBeVisible();
  for (const path of ["reset#cut", "reset"]) {
    const other = await windows.open(site, path);
    await expect(other.getByText("This link isn't complete, or isn't valid.")).toBeVisible();
  }
});

test("a password that the service rejects is named at its field", async ({ api, windows }) => {
  endSession(api);
  api.on("get /api/auth/password-reset/{token}", () => ({ ...ACCOUNT, isInvitation: true }));
  const page = await windows.open({ base: api.base, cookie: undefined }, "reset#x");
  await expect(page.getByRole("heading", { level: 1, name: "Welcome, Anna" })).toBeVisible();
  const error = {
    in: "body",
    path: "newPassword",
    message: "must not be a common password",
    code: "common_password",
  } as const;
  api.on("post /api/auth/password-reset/{token}", () => {
    throw new AppError(400, "invalid_input", "One value is not valid.", { errors: [error] });
  });
  await newPassword(page).fill("Password1234");
  await button(page, "Set the password").click();
  await expect(page.getByText("must not be a common password")).toBeVisible();
});

test("a user is invited by letter unless a password is wanted, and again", async ({ api, open }) => {
  beginSession(api, { hasMail: true });
  const invited = { ...api.example("get /api/admin/users/{userId}"), isInvited: true };
  api.on("get /api/admin/users", () => ({ users: [invited] }));
  const bodies: object[] = [];
  api.on("post /api/admin/users", ({ body }) => {
    bodies.push(body);
    return invited;
  });
  const page = await open("users");
  const dialog = page.getByRole("dialog");
  await button(page, "Add a user").click();
  await dialog.getByLabel("Name").fill("Anna");
  await dialog.getByLabel("E-mail").fill("anna@example.org");
  await expect(dialog.getByRole("checkbox", { name: "Invite by letter" })).toBeChecked();
  await expect(dialog.getByLabel("Password", { exact: true })).toHaveCount(0);
  expect(await findErrors(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog).toHaveCount(0);
  await button(page, "Add a user").click();
  await dialog.getByLabel("Name").fill("Anna");
  await dialog.getByLabel("E-mail").fill("anna@example.org");
  await dialog.getByRole("checkbox", { name: "Invite by letter" }).uncheck();
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog).toHaveCount(0);
  const account = { name: "Anna", email: "anna@example.org", role: "viewer" };
  expect(bodies).toEqual([
    { ...account, invite: true },
    { ...account, isActive: true, password: PASSWORD },
  ]);

  await expect(page.getByText("Invited", { exact: true }).first()).toBeVisible();
  const changes: object[] = [];
  api.on("patch /api/admin/users/{userId}", ({ body }) => {
    changes.push(body);
    return { success: true as const, user: invited, revokedApiKeys: 0 };
  });
  await button(page, "Invite again: Ben").click();
  await expect(page.getByText("Another letter is on its way.")).toBeVisible();
  expect(changes).toEqual([{ invite: true }]);
  api.on("patch /api/admin/users/{userId}", () => {
    throw conflict("too_many_letters", "The user has got three letters within a day.");
  });
  await button(page, "Invite again: Ben").click();
  await expect(page.getByText("The user has got three letters within a day.")).toBeVisible();
});

type OpenIn = (path: string) => Promise<Page>;

/** Each opens one of the pages. */
const PAGES: readonly ((api: StandIn, open: OpenIn) => Promise<Page>)[] = [
  async (api, open) => {
    beginSession(api, { hasMail: true });
    const invited = { ...api.example("get /api/admin/users/{userId}"), isInvited: true };
    api.on("get /api/admin/users", () => ({ users: [invited] }));
    const page = await open("users");
    await expect(page.locator("#content tbody button").nth(1)).toBeVisible();
    return page;
  },
  async (api, open) => {
    api.on("get /api/auth/password-reset/{token}", () => ({ ...ACCOUNT, isInvitation: true }));
    const page = await open("reset#x");
    await expect(page.locator("input[type=password]")).toBeVisible();
    return page;
  },
  async (_, open) => {
    const page = await open("books");
    await page.locator("summary").click();
    return page;
  },
  async (_, open) => {
    const page = await open("books");
    await page.locator("summary").click();
    await page.locator("details button").click();
    await expect(page.locator("input[type=email]")).toBeFocused();
    return page;
  },
];

for (const look of LOOKS.filter((each) => seenIn(each, PAGES).length > 0))
  test(`the pages are readable in ${nameOf(look)}`, async ({ api, windows }) => {
    const site = { base: api.base, cookie: undefined };
    for (const openPage of seenIn(look, PAGES)) {
      endSession(api);
      const page = await openPage(api, (path) => windows.open(site, path, choosing(look)));
      expect(await findErrors(page)).toEqual([]);
    }
  });
