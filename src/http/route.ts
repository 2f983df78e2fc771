/** A route is data: method, path, access, schemas of request and responses, and a handler that calls one service. */
import type { Request, Response } from "express";
import { z } from "zod";
import { invalidInput, notFound } from "../errors.ts";
import { type Parsed, parse } from "../schemas/parse.ts";
import type { Services } from "../services/index.ts";
import type { Actor, Reader } from "../services/shared/actor.ts";
import type { ExpectedVersions } from "../services/shared/record-versions.ts";
import type { Accepted } from "../services/shared/results.ts";
import type { Access } from "./access.ts";
import { type BodySpec, type BodyTools, isForm, jsonBody } from "./requests/body.ts";
import { readConfirmedToken, readKnownDeviceToken } from "./requests/cookies.ts";
import { prefersPage, readAccepted, readAcceptedLanguages, readHost } from "./requests/headers.ts";
import { parseIfMatch } from "./requests/if-match.ts";
import { MAX_FORM_BYTES } from "./requests/json.ts";
import { collectErrors, listParameterNames, NOTHING, type Output, parseQuery } from "./requests/query.ts";
import {
  type CountedBy,
  countByAddress,
  type Limit,
  type LimitedRequest,
  type LimitName,
} from "./requests/rate-limit.ts";
import { contextOf, type PageFacts } from "./requests/request-context.ts";
import type { Reply, ReplyFor, ResponseSpecs } from "./responses/responses.ts";

// The groups of operations in the API reference, in order, with descriptions.

export const TAGS = {
  Public: "What a public website or app needs: published books and languages, covers, and downloads.",
  "Library pages": "HTML pages on which readers find and download books. They need no scripts.",
  Authentication: "Log in, log out, and manage the session and password of the logged-in user.",
  Books: "Create, update, order, archive and delete books.",
  Translations: "Titles and descriptions of a book in other languages.",
  Files: "Files of a book: uploads stored by the service and links to files in cloud storage.",
  Covers: "Cover images of a book, one for each language and a default one.",
  Languages: "Languages and sub-languages, and which books a sub-language shows.",
  Channels:
    "Distribution channels, such as a website or a newsletter, and which books are published on them.",
  Library: "The pages for readers: settings, texts in each language, and the logo.",
  Contacts: "People who requested downloads. Use these operations to export or erase personal data.",
  Analytics: "Download statistics, the download event log and its CSV export.",
  "API Keys": "Credentials for programs that manage the catalogue, or submit the forms of readers.",
  Users: "Accounts of administrators and their roles.",
  "Audit log": "Who changed what, and when.",
  Webhooks: "Addresses of other systems, to which events are sent as they happen.",
  Settings: "Facts about this installation, and the geolocation database.",
  System: "Health checks, diagnostics, the favicon, and this API description.",
} as const;

export type Tag = keyof typeof TAGS;

/** How long a request may wait for the database in total, in milliseconds. */
export const DATABASE_LIMITS_MS = {
  form: 10_000,
  /** Reads of one record. */
  record: 5000,
  /** Work in many transactions or statements, each of which has limits of its own. */
  batches: Number.POSITIVE_INFINITY,
  other: 35_000,
};

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The properties of a route besides its schemas and its handler. */
interface RouteProperties {
  /** The OpenAPI operation id. */
  id: string;
  /** The OpenAPI operation id of PATCH on the same path, if it does the same as this PUT. */
  patchId?: string;
  method: Method;
  /** With parameters in braces: `/api/books/{slugOrId}`. */
  path: string;
  summary: string;
  /** What a client must know beyond the summary, in Markdown. */
  description: string;
  /** The rate limit: by address, unless `limitBy` returns another key. */
  limit?: LimitName;
  /** How many requests a user can have at once, with all sessions and API keys; checked before the body is read. */
  maxAtOnce?: number;
  /** The limit for waiting for the database; default `other`. */
  databaseLimit?: keyof typeof DATABASE_LIMITS_MS;
  /** Problem statuses besides those that follow from access, parameters, body and `isCacheable`. */
  problems?: readonly number[];
  /**
   * Whether a GET with this query starts long work or is recorded in the audit log: such requests from other sites are
   * rejected (403). Default: for exports.
   */
  startsWork?: (query: Readonly<Record<string, unknown>>) => boolean;
  /** Whether the change can be limited to a version of the record, by `If-Match`. */
  takesIfMatch?: boolean;
  /** Responses are the same for all clients and can be revalidated. */
  isCacheable?: boolean;
  /** Responses show the published catalogue: others may keep them for PUBLIC_CACHE_SECONDS. */
  showsCatalogue?: boolean;
  /** A page of any site may load the responses, which others may keep for PUBLIC_CACHE_SECONDS. */
  isForAnySite?: boolean;
  /** Never for a response that joins a secret with a stranger's input: its length would reveal the secret. */
  isCompressed?: boolean;
  /**
   * A browser that follows a link here, or submits a form, gets an HTML page instead of a JSON problem; with `always`, so
   * does every client.
   */
  hasProblemPages?: boolean | "always";
}

