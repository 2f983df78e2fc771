// Holds a response against the document and against what every response must have.
import { Ajv2020 } from "ajv/dist/2020.js";
import { createStrictDocument } from "../lib/strict-document.ts";
import type { Document, Operation } from "./document.ts";
import type { Headers, RawRequest } from "./requests/request.ts";
import type { Response } from "./service/send.ts";

const PROBLEM = "application/problem+json";
/** A browser gets it at an unknown path. */
const PAGE = "text/html; charset=utf-8";

/** On every response. */
const SECURITY_HEADERS: Readonly<Record<string, RegExp>> = {
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^SAMEORIGIN$/,
  "content-security-policy": /default-src 'none'|default-src 'self'|sandbox/,
  // A form of a page whose policy is no-referrer has the origin null.
  "referrer-policy": /^(?:no-referrer|same-origin)$/,
  "x-request-id": /^[\w.-]{8,64}$/,
};

/** More parts of one header than the service reads: such a request is refused before its address is looked at. */
const MAX_PARTS = 200;

/** Node's parser rejects such a target: the response is a bare status. */
const NOT_HTTP = /[^\x21-\x7e]/;

/** Headers that would tell what runs here. */
const TALKATIVE = ["x-powered-by", "server"];

/** NUL and half a character, as JSON writes them. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/;
/** Readers' forms are never refused because of their consent: what isn't understood of it is left out. */
const withoutConsent = (body: string): string =>
  body.replace(/"consent": ?\{[^{}]*\}|"consent": ?"[^"]*"/, "");
/** Of many items in one request each is refused by itself. */
const REFUSED_IN_PART = /"status":"failed"/;

/** Of errors from inside: a stack, SQL, a path of the source. */
const INSIDE = /\bat \S+ \(|node_modules|SQLITE_|\/src\/\w+|better-sqlite3|Error: /;

/** As the service writes them; JSON Schema allows more. */
const FORMATS = {
  "date-time": /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4,}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
  email: /^\S+@\S+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/,
  "uri-reference": true,
  binary: true,
} as const;

export interface Checked {
  /** What answered; undefined at an address that the document doesn't have. */
  operation: Operation | undefined;
  errors: readonly string[];
}

/** What isn't HTTP gets a 400 without a body, and the connection ends. */
function findBareErrors({ status, headers }: Response): string[] {
  const isBare = status === 400 && headers.connection === "close" && headers["content-length"] === "0";
  return isBare ? [] : [`${status} in place of a bare 400 for what isn't HTTP`];
}

