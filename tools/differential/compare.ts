/** Compares two responses to the same request: ids, times and tokens are matched, everything else must be equal. */
import type { Response } from "../fuzz/service/send.ts";
import { readZip } from "../lib/read-zip.ts";

/** Both services are asked at nearly the same time; fixed times are equal. */
const TIME_TOLERANCE_MS = 60_000;

/** Headers of the connection, or of the moment. */
const IGNORED = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-encoding",
  "content-length",
  "transfer-encoding",
]);
/** Where the service may have counted differently, or the bytes differ by an id: only their presence is compared. */
const PRESENT = new Set(["etag", "last-modified", "x-request-id"]);

/**
 * The version of a record. That of a contact depends on the time of its latest consent, to the millisecond; everything else
 * that it depends on is compared by itself.
 */
const VERSION = /^[\w-]{22}$/;

/** Of a webhook and its deliveries: how many attempts have been made depends on the moment. */
const DELIVERED_LATER =
  /\.(?:waiting|lastDelivery|attempts|lastAttemptAt|nextAttemptAt|httpStatus|durationMs)$/;

const UUID = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`;
const JWT = String.raw`eyJ[\w-]{10,}\.[\w-]+\.[\w-]+`;
const SECRET = String.raw`bds_\w{8,}|whsec_[\w+/]{20,}=`;
/** Made of an id. */
const SLUG = "(?:book|channel)-[0-9a-f]{8}";
const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?`;
const HTTP_DATE = String.raw`[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT`;
const TOKEN = new RegExp(`(${UUID})|(${JWT}|${SECRET}|${SLUG})|(${TIME}|${HTTP_DATE})`, "g");

/** Which names of the one service are which of the other. */
export class Names {
  readonly #ofRight = new Map<string, string>();
  readonly #ofLeft = new Map<string, string>();

