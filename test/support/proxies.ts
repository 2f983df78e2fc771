/** The reverse proxies of examples/, really run in front of the service: for the tests of any runner. */
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { Agent, FormData, fetch } from "undici";
import { z } from "zod";
import { freePort, ServerProcess } from "../../tools/lib/server-process.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";
import { PROJECT } from "./modules.ts";

export const pathOf = (example: string): string => join(PROJECT, "examples", example);
export const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
export const run = (program: string, ...args: string[]) =>
  promisify(execFile)(program, args, { cwd: PROJECT });

export const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
export const WEBSITE = "https://www.example.org";
/** The address from which clients connect. */
export const OWN = "127.0.0.5";

/** Has something done when the test ends. */
export type AtEnd = (work: () => void | Promise<void>) => void;

interface Proxy {
  /** The certificate of who signed the proxy's. */
  ca: string;
}

/** @param service host and port of the service  @param port of the proxy  @param dataDir of the service */
type StartProxy = (atEnd: AtEnd, service: string, port: number, dataDir: string) => Promise<Proxy>;

export function createFolder(atEnd: AtEnd): string {
  const { path, remove } = temporaryFolder("bds-test");
  atEnd(remove);
  return path;
}

/** Nothing takes as long, on a busy machine either. In milliseconds. */
const HANGING = 60_000;

/** Starts a program, and waits for the line with which it is ready. */
export async function startProgram(
  atEnd: AtEnd,
  program: string,
  args: string[],
  ready: string,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  atEnd(async () => {
    if (child.exitCode === null && child.kill()) await once(child, "close");
  });
  const lines: string[] = [];
  const isReady = new Promise<void>((resolve) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      if (line.includes(ready)) resolve();
    });
  });
  const limit = new AbortController();
  const failure = async () => {
    await Promise.race([once(child, "close"), sleep(HANGING, undefined, limit)]);
    throw new Error(`${program} isn't ready:\n${lines.join("\n")}`);
  };
  await Promise.race([isReady, failure()]).finally(() => limit.abort());
}

/** examples/caddy/Caddyfile with a certificate of Caddy's own authority. */
export const caddy: StartProxy = async (atEnd, service, port) => {
  const folder = createFolder(atEnd);
  const file = join(folder, "Caddyfile");
  const global = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n";
  writeFileSync(file, global + readFileSync(pathOf("caddy/Caddyfile"), "utf8"));
  const variables = { SITE: `localhost:${port}`, SERVICE: service };
  const folders = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const args = ["run", "--adapter", "caddyfile", "--config", file];
  const env = { ...variables, ...folders };
  await startProgram(atEnd, "caddy", args, "certificate obtained successfully", env);
  const ca = readFileSync(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8");
  await waitUntilShown({ port, ca });
  return { ca };
};

/** A proxy says that it has its certificate a moment before it shows it, and refuses connections until then. */
async function waitUntilShown(at: { port: number; ca: string }): Promise<void> {
  for (const end = performance.now() + HANGING; ; ) {
    const socket = connect({ host: "localhost", servername: "localhost", timeout: HANGING, ...at });
    socket.once("timeout", () => socket.destroy(new Error("no handshake")));
    try {
      await once(socket, "secureConnect");
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    } finally {
      socket.destroy();
    }
  }
}

/** examples/nginx/bookdist.conf. */
export const nginx: StartProxy = (atEnd, ...at) =>
  startNginx("nginx/bookdist.conf", { folder: createFolder(atEnd) }, atEnd, ...at);

/** examples/nginx/cache.conf. */
export const cachingNginx: StartProxy = (atEnd, ...at) =>
  startNginx("nginx/cache.conf", { folder: createFolder(atEnd) }, atEnd, ...at);

/** Files with a key and its certificate. */
async function createCertificate(folder: string) {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const options =
    "req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
  await run("openssl", ...options.split(" "), "-keyout", key, "-out", certificate);
  return { key, certificate };
}

/** examples/compose/haproxy.cfg with one server, and a certificate of its own. */
export const haproxy: StartProxy = async (atEnd, service, port) => {
  const folder = createFolder(atEnd);
  const { key, certificate } = await createCertificate(folder);
  const ca = readFileSync(certificate, "utf8");
  const pem = join(folder, "both.pem");
  writeFileSync(pem, ca + readFileSync(key, "utf8"));
  const example = readFileSync(pathOf("compose/haproxy.cfg"), "utf8")
    .replace("bind :80", `bind 127.0.0.1:${port} ssl crt ${pem}`)
    .replace(/resolvers docker\n {2}nameserver.*\n/, "")
    .replace(" resolvers docker init-addr none", "")
    .replace("server a a:3000", `server a ${service}`)
    .replaceAll(/ {2}server [bc] .*\n/g, "");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, example);
  await startProgram(atEnd, "haproxy", ["-W", "-db", "-f", file], "Loading success");
  await waitUntilShown({ port, ca });
  return { ca };
};

