/** Problem details (RFC 9457): the one shape of every error response. */
import { z } from "zod";
import { ERROR_CODES, FIELD_ERROR_CODES } from "./error-codes.ts";

const errorCode = z.string().meta({
  id: "ErrorCode",
  description:
    "Stable, machine-readable code of an error. Later versions may add codes: treat one that you don't know by the `status`.",
  enum: Object.keys(ERROR_CODES).sort(),
  examples: ["book_not_found"],
});

const fieldErrorCode = z.string().meta({
  id: "FieldErrorCode",
  description:
    "Stable, machine-readable code of an error in one value. Later versions may add codes: show `message` for one that you don't know.",
  enum: Object.keys(FIELD_ERROR_CODES).sort(),
  examples: ["too_small"],
});

export const fieldError = z
  .object({
    in: z.enum(["path", "query", "body"]).describe("Part of the request that contains the value."),
    path: z
      .string()
      .describe(
        "Dotted path of the value within that part, such as `contact.email`; empty for the whole part.",
      ),
    message: z.string().describe("What is wrong with the value, for people to read."),
    code: fieldErrorCode,
  })
  .meta({ id: "Fault", description: "One value of the request that isn't valid." });

export const problem = z
  .object({
    type: z.string().meta({ description: "URN of the kind of problem; ends with `code`.", format: "uri" }),
    title: z.string().describe("Short label of the status."),
    status: z.int().describe("HTTP status of the response."),
    detail: z.string().describe("What went wrong and what to do about it, for people to read."),
    instance: z.string().meta({
      description: "Path of the request, without the token of a download link.",
      format: "uri-reference",
    }),
    code: errorCode,
    error: z.string().describe("Same text as `detail`, for clients that look for a field of this name."),
    requestId: z
      .string()
      .describe(
        "Id of the request, as in the `X-Request-Id` header. The server log has the details under it.",
      ),
    errors: z
      .array(fieldError)
      .optional()
      .describe(
        "Every value of the request that isn't valid, up to 100. Absent when no single value is at fault.",
      ),
  })
  .meta({
    id: "Error",
    description: "An error response (RFC 9457 problem details).",
    examples: [
      {
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
    ],
  });

export type Problem = z.infer<typeof problem>;
