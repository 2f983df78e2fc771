/** The configuration: read once from the environment, validated as a whole, then frozen. */
import { resolve } from "node:path";
import { z } from "zod";
import { readEnvironment, SECRETS, type Variables } from "./environment.ts";
import { OperatorError } from "./errors.ts";
import { bookTemplate, email } from "./schemas/atoms.ts";
import { newPassword } from "./schemas/auth.schemas.ts";
import { CONFIRMATION_RULES } from "./schemas/confirmations.schemas.ts";
import { textVersion } from "./schemas/consents.schemas.ts";
import { certificates, dkimKey, dkimSelector, mailbox, smtpUrl } from "./schemas/mail-variables.ts";
import { explain } from "./schemas/parse.ts";
import {
  bearerToken,
  bucketAddress,
  credentialPart,
  downloadAddress,
  hostAndPort,
  list,
  pathPrefix,
  postgresUrl,
  secret,
  trustProxy,
  webAddress,
  webOrigin,
  whole,
} from "./schemas/variables.ts";

const GIBIBYTE = 1024 ** 3;

const environment = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  HOST: z.string().max(255).optional(),
  PORT: whole(0, 65_535).default(3000),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_REPORT_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: whole(1, 1000).default(10),
  DATABASE_CONNECT_TIMEOUT_SECONDS: whole(1, 300).default(5),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: whole(1, 3600).default(30),
  STORAGE_URL: bucketAddress.optional(),
  AWS_ACCESS_KEY_ID: credentialPart.optional(),
  AWS_SECRET_ACCESS_KEY: credentialPart.optional(),
  AWS_SESSION_TOKEN: z.string().max(16_384).optional(),
  DELIVERY: z.enum(["proxy", "redirect", "accel"]).default("proxy"),
  ACCEL_PREFIX: pathPrefix.default("/protected/"),
  FILES_MODE: z.enum(["private", "group"]).default("private"),
  AUTH_SECRET: secret.optional(),
  ADMIN_EMAIL: email.optional(),
  ADMIN_PASSWORD: newPassword.optional(),
  PUBLIC_BASE_URL: webAddress.optional(),
  PUBLIC_SITE_URL: webAddress.optional(),
  PUBLIC_BOOK_URL: bookTemplate.optional(),
  LIBRARY: z.enum(["auto", "true", "false"]).default("auto"),
  TRUST_PROXY: trustProxy.default(0),
  CORS_ORIGINS: list.pipe(z.array(webOrigin)).default([]),
  MAX_UPLOAD_BYTES: whole(1, 1024 * GIBIBYTE).default(GIBIBYTE),
  SESSION_TTL_SECONDS: whole(60, 365 * 86_400).default(7 * 86_400),
  DOWNLOAD_TOKEN_TTL_SECONDS: whole(10, 86_400).default(600),
  CACHE_MAX_BYTES: whole(0, 1024 * GIBIBYTE).default(4 * GIBIBYTE),
  DOWNLOAD_NAMES: z.enum(["title", "original"]).default("title"),
  IP_STORAGE: z.enum(["full", "truncated", "none"]).default("full"),
  CONSENT_TEXT_VERSIONS: list.pipe(z.array(textVersion).max(100)).default([]),
  EVENT_RETENTION_DAYS: whole(1, 36_500).optional(),
  REMOVED_FILES_DAYS: whole(1, 36_500).default(30),
  REPLACED_FILES_DAYS: whole(0, 36_500).default(30),
  RATE_LIMIT_LOGIN: whole(0, 1_000_000).default(10),
  RATE_LIMIT_SUBMIT: whole(0, 1_000_000).default(20),
  RATE_LIMIT_DOWNLOAD: whole(0, 1_000_000).default(120),
  RATE_LIMIT_SEARCH: whole(0, 1_000_000).default(60),
  RATE_LIMIT_LIST: whole(0, 1_000_000).default(300),
  MAX_OPEN_RESPONSES: whole(0, 1_000_000).default(100),
  MAX_CONNECTIONS: whole(0, 1_000_000).default(2000),
  MAX_CONNECTIONS_PER_ADDRESS: whole(0, 1_000_000).default(200),
  PUBLIC_CACHE_SECONDS: whole(0, 86_400).default(0),
  CONSOLE: z.enum(["true", "false"]).default("true"),
  KEEP_ALIVE_SECONDS: whole(1, 3600).default(130),
  DRAIN_SECONDS: whole(0, 3600).default(0),
  MAXMIND_ACCOUNT_ID: credentialPart.regex(/^[^:]*$/, "must not contain a colon").optional(),
  MAXMIND_LICENSE_KEY: credentialPart.optional(),
  GEOIP_DOWNLOAD_URL: downloadAddress.optional(),
  GEOIP_AUTO_UPDATE: z.enum(["true", "false"]).default("true"),
  CLOUD_FETCH_ALLOW_HOSTS: list.pipe(z.array(hostAndPort)).default([]),
  WEBHOOK_ALLOW_HOSTS: list.pipe(z.array(hostAndPort)).default([]),
  SMTP_URL: smtpUrl.optional(),
  SMTP_CA: certificates.optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_REPLY_TO: mailbox.optional(),
  MAIL_LINK: z.enum(["true", "false"]).default("false"),
  EMAIL_CONFIRMATION: z.enum(CONFIRMATION_RULES).default("off"),
  MAIL_PER_HOUR: whole(1, 1_000_000).default(1000),
  MAIL_PER_SENDER_HOUR: whole(1, 1_000_000).default(120),
  MAIL_DKIM_KEY: dkimKey.optional(),
  MAIL_DKIM_SELECTOR: dkimSelector.optional(),
  METRICS_TOKEN: bearerToken.optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Each requires the other. */
