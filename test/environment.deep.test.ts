/** `.env` in the working directory, as the server and every command read it. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "../src/config.ts";
import { SECRETS } from "../src/environment.ts";
import { giveAway } from "./support/other-user.ts";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const DKIM_KEY = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .trim();

const createAdmin = { args: ["create-admin", "anna@example.org"], input: "correct horse battery\n" };

describe(".env", () => {
  it("is read by commands and the server, and variables of the process take precedence", async () => {
    const cwd = createTempFolder();
    writeFileSync(join(cwd, ".env"), "DATA_DIR=./from-file\nPORT=x\nLOG_LEVEL='debug' # a comment\n");
    expect(await runCli({ ...createAdmin, cwd, variables: { PORT: "0" } })).toMatchObject({
      code: 0,
      out: `anna@example.org can log in now (${join(cwd, "from-file")}).\n`,
      errors: "",
    });
    const server = new ServiceProcess({}, { cwd });
    expect(await server.waitForLog("listening")).toMatchObject({ dataDir: join(cwd, "from-file") });
    expect(await runCli({ ...createAdmin, cwd })).toMatchObject({
      code: 78,
      errors: "The configuration is not valid:\n  PORT: must be a whole number\n",
    });
  });

  it("can be missing without a message", async () => {
    const cwd = createTempFolder();
    expect(await runCli({ ...createAdmin, cwd })).toMatchObject({ code: 0, errors: "" });
    expect(existsSync(join(cwd, "data", "database.sqlite"))).toBe(true);
  });

  it("causes a warning for each unknown name, unlike the environment", async () => {
    const cwd = createTempFolder();
    const names = ["PUBLC_SITE_URL", "BOOKDIST_API_KEY", "PGPASSWORD", "FLAVOUR", "log-level"];
    writeFileSync(join(cwd, ".env"), names.map((name) => `${name}=x\n`).join(""));
    const warnings = [
      ".env: FLAVOUR isn't a setting. .env.example lists them.\n",
      ".env: PUBLC_SITE_URL isn't a setting. Did you mean PUBLIC_SITE_URL?\n",
      ".env: log-level isn't a setting. Did you mean LOG_LEVEL?\n",
    ];
    const errors = warnings.join("");
    const created = await runCli({ ...createAdmin, cwd, variables: { LOG_LEVLE: "x" } });
    expect(created).toMatchObject({ code: 0, errors });
    const server = new ServiceProcess({ PORT: "0" }, { cwd });
    await server.waitUntilListening();
    await server.stop();
    expect(await server.ended).toMatchObject({ errors });
  });

  it("stops the start with one line if it can't be read", async () => {
    const cwd = createTempFolder();
    mkdirSync(join(cwd, ".env"));
    const errors = expect.stringMatching(/^The configuration is not valid:\n {2}\.env: can't be read: .+\n$/);
    expect(await runCli({ ...createAdmin, cwd })).toEqual({ code: 78, out: "", errors });
    expect(await new ServiceProcess({}, { cwd }).ended).toEqual({ code: 78, signal: null, errors });
  });
});

describe("secrets in files", () => {
  const GOOD: Record<string, string> = {
    DATABASE_URL: "postgres://books:a%20password@db.example.org/books",
    DATABASE_REPORT_URL: "postgres://books:a%20password@replica.example.org/books",
    AUTH_SECRET: "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae",
    ADMIN_PASSWORD: "  correct horse # battery ",
    AWS_SECRET_ACCESS_KEY: "a key of the store",
    MAXMIND_LICENSE_KEY: "a key",
    METRICS_TOKEN: "c7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae",
    SMTP_URL: "smtp://books:a%20password@mail.example.org",
    SMTP_CA: "-----BEGIN CERTIFICATE-----",
    MAIL_DKIM_KEY: DKIM_KEY,
  };
  const others = {
    ADMIN_EMAIL: "anna@example.org",
    AWS_ACCESS_KEY_ID: "AKEXAMPLE",
    MAXMIND_ACCOUNT_ID: "1",
    PUBLIC_BASE_URL: "https://books.example.org",
    MAIL_FROM: "books@example.org",
    MAIL_DKIM_SELECTOR: "books2026",
  };

  const fileWith = (content: string | Buffer): string => {
    const path = join(createTempFolder(), "secret");
    writeFileSync(path, content);
    return path;
  };

  const errorsOf = (variables: Record<string, string>): string[] => {
    try {
      readConfig(variables);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.message.split("\n").slice(1);
    }
  };

  it.each(["", "\n", "\r\n"])(
    "are read like the variable, except for one line end at the end: %j",
    (lineEnd) => {
      expect(SECRETS).toEqual(Object.keys(GOOD));
      const files = SECRETS.map((name) => [`${name}_FILE`, fileWith(`${GOOD[name]}${lineEnd}`)]);
      const config = readConfig({ ...others, ...Object.fromEntries(files) });
      expect(config).toEqual(readConfig({ ...others, ...GOOD }));
      expect(config.firstAdmin?.password).toBe(GOOD.ADMIN_PASSWORD);
    },
  );

  it.each(SECRETS)(
    "that are unreadable, empty, too large or given twice are rejected in one line: %s",
    (name) => {
      const folder = createTempFolder();
      const rejected = (path: string, more = {}) =>
        errorsOf({ ...others, [`${name}_FILE`]: path, ...more })[0];
      const missing = join(folder, "missing");
      expect(rejected(missing)).toBe(`  ${name}_FILE: can't read ${missing}: no such file or folder`);
      expect(rejected(folder)).toBe(`  ${name}_FILE: can't read ${folder}: it is a folder`);
      expect(rejected(fileWith("\n"))).toMatch(/: the file is empty$/);
      expect(rejected(fileWith(Buffer.alloc(100_000, "x")))).toMatch(/: the file is too large for a secret$/);
      const twice = rejected(fileWith("x"), { [name]: GOOD[name] });
      expect(twice).toBe(`  ${name}_FILE: must not be set together with ${name}`);
      expect(rejected(fileWith("two\nlines\n"))).not.toContain("two");
    },
  );

  it("that belong to another user stop a command with 78 and one line", async () => {
    const folder = createTempFolder();
    const path = join(folder, "secret");
    writeFileSync(path, "", { mode: 0o000 });
    const user = giveAway(folder);
    const variables = { DATA_DIR: join(folder, "data"), METRICS_TOKEN_FILE: path };
    expect(await runCli({ args: ["doctor"], variables, ...user })).toEqual({
      code: 78,
      out: "",
      errors: `The configuration is not valid:\n  METRICS_TOKEN_FILE: can't read ${path}: permission denied\n`,
    });
  });
});
