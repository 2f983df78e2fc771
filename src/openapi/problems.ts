/** The problem responses of the document: one per status, with an example. */
import {
  AppError,
  badGateway,
  conflict,
  forbidden,
  gone,
  invalidInput,
  notFound,
  payloadTooLarge,
  preconditionFailed,
  rangeNotSatisfiable,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from "../errors.ts";
import { problemDocument, titleOf } from "../http/responses/problem.ts";
import { problem } from "../schemas/problem.schemas.ts";
import type { SchemaRegister } from "./json-schema.ts";

/** The schema of every problem: the specification's `Error`, under a name that doesn't shadow a client's built-in `Error`. */
export const problemSchema = (register: SchemaRegister) =>
  register.alias("Problem", register.schemaFor(problem, "response"));

/** The reference to the response for a status. @param hasPage whether browsers get the problem as HTML */
export const problemReference = (status: number, hasPage = false) => ({
  $ref: `#/components/responses/${nameOf(status)}${hasPage ? WITH_PAGE : ""}`,
});

/** Any other status, such as 405 and 500: the `default` of every operation. */
export const DEFAULT_PROBLEM = 500;

/** All responses to which operations refer, by name. */
export const problemResponses = (schema: Record<string, unknown>) =>
  Object.fromEntries(
    CASES.flatMap((problem) => {
      const name = nameOf(problem.error.status);
      const response = responseOf(problem, schema);
      return [
        [name, response],
        [`${name}${WITH_PAGE}`, { ...response, content: { ...response.content, ...PAGE } }],
      ];
    }),
  );

const WITH_PAGE = "WithPage";
/** Without a schema, generated clients would have errors of an unknown type. */
const PAGE = { "text/html": { schema: { type: "string" } } };

const nameOf = (status: number): string => titleOf(status).replaceAll(" ", "");

interface ProblemCase {
  description: string;
  /** An example. */
  error: AppError;
  instance: string;
  /** Descriptions of additional headers, by name. */
  headers?: Readonly<Record<string, string>>;
}

function responseOf({ description, error, instance, headers }: ProblemCase, schema: Record<string, unknown>) {
  const example = problemDocument(error, instance, REQUEST_ID);
  return {
    description,
    ...(headers && { headers: described(headers) }),
    content: { "application/problem+json": { schema, example } },
  };
}

const described = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );

const REQUEST_ID = "01a1fb60-1a34-772b-a309-dba157e20a90";
const BOOKS = "/api/admin/books";
const BOOK = `${BOOKS}/01a1fb60-1a34-772b-a309-dba157e20a81`;
const DOWNLOAD = "/api/download/";
const LOGIN = "/api/auth/login";
const retryAfter = { "Retry-After": "Seconds to wait before retrying." };

const CASES: readonly ProblemCase[] = [
  {
    description: "The request is invalid. `errors` lists every invalid value.",
    error: invalidInput([
      { in: "body", path: "contact.email", message: "must be an e-mail address", code: "invalid_email" },
      { in: "body", path: "contact.firstName", message: "is required", code: "invalid_type" },
    ]),
    instance: "/api/download/submit",
  },
  {
    description: "No credential was sent, or it isn't valid for this operation.",
    error: unauthorized("unauthenticated", "Log in or send a valid API key."),
    instance: BOOKS,
    headers: { "WWW-Authenticate": "The accepted authentication scheme." },
  },
  {
    description: "The credential lacks the permission, or the request comes from another site.",
    error: forbidden("permission_missing", "This operation requires the permission edit_books."),
    instance: BOOKS,
  },
  {
    description: "The record doesn't exist.",
    error: notFound("book_not_found", "Book not found."),
    instance: BOOK,
  },
  {
    description: "The request conflicts with the current state.",
    error: conflict("slug_taken", "A book with the slug “the-deep-well” already exists."),
    instance: BOOKS,
  },
  {
    description: "The download link has expired.",
    error: gone("download_token_expired", "This download link has expired. Request a new one."),
    instance: DOWNLOAD,
  },
  {
    description: "The current version doesn't match the condition in the request headers.",
    error: preconditionFailed(
      "precondition_failed",
      "The current version of the file doesn't match the condition in the request.",
    ),
    instance: DOWNLOAD,
  },
  {
    description: "The body is too large.",
    error: payloadTooLarge("body_too_large", "The body must not exceed 1048576 bytes."),
    instance: BOOKS,
  },
  {
    description: "The media type or encoding of the body isn't supported.",
    error: unsupportedMediaType("unsupported_media_type", "The body must be application/json."),
    instance: BOOKS,
  },
  {
    description: "The requested range is outside the file.",
    error: rangeNotSatisfiable("range_not_satisfiable", "The file has 48213 bytes."),
    instance: DOWNLOAD,
    headers: { "Content-Range": "The size of the file." },
  },
  {
    description:
      "Too many requests from this address or for this account, or too many open responses to this address.",
    error: new AppError(429, "too_many_requests", "Too many requests. Try again in 42 seconds."),
    instance: LOGIN,
    headers: retryAfter,
  },
  {
    description: "Any other error. The server log has the details under `requestId`.",
    error: new AppError(500, "server_error", "Internal server error."),
    instance: BOOKS,
  },
  {
    description: "An upstream server failed or sent an invalid response.",
    error: badGateway(
      "geoip_provider_failed",
      "The provider did not return a City database: the host responded with status 401.",
    ),
    instance: "/api/admin/settings/update-geoip",
  },
  {
    description: "Temporarily unavailable; retry later.",
    error: unavailable("login_busy", "Too many log-ins are in progress. Try again shortly."),
    instance: LOGIN,
    headers: retryAfter,
  },
];
