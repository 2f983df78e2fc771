import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { DKIM_KEY, errorsOf } from "./support/config-errors.ts";

const GOOD_SECRET = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";

it("without any variable an empty one counts as absent", () => {
  const names =
    "NODE_ENV HOST PORT DATA_DIR AUTH_SECRET ADMIN_EMAIL ADMIN_PASSWORD PUBLIC_BASE_URL TRUST_PROXY";
  const empty = Object.fromEntries(
    `${names} CORS_ORIGINS IP_STORAGE LOG_LEVEL`.split(" ").map((n) => [n, ""]),
  );
  expect(readConfig({ ...empty, PATH: "/usr/bin" })).toEqual(readConfig({}));
});

describe("with every variable", () => {
  const config = readConfig({
    NODE_ENV: "test",
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: "/srv/../srv/books",
    STORAGE_URL: "s3://my.books/a/b/?endpoint=https://s3.example.org:9000&region=eu-1",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "of the bucket",
    AWS_SESSION_TOKEN: "token",
    DELIVERY: "redirect",
    ACCEL_PREFIX: "/not/used/",
    FILES_MODE: "group",
    AUTH_SECRET: GOOD_SECRET,
    ADMIN_EMAIL: "Anna@Example.org",
    ADMIN_PASSWORD: "correct horse battery",
    PUBLIC_BASE_URL: "https://books.example.org/library",
    PUBLIC_SITE_URL: "https://www.example.org/books",
    PUBLIC_BOOK_URL: "https://www.example.org/{language}/{slug}?via={channel}",
    TRUST_PROXY: "10.0.0.0/8, ::1 ,loopback",
    CORS_ORIGINS: "https://a.example.org, http://localhost:8080/",
    MAX_UPLOAD_BYTES: "1000",
    SESSION_TTL_SECONDS: "3600",
    DOWNLOAD_TOKEN_TTL_SECONDS: "60",
    CACHE_MAX_BYTES: "0",
    DOWNLOAD_NAMES: "original",
    REMOVED_FILES_DAYS: "7",
    REPLACED_FILES_DAYS: "0",
    IP_STORAGE: "truncated",
    CONSENT_TEXT_VERSIONS: "2026-03, newsletter v2,",
    RATE_LIMIT_LOGIN: "1",
    RATE_LIMIT_SUBMIT: "2",
    RATE_LIMIT_DOWNLOAD: "0",
    RATE_LIMIT_SEARCH: "7",
    RATE_LIMIT_LIST: "8",
    MAX_CONNECTIONS: "11",
    MAX_CONNECTIONS_PER_ADDRESS: "12",
    MAX_OPEN_RESPONSES: "13",
    PUBLIC_CACHE_SECONDS: "15",
    KEEP_ALIVE_SECONDS: "15",
    DRAIN_SECONDS: "14",
    MAXMIND_ACCOUNT_ID: "123456",
    MAXMIND_LICENSE_KEY: "a key: of any signs",
    GEOIP_DOWNLOAD_URL: "http://mirror.internal:8080/city?suffix=tar.gz",
    GEOIP_AUTO_UPDATE: "false",
    WEBHOOK_ALLOW_HOSTS: "crm.internal:8443",
    SMTP_URL: "smtps://books:p%40ss@smtp.example.org",
    MAIL_FROM: '"Our Books" <Books@bücher.example>',
    MAIL_REPLY_TO: "help@example.org",
    MAIL_LINK: "true",
    EMAIL_CONFIRMATION: "optional",
    MAIL_PER_HOUR: "50",
    MAIL_PER_SENDER_HOUR: "20",
    MAIL_DKIM_KEY: DKIM_KEY,
    MAIL_DKIM_SELECTOR: "books2026",
    CLOUD_FETCH_ALLOW_HOSTS: "Minio.example.org:9000,10.1.2.3:80, [fd00::1]:65535",
    METRICS_TOKEN: "c7Vd0Zk2mXr9L+T4wYc6NfHs1J/Pu8Ae==",
    LOG_LEVEL: "silent",
  });

  it("each setting has its value", () => {
    expect(config).toEqual({
      environment: "test",
      host: "127.0.0.1",
      port: 0,
      dataDir: "/srv/books",
      storage: {
        bucket: "my.books",
        prefix: "a/b/",
        region: "eu-1",
        endpoint: "https://s3.example.org:9000",
        credentials: { accessKeyId: "key", secretAccessKey: "of the bucket", sessionToken: "token" },
      },
      redirectsDownloads: true,
      accelPrefix: undefined,
      filesMode: "group",
      removedFilesDays: 7,
      replacedFilesDays: 0,
      authSecret: GOOD_SECRET,
      firstAdmin: { email: "anna@example.org", password: "correct horse battery" },
      publicBaseUrl: "https://books.example.org/library",
      publicSiteUrl: "https://www.example.org/books",
      publicBookUrl: "https://www.example.org/{language}/{slug}?via={channel}",
      trustProxy: ["10.0.0.0/8", "::1", "loopback"],
      corsOrigins: ["https://a.example.org", "http://localhost:8080"],
      publicCacheSeconds: 15,
      hasLibrary: false,
      console: { isWanted: true, isOn: false, host: "books.example.org" },
      maxUploadBytes: 1000,
      sessionTtlMs: 3_600_000,
      downloadTokenTtlMs: 60_000,
      cacheMaxBytes: 0,
      downloadNames: "original",
      ipStorage: "truncated",
      consentTextVersions: ["2026-03", "newsletter v2"],
      rateLimits: { login: 1, submit: 2, download: 0, search: 7, list: 8 },
      maxConnections: 11,
      maxConnectionsPerAddress: 12,
      maxOpenResponses: 13,
      keepAliveMs: 15_000,
      drainMs: 14_000,
      geoIpKey: { accountId: "123456", licenseKey: "a key: of any signs" },
      geoIpDownloadUrl: "http://mirror.internal:8080/city?suffix=tar.gz",
      geoIpAutoUpdate: false,
      cloudFetchAllowHosts: ["minio.example.org:9000", "10.1.2.3:80", "[fd00::1]:65535"],
      webhookAllowHosts: ["crm.internal:8443"],
      mail: {
        server: {
          host: "smtp.example.org",
          port: 465,
          isSecure: true,
          login: { user: "books", password: "p@ss" },
          isLoopback: false,
        },
        from: { name: "Our Books", address: "Books@xn--bcher-kva.example" },
        replyTo: { name: "", address: "help@example.org" },
        dkim: { key: DKIM_KEY, selector: "books2026" },
        baseUrl: "https://books.example.org/library",
        sendsLinks: true,
        confirmation: "optional",
        perHour: 50,
        perSenderHour: 20,
      },
      metricsToken: "c7Vd0Zk2mXr9L+T4wYc6NfHs1J/Pu8Ae==",
      logLevel: "silent",
    });
  });

  it("the settings are read-only", () => {
    for (const part of [
      config,
      config.rateLimits,
      config.corsOrigins,
      config.firstAdmin,
      config.geoIpKey,
      config.trustProxy,
      config.storage,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

it("invalid variables are all named together, each with its error, and none with its value", () => {
  const wrong = {
    NODE_ENV: "prod",
    PORT: "65536",
    AUTH_SECRET: "hunter2",
    ADMIN_PASSWORD: "hunter2",
    PUBLIC_BASE_URL: "books.example.org",
    TRUST_PROXY: "yes",
    CORS_ORIGINS: "*",
    MAX_UPLOAD_BYTES: "1GB",
    SESSION_TTL_SECONDS: "-1",
    DOWNLOAD_TOKEN_TTL_SECONDS: "1e3",
    CACHE_MAX_BYTES: "0x10",
    IP_STORAGE: "some",
    CONSENT_TEXT_VERSIONS: "x".repeat(101),
    RATE_LIMIT_LOGIN: "1.5",
    RATE_LIMIT_SUBMIT: "٣",
    RATE_LIMIT_DOWNLOAD: " 5",
    RATE_LIMIT_SEARCH: "-1",
    RATE_LIMIT_LIST: "1000001",
    PUBLIC_CACHE_SECONDS: "86401",
    MAXMIND_ACCOUNT_ID: "hunter2:hunter2",
    GEOIP_DOWNLOAD_URL: "https://hunter2@example.org/",
    GEOIP_AUTO_UPDATE: "no",
    CLOUD_FETCH_ALLOW_HOSTS: "minio",
    LOG_LEVEL: "verbose",
  };
  const errors = errorsOf(wrong);
  const missing = ["ADMIN_EMAIL", "MAXMIND_LICENSE_KEY"];
  expect(errors.map((fieldError) => fieldError.split(":")[0])).toEqual([...Object.keys(wrong), ...missing]);
  expect(errors.join()).not.toContain("hunter2");
  expect(errors).toContain("ADMIN_EMAIL: ADMIN_EMAIL and ADMIN_PASSWORD must be set together");
  expect(errors).toContain("AUTH_SECRET: must have at least 32 characters");
  expect(errors).toContain("MAX_UPLOAD_BYTES: must be a whole number");
});

describe("AUTH_SECRET", () => {
  it.each([
    ["too short", GOOD_SECRET.slice(1)],
    ["of one character", "a".repeat(64)],
    ["of few characters", `${"abcdefgh1".repeat(3)}hgfedcba1`],
    ["in alphabetical order", "abcdefghijklmnopqrstuvwxyz0123456789"],
    ["a repeated part", "q7Vd0Zk2mXr9LbT4".repeat(2)],
    ["left as in an example", "please-change-me-7Vd0Zk2mXr9LbT4wYc"],
    ["named for what it is", "my-very-own-SECRET-for-the-books-2026"],
  ])("is rejected if it is %s", (_, secret) => {
    expect(errorsOf({ AUTH_SECRET: secret })).toEqual([expect.stringMatching(/^AUTH_SECRET: /)]);
  });

  it.each([GOOD_SECRET, "9f86d081884c7d659a2feaa0c55ad015", "tangerine-otter-velvet-plough-42-quartz"])(
    "is accepted when it is varied: %s",
    (secret) => {
      expect(readConfig({ AUTH_SECRET: secret }).authSecret).toBe(secret);
    },
  );
});

it("DATABASE_URL requires AUTH_SECRET", () => {
  const DATABASE_URL = "postgres://books:pass-word@db.example.org/books";
  expect(errorsOf({ DATABASE_URL })).toEqual([
    "AUTH_SECRET: must be set together with DATABASE_URL, to the same value for all instances",
  ]);
  expect(readConfig({ DATABASE_URL, AUTH_SECRET: GOOD_SECRET }).postgres?.url).toBe(DATABASE_URL);
});

it.each([
  "short",
  "a".repeat(64),
  "mit Umläuten: Zwölf Boxkämpfer jagen Viktor",
  `${GOOD_SECRET} ${GOOD_SECRET}x`,
])("METRICS_TOKEN is rejected if it is easy to guess or doesn't fit into a header: %s", (token) => {
  expect(errorsOf({ METRICS_TOKEN: token })).toEqual([expect.stringMatching(/^METRICS_TOKEN: /)]);
});

describe("ADMIN_EMAIL and ADMIN_PASSWORD", () => {
  const email = "anna@example.org";
  const together = "ADMIN_EMAIL and ADMIN_PASSWORD must be set together";

  it("must be set together", () => {
    expect(errorsOf({ ADMIN_EMAIL: email })).toEqual([`ADMIN_PASSWORD: ${together}`]);
    expect(errorsOf({ ADMIN_PASSWORD: "correct horse battery" })).toEqual([`ADMIN_EMAIL: ${together}`]);
    expect(errorsOf({ ADMIN_EMAIL: email, ADMIN_PASSWORD: "" })).toEqual([`ADMIN_PASSWORD: ${together}`]);
  });

  it("and so must MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY", () => {
    const together = "MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY must be set together";
    expect(errorsOf({ MAXMIND_ACCOUNT_ID: "1" })).toEqual([`MAXMIND_LICENSE_KEY: ${together}`]);
    expect(errorsOf({ MAXMIND_LICENSE_KEY: "k" })).toEqual([`MAXMIND_ACCOUNT_ID: ${together}`]);
  });

  it("are validated like values of the interface", () => {
    const password = "correct horse battery";
    expect(errorsOf({ ADMIN_EMAIL: "anna", ADMIN_PASSWORD: password })).toEqual([
      "ADMIN_EMAIL: must be an e-mail address",
    ]);
    expect(errorsOf({ ADMIN_EMAIL: email, ADMIN_PASSWORD: "eleven char" })).toHaveLength(1);
    expect(errorsOf({ ADMIN_EMAIL: email, ADMIN_PASSWORD: "x".repeat(257) })).not.toEqual([]);
    for (const common of ["passwordpassword", "administrator", "123456789012", "Password2026!"]) {
      expect(errorsOf({ ADMIN_EMAIL: email, ADMIN_PASSWORD: common })).toEqual([
        "ADMIN_PASSWORD: must not be a common password",
      ]);
    }
  });
});

describe("STORAGE_URL", () => {
  it.each([
    ["s3://books", "must name the region or the endpoint, as in ?region=eu-central-1"],
    [
      "https://books.s3.amazonaws.com",
      "must look like s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1",
    ],
    [
      "s3://key:hunter2@books?region=a",
      "must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ],
    ["s3://Bücher?region=a", "must name a bucket after s3://: 3 to 63 lower-case letters, digits, - and ."],
    [
      "s3://books/a//b?region=a",
      "must have a prefix of letters, digits and ! - _ . * ' ( ) /, without empty parts",
    ],
    ["s3://books?region=a&acl=public", "must have no other parameters than endpoint and region, not acl"],
    ["s3://books?endpoint=s3.example.org", "must have an endpoint such as https://s3.example.org:9000"],
    [
      "s3://books?endpoint=https://s3.example.org/path",
      "must have an endpoint such as https://s3.example.org:9000",
    ],
    ["s3://books?region=eu west", "must have a region of letters, digits and -"],
  ])("is rejected: %s", (url, message) => {
    expect(errorsOf({ STORAGE_URL: url })).toEqual([`STORAGE_URL: ${message}`]);
  });

  it("requires no region with an endpoint, and no credentials", () => {
    const { storage } = readConfig({ STORAGE_URL: "s3://books?endpoint=http://127.0.0.1:7480" });
    expect(storage).toEqual({
      bucket: "books",
      prefix: "",
      region: "us-east-1",
      endpoint: "http://127.0.0.1:7480",
      credentials: undefined,
    });
  });

  it("limits uploads to what a store copies in one request, and is required by DELIVERY=redirect", () => {
    const STORAGE_URL = "s3://books?region=a";
    const tooLarge = "MAX_UPLOAD_BYTES: must be at most 5368709120 (5 GiB) with STORAGE_URL";
    expect(errorsOf({ STORAGE_URL, MAX_UPLOAD_BYTES: String(5 * 1024 ** 3 + 1) })).toEqual([tooLarge]);
    expect(errorsOf({ STORAGE_URL, MAX_UPLOAD_BYTES: String(5 * 1024 ** 3) })).toEqual([]);
    expect(errorsOf({ DELIVERY: "redirect" })).toEqual(["DELIVERY: redirect requires STORAGE_URL"]);
    expect(errorsOf({ AWS_ACCESS_KEY_ID: "key" })).toEqual([
      "AWS_SECRET_ACCESS_KEY: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together",
    ]);
  });
});

describe("DELIVERY=accel", () => {
  it("names files below ACCEL_PREFIX, /protected/ by default", () => {
    expect(readConfig({ DELIVERY: "accel" }).accelPrefix).toBe("/protected/");
    expect(readConfig({ DELIVERY: "accel", ACCEL_PREFIX: "/a-b_c/d.e~/" }).accelPrefix).toBe("/a-b_c/d.e~/");
    expect(readConfig({ ACCEL_PREFIX: "/a/" }).accelPrefix).toBeUndefined();
  });

  it("is for files in DATA_DIR", () => {
    expect(errorsOf({ DELIVERY: "accel", STORAGE_URL: "s3://books?region=a" })).toEqual([
      "DELIVERY: accel is for files in DATA_DIR; with STORAGE_URL, use redirect or proxy",
    ]);
    expect(errorsOf({ DELIVERY: "sendfile" })).toHaveLength(1);
    expect(errorsOf({ FILES_MODE: "world" })).toHaveLength(1);
  });
});

describe("the setting", () => {
  const accepted = (name: string, values: readonly string[]) =>
    values.filter((value) => errorsOf({ [name]: value }).length === 0);

  it("ACCEL_PREFIX accepts a path with a slash at both ends that a header can carry as it is", () => {
    const wrong = [
      "protected",
      "/protected",
      "protected/",
      "/",
      "//",
      "/a//b/",
      "/../",
      "/a/./b/",
      "/a b/",
      "/ä/",
    ];
    expect(
      accepted("ACCEL_PREFIX", [...wrong, "/a%2f/", "/a?b/", "/a#/", "/a\n/", `/${"a".repeat(254)}/`]),
    ).toEqual([]);
    expect(accepted("ACCEL_PREFIX", ["/protected/", "/a/b/", "/.well-known/"])).toHaveLength(3);
    expect(errorsOf({ ACCEL_PREFIX: "/protected" })).toEqual([
      "ACCEL_PREFIX: must begin and end with a slash, such as /protected/, with letters, digits and . _ ~ - between",
    ]);
  });

  it("CLOUD_FETCH_ALLOW_HOSTS accepts host:port and nothing that would never match", () => {
    const wrong = [
      "minio",
      "minio:",
      ":9000",
      "minio:0",
      "minio:080",
      "minio:65536",
      "minio:port",
      "minio:9000:1",
      "http://minio:9000",
      "minio:9000/",
      "user@minio:80",
      "fd00::1:9000",
      "*.example.org:80",
      "mi nio:80",
      "bücher.example:80",
      "0x7f.1:80",
      "minio:80,minio",
    ];
    expect(accepted("CLOUD_FETCH_ALLOW_HOSTS", wrong)).toEqual([]);
    const right = ["minio:9000", "127.0.0.1:1", "[fd00::1]:443", "xn--bcher-kva.example:80"];
    expect(accepted("CLOUD_FETCH_ALLOW_HOSTS", right)).toEqual(right);
  });

  it("TRUST_PROXY accepts a number of hops, or addresses and ranges", () => {
    const right = ["0", "2", "10.0.0.1", "10.0.0.0/8,192.168.1.0/24", "fd00::/8", "loopback,uniquelocal"];
    expect(accepted("TRUST_PROXY", right)).toEqual(right);
    const wrong = [
      "true",
      "-1",
      "100",
      "999.0.0.1",
      "10.0.0.0/33",
      "10.0.0.0/0",
      "fd00::/129",
      "dead",
      "1/8/8",
    ];
    expect(accepted("TRUST_PROXY", wrong)).toEqual([]);
  });

  it("CORS_ORIGINS and PUBLIC_BASE_URL accept http and https, without user, query and fragment", () => {
    const wrong = [
      "example.org",
      "ftp://a.org",
      "https:a.org",
      "https://u:p@a.org",
      "https://a.org?b",
      "https://a.org#b",
    ];
    expect(accepted("CORS_ORIGINS", wrong)).toEqual([]);
    expect(accepted("PUBLIC_BASE_URL", wrong)).toEqual([]);
    expect(accepted("PUBLIC_SITE_URL", wrong)).toEqual([]);
    expect(accepted("CORS_ORIGINS", ["null", "https://a.org/path"])).toEqual([]);
    expect(accepted("PUBLIC_BASE_URL", ["https://a.org/path"])).toEqual(["https://a.org/path"]);
  });

  it("PUBLIC_BOOK_URL accepts http and https with the place of the book behind the host", () => {
    const wrong = [
      "https://a.org/",
      "https://{slug}.a.org/",
      "javascript:{slug}",
      "https://a.org/{slug}/{title}",
    ];
    expect(accepted("PUBLIC_BOOK_URL", wrong)).toEqual([]);
    expect(accepted("PUBLIC_BOOK_URL", ["https://a.org/{slug}#b"])).toEqual(["https://a.org/{slug}#b"]);
  });
});
