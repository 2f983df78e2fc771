/** The files in examples/ and compose.yaml, with the programs that they are for, where these are installed. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Agent, FormData, fetch } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { readZip } from "../tools/lib/read-zip.ts";
import { freePort } from "../tools/lib/server-process.ts";
import { CHROMIUM, launchChromium } from "./support/chromium.ts";
import { PROJECT } from "./support/modules.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const pathOf = (example: string): string => join(PROJECT, "examples", example);
const has = (program: string): boolean => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: PROJECT });

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
const WEBSITE = "https://www.example.org";
/** The address from which a client connects, and one that it claims to have. */
const [OWN, FORGED] = ["127.0.0.5", "203.0.113.9"];
const CONTENT = Buffer.alloc(100 * 2 ** 20, "A line of a very long text.\n");
/** How long a proxy takes to send, receive and check this on a busy machine. */
const TIMEOUT = 180_000;

interface Proxy {
  /** The certificate of who signed the proxy's. */
  ca: string;
}

/** Starts a program that the test ends, and waits for the line with which it is ready. */
async function startProxy(program: string, args: string[], ready: string, env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "close");
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes(ready)) {
      child.stderr.resume();
      return;
    }
  }
  throw new Error(`${program} has ended:\n${lines.join("\n")}`);
}

/** examples/caddy/Caddyfile with a certificate of Caddy's own authority. */
async function caddy(service: string, port: number): Promise<Proxy> {
  const folder = tempFolder();
  const file = join(folder, "Caddyfile");
  const global = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n";
  writeFileSync(file, global + readFileSync(pathOf("caddy/Caddyfile"), "utf8"));
  const variables = { SITE: `localhost:${port}`, SERVICE: service, PAGE: pathOf("public-site") };
  const folders = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const args = ["run", "--adapter", "caddyfile", "--config", file];
  await startProxy("caddy", args, "certificate obtained successfully", { ...variables, ...folders });
  return { ca: readFileSync(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8") };
}

/** examples/nginx/bookdist.conf with other ports, paths and a certificate of its own. */
async function nginx(service: string, port: number): Promise<Proxy> {
  const [folder, plainPort] = [tempFolder(), await freePort(0)];
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const options =
    "req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
  await run("openssl", ...options.split(" "), "-keyout", key, "-out", certificate);
  const example = readFileSync(pathOf("nginx/bookdist.conf"), "utf8")
    .replace("server 127.0.0.1:3000;", `server ${service};`)
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/letsencrypt/live/books.example.org/fullchain.pem", certificate)
    .replace("/etc/letsencrypt/live/books.example.org/privkey.pem", key)
    .replace("/opt/bookdist/examples/public-site", pathOf("public-site"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; user root; pid ${folder}/pid; error_log stderr notice; events {}
     http {
       access_log off; types { text/html html; }
       ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(" ")}
       ${example}
     }`,
  );
  await startProxy("nginx", ["-c", file, "-e", "stderr"], "start worker process", {});
  return { ca: readFileSync(certificate, "utf8") };
}

/** The service with the settings that the example names, behind the proxy. */
async function scene(start: (service: string, port: number) => Promise<Proxy>) {
  const dataDir = join(tempFolder(), "data");
  const port = await freePort(0);
  const base = `https://localhost:${port}`;
  const site = { PUBLIC_BASE_URL: base, PUBLIC_SITE_URL: base };
  const settings = { DATA_DIR: dataDir, TRUST_PROXY: "1", CORS_ORIGINS: WEBSITE, ...site };
  const server = new ServiceProcess({ ...ADMIN, ...settings });
  const { ca } = await start(new URL(await server.listening()).host, port);
  const dispatcher = new Agent({ localAddress: OWN, connect: { ca } });
  onTestFinished(() => dispatcher.destroy());
  const send = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(base + path, { ...init, dispatcher });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return { server, base, port, ca, send, post };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const withId = z.object({ id: z.string() });

/** Publishes a book with one large file, through the proxy. */
async function publish({ send, post }: Scene): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
  const login = await post("/api/auth/login", { email, password });
  const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await post("/api/admin/languages", { code: "en", name: "English", nativeName: "English" }, { cookie });
  const book = await post("/api/admin/books", { titleEn: "The book" }, { cookie });
  const { id } = withId.parse(await book.json());
  const body = new FormData();
  body.set("languageCode", "en");
  body.set("file", new Blob([CONTENT]), "book.txt");
  const upload = await send(`/api/admin/books/${id}/files`, { method: "POST", headers: { cookie }, body });
  expect(upload.status, await upload.text()).toBe(201);
}

/** Downloads the book as a reader: a range of it, and then all. */
async function download({ send, post }: Scene): Promise<void> {
  const contact = { email: "sara@example.net", firstName: "Sara" };
  const submitted = await post("/api/download/submit", { slug: "the-book", languageCode: "en", contact });
  const { downloadUrl } = z.object({ downloadUrl: z.string() }).parse(await submitted.json());
  const part = await send(downloadUrl, { headers: { range: "bytes=50000001-50000999" } });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-range")).toBe(`bytes 50000001-50000999/${CONTENT.length}`);
  expect(Buffer.from(await part.arrayBuffer()).equals(CONTENT.subarray(50_000_001, 50_001_000))).toBe(true);
  const all = await send(downloadUrl);
  expect(all.headers.get("content-length")).toBe(String(CONTENT.length));
  expect(Buffer.from(await all.arrayBuffer()).equals(CONTENT)).toBe(true);
}

/** Sends the form of the page without scripts, with scripts off, and reads what the browser saves. */
async function downloadWithoutScripts({ base }: Scene): Promise<Buffer> {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ javaScriptEnabled: false, ignoreHTTPSErrors: true });
  await page.goto(`${base}/plain.html`);
  await page.locator("#languageCode").selectOption("en");
  await page.locator("#all-firstName").fill("Sara");
  await page.locator("#all-email").fill("sara@example.net");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the ZIP file" }).click(),
  ]);
  return readFileSync(await download.path());
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
    const at = await scene(start);
    await publish(at);
    await download(at);
    expect(await logInWithTrailers(at)).toBe(200);

    const wrong = { email: "ben@example.org", password: "wrong" };
    expect((await at.post("/api/auth/login", wrong, { "x-forwarded-for": FORGED })).status).toBe(401);

    const headers = { origin: WEBSITE, "access-control-request-method": "POST" };
    const preflight = await at.send("/api/download/submit", { method: "OPTIONS", headers });
    expect(preflight.headers.get("access-control-allow-origin")).toBe(WEBSITE);
    const list = await at.send("/api/books", { headers: { origin: WEBSITE } });
    expect([list.status, list.headers.get("access-control-allow-origin")]).toEqual([200, WEBSITE]);

    const page = await at.send("/");
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(await page.text()).toBe(readFileSync(pathOf("public-site/index.html"), "utf8"));
    expect((await at.send("/metrics")).status).toBe(404);

    await at.server.end();
    const [failed] = at.server.lines.filter(({ status }) => status === 401);
    expect(failed).toMatchObject({ route: "/api/auth/login", address: OWN });
  });
});

describe.runIf(CHROMIUM !== undefined && has("openssl")).each([
  ["caddy", caddy],
  ["nginx", nginx],
])("a browser without scripts, with the service behind %s", (program, start) => {
  it.runIf(has(program))("downloads by the form of plain.html", { timeout: TIMEOUT }, async () => {
    const at = await scene(start);
    await publish(at);
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