const PAIRS = [
  ["ADMIN_EMAIL", "ADMIN_PASSWORD"],
  ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  ["MAXMIND_ACCOUNT_ID", "MAXMIND_LICENSE_KEY"],
  ["MAIL_DKIM_KEY", "MAIL_DKIM_SELECTOR"],
];

export type Config = Readonly<ReturnType<typeof createConfig>>;

/** Lists every invalid variable, one line each; shown on the terminal before anything starts. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";

  constructor(messages: readonly string[]) {
    super(`The configuration is not valid:\n${messages.map((message) => `  ${message}`).join("\n")}`);
  }
}

/**
 * Reads the configuration from environment variables and `.env`. An empty variable counts as absent.
 * @param variables used instead of those of the process and `.env`
 * @param more take precedence
 * @throws ConfigError naming every invalid variable
 */
export function readConfig(variables?: Variables, more: Variables = {}): Config {
  const { values, errors } = readEnvironment(variables);
  const given: Variables = { ...values, ...more };
  const parsed = environment.safeParse(given, { error: explain });
  const messages = [
    ...errors,
    ...(parsed.error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? []),
  ];
  for (const pair of PAIRS) {
    const missing = pair.filter((name) => (given[name] ?? given[`${name}_FILE`]) === undefined);
    if (missing.length === 1) messages.push(`${missing}: ${pair.join(" and ")} must be set together`);
  }
  // A command that is given another address signs nothing.
  if (values.DATABASE_URL !== undefined && values.AUTH_SECRET === undefined)
    messages.push("AUTH_SECRET: must be set together with DATABASE_URL, to the same value for all instances");
  messages.push(...findStorageErrors(given, parsed.data?.MAX_UPLOAD_BYTES), ...findMailErrors(given));
  if (!parsed.success || messages.length > 0) throw new ConfigError([...new Set(messages)]);
  const config = createConfig(parsed.data);
  for (const value of Object.values(config)) Object.freeze(value);
  return Object.freeze(config);
}

function createConfig(values: z.output<typeof environment>) {
  return {
    environment: values.NODE_ENV,
    /** Undefined: all addresses of this machine. */
    host: values.HOST,
    port: values.PORT,
    /** Absolute path of the folder that contains all data. */
    dataDir: resolve(values.DATA_DIR),
    /** Undefined: SQLite in the data folder. */
    postgres: postgresOf(values),
    ...storageOf(values),
    authSecret: values.AUTH_SECRET,
    firstAdmin: firstAdminOf(values),
    ...publicSideOf(values),
    trustProxy: values.TRUST_PROXY,
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    sessionTtlMs: values.SESSION_TTL_SECONDS * 1000,
    downloadTokenTtlMs: values.DOWNLOAD_TOKEN_TTL_SECONDS * 1000,
    cacheMaxBytes: values.CACHE_MAX_BYTES,
    downloadNames: values.DOWNLOAD_NAMES,
    ipStorage: values.IP_STORAGE,
    /** Versions of the consent text to which a consent is valid; empty: all. */
    consentTextVersions: values.CONSENT_TEXT_VERSIONS,
    /** Number of days after which an event is anonymised; undefined: never. */
    eventRetentionDays: values.EVENT_RETENTION_DAYS,
    /** Requests per window and client; for log-ins, only failures count. 0 disables a limit. */
    rateLimits: rateLimitsOf(values),
    ...connectionsOf(values),
    geoIpKey: geoIpKeyOf(values),
    /** Undefined: the provider's own URL. */
    geoIpDownloadUrl: values.GEOIP_DOWNLOAD_URL,
    geoIpAutoUpdate: values.GEOIP_AUTO_UPDATE === "true",
    cloudFetchAllowHosts: values.CLOUD_FETCH_ALLOW_HOSTS,
    webhookAllowHosts: values.WEBHOOK_ALLOW_HOSTS,
    mail: mailOf(values),
    /** Undefined: /metrics doesn't exist. */
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  };
}

