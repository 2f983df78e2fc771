/** The problem answers of the document: one response for each status, with an example of its own. */
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

/** The schema of every problem: the specification's `Error`, under a name that hides nothing in a client's language. */
export const problemSchema = (register: SchemaRegister) =>
  register.alias("Problem", register.schemaFor(problem, "response"));

/** Where the response for a status is found in the document. */
export const problemReference = (status: number) => ({ $ref: `#/components/responses/${nameOf(status)}` });

/** Any other status, such as 405 and 500: the `default` of every operation. */
export const DEFAULT_PROBLEM = 500;

/** All responses to which operations refer, by name. */
export const problemResponses = (schema: Record<string, unknown>) =>
  Object.fromEntries(CASES.map((problem) => [nameOf(problem.error.status), responseOf(problem, schema)]));

/** The response for a status where a browser gets it as a page. */
export function problemWithPage(status: number, schema: Record<string, unknown>) {
  const known = CASES.find(({ error }) => error.status === status);
  if (!known) throw new Error(`The document has no example of a problem ${status}`);
  const { content, ...response } = responseOf(known, schema);
  return { ...response, content: { ...content, "text/html": {} } };
}

const nameOf = (status: number): string => titleOf(status).replaceAll(" ", "");

interface ProblemCase {
  description: string;
  /** An example. */
  error: AppError;
  instance: string;
  /** What else the answer carries. */
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
const retryAfter = { "Retry-After": "How many seconds to wait." };

const CASES: readonly ProblemCase[] = [
  {
    description: "Something in the request is not valid. `errors` names every fault that has a place.",
    error: invalidInput([
      { in: "body", path: "contact.email", message: "must be an e-mail address", code: "invalid_email" },
      { in: "body", path: "contact.firstName", message: "is required", code: "invalid_type" },
    ]),
    instance: "/api/download/submit",
  },
  {
    description: "No credential, or none that counts here.",
    error: unauthorized("unauthenticated", "Log in or present a valid API key."),
    instance: BOOKS,
    headers: { "WWW-Authenticate": "The scheme that would be accepted." },
  },
  {
    description: "The credential lacks the permission, or the request comes from another site.",
    error: forbidden("permission_missing", "This operation needs the permission edit_books."),
    instance: BOOKS,
  },
  {
    description: "There is no such record.",
    error: notFound("book_not_found", "There is no such book."),
    instance: BOOK,
  },
  {
    description: "The request contradicts what is there.",
    error: conflict("slug_taken", "There is a book with the slug the-deep-well."),
    instance: BOOKS,
  },
  {
    description: "The link was good and has expired.",
    error: gone("download_token_expired", "This download link has expired. Ask for a new one."),
    instance: DOWNLOAD,
  },
  {
    description: "What is there is not the version that the request was meant for.",
    error: preconditionFailed("precondition_failed", "The file is not the version that was asked for."),
    instance: DOWNLOAD,
  },
  {
    description: "The body is too large.",
    error: payloadTooLarge("body_too_large", "The body may have at most 1048576 bytes."),
    instance: BOOKS,
  },
  {
    description: "The body's type or encoding is not one that is read here.",
    error: unsupportedMediaType("unsupported_media_type", "The body must be application/json."),
    instance: BOOKS,
  },
  {
    description: "The file has no such range.",
    error: rangeNotSatisfiable("range_not_satisfiable", "The file has 48213 bytes."),
    instance: DOWNLOAD,
    headers: { "Content-Range": "The size of the file." },
  },
  {
    description:
      "Too many requests from this address or for this account, or too many responses on their way to this address.",
    error: new AppError(429, "too_many_requests", "Too many requests. Try again in 42 seconds."),
    instance: LOGIN,
    headers: retryAfter,
  },
  {
    description: "Any other problem. What is wrong inside is in the log, under the request's id.",
    error: new AppError(500, "server_error", "Something went wrong on our side. It has been noted."),
    instance: BOOKS,
  },
  {
    description: "Another server, of which this one needs something, gives none or something else.",
    error: badGateway(
      "geoip_provider_failed",
      "The provider gave no City database. The host answered with status 401.",
    ),
    instance: "/api/admin/settings/update-geoip",
  },
  {
    description: "Not at this moment.",
    error: unavailable("login_busy", "Too many people are logging in at this moment. Try again shortly."),
    instance: LOGIN,
    headers: retryAfter,
  },
];
