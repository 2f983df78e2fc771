/** What each role is offered in the console: what the API permits it, and nothing else. */
import type { Page } from "@playwright/test";
import { z } from "zod";
import { type Permission, ROLE_PERMISSIONS, ROLES } from "../../../src/schemas/permissions.ts";
import { expect, testOn } from "../fixtures.ts";
import { go } from "../support/go.ts";
import { ADMINISTRATION } from "../support/scenes.ts";
import { settled } from "../support/settled.ts";

const test = testOn(ADMINISTRATION);

interface OfferedAction {
  /** The name of a link or button. */
  name: RegExp;
  needs: Permission;
}

interface OfferedPage {
  link: string;
  path: string;
  needs: Permission;
  /** What changes something, or gives a file of it. */
  actions: OfferedAction[];
}

const action = (needs: Permission, ...names: RegExp[]): OfferedAction[] =>
  names.map((name) => ({ name, needs }));

interface Ids {
  book: string;
  contact: string;
}

const listPages = (ids: Ids): OfferedPage[] => [
  {
    link: "Books",
    path: "books",
    needs: "view_books",
    actions: action("edit_books", /^Add a book$/),
  },
  {
    link: "Books",
    path: `books/${ids.book}`,
    needs: "view_books",
    actions: [
      ...action("edit_books", /^Save$/, /^Archive$/, /^Edit Spanish$/, /^Choose files$/),
      ...action("edit_channels", /ublish in Spanish on /),
      ...action("manage_users", /history/i),
    ],
  },
  { link: "Import", path: "import", needs: "edit_books", actions: action("edit_books", /^Choose/) },
  {
    link: "Languages",
    path: "languages",
    needs: "view_languages",
    actions: action("edit_languages", /^Add a language$/, /^Edit /),
  },
  {
    link: "Channels",
    path: "channels",
    needs: "view_channels",
    actions: action("edit_channels", /^Add a channel$/, /^Edit /),
  },
  {
    link: "Library",
    path: "library",
    needs: "manage_settings",
    actions: action("manage_settings", /^Save the settings$/, /^Choose a logo$/),
  },
  { link: "Publications", path: "publications", needs: "view_channels", actions: [] },
  {
    link: "Contacts",
    path: "contacts",
    needs: "view_contacts",
    actions: action("view_contacts", /^Export$/),
  },
  {
    link: "Contacts",
    path: `contacts/${ids.contact}`,
    needs: "view_contacts",
    actions: [
      ...action("edit_contacts", /^Save$/, /^Record a decision$/, /^Erase$/),
      ...action("view_contacts", /^Export personal data$/),
      ...action("view_analytics", /^Filter and export them$/),
    ],
  },
  {
    link: "Downloads",
    path: "downloads",
    needs: "view_analytics",
    actions: [...action("view_analytics", /^Export as CSV$/), ...action("view_contacts", /^Sara Núñez$/)],
  },
  {
    link: "Report",
    path: "report",
    needs: "view_analytics",
    actions: action("view_analytics", /^Print or save as PDF$/),
  },
  {
    link: "API keys",
    path: "api-keys",
    needs: "manage_api_keys",
    actions: action("manage_api_keys", /^Make a key$/, /^Revoke /),
  },
  {
    link: "Users",
    path: "users",
    needs: "manage_users",
    actions: action("manage_users", /^Add a user$/, /^Edit /, /^New password of /, /^Delete /),
  },
  {
    link: "Audit log",
    path: "audit",
    needs: "manage_users",
    actions: action("manage_users", /^Save as CSV$/, /^History of /),
  },
  { link: "Settings", path: "settings", needs: "manage_settings", actions: [] },
  { link: "Webhooks", path: "webhooks", needs: "manage_settings", actions: [] },
  {
    link: "Doctor",
    path: "doctor",
    needs: "manage_settings",
    actions: action("manage_settings", /^Run$/, /^Deep run$/),
  },
];

