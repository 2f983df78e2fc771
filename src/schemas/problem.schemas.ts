/** Problem details (RFC 9457): the one shape of every error response. */
import { z } from "zod";
import { timestamp } from "./atoms.ts";
import { book } from "./books.schemas.ts";
import { channel } from "./channels.schemas.ts";
import { contact } from "./contacts.schemas.ts";
import { ERROR_CODES, FIELD_ERROR_CODES } from "./error-codes.ts";
import { bookFile } from "./files.schemas.ts";
import { language } from "./languages.schemas.ts";
import { library, libraryTexts } from "./library.schemas.ts";
import { translation } from "./translations.schemas.ts";
import { webhook } from "./webhooks.schemas.ts";

export const errorCode = z.string().meta({
  id: "ErrorCode",
  description:
    "Machine-readable codes of errors. Codes are stable; later versions may add some: handle an unknown code by its `status`.",
  enum: Object.keys(ERROR_CODES).sort(),
  example: "book_not_found",
});

export const fieldErrorCode = z.string().meta({
  id: "FieldErrorCode",
  description:
    "Machine-readable codes of errors in single values. Codes are stable; later versions may add some: for an unknown code, show `message`.",
  enum: Object.keys(FIELD_ERROR_CODES).sort(),
  example: "too_small",
});

export const fieldError = z
  .object({
    in: z.enum(["path", "query", "body"]).describe("Part of the request that contains the value."),
    path: z
      .string()
      .describe(
        "Dotted path of the value within that part, such as `contact.email`; empty for the whole part.",
      ),
    message: z.string().describe("Human-readable description of the error."),
    code: fieldErrorCode.describe("What is wrong with the value. For an unknown code, show `message`."),
    suggestion: z
      .string()
      .optional()
      .describe("A valid value that is probably meant, such as `fr` for `French` as the code of a language."),
  })
  .meta({ id: "Fault", description: "An invalid value in the request." });

/** A record with a version, as an update returns it. */
const currentRecord = z.union([
  book,
  translation,
  bookFile,
  language,
  channel,
  contact,
  library,
  libraryTexts,
  webhook,
]);
export type CurrentRecord = z.infer<typeof currentRecord>;

export const problem = z
  .object({
    type: z.string().meta({ description: "URN of the problem type; ends with `code`.", format: "uri" }),
    title: z.string().describe("Short label of the status."),
    status: z.int().describe("HTTP status of the response."),
    detail: z.string().describe("Human-readable description of the error and its remedy."),
    instance: z.string().meta({
      description: "Path of the request, without the token of a download link.",
      format: "uri-reference",
    }),
    code: errorCode.describe("Which error it is. Handle an unknown code by its `status`."),
    error: z.string().describe("Same text as `detail`, for clients that expect a field of this name."),
    requestId: z
      .string()
      .describe(
        "Identifier of the request, as in the `X-Request-Id` header. The server log has the details under this identifier.",
      ),
    may_have_been_done: z
      .boolean()
      .optional()
      .describe(
        "`true` if the change may have been made all the same: the service lost the database after it had sent the change. Read the record before sending the request again. Otherwise absent.",
      ),
    progress: z
      .object({
        done: z.int().describe("Number of the last event that has been read."),
        of: z.int().describe("Number of the newest event."),
      })
      .optional()
      .describe("How far the reading of all events is, with `reports_in_preparation`. Otherwise absent."),
    current: currentRecord
      .optional()
      .describe(
        "The record as it is now, if it isn't in a version that `If-Match` lists (`changed_meanwhile`). Otherwise absent.",
      ),
    lastChange: z
      .object({
        at: timestamp.describe("When it was changed last."),
        by: z.string().describe("Name of the user or API key, or of what else changed it."),
      })
      .optional()
      .describe(
        "Who changed the record last, and when, with `changed_meanwhile`. For users only: absent in a response to an API key.",
      ),
    errors: z
      .array(fieldError)
      .optional()
      .describe(
        "Invalid values in the request, up to 100. Absent if the error doesn't concern specific values.",
      ),
  })
  .meta({
    id: "Error",
    description: "An error response (RFC 9457 problem details).",
    example: {
      type: "urn:book-distribution-service:problem:invalid_input",
      title: "Bad Request",
      status: 400,
      detail: "One value is not valid.",
      instance: "/api/download/submit",
      code: "invalid_input",
      error: "One value is not valid.",
      requestId: "01a1fb60-1a34-772b-a309-dba157e20a81",
      errors: [
        { in: "body", path: "contact.email", message: "must be an e-mail address", code: "invalid_email" },
      ],
    },
  });

export type Problem = z.infer<typeof problem>;
