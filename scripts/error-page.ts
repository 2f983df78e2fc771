/** Builds docs/errors.md from the list of error codes. */
import { titleOf } from "../src/http/responses/problem.ts";
import { COMMAND_ERROR_CODES } from "../src/schemas/command-error-codes.ts";
import { ERROR_CODES, FIELD_ERROR_CODES } from "../src/schemas/error-codes.ts";

const INTRODUCTION = `<!-- Generated from src/schemas/error-codes.ts: run \`npm run errors\`. -->

# Errors

Every error response is a problem document (RFC 9457) with the media type \`application/problem+json\`:

\`\`\`json
{
  "type": "urn:book-distribution-service:problem:invalid_input",
  "title": "Bad Request",
  "status": 400,
  "detail": "One value is not valid.",
  "instance": "/api/download/submit",
  "code": "invalid_input",
  "error": "One value is not valid.",
  "requestId": "01a1fb60-1a34-772b-a309-dba157e20a81",
  "errors": [
    { "in": "body", "path": "contact.email", "message": "must be an e-mail address", "code": "invalid_email" }
  ]
}
\`\`\`

Base decisions on \`code\`, which is stable; \`detail\` and \`message\` are human-readable and may change. Later versions may
add codes: handle an unknown code by its \`status\`. \`requestId\` is also in the \`X-Request-Id\` header and in the server log.

What isn't HTTP/1.1, arrives too slowly or has headers above 16 KiB gets a status without a body (400, 408, 413 or 431), and so does
an unknown \`Expect\` (417).
`;

interface Listed {
  status: number;
  meaning: string;
  remedy: string;
}

export function renderErrorPage(): string {
  const byStatus = Object.groupBy(Object.entries<Listed>(ERROR_CODES), ([, { status }]) => status);
  const sections = Object.entries(byStatus).map(([status, codes = []]) =>
    [
      `### ${status} ${titleOf(Number(status))}\n`,
      ...renderTable(
        ["Code", "Meaning", "What to do"],
        codes.map(([code, { meaning, remedy }]) => [`\`${code}\``, meaning, remedy]),
      ),
    ].join("\n"),
  );
  const fields = Object.entries(FIELD_ERROR_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  const commands = Object.entries(COMMAND_ERROR_CODES).map(([code, { meaning, remedy }]) => [
    `\`${code}\``,
    meaning,
    remedy,
  ]);
  return [
    INTRODUCTION,
    "## Response codes\n",
    sections.join("\n\n"),
    "\n## Field error codes\n",
    "`errors` lists every invalid value: `in` is the part of the request, and `path` is the location of the value within it.\n",
    ...renderTable(["Code", "Meaning"], fields),
    "\n## Command errors\n",
    "Commands such as `bookdist backup` print these as text. They don't occur in responses.\n",
    ...renderTable(["Code", "Meaning", "What to do"], commands),
    "",
  ].join("\n");
}

const renderTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