export interface RouteDefinition<P, Q, B, A extends ResponseSpecs, Act> extends RouteProperties {
  access: Access<Act>;
  params?: P;
  query?: Q;
  body?: BodySpec<B>;
  /** The body that is read from an unauthenticated client, if it is smaller. */
  anonymousBody?: BodySpec<NoInfer<B>>;
  responses: A;
  /** What an error page contains besides the error, if the request's path determines it. */
  describePage?: (params: Output<P>, services: Services, reader: Reader) => Promise<PageFacts>;
  /**
   * The key by which a request counts, after its input was parsed; undefined: it isn't counted. Without a credential, a
   * request with a body counts by address before the body is read.
   */
  limitBy?(input: HandlerInput<P, Q, B, Act>): CountedBy | undefined;
  handle(
    input: HandlerInput<P, Q, B, Act>,
    services: Services,
  ): Promise<ReplyFor<A> & Reply> | (ReplyFor<A> & Reply);
}

type HandlerInput<P, Q, B, Act> = RequestInfo & {
  params: Output<P>;
  query: Output<Q>;
  body: B;
  actor: Act;
  /** Of the record; undefined on operations without `takesIfMatch`. */
  expected: ExpectedVersions;
};

/** Further properties of the request for a handler; what takes time is determined only when it calls. */
interface RequestInfo {
  reader: Reader;
  /** Whether a browser submitted an HTML form and follows redirects. */
  isPageForm(): boolean;
  /** Whether the client prefers HTML to JSON, as browsers do. */
  prefersPage(): boolean;
  requestId: string;
  /** The token of a browser that has logged in before. */
  knownDevice(): string | undefined;
  /** The token of a browser in which a reader has confirmed an address. */
  confirmedBrowser(): string | undefined;
  host(): string;
  /** Counts the request by address against another limit than the route's. @throws AppError 429 */
  count(limit: LimitName): Promise<void>;
  /** The codes of the languages that the browser prefers. After this call the response has `Vary`. */
  acceptedLanguages(): readonly string[];
  /** What the client accepts. After this call the response has `Vary`. */
  accepted(): Accepted;
}

/** One request, as a route needs it. */
export interface RouteRequest {
  req: Request;
  res: Response;
  actor: Actor | undefined;
  reader: Reader;
  tools: BodyTools;
  services: Services;
  /** The route's limit, if it has one. */
  limited: LimitedRequest | undefined;
  /** All limits. */
  limits: Limits;
}

export type Limits = Readonly<Record<LimitName, Limit>>;

/** What a response that is kept may depend on, besides its address. */
export type KeptCaller = Pick<RequestInfo, "host" | "count" | "acceptedLanguages">;

/** The same operation with the same parameters. */
export type Repeat = (caller: KeptCaller, services: Services) => Promise<Reply>;

/** A route without its type parameters, from which the router and the OpenAPI document are built. */
export interface Route extends RouteProperties {
  /** The group in the API reference. */
  tag: Tag;
  access: Access<unknown>;
  params: z.ZodType | undefined;
  query: z.ZodType | undefined;
  body: BodySpec<unknown> | undefined;
  /** Whether a body is read, including to reject fields if the operation accepts none. */
  readsBody: boolean;
  responses: ResponseSpecs;
  /** Counts the request against the limit, reads its input and calls the handler. */
  serve(request: RouteRequest): Promise<Reply>;
  /** What reads the response to this request again, if it is one that is kept. */
  prepareRepeat?(req: Request): Repeat | undefined;
  /** Undefined if the path doesn't determine the page. */
  describePage: ((req: Request, services: Services, reader: Reader) => Promise<PageFacts>) | undefined;
}

