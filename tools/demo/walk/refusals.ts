// What the service must not do, tried: each attempt is answered with the right status and an explanation.
import { createHmac } from "node:crypto";
import { type Response, readJson } from "../../lib/service-client.ts";
import type { Loaded } from "../load.ts";
import type { Report } from "../print.ts";
import * as responses from "../responses.ts";
import { expectSame } from "./expect.ts";
import { reader as contact } from "./one-book.ts";

type Attempt = { title: string; status: number; send: () => Promise<Response> };

export async function tryWhatIsRejected(report: Report, loaded: Loaded): Promise<void> {
  report.heading("What is rejected");
  for (const attempt of createAttempts(loaded)) {
    await report.step(attempt.title, () => checkRejection(attempt));
  }
}

function createAttempts({ reader, apiClient }: Loaded): Attempt[] {
  const unpublished = { slug: "counting-stars", languageCode: "ar", contact };
  return [
    {
      title: "A forged download link",
      status: 404,
      send: () => reader.send(`/api/download/${forgeToken()}`),
    },
    {
      title: "A book not published in Arabic",
      status: 404,
      send: () => reader.send("/api/download/submit", { method: "POST", json: unpublished }),
    },
    {
      title: "An admin request without log-in",
      status: 401,
      send: () => reader.send("/api/admin/books"),
    },
    {
      title: "An API key reading the event log",
      status: 401,
      send: () => apiClient.send("/api/admin/analytics/downloads"),
    },
  ];
}

async function checkRejection({ title, status, send }: Attempt) {
  const response = await send();
  expectSame(response.status, status, "the status");
  const problem = readJson(response, responses.problem, title);
  expectSame(problem.status, status, "the status in the body");
  return { result: `${status} ${problem.code}`, value: undefined };
}

/** Well-formed in every way, but the key is ours, not the service's. */
function forgeToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const signed = [
    { alg: "HS256", typ: "JWT" },
    { sub: "1", purpose: "download", iat: now, exp: now + 600 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${createHmac("sha256", "not the key of the service").update(signed).digest("base64url")}`;
}
