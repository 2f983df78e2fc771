import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWriter } from "../src/db/sqlite/connection.ts";
import { lockDataDir } from "../src/db/sqlite/data-dir.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { addSlowCheck } from "./support/slow-check.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
const allMigrations = readdirSync("migrations")
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(".ts", ""));
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const newDataDir = (): string => join(createTempFolder(), "data");

const healthOf = async (base: string): Promise<number> => (await fetch(`${base}/api/health`)).status;

/** Nothing of it is left open or half-done: the lock is free and the WAL is in the file. */
function expectClosed(dataDir: string): void {
  lockDataDir(dataDir)[Symbol.dispose]();
  expect(existsSync(join(dataDir, "database.sqlite-wal"))).toBe(false);
}

describe("the first start", () => {
  it("creates data folder and secret for its owner only, no account, and explains how to create an administrator", async () => {
    const dataDir = newDataDir();
    const service = new ServiceProcess({ DATA_DIR: dataDir });
    const base = await service.waitUntilListening();
    expect(await healthOf(base)).toBe(200);
    expect(modeOf(dataDir)).toBe(0o700);
    expect(modeOf(join(dataDir, "auth-secret"))).toBe(0o600);
    expect(modeOf(join(dataDir, "database.sqlite"))).toBe(0o600);
    const advice = service.lines.filter(({ level }) => level === "warn");
    expect(advice).toMatchObject([{ msg: expect.stringContaining("bookdist create-admin") }]);
    expect(await service.waitForLog("listening")).toMatchObject({ dataDir, migrations: allMigrations });
    expect(await service.end()).toEqual({ code: 0, signal: null, errors: "" });
    expect(service.lines.at(-1)).toMatchObject({ msg: "stopped" });
    expectClosed(dataDir);
    const database = openWriter(join(dataDir, "database.sqlite"));
    expect(database.prepare("select count(*) from users").pluck().get()).toBe(0);
    database.close();
  });

  it("creates the first administrator from the environment, and a later start changes nothing", async () => {
    const dataDir = newDataDir();
    const first = new ServiceProcess({ DATA_DIR: dataDir, ...ADMIN });
    await RemoteAdmin.login(await first.waitUntilListening(), ADMIN);
    await first.end();
    const secret = readFileSync(join(dataDir, "auth-secret"), "utf8");

    const other = { ADMIN_EMAIL: "eve@example.org", ADMIN_PASSWORD: "another long pass phrase" };
    const second = new ServiceProcess({ DATA_DIR: dataDir, ...other });
    const base = await second.waitUntilListening();
    expect(await second.waitForLog("listening")).toMatchObject({ migrations: [] });
    await expect(RemoteAdmin.login(base, other)).rejects.toThrow("401");
    await RemoteAdmin.login(base, ADMIN);
    expect(readFileSync(join(dataDir, "auth-secret"), "utf8")).toBe(secret);
  });
});