/**
 * An example for nginx with other ports, paths and a certificate of its own.
 * @param folder for its files, with its cache in `cache`  @param user of the processes that serve, with a group
 */
export async function startNginx(
  name: string,
  { folder, user = "root" }: { folder: string; user?: string },
  ...[atEnd, service, port, dataDir]: Parameters<StartProxy>
): Promise<Proxy> {
  const plainPort = await freePort(0);
  const { key, certificate } = await createCertificate(folder);
  const example = readFileSync(pathOf(name), "utf8")
    .replace("server 127.0.0.1:3000;", `server ${service};`)
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/letsencrypt/live/books.example.org/fullchain.pem", certificate)
    .replace("/etc/letsencrypt/live/books.example.org/privkey.pem", key)
    .replace("/var/cache/bookdist", join(folder, "cache"))
    .replace("/var/lib/bookdist/", `${dataDir}/`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; user ${user}; pid ${folder}/pid; error_log stderr notice; events {}
     http {
       access_log off; types { text/html html; }
       ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(" ")}
       ${example}
     }`,
  );
  await startProgram(atEnd, "nginx", ["-c", file, "-e", "stderr"], "start worker process");
  return { ca: readFileSync(certificate, "utf8") };
}

/** The service with the settings that the examples name, behind the proxy. */
export async function startBehind(
  atEnd: AtEnd,
  start: StartProxy,
  variables: Readonly<Record<string, string>> = {},
) {
  const dataDir = join(createFolder(atEnd), "data");
  const port = await freePort(0);
  const base = `https://localhost:${port}`;
  const settings = { DATA_DIR: dataDir, TRUST_PROXY: "1", CORS_ORIGINS: WEBSITE, PUBLIC_BASE_URL: base };
  const server = new ServerProcess({ ...ADMIN, ...settings, ...variables });
  atEnd(async () => {
    // A killed process doesn't write what of it ran.
    if (process.env.COVERAGE_FOLDER) await server.stop().catch(() => {});
    await server.end("SIGKILL");
  });
  const { ca } = await start(atEnd, new URL(await server.waitUntilListening()).host, port, dataDir);
  const dispatcher = new Agent({ localAddress: OWN, connect: { ca } });
  atEnd(() => dispatcher.destroy());
  const send = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(base + path, { ...init, dispatcher });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return { server, base, port, ca, send, post, dataDir };
}

export type Scene = Awaited<ReturnType<typeof startBehind>>;

/** Logs in through the proxy and creates English. @returns the cookie */
export async function openCatalogue({ post }: Scene): Promise<string> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
  const login = await post("/api/auth/login", { email, password });
  const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await post("/api/admin/languages", { code: "en", name: "English", nativeName: "English" }, { cookie });
  return cookie;
}

/** Publishes a book with one file in English, through the proxy. @returns its id and slug */
export async function publish(
  { send, post }: Scene,
  cookie: string,
  titleEn: string,
  content: string | Buffer<ArrayBuffer>,
) {
  const book = await post("/api/admin/books", { titleEn }, { cookie });
  const created = z.object({ id: z.string(), slug: z.string() }).parse(await book.json());
  const body = new FormData();
  body.set("languageCode", "en");
  body.set("file", new Blob([content]), "book.txt");
  const upload = await send(`/api/admin/books/${created.id}/files`, {
    method: "POST",
    headers: { cookie },
    body,
  });
  assert.equal(upload.status, 201, await upload.text());
  return created;
}

/** Submits the form of a reader of a book in English, through the proxy. @returns the link */
export async function requestLink({ post }: Scene, slug: string): Promise<string> {
  const contact = { email: "sara@example.net", firstName: "Sara" };
  const submitted = await post("/api/download/submit", { slug, languageCode: "en", contact });
  return z.object({ downloadUrl: z.string() }).parse(await submitted.json()).downloadUrl;
}