export class Checker {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, formats: FORMATS, allErrors: true });
  readonly #paths: readonly { path: string; pattern: RegExp }[];

  constructor(document: Document) {
    this.#document = document;
    this.#ajv.addSchema(createStrictDocument(document.raw), "document");
    const paths = [...new Set(document.operations.map(({ path }) => path))];
    // A path without parameters goes before one that has some in the same place, and `/style-{hash}.css` before `/{code}`.
    this.#paths = paths
      .sort(
        (one, other) =>
          one.split("{").length - other.split("{").length ||
          withoutNames(other).length - withoutNames(one).length,
      )
      .map((path) => ({ path, pattern: patternOf(path) }));
  }

  check(request: RawRequest, response: Response): Checked {
    if (NOT_HTTP.test(request.target)) return { operation: undefined, errors: findBareErrors(response) };
    const path = this.#findPath(request.target);
    const method = request.method === "HEAD" ? "get" : request.method.toLowerCase();
    const siblings = this.#document.operations.filter((each) => each.path === path);
    const operation = siblings.find((each) => each.method === method);
    const fieldErrors = [
      ...findHeaderErrors(response),
      ...(operation ? this.#findErrors(operation, request, response) : []),
    ];
    if (!operation) fieldErrors.push(...this.#findStrayErrors(siblings, request, response));
    return { operation, errors: fieldErrors };
  }

  #findPath(target: string): string | undefined {
    const [address = ""] = target.replace(/^http:\/\/[^/]*/, "").split("?");
    return this.#paths.find(({ pattern }) => pattern.test(address))?.path;
  }

  #findErrors(operation: Operation, { method, body, headers }: RawRequest, response: Response): string[] {
    const { status } = response;
    if (status === 431 && hasTooManyParts(headers))
      return method === "HEAD" ? [] : this.#findProblemErrors(response);
    const documented = operation.responses.get(status);
    if (
      status < 300 &&
      UNSTORABLE.test(withoutConsent(String(body))) &&
      !REFUSED_IN_PART.test(String(response.body))
    )
      return [`${status}: a text that can't be stored was taken`];
    if (status >= 500) return [`${status}: the server failed`];
    if (!documented) return [`${status} is not documented for ${operation.id}`];
    const isEmpty = documented.mediaTypes.length === 0;
    if (isEmpty || method === "HEAD")
      return response.body.length === 0 ? [] : [`${status} has a body and should have none`];
    const type = response.headers["content-type"] ?? "none";
    const mediaType = documented.mediaTypes.find((each) => each === type || each === type.split(";")[0]);
    if (mediaType === undefined) return [`${status} of ${operation.id}: the type ${type} is not documented`];
    return this.#findBodyErrors(documented.schemaAt(mediaType), mediaType, response);
  }

  /** At no documented address nothing is found; a documented one says which methods it has. */
  #findStrayErrors(
    siblings: readonly Operation[],
    { method, target, headers: sent }: RawRequest,
    response: Response,
  ): string[] {
    const { status, headers } = response;
    if (method === "OPTIONS" && siblings.length > 0 && status === 204) return [];
    if (status === 308 && WITH_LAST_SLASH.test(target)) return [];
    if (status === 431 && hasTooManyParts(sent))
      return method === "HEAD" ? [] : this.#findProblemErrors(response);
    const expected = siblings.length > 0 ? [400, 405] : [400, 404];
    if (!expected.includes(status)) return [`${status} where only ${expected.join(" or ")} can be`];
    if (status === 405 && headers.allow === undefined) return ["405 without Allow"];
    if (status === 404 && headers["content-type"] === PAGE) return findPageErrors(sent);
    return method === "HEAD" ? [] : this.#findProblemErrors(response);
  }

  #findProblemErrors(response: Response): string[] {
    const type = response.headers["content-type"];
    if (type !== PROBLEM) return [`${response.status} has the type ${type}, not ${PROBLEM}`];
    return this.#findBodyErrors("#/components/schemas/Problem", PROBLEM, response);
  }

  #findBodyErrors(
    schemaAt: string | undefined,
    mediaType: string,
    { status, body, length, headers }: Response,
  ): string[] {
    const claimed = headers["content-length"];
    if (claimed !== undefined && Number(claimed) !== length) return [`${length} bytes came, not ${claimed}`];
    if (schemaAt === undefined || !mediaType.includes("json")) return [];
    const text = body.toString("utf8");
    if (mediaType === PROBLEM && INSIDE.test(text)) return [`${status} tells of the inside: ${text}`];
    const value = tryParse(text);
    if (value === undefined) return [`${status}: the body is not JSON`];
    const validate =
      this.#ajv.getSchema(`document${schemaAt}`) ?? this.#ajv.compile({ $ref: `document${schemaAt}` });
    if (validate(value)) return mediaType === PROBLEM ? findStatusErrors(value, status) : [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${status}: the body${instancePath} ${message}`,
    );
  }
}

/** Pages are at the address without it. */
const WITH_LAST_SLASH = /^\/library[^?]*\/(?:\?|$)/;

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, "");

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);

const findPageErrors = (sent: Headers): string[] => (prefersPage(sent) ? [] : ["an unexpected page"]);

const prefersPage = (headers: Headers): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === "accept" && value.includes("html"));

const hasTooManyParts = (headers: Headers): boolean =>
  headers.some(
    ([, value]) => value.split(/[,;]/).length > MAX_PARTS || value.split('"').length > 2 * MAX_PARTS + 1,
  );

function findHeaderErrors({ headers }: Response): string[] {
  const missing = Object.entries(SECURITY_HEADERS).flatMap(([name, form]) => {
    const value = headers[name];
    return typeof value === "string" && form.test(value)
      ? []
      : [`the header ${name} is ${value ?? "missing"}`];
  });
  return [...missing, ...TALKATIVE.flatMap((name) => (name in headers ? [`there is a header ${name}`] : []))];
}

function findStatusErrors(problem: unknown, status: number): string[] {
  const said = typeof problem === "object" && problem !== null && "status" in problem && problem.status;
  return said === status ? [] : [`${status}: the body says ${said}`];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
