/**
 * The console in a browser. How its tests are written:
 *
 * - **Where**: `tasks/` has what people do, against a real service; `states/` has what forms do when something is typed,
 *   saved slowly, lost or changed by others, against a stand-in of the API; `pages.spec.ts` looks at each page.
 * - **Against a service**: `const test = testOn(WELL)` at the top of the file. Each test has a service of its own, on a copy
 *   of the data that the template has added (support/scenes.ts): `scene` has its clients, its factory `make`, its clock and
 *   what the template returns. `test.use({ settings: { … } })` sets variables of the service for a file or a block.
 * - **Against the stand-in**: `const test = testOnStandIn()`. `api.on("patch /api/admin/books/{bookId}", ({ body }) => …)`
 *   gives the response; an AppError that is thrown becomes the problem that the service sends, `LOST` breaks the connection,
 *   and a promise makes it late. Without it, each operation responds with its example in openapi.json: `api.example(…)`.
 *   `api.hold(…)` lets requests wait, `api.loseChange()` makes a change and loses its response, and support/kept.ts keeps records
 *   in versions, for what two editors do.
 * - **Pages**: `await open("books")` opens one, logged in, in a window of its own. `{ as: "viewer" }` is a new user in that
 *   role, `{ as: { email } }` a known one, `{ as: "stranger" }` gets the log-in; other options are those of a browser context.
 * - **Waiting**: `await expect(locator).toHaveText(…)` waits, `expect(await locator.textContent())` doesn't and is rejected by
 *   the linter. What the service has is polled: `await expect.poll(() => readTitle()).toBe(…)`, unless a text of the page says
 *   that it is done. There is no sleep, no limit of time of a test's own, and no second try.
 * - **test/support**: what imports vitest can't be used here. Functions for both runners take what they need (a folder: the
 *   fixture `folder`), and assert by node:assert.
 * - **Cases**: `for (const status of [429, 503]) test(`… ${status}`, …)`.
 * - An error that a page reports on its console fails the test. The trace of a failed test is in test-results/:
 *   `npx playwright show-trace test-results/…/trace.zip`.
 */
import { join } from "node:path";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import type { Role } from "../../src/schemas/permissions.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";
import { CHROMIUM, NEEDS_CHROMIUM } from "../support/chromium.ts";
import { addLanguages, beginSession } from "./support/records.ts";
import { StandIn } from "./support/stand-in.ts";
import { logInto, type Served, type Template } from "./support/template.ts";
import { type Site, Windows } from "./support/window.ts";

export { expect } from "@playwright/test";

/** Who is logged in: the administrator of the scene unless given; `stranger` gets the log-in. */
type Visitor = "stranger" | Role | { email: string; password?: string };

export type Open = (path: string, options?: BrowserContextOptions & { as?: Visitor }) => Promise<Page>;

interface WorkerFixtures {
  templateFolder: string;
}

interface CommonFixtures {
  needsChromium: undefined;
  /** An empty folder. */
  folder: string;
  windows: Windows;
}

const common = base.extend<CommonFixtures, WorkerFixtures>({
  needsChromium: [
    async ({}, use, info) => {
      info.skip(CHROMIUM === undefined, NEEDS_CHROMIUM);
      await use(undefined);
    },
    { auto: true },
  ],
  templateFolder: [
    async ({}, use) => {
      using folder = temporaryFolder("bds-templates");
      await use(folder.path);
    },
    { scope: "worker" },
  ],
  folder: async ({}, use) => {
    using folder = temporaryFolder("bds-test");
    await use(folder.path);
  },
  windows: async ({ browser }, use) => {
    const windows = new Windows(browser);
    await use(windows);
    await windows.close();
    expect(windows.errors, "errors that pages reported").toEqual([]);
  },
});

interface ServiceFixtures<Scene> {
  /** Variables with which the service starts. */
  settings: Readonly<Record<string, string>>;
  /** The service. */
  scene: Scene;
  open: Open;
}

/** Tests against a service that begins with the data of a template. */
export const testOn = <Data extends object>(template: Template<Data>) =>
  common.extend<ServiceFixtures<Served & Data>>({
    settings: [{}, { option: true }],
    scene: async ({ templateFolder, folder, settings }, use) => {
      const dataDir = join(folder, "data");
      const { scene, end } = await template.serve(templateFolder, { dataDir, variables: settings });
      await use(scene);
      await end();
    },
    open: async ({ windows, scene }, use) => {
      await use(async (path, { as, ...options } = {}) => {
        const cookie = as === undefined ? scene.cookie : await createCookie(scene, as);
        const page = await windows.open({ base: scene.base, cookie }, path, options);
        await page.locator(cookie === undefined ? "h1" : "#content h1").waitFor();
        return page;
      });
    },
  });

async function createCookie(scene: Served, visitor: Visitor): Promise<Site["cookie"]> {
  if (visitor === "stranger") return undefined;
  if (typeof visitor === "object") return logInto(scene, visitor.email, visitor.password);
  const { email } = await scene.make.user(visitor);
  return logInto(scene, email);
}

interface StandInFixtures {
  /** The stand-in of the API. */
  api: StandIn;
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Tests against responses that they give themselves. */
export const testOnStandIn = () =>
  common.extend<StandInFixtures>({
    api: async ({}, use) => {
      const api = new StandIn();
      await api.start();
      beginSession(api);
      addLanguages(api);
      await use(api);
      await api.end();
      expect(api.errors, "requests and responses without the documented shape").toEqual([]);
    },
    open: async ({ windows, api }, use) => {
      await use(async (path, options) => {
        const page = await windows.open({ base: api.base, cookie: undefined }, path, options);
        await page.locator("#content h1").waitFor();
        return page;
      });
    },
  });
