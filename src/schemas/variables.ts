/** What the variables of the environment may hold. */
import { isIP } from "node:net";
import { z } from "zod";
import { withCode } from "./error-codes.ts";

/** A whole number of an environment variable, within bounds. */
export const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));

/** A comma-separated list; blanks around the items don't count. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Long and varied enough to be unguessable. */
export const secret = z
  .string()
  .min(32, { error: "must have at least 32 characters", abort: true })
  .max(1024)
  .refine((text) => !isGuessable(text), "is easy to guess; generate one with: openssl rand -base64 48");

/** A secret that fits into an Authorization header (RFC 6750, 2.1). */
export const bearerToken = secret.regex(
  /^[\w.~+/-]+=*$/,
  "must contain only letters, digits and - . _ ~ + /",
);

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

export const webAddress = z.string().max(2048).refine(isPlainAddress, {
  error: "must be an http or https URL without user, query and fragment",
});

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\/[^?#\s]+$/i.test(text) && url.username + url.password === "";
}

/** A segment of a path that needs no escaping in a header, and isn't `.` or `..`. */
const PLAIN_SEGMENT = /^(?!\.\.?$)[\w.~-]+$/;

/** `ACCEL_PREFIX`: a path such as `/protected/`. */
export const pathPrefix = z
  .string()
  .max(255)
  .refine(
    isPathPrefix,
    "must begin and end with a slash, such as /protected/, with letters, digits and . _ ~ - between",
  );

function isPathPrefix(text: string): boolean {
  const [first, ...rest] = text.split("/");
  return (
    first === "" && rest.length > 1 && rest.pop() === "" && rest.every((part) => PLAIN_SEGMENT.test(part))
  );
}

/** `postgres://user:password@host:port/database`, with parameters such as `sslmode`. The message must not repeat it. */
export const postgresUrl = z
  .string()
  .max(2048)
  .refine(isPostgresUrl, "must be a URL such as postgres://user:password@host:5432/database");

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
}

/** Where archives are: the query may say which. */
export const downloadAddress = z
  .string()
  .max(2048)
  .refine((text) => isPlainAddress(text.replace(/\?[^#\s]*$/, "")), {
    error: "must be an http or https URL without user and fragment",
  });

export const webOrigin = webAddress
  .refine((text) => (URL.parse(text)?.pathname ?? "/") === "/", "must end after host and port")
  .transform((text) => new URL(text).origin);

/** `TRUST_PROXY`: a number of hops, or addresses and ranges whose forwarded headers are believed. */
export const trustProxy = z
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
export const hostAndPort = z
  .string()
  .toLowerCase()
  .refine((text) => {
    const [, host = "", port = ""] = /^([\w.-]+|\[[\da-f:.]+\]):([1-9]\d{0,4})$/.exec(text) ?? [];
    return URL.parse(`http://${host}`)?.hostname === host && Number(port) <= 65_535;
  }, "must be a list of host:port");

/** User or password of HTTP's Basic scheme (RFC 7617). */
export const credentialPart = z
  .string()
  .max(200)
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

/** `STORAGE_URL`: a bucket of an S3 store. */
export interface BucketAddress {
  bucket: string;
  /** Of all keys: empty, or with a slash at its end. */
  prefix: string;
  region: string;
  /** Undefined: that of AWS. */
  endpoint: string | undefined;
}

/** `s3://bucket/prefix?endpoint=https://host:port&region=name` */
export const bucketAddress = z
  .string()
  .max(2048)
  .transform((text, context): BucketAddress => {
    const reject = (message: string) => {
      context.addIssue({ code: "custom", message, params: withCode("invalid_value") });
      return z.NEVER;
    };
    const url = URL.parse(text);
    if (url?.protocol !== "s3:" || url.hash !== "") return reject(`must look like ${BUCKET_EXAMPLE}`);
    if (url.username + url.password !== "")
      return reject("must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    if (!BUCKET.test(url.host))
      return reject("must name a bucket after s3://: 3 to 63 lower-case letters, digits, - and .");
    const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
    if (!PREFIX.test(prefix))
      return reject("must have a prefix of letters, digits and ! - _ . * ' ( ) /, without empty parts");
    const unknown = [...url.searchParams.keys()].find((name) => name !== "endpoint" && name !== "region");
    if (unknown !== undefined)
      return reject(`must have no other parameters than endpoint and region, not ${unknown}`);
    const endpoint = url.searchParams.get("endpoint") ?? undefined;
    if (endpoint !== undefined && !isOrigin(endpoint))
      return reject("must have an endpoint such as https://s3.example.org:9000");
    const region = url.searchParams.get("region") ?? (endpoint && DEFAULT_REGION);
    if (region === undefined)
      return reject("must name the region or the endpoint, as in ?region=eu-central-1");
    if (!/^[\w-]{1,64}$/.test(region)) return reject("must have a region of letters, digits and -");
    return { bucket: url.host, prefix: prefix === "" ? "" : `${prefix}/`, region, endpoint };
  });

const BUCKET_EXAMPLE = "s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1";
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w!.*'()-]+(?:\/[\w!.*'()-]+)*)?$/;
/** Stores that aren't divided into regions accept it. */
const DEFAULT_REGION = "us-east-1";

const isOrigin = (text: string): boolean => isPlainAddress(text) && new URL(text).pathname === "/";
