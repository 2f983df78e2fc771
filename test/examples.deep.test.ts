/** The files in examples/ and compose.yaml, with the programs that they are for, where these are installed. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { readZip } from "../tools/lib/read-zip.ts";
import { CHROMIUM, launchChromium } from "./support/chromium.ts";
import {
  ADMIN,
  caddy,
  haproxy,
  has,
  nginx,
  OWN,
  openCatalogue,
  pathOf,
  publish,
  requestLink,
  run,
  type Scene,
  startBehind,
  WEBSITE,
} from "./support/proxies.ts";

/** An address that a client claims to have. */
const FORGED = "203.0.113.9";
const CONTENT = Buffer.alloc(100 * 2 ** 20, "A line of a very long text.\n");
/** How long a proxy takes to send, receive and check this on a busy machine. */
const TIMEOUT = 180_000;

/** Downloads the book as a reader: a range of it, and then all. */
async function download(at: Scene): Promise<void> {
  const { send } = at;
  const downloadUrl = await requestLink(at, "the-book");
  const part = await send(downloadUrl, { headers: { range: "bytes=50000001-50000999" } });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-range")).toBe(`bytes 50000001-50000999/${CONTENT.length}`);
  expect(Buffer.from(await part.arrayBuffer()).equals(CONTENT.subarray(50_000_001, 50_001_000))).toBe(true);
  const all = await send(downloadUrl);
  expect(all.headers.get("content-length")).toBe(String(CONTENT.length));
  expect(Buffer.from(await all.arrayBuffer()).equals(CONTENT)).toBe(true);
}

/** Sends the form of a whole language in the library, with scripts off, and reads what the browser saves. */
async function downloadWithoutScripts({ base }: Scene): Promise<Buffer> {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ javaScriptEnabled: false, ignoreHTTPSErrors: true });
  await page.goto(`${base}/library`);
  await page.locator("main a[hreflang=en]").click();
  await page.getByRole("link", { name: "Download all as one ZIP file" }).click();
  await page.getByLabel("First name").fill("Sara");
  await page.getByLabel("E-mail address").fill("sara@example.net");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  return readFileSync(await download.path());
}

/** What a reader and a search engine find: pages, the style sheet, feeds and the sitemap, at the proxy's own address. */
async function browseLibrary({ base, send }: Scene): Promise<void> {
  const headers = { accept: "text/html", "accept-language": "en" };
  const start = await send("/", { headers });
  expect([start.status, start.headers.get("content-language")]).toEqual([200, "en"]);
  const html = await start.text();
  expect(html).toContain('href="library/en/books/the-book"');
  const [style = ""] = /library\/style-\w+\.css/.exec(html) ?? [];
  expect((await send(`/${style}`)).headers.get("content-type")).toMatch(/^text\/css/);
  for (const path of ["/library", "/library/en", "/library/en/books/the-book", "/library/en/all"]) {
    const page = await send(path, { headers });
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toContain("<title>");
  }
  expect((await send("/library/en/", { redirect: "manual" })).status).toBe(308);
  expect(await (await send("/library/en/new.atom")).text()).toContain(
    `<link rel="self" type="application/atom+xml" href="${base}/`,
  );
  expect(await (await send("/sitemap.xml")).text()).toContain(`<loc>${base}/library/en/books/the-book</loc>`);
  expect((await send("/sitemaps/1.xml")).status).toBe(200);
  expect(await (await send("/robots.txt")).text()).toContain(`Sitemap: ${base}/sitemap.xml`);
  expect((await send("/library/en/books/nothing", { headers })).status).toBe(404);
}

/** A log-in whose body is sent in chunks with trailing headers. */
async function logInWithTrailers({ port, ca }: Scene): Promise<number | undefined> {
  const headers: OutgoingHttpHeaders = { "content-type": "application/json", trailer: "X-Checksum" };
  const path = "/api/auth/login";
  const options = { host: "localhost", port, ca, localAddress: OWN, method: "POST", path, headers };
  const sent = request({ ...options, agent: false });
  sent.write(JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }));
  sent.addTrailers({ "X-Checksum": "1" });
  sent.end();
  const [response] = await once(sent, "response");
  await text(response);
  return response.statusCode;
}