const publicSideOf = (values: z.output<typeof environment>) => ({
  publicBaseUrl: values.PUBLIC_BASE_URL,
  /** The site on which readers find the books: pages link to it, and forms from it are accepted. */
  publicSiteUrl: values.PUBLIC_SITE_URL,
  /** A template of the addresses of books; undefined: in the library, or else on that site. */
  publicBookUrl: values.PUBLIC_BOOK_URL,
  corsOrigins: values.CORS_ORIGINS,
  /** How long CDNs and proxies may keep responses that show the published catalogue; 0: they must ask each time. */
  publicCacheSeconds: values.PUBLIC_CACHE_SECONDS,
  /** Whether the service shows pages for readers. An organisation with a site of its own shows the books there. */
  hasLibrary: values.LIBRARY === "auto" ? values.PUBLIC_SITE_URL === undefined : values.LIBRARY === "true",
  console: consoleOf(values),
});

/** The console has the root of its host, so that its addresses and its cookie belong to nothing else. */
function consoleOf({ CONSOLE: wanted, PUBLIC_BASE_URL: address = "" }: z.output<typeof environment>) {
  const url = URL.parse(address);
  const isBelowPath = (url?.pathname ?? "/") !== "/";
  return { isWanted: wanted === "true", isOn: wanted === "true" && !isBelowPath, host: url?.hostname };
}

const postgresOf = (values: z.output<typeof environment>) =>
  values.DATABASE_URL === undefined
    ? undefined
    : {
        url: values.DATABASE_URL,
        reportUrl: values.DATABASE_REPORT_URL ?? values.DATABASE_URL,
        size: values.DATABASE_POOL_SIZE,
        connectTimeoutMs: values.DATABASE_CONNECT_TIMEOUT_SECONDS * 1000,
        statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1000,
      };

/** An S3 store copies larger objects only in parts. */
const MAX_STORED_BYTES = 5 * GIBIBYTE;

/** The settings that don't fit to where files are stored. */
function findStorageErrors(given: Variables, maxUploadBytes = 0): string[] {
  const errors: string[] = [];
  if (given.STORAGE_URL === undefined && given.DELIVERY === "redirect")
    errors.push("DELIVERY: redirect requires STORAGE_URL");
  if (given.STORAGE_URL !== undefined && given.DELIVERY === "accel")
    errors.push("DELIVERY: accel is for files in DATA_DIR; with STORAGE_URL, use redirect or proxy");
  if (given.STORAGE_URL !== undefined && maxUploadBytes > MAX_STORED_BYTES)
    errors.push(`MAX_UPLOAD_BYTES: must be at most ${MAX_STORED_BYTES} (5 GiB) with STORAGE_URL`);
  return errors;
}

const storageOf = (values: z.output<typeof environment>) => ({
  /** The bucket; undefined: files are stored in the data folder. */
  storage: values.STORAGE_URL && { ...values.STORAGE_URL, credentials: storageKeyOf(values) },
  /** Whether clients are redirected to the store for files and ZIPs. */
  redirectsDownloads: values.DELIVERY === "redirect",
  /** The path below which a proxy in front of the service sends files and ZIPs; undefined: the service sends them. */
  accelPrefix: values.DELIVERY === "accel" ? values.ACCEL_PREFIX : undefined,
  /** Who may read stored files and the cache on this machine: the service's user, or its group, too. */
  filesMode: values.FILES_MODE,
  /** Number of days after which a file that was set aside is deleted. */
  removedFilesDays: values.REMOVED_FILES_DAYS,
  /** Number of days for which replaced files and covers are kept; 0: not at all. */
  replacedFilesDays: values.REPLACED_FILES_DAYS,
});

