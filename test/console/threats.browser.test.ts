/** What must not happen to the console's pages, behind the proxies of examples/ as their programs run them. */
import { once } from "node:events";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { ANY_TITLE, useBrowser } from "../support/console-scene.ts";
import { openPage } from "../support/open-page.ts";
import {
  ADMIN,
  caddy,
  has,
  nginx,
  openCatalogue,
  publish,
  type Scene,
  startBehind,
  startNginx,
} from "../support/proxies.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const TIMEOUT = 120_000;

const PROXIES = [
  ["nginx/bookdist.conf", "nginx", nginx],
  [
    "nginx/cache.conf",
    "nginx",
    (service: string, port: number) => startNginx("nginx/cache.conf", createTempFolder(), service, port),
  ],
  ["caddy/Caddyfile", "caddy", caddy],
] as const;

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

const SHELL = '<div id="root">';

describe.skipIf(CHROMIUM === undefined || !has("openssl")).each(PROXIES)(
  "the console behind %s (needs /usr/bin/chromium, openssl and the proxy)",
  (_example, program, start) => {
    const browser = useBrowser();

    it.runIf(has(program))(
      "is never kept, and has a nonce of its own in each response",
      { timeout: TIMEOUT },
      async () => {
        const at = await startBehind(start);
        const nonces = new Set<string>();
        for (const [path, expected] of [
          ["/console/", 200],
          ["/console/books", 200],
          ["/console/books", 200],
          ["/console/books/%3Cscript%3E", 200],
          ["/console/publications", 200],
          ["/console/import", 200],
          ["/console/nothing", 404],
        ] as const) {
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
        expect(nonces.size).toBe(7);
      },
    );

    it.runIf(has(program))("is on no other host, and leads to none", { timeout: TIMEOUT }, async () => {
      const at = await startBehind(start);
      expect((await read(at, "/console/", "es.example.org")).body).not.toContain(SHELL);
      const { status, headers } = await read(at, "/console?next=https://example.org");
      expect([status, headers.location]).toEqual([308, "/console/"]);
      const other = await read(at, "/console//example.org/");
      expect([other.status, other.headers.location]).toEqual([404, undefined]);
    });

    it.runIf(has(program))(
      "shows markup as text, in no frame, at the address that was asked for",
      { timeout: TIMEOUT },
      async () => {
        const at = await startBehind(start);
        const book = await publish(at, await openCatalogue(at), ANY_TITLE, "A text.\n");
        const address = `${at.base}/console/books/${book.id}?next=https://example.org`;
        const page = await openPage(browser, address, { ignoreHTTPSErrors: true });
        await page.getByRole("textbox", { name: "E-mail" }).fill(ADMIN.ADMIN_EMAIL);
        await page.getByLabel("Password", { exact: true }).fill(ADMIN.ADMIN_PASSWORD);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: ANY_TITLE }).waitFor();
        expect(page.url()).toBe(address);
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        const other = await context.newPage();
        await other.setContent(`<iframe src="${at.base}/console/"></iframe>`);
        await expect.poll(() => other.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
        await context.close();
      },
    );
  },
);