export function defineRoute<
  A extends ResponseSpecs,
  Act,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B = undefined,
>(definition: RouteDefinition<P, Q, B, A, Act>): Omit<Route, "tag"> {
  const { access, params, query, body, anonymousBody, responses, limitBy, handle, describePage, ...rest } =
    definition;
  const isExport = responses[200]?.kind === "csv";
  const queryRules = { names: listParameterNames(query), isPublic: access.isPublic };
  const readsBody = body !== undefined || (isAdministrative(rest) && rest.method !== "get");
  return {
    ...(isExport && { startsWork: () => true }),
    ...rest,
    access,
    params,
    query,
    body,
    readsBody,
    responses,
    describePage:
      describePage &&
      (async (req, services, reader) => describePage(parseParameters(params, req), services, reader)),
    async serve(request) {
      if (!limitBy || (body && !request.actor)) await request.limited?.begin();
      const actor = access.admit(request.actor);
      const pathParams = parseParameters(params, request.req);
      const expected = rest.takesIfMatch ? parseIfMatch(request.req.get("if-match")) : undefined;
      const parsedQuery = parseQuery(query, request.req.query, queryRules);
      const bodySpec = request.actor ? body : (anonymousBody ?? body);
      const parsedBody = await readBody(bodySpec, request, { query: parsedQuery, readsBody });
      if (!parsedQuery.ok || !parsedBody.ok) throw invalidInput(collectErrors(parsedQuery, parsedBody));
      try {
        const parts = { params: pathParams, query: parsedQuery.value, body: parsedBody.value };
        const input = { ...parts, actor, expected, ...createRequestInfo(request) };
        const countedBy = limitBy?.(input);
        if (countedBy) await request.limited?.count(countedBy);
        return await handle(input, request.services);
      } finally {
        await body?.discard(parsedBody.value);
      }
    },
  };
}

const createRequestInfo = ({ req, res, reader, limits }: RouteRequest): RequestInfo => ({
  reader,
  isPageForm: () => isForm(req) && prefersPage(req),
  prefersPage: () => prefersPage(req),
  requestId: contextOf(req).id,
  knownDevice: () => readKnownDeviceToken(req),
  confirmedBrowser: () => readConfirmedToken(req),
  host: () => readHost(req),
  count: (limit) => countByAddress(limits[limit], reader.address),
  acceptedLanguages: () => readAcceptedLanguages(req, res),
  accepted: () => readAccepted(req, res),
});

/** @throws AppError 404: an invalid parameter value identifies nothing that exists */
export function parseParameters<S extends z.ZodType | undefined>(
  schema: S | undefined,
  req: Request,
): Output<S>;
export function parseParameters(schema: z.ZodType | undefined, req: Request): unknown {
  const parsed = schema ? parse(schema, req.params, "path") : NOTHING;
  if (!parsed.ok) throw notFound("not_found", "Record not found.");
  return parsed.value;
}

const isAdministrative = ({ path }: RouteProperties): boolean => path.startsWith("/api/admin/");

interface BodyRules {
  query: Parsed<unknown>;
  readsBody: boolean;
}

/** An upload isn't received for a request that is rejected anyway; JSON is read to report all errors. */
function readBody<B>(
  body: BodySpec<B> | undefined,
  request: RouteRequest,
  rules: BodyRules,
): Promise<Parsed<B>>;
async function readBody(
  body: BodySpec<unknown> | undefined,
  request: RouteRequest,
  { query, readsBody }: BodyRules,
): Promise<Parsed<unknown>> {
  if (!body) return readsBody ? readNoFields(request) : NOTHING;
  const takesFile = body.shapes.some((shape) => shape.hasFile);
  if (!query.ok && takesFile) return { ok: false, errors: [] };
  return body.read(request.req, request.res, request.tools);
}

const NO_FIELDS = jsonBody(z.strictObject({}), { isRequired: false, maxBytes: MAX_FORM_BYTES });

/**
 * On administrative operations an unknown body field is an error, even if the operation has no body: a client that
 * sends `{"permanent": true}` to an operation that expects it in the query must not mistake the response for a
 * deletion.
 */
async function readNoFields({ req, res, tools }: RouteRequest): Promise<Parsed<undefined>> {
  const parsed = await NO_FIELDS.read(req, res, tools);
  return parsed.ok ? NOTHING : parsed;
}