/** Undefined: the SDK looks for credentials in its own files and at the cloud provider. */
const storageKeyOf = (values: z.output<typeof environment>) => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { AWS_SESSION_TOKEN: sessionToken } = values;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
};

const connectionsOf = (values: z.output<typeof environment>) => ({
  /** Maximum connections overall and per address; 0: unlimited. */
  maxConnections: values.MAX_CONNECTIONS,
  maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
  /** Maximum concurrent responses per client address; 0: unlimited. */
  maxOpenResponses: values.MAX_OPEN_RESPONSES,
  /** How long a connection stays open after a response. */
  keepAliveMs: values.KEEP_ALIVE_SECONDS * 1000,
  /** How long new requests are accepted after the stop signal. */
  drainMs: values.DRAIN_SECONDS * 1000,
});

const rateLimitsOf = (values: z.output<typeof environment>) => ({
  login: values.RATE_LIMIT_LOGIN,
  submit: values.RATE_LIMIT_SUBMIT,
  download: values.RATE_LIMIT_DOWNLOAD,
  search: values.RATE_LIMIT_SEARCH,
  list: values.RATE_LIMIT_LIST,
});

/** What is of use only with letters. */
const OF_LETTERS = ["SMTP_CA", "MAIL_FROM", "MAIL_REPLY_TO", "MAIL_DKIM_KEY"];

/** Letters are on with `SMTP_URL`. Their links are never built from what a request says. */
function findMailErrors(given: Variables): string[] {
  if (given.SMTP_URL !== undefined)
    return ["MAIL_FROM", "PUBLIC_BASE_URL"].flatMap((name) =>
      given[name] === undefined ? [`${name}: must be set with SMTP_URL`] : [],
    );
  const wanted = OF_LETTERS.filter((name) => given[name] !== undefined);
  if (given.MAIL_LINK === "true") wanted.push("MAIL_LINK");
  if ((given.EMAIL_CONFIRMATION ?? "off") !== "off") wanted.push("EMAIL_CONFIRMATION");
  return wanted.map((name) => `${name}: requires SMTP_URL`);
}

export type MailSettings = NonNullable<ReturnType<typeof mailOf>>;

/** Undefined: no letters are written. */
function mailOf(values: z.output<typeof environment>) {
  const { SMTP_URL: server, MAIL_FROM: from, PUBLIC_BASE_URL: baseUrl } = values;
  if (server === undefined || from === undefined || baseUrl === undefined) return undefined;
  const { MAIL_DKIM_KEY: key, MAIL_DKIM_SELECTOR: selector } = values;
  return {
    server,
    /** Certificates of an authority of one's own; undefined: those that Node knows. */
    ca: values.SMTP_CA,
    from,
    replyTo: values.MAIL_REPLY_TO,
    dkim: key !== undefined && selector !== undefined ? { key, selector } : undefined,
    /** Without a slash at its end. */
    baseUrl: baseUrl.replace(/\/+$/, ""),
    /** Whether a reader gets the link by mail, too. */
    sendsLinks: values.MAIL_LINK === "true",
    /** Whether a reader confirms the address, in languages without a rule of their own. */
    confirmation: values.EMAIL_CONFIRMATION,
    perHour: values.MAIL_PER_HOUR,
    perSenderHour: values.MAIL_PER_SENDER_HOUR,
  };
}

const firstAdminOf = ({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: z.output<typeof environment>) =>
  email !== undefined && password !== undefined ? { email, password } : undefined;

const geoIpKeyOf = (values: z.output<typeof environment>) => {
  const { MAXMIND_ACCOUNT_ID: accountId, MAXMIND_LICENSE_KEY: licenseKey } = values;
  return accountId !== undefined && licenseKey !== undefined ? { accountId, licenseKey } : undefined;
};

const clientSecrets = z.object({
  BOOKDIST_API_KEY: z.string().optional(),
  BOOKDIST_PASSWORD: z.string().optional(),
});

/** All variables that the service or a command reads. */
export const VARIABLES = [
  ...Object.keys(environment.shape),
  ...Object.keys(clientSecrets.shape),
  ...SECRETS.map((name) => `${name}_FILE`),
];

/** The secrets with which a command can log in to a service on another machine. They don't configure this one. */
export function readClientSecrets() {
  const { BOOKDIST_API_KEY: apiKey, BOOKDIST_PASSWORD: password } = clientSecrets.parse(
    readEnvironment().values,
  );
  return { apiKey, password };
}