describe.each([
  ["caddy", caddy],
  ["nginx", nginx],
])("a service behind %s with its example", (program, start) => {
  it.runIf(has(program) && has("openssl"))("is fully usable", { timeout: TIMEOUT }, async () => {
    const at = await startBehind(onTestFinished, start);
    await publish(at, await openCatalogue(at), "The book", CONTENT);
    await download(at);
    expect(await logInWithTrailers(at)).toBe(200);

    const wrong = { email: "ben@example.org", password: "wrong" };
    expect((await at.post("/api/auth/login", wrong, { "x-forwarded-for": FORGED })).status).toBe(401);

    const headers = { origin: WEBSITE, "access-control-request-method": "POST" };
    const preflight = await at.send("/api/download/submit", { method: "OPTIONS", headers });
    expect(preflight.headers.get("access-control-allow-origin")).toBe(WEBSITE);
    const list = await at.send("/api/books", { headers: { origin: WEBSITE } });
    expect([list.status, list.headers.get("access-control-allow-origin")]).toEqual([200, WEBSITE]);

    await browseLibrary(at);
    expect((await at.send("/metrics")).status).toBe(404);

    await at.server.end();
    const [failed] = at.server.lines.filter(({ status }) => status === 401);
    expect(failed).toMatchObject({ route: "/api/auth/login", address: OWN });
  });
});

it.runIf(has("haproxy") && has("openssl"))(
  "a service behind haproxy with its example shows the library",
  {
    timeout: TIMEOUT,
  },
  async () => {
    const at = await startBehind(onTestFinished, haproxy);
    await publish(at, await openCatalogue(at), "The book", "The text of the book.");
    await browseLibrary(at);
    await at.server.end();
  },
);

describe.runIf(CHROMIUM !== undefined && has("openssl")).each([
  ["caddy", caddy],
  ["nginx", nginx],
])("a browser without scripts, with the service behind %s", (program, start) => {
  it.runIf(has(program))("downloads by the forms of the library", { timeout: TIMEOUT }, async () => {
    const at = await startBehind(onTestFinished, start);
    await publish(at, await openCatalogue(at), "The book", CONTENT);
    const zip = await downloadWithoutScripts(at);
    const members = (await readZip(zip)).map(({ name, bytes }) => [name, bytes.equals(CONTENT)]);
    expect(members).toEqual([["01 - The book [en].txt", true]]);
    await at.server.end();
  });
});

describe.runIf(has("systemd-analyze"))("the systemd units", () => {
  it.each(["bookdist.service", "bookdist-backup.service"])("%s have few permissions", async (unit) => {
    const security = ["security", "--offline=true", "--no-pager", "--threshold=30"];
    const { stdout } = await run("systemd-analyze", ...security, pathOf(`systemd/${unit}`));
    expect(stdout).toContain("Overall exposure level");
  });

  it("have no unknown setting", async () => {
    const units = ["bookdist.service", "bookdist-backup.service", "bookdist-backup.timer"];
    const { stderr } = await run(
      "systemd-analyze",
      "verify",
      ...units.map((unit) => pathOf(`systemd/${unit}`)),
    );
    expect(stderr).not.toMatch(/bookdist.*(Unknown|Failed to parse|invalid)/i);
  });
});

describe.runIf(has("docker-compose"))("the compose files", () => {
  it.each(["compose.yaml", "examples/compose/instances.yaml"])("%s have the right syntax", async (file) => {
    const { stdout } = await run("docker-compose", "--file", file, "config");
    expect(stdout).toContain("no-new-privileges:true");
  });
});

/** Of Debian's docker-compose. */
const hasYaml = spawnSync("python3", ["-c", "import yaml"]).status === 0;

it
  .runIf(hasYaml)
  .each([
    "examples/traefik/bookdist.yaml",
    ".github/workflows/check.yml",
    ".github/ISSUE_TEMPLATE/bug.yml",
    ".github/ISSUE_TEMPLATE/feature.yml",
  ])("%s is YAML", async (file) => {
  const { stdout } = await run("python3", "-c", `import yaml; print(type(yaml.safe_load(open("${file}"))))`);
  expect(stdout).toBe("<class 'dict'>\n");
});

it.runIf(has("haproxy"))("examples/compose/haproxy.cfg has the right syntax", async () => {
  const { stdout } = await run("haproxy", "-c", "-f", pathOf("compose/haproxy.cfg"));
  expect(stdout).toContain("valid");
});
