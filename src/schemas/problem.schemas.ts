/** Problem details (RFC 9457): the one shape of every error answer. */
import { z } from "zod";

export const fault = z
  .object({
    in: z.enum(["path", "query", "body"]),
    path: z.string(),
    message: z.string(),
    code: z.string(),
  })
  .meta({ id: "Fault" });

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    error: z.string(),
    requestId: z.string(),
    errors: z.array(fault).optional(),
  })
  .meta({
    id: "Error",
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
        errors: [{ in: "body", path: "contact.email", message: "must be an e-mail address", code: "custom" }],
      },
    ],
  });

export type Problem = z.infer<typeof problem>;
