/** The configuration: read once from the environment, checked as a whole, then frozen. The only reader of process.env. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { email } from "./schemas/atoms.ts";
import { newPassword } from "./schemas/auth.schemas.ts";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const GIBIBYTE = 1024 * MEBIBYTE;

/** A whole number of an environment variable, within bounds. */
const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));

/** A comma-separated list; blanks around the items don't count. */
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Long and varied enough that nobody guesses it. */
const secret = z
  .string()
  .min(32, { error: "must have at least 32 characters", abort: true })
  .max(1024)
  .refine((text) => !isGuessable(text), "is easy to guess; make one with: openssl rand -base64 48");

/** Words of examples and defaults: chance puts one of them into one random secret of several million. */
const EXAMPLE_WORDS = /secret|change-?me|password|default|example|replace|insert/i;

/** Few characters, few steps from one to the next (aaa, abc, 321), a part repeated, or an example left as it was. */
function isGuessable(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const isUniform = [codes, steps].some((all) => new Set(all).size < 10);
  const isRepeated = (text + text).indexOf(text, 1) < text.length;
  return isUniform || isRepeated || EXAMPLE_WORDS.test(text);
}

const webAddress = z.string().max(2048).refine(isPlainAddress, {
  error: "must be an http or https address without user, query and fragment",
});

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\/[^?#\s]+$/i.test(text) && url.username + url.password === "";
}

const webOrigin = webAddress
  .refine((text) => (URL.parse(text)?.pathname ?? "/") === "/", "must end after host and port")
  .transform((text) => new URL(text).origin);

/** `TRUST_PROXY`: a number of hops, or addresses and ranges whose forwarded headers are believed. */
const trustProxy = z
  .string()
  .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : list.parse(text)))
  .refine((value) => typeof value === "number" || value.every(isAddressRange), {
    error: "must be a number of hops or a list of addresses and ranges",
  });

const NAMED_RANGES = new Set(["loopback", "linklocal", "uniquelocal"]);

function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || rest.length > 0) return NAMED_RANGES.has(text);
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
}

/** The host as a URL spells it, since that is what it is compared with. */
const hostAndPort = z
  .string()
  .toLowerCase()
  .refine((text) => {
    const [, host = "", port = ""] = /^([\w.-]+|\[[\da-f:.]+\]):([1-9]\d{0,4})$/.exec(text) ?? [];
    return URL.parse(`http://${host}`)?.hostname === host && Number(port) <= 65_535;
  }, "must be a list of host:port");

const environment = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  HOST: z.string().max(255).optional(),
  PORT: whole(0, 65_535).default(3000),
  DATA_DIR: z.string().min(1).default("./data"),
  AUTH_SECRET: secret.optional(),
  ADMIN_EMAIL: email.optional(),
  ADMIN_PASSWORD: newPassword.optional(),
  PUBLIC_BASE_URL: webAddress.optional(),
  TRUST_PROXY: trustProxy.default(0),
  CORS_ORIGINS: list.pipe(z.array(webOrigin)).default([]),
  MAX_UPLOAD_BYTES: whole(1, 1024 * GIBIBYTE).default(GIBIBYTE),
  SESSION_TTL_SECONDS: whole(60, 365 * 86_400).default(7 * 86_400),
  DOWNLOAD_TOKEN_TTL_SECONDS: whole(10, 86_400).default(600),
  CACHE_MAX_BYTES: whole(0, 1024 * GIBIBYTE).default(4 * GIBIBYTE),
  IP_STORAGE: z.enum(["full", "truncated", "none"]).default("full"),
  RATE_LIMIT_LOGIN: whole(0, 1_000_000).default(10),
  RATE_LIMIT_SUBMIT: whole(0, 1_000_000).default(20),
  RATE_LIMIT_DOWNLOAD: whole(0, 1_000_000).default(120),
  CLOUD_FETCH_ALLOW_HOSTS: list.pipe(z.array(hostAndPort)).default([]),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export type Config = Readonly<ReturnType<typeof fromValues>>;

/** Every wrong variable at once, one line each; shown on the terminal before anything has started. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 * @throws ConfigError naming every wrong variable
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(given);
  const faults = parsed.error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? [];
  const { ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword } = given;
  if ((adminEmail === undefined) !== (adminPassword === undefined)) {
    const missing = adminEmail === undefined ? "ADMIN_EMAIL" : "ADMIN_PASSWORD";
    faults.push(`${missing}: ADMIN_EMAIL and ADMIN_PASSWORD go together`);
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  const config = fromValues(parsed.data);
  for (const value of Object.values(config)) Object.freeze(value);
  return Object.freeze(config);
}

function fromValues(values: z.output<typeof environment>) {
  return {
    environment: values.NODE_ENV,
    /** Undefined: all addresses of this machine. */
    host: values.HOST,
    port: values.PORT,
    /** Absolute path of the folder that holds all state. */
    dataDir: resolve(values.DATA_DIR),
    authSecret: values.AUTH_SECRET,
    firstAdmin:
      values.ADMIN_EMAIL !== undefined && values.ADMIN_PASSWORD !== undefined
        ? { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD }
        : undefined,
    publicBaseUrl: values.PUBLIC_BASE_URL,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    sessionTtlMs: values.SESSION_TTL_SECONDS * 1000,
    downloadTokenTtlMs: values.DOWNLOAD_TOKEN_TTL_SECONDS * 1000,
    cacheMaxBytes: values.CACHE_MAX_BYTES,
    ipStorage: values.IP_STORAGE,
    /** Requests per window and caller; 0 switches the limit off. */
    rateLimits: {
      login: values.RATE_LIMIT_LOGIN,
      submit: values.RATE_LIMIT_SUBMIT,
      download: values.RATE_LIMIT_DOWNLOAD,
    },
    cloudFetchAllowHosts: values.CLOUD_FETCH_ALLOW_HOSTS,
    logLevel: values.LOG_LEVEL,
  };
}