  /** Whether both are new, or were matched with each other before; then they are from now on. */
  match(left: string, right: string): boolean {
    const known = this.#ofRight.get(left);
    if (known !== undefined || this.#ofLeft.has(right)) return known === right;
    this.#ofRight.set(left, right);
    this.#ofLeft.set(right, left);
    return true;
  }

  /** A text of the left service as the right one knows it. */
  toRight(text: string): string {
    return text.replaceAll(TOKEN, (name) => this.#ofRight.get(name) ?? name);
  }
}

/** Undefined if the responses are equal; else what differs, in a line. */
export async function findDifference(
  left: Response,
  right: Response,
  names: Names,
): Promise<string | undefined> {
  if (left.status !== right.status) return `status: ${left.status} and ${right.status}`;
  return findHeaderDifference(left, right, names) ?? (await findBodyDifference(left, right, names));
}

function findHeaderDifference(left: Response, right: Response, names: Names): string | undefined {
  const all = new Set([...Object.keys(left.headers), ...Object.keys(right.headers)]);
  for (const name of [...all].sort()) {
    if (IGNORED.has(name)) continue;
    const [one, other] = [left.headers[name], right.headers[name]].map((value) => [value].flat().join(", "));
    const isEqual = PRESENT.has(name)
      ? (one === "") === (other === "")
      : isEqualText(one ?? "", other ?? "", names);
    if (!isEqual) return `header ${name}: ${formatValue(one)} and ${formatValue(other)}`;
  }
  return undefined;
}

async function findBodyDifference(
  left: Response,
  right: Response,
  names: Names,
): Promise<string | undefined> {
  if (left.body.equals(right.body)) return undefined;
  const type = left.headers["content-type"] ?? "";
  if (/json/.test(type)) return findJsonDifference(tryParse(left.body), tryParse(right.body), names, "body");
  if (left.status === 200 && /^application\/zip/.test(type)) return zipDifference(left.body, right.body);
  if (/^text\/|[/+]xml\b/.test(type)) {
    const [one, other] = [left.body, right.body].map((body) => body.toString("utf8").split("\n"));
    return listDifference(one ?? [], other ?? [], names, "line");
  }
  return `body: ${left.body.length} and ${right.body.length} other bytes`;
}

function findJsonDifference(left: unknown, right: unknown, names: Names, at: string): string | undefined {
  if (DELIVERED_LATER.test(at)) return undefined;
  if (typeof left === "string" && typeof right === "string") {
    if (at.endsWith(".version") && VERSION.test(left) && VERSION.test(right)) return undefined;
    return isEqualText(left, right, names)
      ? undefined
      : `${at}: ${formatValue(left)} and ${formatValue(right)}`;
  }
  if (Array.isArray(left) && Array.isArray(right)) return listDifference(left, right, names, at);
  if (!isObject(left) || !isObject(right))
    return Object.is(left, right) ? undefined : `${at}: ${formatValue(left)} and ${formatValue(right)}`;
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  if (!isEqualText(keys.join(), others.join(), names))
    return `${at}: the fields ${formatValue(keys)} and ${formatValue(others)}`;
  return findFirst([...keys.entries()], ([index, key]) =>
    findJsonDifference(left[key], right[others[index] ?? key], names, `${at}.${key}`),
  );
}

function listDifference(
  left: readonly unknown[],
  right: readonly unknown[],
  names: Names,
  at: string,
): string | undefined {
  if ([left, right].some(isReadLater)) return undefined;
  if (left.length !== right.length) return `${at}: ${left.length} and ${right.length} items`;
  const [one = [], other = []] = [left, right].map((list) =>
    at.endsWith(".sessions") ? sortByCreation(list) : list,
  );
  return findFirst([...one.keys()], (index) =>
    findJsonDifference(one[index], other[index], names, `${at}.${index}`),
  );
}

/** Archives differ by the times in them. */
async function zipDifference(left: Buffer, right: Buffer): Promise<string | undefined> {
  const [one = [], other = []] = await Promise.all(
    [left, right].map(async (zip) =>
      (await readZip(zip)).map(({ name, bytes }) => `${name} ${bytes.toString("base64")}`),
    ),
  );
  const at = one.findIndex((entry, index) => entry !== other[index]);
  if (at < 0 && one.length === other.length) return undefined;
  return `ZIP: ${formatValue(one[at])} and ${formatValue(other[at])}`;
}

/** The texts between names and times are equal, names match, and times are near each other. */
function isEqualText(left: string, right: string, names: Names): boolean {
  if (left === right) return true;
  const [one, other] = [left.split(TOKEN), right.split(TOKEN)];
  if (one.length !== other.length) return false;
  return one.every((part = "", index) => {
    const there = other[index] ?? "";
    // Between two texts come three groups, of which one has matched.
    const kind = index % 4;
    if (part === there) return true;
    if (kind === 0 || part === "" || there === "") return false;
    if (kind === 3) return Math.abs(Date.parse(part) - Date.parse(there)) <= TIME_TOLERANCE_MS;
    return names.match(part, there);
  });
}

function findFirst<T>(list: readonly T[], find: (each: T) => string | undefined): string | undefined {
  for (const each of list) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tryParse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return body.toString("utf8");
  }
}

/** Remarks on a file: after a wait, a service responds before the file is read. */
const isReadLater = (list: readonly unknown[]): boolean =>
  list.some((each) => isObject(each) && each.code === "metadata_pending");

/** Sessions are listed by when they were seen last, which is noted once a minute: it depends on the moment. */
const sortByCreation = (list: readonly unknown[]): unknown[] =>
  list.toSorted((one, other) => (createdAtOf(one) < createdAtOf(other) ? -1 : 1));
const createdAtOf = (item: unknown): string => (isObject(item) ? String(item.createdAt) : "");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const SHOWN_CHARACTERS = 300;
const formatValue = (value: unknown): string =>
  (JSON.stringify(value) ?? "nothing").slice(0, SHOWN_CHARACTERS);