describe("a failed start ends with one clear message and leaves nothing,", () => {
  it.each([
    [
      "a wrong variable",
      { PORT: "eighty", LOG_LEVEL: "loud" },
      ["PORT: must be a whole number", "LOG_LEVEL: "],
    ],
    ["a weak secret", { AUTH_SECRET: "changeme" }, ["AUTH_SECRET: must have at least 32 characters"]],
    [
      "a common password",
      { ...ADMIN, ADMIN_PASSWORD: "password1234" },
      ["ADMIN_PASSWORD: must not be a common password"],
    ],
    [
      "half an administrator",
      { ADMIN_EMAIL: "a@example.org" },
      ["ADMIN_PASSWORD: ADMIN_EMAIL and ADMIN_PASSWORD must be set together"],
    ],
  ])("because of %s", async (_, variables, fieldErrors) => {
    const dataDir = newDataDir();
    const { code, errors } = await new ServiceProcess({ DATA_DIR: dataDir, ...variables }).ended;
    expect(code).toBe(78);
    expect(errors).toMatch(/^The configuration is not valid:\n/);
    for (const error of fieldErrors) expect(errors).toContain(`\n  ${error}`);
    expect(errors.trimEnd().split("\n")).toHaveLength(1 + fieldErrors.length);
    expect(existsSync(dataDir)).toBe(false);
  });

  it("because another server runs on the same folder, which continues", async () => {
    const dataDir = newDataDir();
    const first = new ServiceProcess({ DATA_DIR: dataDir });
    const base = await first.waitUntilListening();
    const { code, errors } = await new ServiceProcess({ DATA_DIR: dataDir }).ended;
    expect(code).toBe(78);
    expect(errors).toMatch(/^Another server is already running on .*data \(DATA_DIR\)\..*\n$/);
    expect(await healthOf(base)).toBe(200);
    expect((await first.end()).code).toBe(0);
  });

  it("because the port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const address = taken.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const dataDir = newDataDir();
    const { code, errors } = await new ServiceProcess({ DATA_DIR: dataDir, PORT: String(port) }).ended;
    expect(code).toBe(78);
    expect(errors).toBe(
      `The configuration is not valid:\n  HOST, PORT: can't listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    );
    expectClosed(dataDir);
  });

  it("because the database is of a newer version", async () => {
    const dataDir = newDataDir();
    const service = new ServiceProcess({ DATA_DIR: dataDir });
    await service.waitUntilListening();
    await service.end();
    const file = join(dataDir, "database.sqlite");
    const newer = openWriter(file);
    newer.exec("insert into kysely_migration values ('0099-newer', '2030-01-01')");
    newer.close();
    const before = readFileSync(file);
    const { code, errors } = await new ServiceProcess({ DATA_DIR: dataDir }).ended;
    expect(code).toBe(78);
    expect(errors).toMatch(/^A newer version of this service created the database .*0099-newer.*\n$/);
    expect(readFileSync(file).equals(before)).toBe(true);
    expectClosed(dataDir);
  });

  it("because Node is too old", async () => {
    const script = join(createTempFolder(), "old-node.mjs");
    writeFileSync(
      script,
      `Object.defineProperty(process.versions, "node", { value: "22.18.0" });
       await import(${moduleOf("server")});`,
    );
    const dataDir = newDataDir();
    const { code, errors } = await new ServiceProcess({ DATA_DIR: dataDir }, { script: [script] }).ended;
    expect(code).toBe(78);
    expect(errors).toMatch(/^This service needs Node 26 or later and this is 22\.18\.0\..*npx bookdist.*\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });
});

it("the log of a complete run has one line for each request and nothing secret or personal", async () => {
  const service = new ServiceProcess({ DATA_DIR: newDataDir(), ...ADMIN });
  const base = await service.waitUntilListening();
  const admin = await RemoteAdmin.login(base, ADMIN);
  await admin.publish("es", Buffer.from("¡Hola!"));
  const wrong = { email: ADMIN.ADMIN_EMAIL, password: "a wrong pass phrase" };
  await fetch(`${base}/api/auth/login`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(wrong),
  });
  const link = await admin.linkTo("es", "reader@example.org");
  await fetch(base + link, { headers: { cookie: admin.cookie, authorization: "Bearer bds_secretkey" } });
  await fetch(`${base + link}x?email=reader@example.org`);
  await fetch(`${base}/api/nowhere/reader@example.org?token=${link}`);
  expect((await service.end()).code).toBe(0);

  const requests = service.lines.filter(({ msg }) => msg === "request");
  expect(requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    "POST /api/auth/login 200",
    "POST /api/admin/languages 201",
    "POST /api/admin/books 201",
    "POST /api/admin/books/{bookId}/files 201",
    "POST /api/auth/login 401",
    "POST /api/download/submit 200",
    "GET /api/download/{token} 200",
    "GET /api/download/{token} 404",
    "GET null 404",
  ]);
  for (const line of requests) {
    expect(line).toMatchObject({
      level: "info",
      ms: expect.any(Number),
      id: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(line.bytes).toBeGreaterThan(100);
  }
  const [session = ""] = admin.cookie.split("=").slice(1);
  const [token = ""] = link.split("/").slice(-1);
  const tokenParts = [session, token].flatMap((each) => each.split("."));
  const secrets = [ADMIN.ADMIN_PASSWORD, wrong.password, "bds_secretkey", ...tokenParts.slice(1)];
  const people = ["anna", "reader", "Sara", "¡Hola!"];
  expect([...secrets, ...people].filter((text) => text === "" || service.output.includes(text))).toEqual([]);
});

const JSON_TYPE = { "content-type": "application/json" };
/** More than all buffers between two sockets hold. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, "All work and no play makes Jack a dull boy.\n");

describe("a signal to stop", () => {
  /** A server that offers one large book. */
  async function withLargeBook(script?: string) {
    const dataDir = newDataDir();
    const service = new ServiceProcess({ DATA_DIR: dataDir, ...ADMIN }, script ? { script: [script] } : {});
    const base = await service.waitUntilListening();
    const admin = await RemoteAdmin.login(base, ADMIN);
    await admin.publish("es", LARGE);
    const link = await admin.linkTo("es", "reader@example.org");
    return { service, dataDir, base, port: Number(new URL(base).port), link };
  }

  /** The same, in the middle of a download that waits for its reader. */
  async function inMidDownload(script?: string) {
    const started = await withLargeBook(script);
    const answer = await fetch(started.base + started.link);
    expect(answer.status).toBe(200);
    return { ...started, answer };
  }

  const isRejected = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1").once("error", () => resolve(true));
      socket.once("connect", () => resolve(false)).once("connect", () => socket.destroy());
    });

  it("SIGHUP has no effect without a terminal", async () => {
    const { service, base, answer } = await inMidDownload();
    service.kill("SIGHUP");
    await service.waitForLog("SIGHUP has no effect on a server without a terminal");
    expect(hashOf(Buffer.from(await answer.arrayBuffer()))).toBe(hashOf(LARGE));
    expect((await fetch(`${base}/api/health`)).status).toBe(200);
    service.kill("SIGTERM");
    expect(await service.ended).toMatchObject({ code: 0 });
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s lets a running download finish and waits for nothing else",
    async (signal) => {
      const { service, dataDir, port, answer } = await inMidDownload();
      const open = () => connect(port, "127.0.0.1").on("error", () => {});
      const [silent, answered, halfway] = [open(), open(), open()];
      const idle = [silent, answered, halfway];
      const closed = idle.map((socket) => once(socket, "close"));
      answered.write("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      halfway.write("GET /api/health HTTP/1.1\r\nHost: loc");
      await Promise.all(
        idle.map((socket) => (socket === answered ? once(socket, "data") : once(socket, "ready"))),
      );
      for (const socket of idle) socket.resume();

      service.kill(signal);
      await service.waitForLog("stopping");
      await Promise.all(closed);
      expect(service.lines.some(({ msg }) => msg === "stopped")).toBe(false);

      const taken = Buffer.from(await answer.arrayBuffer());
      const finished = performance.now();
      expect(hashOf(taken)).toBe(hashOf(LARGE));
      expect(await service.ended).toEqual({ code: 0, signal: null, errors: "" });
      expect(await isRejected(port)).toBe(true);
      // The connection of the download would be kept alive for four seconds more.
      expect(performance.now() - finished).toBeLessThan(3800);
      expectClosed(dataDir);
    },
  );

  it("makes readiness fail immediately, and serves for DRAIN_SECONDS or until a second signal", async () => {
    const service = new ServiceProcess({ DATA_DIR: newDataDir(), DRAIN_SECONDS: "3600" });
    const base = await service.waitUntilListening();
    const statusOf = async (path: string) => (await fetch(base + path)).status;
    expect(await statusOf("/api/health/ready")).toBe(200);
    service.kill("SIGTERM");
    await service.waitForLog("stopping");
    expect(await statusOf("/api/health/ready")).toBe(503);
    for (const path of ["/api/books", "/api/health"]) expect(await statusOf(path)).toBe(200);
    // One that follows too soon is taken for the same. None may come while the process exits: it would end by that.
    while (!(await isRejected(Number(new URL(base).port)))) {
      service.kill("SIGTERM");
      await pause(100);
    }
    expect(await service.ended).toMatchObject({ code: 0 });
  });

  it("accepts no further requests on the connection of a running download", async () => {
    const { service, port, link } = await withLargeBook();
    const socket = connect(port, "127.0.0.1");
    const get = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    get(link);
    const [first] = await once(socket, "data");
    socket.pause();
    service.kill("SIGTERM");
    await service.waitForLog("stopping");
    for (let further = 0; further < 3; further++) get("/api/health");
    const chunks: Buffer[] = [first];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(socket, "close");
    const [, ...heads] = Buffer.concat(chunks).toString("latin1").split("HTTP/1.1 200 OK");
    expect(heads).toHaveLength(2);
    expect(heads[0]).toContain("Connection: keep-alive");
    expect(heads[1]).toContain("Connection: close");
    expect((await service.ended).code).toBe(0);
  });

  /** Takes a signal for the same one within that time, and logs each. */
  function countingSignals(sameSignalMs: number): string {
    const script = join(createTempFolder(), "counting-signals.mjs");
    writeFileSync(
      script,
      `import { createLogger } from ${moduleOf("adapters/logger")};
       import { readConfig } from ${moduleOf("config")};
       import { serve } from ${moduleOf("serve")};
       const log = createLogger("info", { pretty: false });
       await serve(readConfig(), log, { sameSignalMs: ${sameSignalMs} });
       for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => log.info("signal"));`,
    );
    return script;
  }

  it("given twice, closes running responses", async () => {
    const { service, dataDir, answer } = await inMidDownload(countingSignals(0));
    service.kill("SIGTERM");
    await service.waitForLog("stopping");
    service.kill("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null, errors: "" });
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(service.lines).toContainEqual(
      expect.objectContaining({ route: "/api/download/{token}", aborted: true }),
    );
    expectClosed(dataDir);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "is counted once if %s arrives twice at the same time",
    async (signal) => {
      const { service, answer } = await inMidDownload(countingSignals(60_000));
      for (const times of [1, 2]) {
        service.kill(signal);
        await expect.poll(() => service.lines.filter(({ msg }) => msg === "signal").length).toBe(times);
      }
      expect(hashOf(Buffer.from(await answer.arrayBuffer()))).toBe(hashOf(LARGE));
      expect(await service.ended).toEqual({ code: 0, signal: null, errors: "" });
    },
  );

  it("closes running responses at the limit, and ends although other work continues", async () => {
    const script = join(createTempFolder(), "impatient.mjs");
    writeFileSync(
      script,
      `import { Server } from "node:http";
       import { createLogger } from ${moduleOf("adapters/logger")};
       import { readConfig } from ${moduleOf("config")};
       import { serve } from ${moduleOf("serve")};
       const { listen } = Server.prototype;
       const log = createLogger("info", { pretty: false });
       Server.prototype.listen = function (...args) {
         const { headersTimeout, requestTimeout, timeout } = this;
         log.info({ headersTimeout, requestTimeout, timeout }, "limits");
         return listen.apply(this, args);
       };
       setInterval(() => {}, 1000);
       await serve(readConfig(), log, { drainMs: 400 });`,
    );
    const { service, dataDir, answer } = await inMidDownload(script);
    // A reader who stands still is cut, one who is slow isn't; headers have to come soon.
    expect(await service.waitForLog("limits")).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 0,
      timeout: 30_000,
    });
    const start = performance.now();
    expect(await service.end()).toEqual({ code: 0, signal: null, errors: "" });
    expect(performance.now() - start).toBeGreaterThanOrEqual(390);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expectClosed(dataDir);
  });
});

it("SIGTERM during a deep examination ends it immediately, although one of its statements takes minutes", async () => {
  const dataDir = newDataDir();
  const service = new ServiceProcess({ DATA_DIR: dataDir, ...ADMIN });
  const base = await service.waitUntilListening();
  const { cookie } = await RemoteAdmin.login(base, ADMIN);
  addSlowCheck(join(dataDir, "database.sqlite"));
  const examine = (query = "") => fetch(`${base}/api/admin/doctor${query}`, { headers: { cookie } });
  let first = examine("?deep=true");
  // A look that isn't deep is soon over; if it came first, the deep one was refused.
  while ((await examine()).status !== 409) {
    const status = await Promise.race([first.then((response) => response.status), undefined]);
    if (status === 409) first = examine("?deep=true");
  }
  const start = performance.now();
  const ended = service.end();
  const response = await first;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "stopping" });
  expect(await ended).toEqual({ code: 0, signal: null, errors: "" });
  // Otherwise 30 seconds for the request, and then the statement.
  expect(performance.now() - start).toBeLessThan(20_000);
  expectClosed(dataDir);
});

it("kill -9 loses nothing that was acknowledged, and the next start removes incomplete files", async () => {
  const dataDir = newDataDir();
  const first = new ServiceProcess({ DATA_DIR: dataDir, ...ADMIN });
  const admin = await RemoteAdmin.login(await first.waitUntilListening(), ADMIN);
  await admin.publish("es", Buffer.from("the text"));
  expect(await first.end("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
  expect(statSync(join(dataDir, "database.sqlite-wal")).size).toBeGreaterThan(0);
  const unfinished = join(dataDir, "files", "tmp");
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, "half an upload"), "half");
  const part = join(dataDir, "cache", `${"ab".repeat(32)}.1.part`);
  writeFileSync(part, "half a ZIP");

  const second = new ServiceProcess({ DATA_DIR: dataDir });
  const base = await second.waitUntilListening();
  expect(await second.waitForLog("listening")).toMatchObject({ swept: 1 });
  expect(readdirSync(unfinished)).toEqual([]);
  expect(existsSync(part)).toBe(false);
  const again = await RemoteAdmin.login(base, ADMIN);
  const download = await fetch(base + (await again.linkTo("es", "reader@example.org")));
  expect(await download.text()).toBe("the text");
});

describe("output", () => {
  /** Starts the server and stops it once it listens. */
  const startAndStop = (folder: string): string => {
    const script = join(folder, "start-and-stop.mjs");
    writeFileSync(
      script,
      `import { main } from ${moduleOf("serve")};
       await main({ options: {} });
       process.kill(process.pid, "SIGTERM");`,
    );
    return script;
  };

  it("is JSON if it isn't a terminal", async () => {
    const service = new ServiceProcess(
      { DATA_DIR: newDataDir() },
      { script: [startAndStop(createTempFolder())] },
    );
    expect(await service.ended).toMatchObject({ code: 0, errors: "" });
    expect(service.lines.map(({ msg }) => msg).slice(-3)).toEqual(["listening", "stopping", "stopped"]);
  });

  it.skipIf(!existsSync("/usr/bin/script"))("is readable if it is one", async () => {
    const folder = createTempFolder();
    const inTerminal = join(folder, "in-terminal.mjs");
    const command = JSON.stringify(`${process.execPath} ${startAndStop(folder)}`);
    writeFileSync(
      inTerminal,
      `import { spawnSync } from "node:child_process";
       spawnSync("/usr/bin/script", ["-qec", ${command}, "/dev/null"], { stdio: "inherit" });`,
    );
    const service = new ServiceProcess({ DATA_DIR: newDataDir() }, { script: [inTerminal] });
    await service.ended;
    expect(service.output).toMatch(/\d\d:\d\d:\d\d\.\d{3}\].*INFO.*: .*listening/);
    expect(service.output).toContain("stopped");
    // What to click on, and what to do next.
    const [, address = ""] = /Address +(http:\S+:\d+)\s/.exec(service.output) ?? [];
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]/);
    expect(service.output).toContain(`${address}/api/docs`);
    expect(service.output).toContain("npx bookdist create-admin admin@example.org");
    expect(service.output).not.toContain('"level"');
  });
});

/** The URL of a source, as a literal for a script. */
const moduleOf = (name: string): string => JSON.stringify(new URL(`../src/${name}.ts`, import.meta.url).href);

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
