/** The problem responses of the document: one per status, with an example. */
import { AppError, type FieldError } from "../errors.ts";
import { createProblemDocument, titleOf } from "../http/responses/problem.ts";
import { ERROR_CODES } from "../schemas/error-codes.ts";
import { problem } from "../schemas/problem.schemas.ts";
import type { SchemaRegister } from "./json-schema.ts";

/** The schema of every problem: the specification's `Error`, under a name that doesn't shadow a client's built-in `Error`. */
export const addProblemSchema = (register: SchemaRegister) =>
  register.addAlias("Problem", register.createSchema(problem, "response"));

/** The reference to the response for a status. @param hasPage whether browsers get the problem as HTML */
export const createProblemReference = (status: number, hasPage = false) => ({
  $ref: `#/components/responses/${nameStatus(status)}${hasPage ? WITH_PAGE : ""}`,
});

/** Any other status, such as 405 and 500: the `default` of every operation. */
export const DEFAULT_PROBLEM = 500;

/** All responses to which operations refer, by name. */
export const describeProblems = (schema: Record<string, unknown>) =>
  Object.fromEntries(
    CASES.flatMap((problem) => {
      const name = nameStatus(ERROR_CODES[problem.code].status);
      const response = describeResponse(problem, schema);
      return [
        [name, response],
        [`${name}${WITH_PAGE}`, { ...response, content: { ...response.content, ...PAGE } }],
      ];
    }),
  );

const WITH_PAGE = "WithPage";
/** Without a schema, generated clients would have errors of an unknown type. */
const PAGE = { "text/html": { schema: { type: "string" } } };

const nameStatus = (status: number): string => titleOf(status).replaceAll(" ", "");

interface ProblemCase {
  /** The code of the example. */
  code: keyof typeof ERROR_CODES;
  instance: string;
  description: string;
  errors?: readonly FieldError[];
  /** Descriptions of additional headers, by name. */
  headers?: Readonly<Record<string, string>>;
}

function describeResponse(
  { code, instance, description, errors = [], headers }: ProblemCase,
  schema: Record<string, unknown>,
) {
  const { status, meaning } = ERROR_CODES[code];
  const example = createProblemDocument(
    new AppError(status, code, meaning, { errors }),
    instance,
    REQUEST_ID,
  );
  return {
    description,
    ...(headers && { headers: describeHeaders(headers) }),
    content: { "application/problem+json": { schema, example } },
  };
}

const describeHeaders = (headers: Readonly<Record<string, string>>) =>
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
    code: "invalid_input",
    instance: "/api/download/submit",
    description: "The request is invalid. `errors` lists every invalid value.",
    errors: [
      { in: "body", path: "contact.email", message: "must be an e-mail address", code: "invalid_email" },
      { in: "body", path: "contact.firstName", message: "is required", code: "invalid_type" },
    ],
  },
  {
    code: "unauthenticated",
    instance: BOOKS,
    description: "No credential was sent, or it isn't valid for this operation.",
    headers: { "WWW-Authenticate": "The accepted authentication scheme." },
  },
  {
    code: "permission_missing",
    instance: BOOKS,
    description: "The credential lacks the permission, or the request comes from another site.",
  },
  { code: "book_not_found", instance: BOOK, description: "The record doesn't exist." },
  { code: "slug_taken", instance: BOOKS, description: "The request conflicts with the current state." },
  { code: "download_token_expired", instance: DOWNLOAD, description: "The download link has expired." },
  {
    code: "precondition_failed",
    instance: DOWNLOAD,
    description: "The current version doesn't match the condition in the request headers.",
  },
  { code: "body_too_large", instance: BOOKS, description: "The body is too large." },
  {
    code: "unsupported_media_type",
    instance: BOOKS,
    description: "The media type or encoding of the body isn't supported.",
  },
  {
    code: "range_not_satisfiable",
    instance: DOWNLOAD,
    description: "The requested range is outside the file.",
    headers: { "Content-Range": "The size of the file." },
  },
  {
    code: "too_many_requests",
    instance: LOGIN,
    description:
      "Too many requests from this address or for this account, or too many open responses to this address.",
    headers: retryAfter,
  },
  {
    code: "server_error",
    instance: BOOKS,
    description: "Any other error. The server log has the details under `requestId`.",
  },
  {
    code: "geoip_provider_failed",
    instance: "/api/admin/settings/update-geoip",
    description: "An upstream server failed or sent an invalid response.",
  },
  {
    code: "login_busy",
    instance: LOGIN,
    description: "Temporarily unavailable; retry later.",
    headers: retryAfter,
  },
];
