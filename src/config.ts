/** The configuration: read once from the environment, checked as a whole, then frozen. The only reader of process.env. */
import { resolve } from "node:path";
import { z } from "zod";

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

/** Long and varied enough that nobody guesses it (threat: weak, default or short secrets). */
const secret = z
  .string()
  .min(32, "must have at least 32 characters")
  .max(1024)
  .refine(
    (text) => new Set(text).size >= 10,
    "is too uniform to be a secret; make one with: openssl rand -base64 48",
  );

const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

/** `TRUST_PROXY`: a number of hops, or addresses and ranges whose forwarded headers are believed. */
const trustProxy = z.string().transform((text, context): number | string[] => {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const ranges = list.parse(text);
  const sound = ranges.every((range) => /^[0-9a-f:.]+(\/\d{1,3})?$/i.test(range) || NAMED_RANGES.has(range));
  if (!sound)
    context.addIssue({
      code: "custom",
      message: "must be a number of hops or a list of addresses and ranges",
    });
  return ranges;
});
const NAMED_RANGES = new Set(["loopback", "linklocal", "uniquelocal"]);

const password = z.string().min(12, "must have at least 12 characters").max(256);

const environment = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  HOST: z.string().max(255).optional(),
  PORT: whole(0, 65_535).default(3000),
  DATA_DIR: z.string().min(1).default("./data"),
  AUTH_SECRET: secret.optional(),
  ADMIN_EMAIL: z.email().max(254).optional(),
  ADMIN_PASSWORD: password.optional(),
  PUBLIC_BASE_URL: webAddress.optional(),
  TRUST_PROXY: trustProxy.default(0),
  CORS_ORIGINS: list.pipe(z.array(webAddress.transform((url) => new URL(url).origin))).default([]),
  MAX_UPLOAD_BYTES: whole(1, 1024 * GIBIBYTE).default(GIBIBYTE),
  SESSION_TTL_SECONDS: whole(60, 365 * 86_400).default(7 * 86_400),
  DOWNLOAD_TOKEN_TTL_SECONDS: whole(10, 86_400).default(600),
  CACHE_MAX_BYTES: whole(0, 1024 * GIBIBYTE).default(4 * GIBIBYTE),
  IP_STORAGE: z.enum(["full", "truncated", "none"]).default("full"),
  RATE_LIMIT_LOGIN: whole(0, 1_000_000).default(10),
  RATE_LIMIT_SUBMIT: whole(0, 1_000_000).default(20),
  RATE_LIMIT_DOWNLOAD: whole(0, 1_000_000).default(120),
  CLOUD_FETCH_ALLOW_HOSTS: list.default([]),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

const consistent = environment.superRefine((values, context) => {
  if ((values.ADMIN_EMAIL === undefined) !== (values.ADMIN_PASSWORD === undefined)) {
    const missing = values.ADMIN_EMAIL === undefined ? "ADMIN_EMAIL" : "ADMIN_PASSWORD";
    context.addIssue({
      code: "custom",
      path: [missing],
      message: "ADMIN_EMAIL and ADMIN_PASSWORD go together",
    });
  }
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
  const parsed = consistent.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${String(issue.path[0] ?? "environment")}: ${issue.message}`),
    );
  }
  return Object.freeze(fromValues(parsed.data));
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