/** The names of what can be pressed in the page. */
async function listNames(page: Page): Promise<string[]> {
  const offered = page.locator("#content").locator("a[href], button").filter({ visible: true });
  const names = await offered.evaluateAll((all) =>
    all.map((each) => ("ariaLabel" in each && each.ariaLabel) || ("textContent" in each && each.textContent)),
  );
  return z
    .array(z.string())
    .parse(names)
    .map((name) => name.trim());
}

/** Opens what more there is of a page: filters, a history and menus read more from the service. */
async function openMore(page: Page): Promise<void> {
  for (const name of [/^More filters$/, /^Show the history$/, /^Export$/]) {
    const button = page.locator("#content").getByRole("button", { name });
    if ((await button.count()) > 0) await button.first().click();
  }
  await settled(page);
}

const SENTENCE = "Your account doesn't have the permission for this page.";

/** @returns the names of what the page offers; undefined if the user may not see it */
async function visit(page: Page, address: string): Promise<string[] | undefined> {
  await go(page, address);
  const isForbidden = (await page.getByText(SENTENCE).count()) > 0;
  const names = await listNames(page);
  if (isForbidden) {
    expect([address, names]).toEqual([address, []]);
    return undefined;
  }
  await openMore(page);
  return [...names, ...(await listNames(page))];
}

/** What is offered without the permission for it, or isn't with it. */
const findDifferences = (
  { path, needs, actions }: OfferedPage,
  names: readonly string[] | undefined,
  permissions: readonly Permission[],
): string[] => [
  ...((names !== undefined) === permissions.includes(needs) ? [] : [path]),
  ...actions
    .filter(({ name, needs: permission }) => {
      const isOffered = names?.some((each) => name.test(each)) ?? false;
      return isOffered !== [needs, permission].every((each) => permissions.includes(each));
    })
    .map(({ name }) => `${path}: ${name} of ${names?.join(" | ")}`),
];

/** Those who may see reports begin with them, others with the books. */
async function expectStart(page: Page, permissions: readonly Permission[]): Promise<void> {
  const start = permissions.includes("view_analytics") ? "Overview" : "Books";
  await expect(page.getByRole("heading", { level: 1, name: start, exact: true })).toBeVisible();
  const link = page.getByRole("navigation").getByRole("link", { name: start, exact: true });
  await expect(link).toHaveAttribute("aria-current", "page");
}

/** Opens a page on which a role can change nothing: it has text in place of fields. */
async function expectText(page: Page, address: string): Promise<void> {
  await go(page, address);
  await expect(page.getByRole("definition").first()).toBeVisible();
  await expect(page.locator("#content").locator("form, input, textarea")).toHaveCount(0);
}

/** Those who change no books have text in place of fields. */
async function expectTexts(page: Page, base: string, ids: Ids, permissions: readonly Permission[]) {
  if (permissions.includes("edit_books")) return;
  await expectText(page, `${base}books/${ids.book}`);
  if (!permissions.includes("view_contacts")) return;
  await expectText(page, `${base}contacts/${ids.contact}`);
  await expect(page.getByText("This consent needs a decision")).toBeVisible();
  await expect(page.locator("#content button")).toHaveCount(0);
}

for (const role of ROLES)
  test(`the role ${role} is offered what it may do, and asks nothing that it may not`, async ({
    scene,
    open,
  }) => {
    // Another user, whom those who manage users can change.
    await scene.make.user("viewer");
    const permissions = ROLE_PERMISSIONS[role];
    const page = await open("", { as: role });
    await expectStart(page, permissions);
    const forbidden: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) forbidden.push(response.url());
    });
    await visit(page, scene.base);
    const ids = { book: scene.well.id, contact: scene.readers.omar };
    const pages = listPages(ids);
    const differences: string[] = [];
    for (const each of pages)
      differences.push(...findDifferences(each, await visit(page, scene.base + each.path), permissions));
    expect(differences).toEqual([]);
    const permitted = pages.filter(({ needs }) => permissions.includes(needs)).map(({ link }) => link);
    const start = permissions.includes("view_analytics") ? ["Overview"] : [];
    await expect(page.getByRole("navigation").getByRole("link")).toHaveText([
      ...start,
      ...new Set(permitted),
    ]);
    await expectTexts(page, scene.base, ids, permissions);
    expect(forbidden).toEqual([]);
  });
