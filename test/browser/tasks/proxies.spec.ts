/** What must not happen to the console's pages, behind the proxies of examples/ as their programs run them. */
import { once } from "node:events";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import {
  ADMIN,
  cachingNginx,
  caddy,
  has,
  nginx,
  openCatalogue,
  publish,
  type Scene,
  startBehind,
} from "../../support/proxies.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { ANY_TITLE } from "../support/scenes.ts";

/** The services are processes of their own. */
const test = testOnStandIn();

const PROXIES = [
  ["nginx/bookdist.conf", "nginx", nginx],
  ["nginx/cache.conf", "nginx", cachingNginx],
  ["caddy/Caddyfile", "caddy", caddy],
] as const;

const PAGES = [
  ["/console/", 200],
  ["/console/books", 200],
  ["/console/books", 200],
  ["/console/books/%3Cscript%3E", 200],
  ["/console/publications", 200],
  ["/console/import", 200],
  ["/console/nothing", 404],
] as const;

const SHELL = '<div id="root">';

/** @param host of the request */
async function read({ port, ca }: Scene, path: string, host = "localhost") {
  const headers = { host };
  const at = { host: "localhost", servername: "localhost", port, ca, path };
  const sent = request({ ...at, headers, agent: false }).end();
  const [response] = await once(sent, "response");
  const { statusCode, headers: received } = response;
  return { status: statusCode, headers: received, body: await text(response) };
}

const nonceOf = (policy: unknown): string => /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? "";

async function expectNonces(at: Scene): Promise<void> {
  const nonces = new Set<string>();
  for (const [path, expected] of PAGES) {
    const { status, headers, body } = await read(at, path);
    expect([path, status, headers["cache-control"]]).toEqual([path, expected, "no-store"]);
    const policy = headers["content-security-policy"];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self';");
    const nonce = nonceOf(policy);
    expect(body).toContain(`content="${nonce}"`);
    expect(body).toContain(SHELL);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(PAGES.length);
}

async function expectOneHost(at: Scene): Promise<void> {
  expect((await read(at, "/console/", "es.example.org")).body).not.toContain(SHELL);
  const { status, headers } = await read(at, "/console?next=https://example.org");
  expect([status, headers.location]).toEqual([308, "/console/"]);
  const other = await read(at, "/console//example.org/");
  expect([other.status, other.headers.location]).toEqual([404, undefined]);
}

for (const [example, program, start] of PROXIES)
  test(`the console behind ${example} is never kept, on no other host, and shows markup as text in no frame`, async ({
    windows,
    browser,
  }) => {
    test.skip(!has(program) || !has("openssl"), `They need openssl and ${program}.`);
    await using stack = new AsyncDisposableStack();
    const at = await startBehind((work) => stack.defer(work), start);
    await test.step("has a nonce of its own in each response, none of which is kept", () => expectNonces(at));
    await test.step("is on no other host, and leads to none", () => expectOneHost(at));
    await test.step("shows markup as text at the address that was asked for", async () => {
      const { id } = await publish(at, await openCatalogue(at), ANY_TITLE, "A text.\n");
      const site = { base: `${at.base}/console/`, cookie: undefined };
      const path = `books/${id}?next=https://example.org`;
      const page = await windows.open(site, path, { ignoreHTTPSErrors: true });
      await page.getByRole("textbox", { name: "E-mail" }).fill(ADMIN.ADMIN_EMAIL);
      await page.getByLabel("Password", { exact: true }).fill(ADMIN.ADMIN_PASSWORD);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { level: 1, name: ANY_TITLE })).toBeVisible();
      await expect(page).toHaveURL(site.base + path);
    });
    await test.step("is in no frame", async () => {
      await using context = await browser.newContext({ ignoreHTTPSErrors: true });
      const other = await context.newPage();
      await other.setContent(`<iframe src="${at.base}/console/"></iframe>`);
      await expect.poll(() => other.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
    });
  });
